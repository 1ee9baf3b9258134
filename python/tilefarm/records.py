# SPDX-License-Identifier: Apache-2.0
"""What a run says about itself: its end, its figures, faults, waiting cores, and events of traces."""
from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import Iterator, NamedTuple, Union

from . import _layout as layout
from ._library import lib, text_of


class End(enum.Enum):
    """Why a run ended."""

    QUIET = layout.TF_END_QUIET  #: nothing can happen any more
    VALUE = layout.TF_END_VALUE  #: the word of `until` has its value
    CYCLES = layout.TF_END_CYCLES  #: the limit of cycles
    FAULT = layout.TF_END_FAULT
    STOPPED = layout.TF_END_STOPPED  #: by Chip.stop()


class CoreState(enum.Enum):
    """The state of a core."""

    RESET = layout.TF_CORE_RESET
    RUNNING = layout.TF_CORE_RUNNING
    PARKED = layout.TF_CORE_PARKED  #: it polls, and is skipped until what it polls changes
    BLOCKED = layout.TF_CORE_BLOCKED  #: a load or store waits
    PAUSED = layout.TF_CORE_PAUSED  #: by ebreak
    FAULTED = layout.TF_CORE_FAULTED


class Shape(NamedTuple):
    """How large a chip is."""

    name: str
    title: str
    grid_x: int
    grid_y: int
    tensix_tiles: int
    eth_tiles: int
    cores: int
    l1_bytes: int
    dram_channels: int
    dram_channel_bytes: int


class Stats(NamedTuple):
    """Figures of all runs of a chip. The last three depend on the host."""

    epochs: int
    cycles: int
    instructions: int
    noc_requests: int
    noc_bytes: int
    noc_atomics: int
    faults: int
    hazards: int
    workers: int
    wall_s: float
    cpu_s: float


@dataclass(frozen=True)
class Fault:
    """A violation. str() is the record as the command prints it, with what it most likely is and the stack."""

    category: str
    tile: tuple[int, int]  #: raw NOC 0 coordinates
    index: int | None  #: of a Tensix tile
    core: str  #: "B", or "" where no core made it
    pc: int
    instruction: int
    address: int
    cycle: int
    hazard: bool  #: only noted: the chip went on as hardware does
    text: str
    place: str  #: "function+offset (file:line)", or "" where nothing is known of the pc
    advice: str  #: what it most likely is, or ""
    stack: list[str] = field(default_factory=list)  #: lines, innermost first

    def __str__(self) -> str:
        core = f" core {self.core}" if self.core else ""
        place = f" {self.place}" if self.place else ""
        lines = [
            f"{'hazard' if self.hazard else 'fault'}: ({self.tile[0]},{self.tile[1]}){core}, cycle {self.cycle}, "
            f"pc 0x{self.pc:x}{place}, instruction 0x{self.instruction:08x}, address 0x{self.address:x}: "
            f"{self.category}: {self.text}"
        ]
        if self.advice:
            lines.append(f"  {self.advice}")
        return "\n".join(lines + self.stack)


@dataclass(frozen=True)
class Waiting:
    """Equal cores, or equal threads of coprocessors, that wait or are done."""

    stuck: bool  #: they wait; False: done
    thread: bool  #: the coprocessor's thread of `core`, not the core
    returned: bool  #: main() has returned `status`
    status: int
    core: str
    tile: tuple[int, int]  #: the first one
    tiles: list[int]  #: indices of Tensix tiles
    pc: int
    address: int  #: what a core waits for, or 0
    what: str  #: what it waits for, and who could end that
    text: str  #: all of it as a line
    stack: list[str] = field(default_factory=list)  #: of the first core

    def __str__(self) -> str:
        return "\n".join([self.text] + self.stack)


@dataclass(frozen=True)
class Result:
    """How a run ended."""

    end: End
    stats: Stats
    faults: list[Fault]  #: those of this run, hazards included
    waits: list[Waiting]  #: of a run that ended quiet: who waits, and who is done


class CoreView(NamedTuple):
    """A core at a moment."""

    state: CoreState
    pc: int
    registers: tuple[int, ...]  #: x0 .. x31
    cycle: int
    instret: int
    wait_address: int
    thread_waits: bool


def _family(name: str) -> int | None:
    arch: int | None = lib.tf_arch_find(name.encode())
    return arch


class RiscvEvent(NamedTuple):
    """An instruction that a core has retired."""

    tile: tuple[int, int]
    core: str
    cycle: int
    pc: int
    instruction: int
    rd: int  #: x register written, 1 .. 31; f register + 32; 0: none
    value: int
    address: int  #: of the access to memory; only with `bytes`
    bytes: int
    stored: int
    loads: bool
    stores: bool
    skipped: int  #: instructions of a loop that polls, since the last event of the core
    family: str = "blackhole"  #: of the chip

    @property
    def text(self) -> str:
        """The instruction, disassembled."""
        return text_of(lib.tf_riscv_text, _family(self.family), self.instruction, self.pc)


class TensixEvent(NamedTuple):
    """An instruction of the coprocessor that has passed its wait gate."""

    tile: tuple[int, int]
    thread: int
    cycle: int
    pc: int
    instruction: int
    unit: str
    family: str = "blackhole"  #: of the chip

    @property
    def text(self) -> str:
        """The instruction, disassembled."""
        return text_of(lib.tf_tensix_text, _family(self.family), self.instruction)


_CORES = ("B", "NC", "T0", "T1", "T2")


class NocEvent(NamedTuple):
    """A step of a NOC request: "issued", "acted" at a node, "landed" (its answer), or "refused"."""

    request: int  #: its number, in delivery order
    step: str
    kind: str  #: "read", "write", "masked write", "inline write" or "atomic"
    cycle: int
    initiator: tuple[int, int]  #: raw NOC 0 coordinates, like the others
    target: tuple[int, int]  #: of a multicast's "issued": the first corner of its rectangle
    target_last: tuple[int, int]  #: the last corner; else the target
    noc: int
    core: str  #: that stored to NOC_CMD_CTRL; "" when a request did
    tid: int  #: transaction identifier
    answered: bool
    multicast: bool
    pc: int
    address: int  #: at the target
    source_address: int  #: of a write's data
    return_address: int  #: of a read's data, or an atomic's result
    bytes: int
    at_len_be: int  #: of an atomic: opcode and operands
    at_data: int  #: of an atomic or an inline write
    result: int  #: of an atomic that has landed

    @property
    def text(self) -> str:
        """The step in words."""
        many = f"multicast to {self.target}-{self.target_last}" if self.multicast else f"{self.target}"
        return f"{self.step}: {self.kind} {many} 0x{self.address:x}, {self.bytes} bytes"


_STEPS = {layout.TF_NOC_ISSUED: "issued", layout.TF_NOC_ACTED: "acted", layout.TF_NOC_LANDED: "landed",
          layout.TF_NOC_REFUSED: "refused"}
_KINDS = {layout.TF_NOC_READ: "read", layout.TF_NOC_WRITE: "write", layout.TF_NOC_WRITE_BE: "masked write",
          layout.TF_NOC_WRITE_INLINE: "inline write", layout.TF_NOC_ATOMIC: "atomic"}


def noc_event(raw: layout.NocEvent) -> NocEvent:
    return NocEvent(raw.request, _STEPS[raw.step], _KINDS[raw.kind], raw.cycle, (raw.initiator.x, raw.initiator.y),
                    (raw.target.x, raw.target.y), (raw.target_last.x, raw.target_last.y), raw.noc,
                    _CORES[raw.core] if raw.core < len(_CORES) else "", raw.tid, raw.answered, raw.multicast, raw.pc,
                    raw.address, raw.source_address, raw.return_address, raw.bytes, raw.at_len_be, raw.at_data,
                    raw.result)


RACE_KINDS = {layout.TF_RACE_DATA: "data", layout.TF_RACE_STALE_LINE: "stale line",
              layout.TF_RACE_OVERTAKEN: "overtaken", layout.TF_RACE_UNWRITTEN: "unwritten",
              layout.TF_RACE_COUNTER: "counter",
              layout.TF_RACE_UNFINISHED: "unfinished",
              layout.TF_RACE_WRAPPED: "wrapped", layout.TF_RACE_REGISTER: "register",
              layout.TF_RACE_SCHEDULE: "schedule", layout.TF_RACE_NULL: "null"}


class RaceSide(NamedTuple):
    """One access of a race."""

    what: str  #: "store", "NOC write", ...
    tile: tuple[int, int]  #: of the core, or of the request's initiator
    core: str
    cycle: int
    pc: int
    place: str  #: "function+offset (file:line)", or ""
    noc: int | None  #: of a request
    waited: str  #: "a word of memory at 0x18000, cycle 1056, ...", for which the core had last waited; or ""


class Race(NamedTuple):
    """Two places in programs whose accesses to one byte nothing orders."""

    kind: str  #: "data", "stale line", "overtaken", "unwritten", "counter", "unfinished", "wrapped",
    #: "register", "schedule" or "null"
    node: tuple[int, int]  #: where the memory is, the first time
    address: int
    first: RaceSide
    second: RaceSide | None  #: None: a loose end has one side
    advice: str  #: how to fix it
    times: int  #: how often the two met

    def __str__(self) -> str:
        what = {"data": "nothing orders"}.get(self.kind, self.kind)
        lines = [f"race: {self.node} 0x{self.address:x}, {self.times} times: {what}"]
        for side in (side for side in (self.first, self.second) if side):
            actor = f"{side.what} by {side.tile} core {side.core}"
            lines.append(f"  {actor}, cycle {side.cycle}, pc 0x{side.pc:x} {side.place}")
            if side.waited:
                lines.append(f"    last waited for {side.waited}")
        return "\n".join([*lines, f"  to fix it: {self.advice}"])


def riscv_event(raw: layout.RiscvEvent, family: str) -> RiscvEvent:
    return RiscvEvent((raw.tile.x, raw.tile.y), _CORES[raw.core], raw.cycle, raw.pc, raw.instruction, raw.rd,
                      raw.value, raw.address, raw.bytes, raw.stored, raw.loads, raw.stores, raw.skipped, family)


def tensix_event(raw: layout.TensixEvent, family: str) -> TensixEvent:
    return TensixEvent((raw.tile.x, raw.tile.y), raw.thread, raw.cycle, raw.pc, raw.instruction, raw.unit.decode(),
                       family)


class PrintEvent(NamedTuple):
    """What a program has printed, or marked: tf_printf() and tf_mark() of tilefarm_print.h."""

    tile: tuple[int, int]
    core: str
    cycle: int
    pc: int
    text: str  #: may end in the middle of a line
    mark: bool


def print_event(raw: layout.PrintEvent) -> PrintEvent:
    core = _CORES[raw.core] if raw.core < len(_CORES) else str(raw.core)
    return PrintEvent((raw.tile.x, raw.tile.y), core, raw.cycle, raw.pc, raw.text.decode("utf-8", "replace"), raw.mark)


Event = Union[RiscvEvent, TensixEvent, PrintEvent, NocEvent]


def _line(event: Event) -> str:
    tile = event.initiator if isinstance(event, NocEvent) else event.tile
    actor = f"T{event.thread}" if isinstance(event, TensixEvent) else event.core
    return f"{event.cycle:10d} {tile[0]},{tile[1]} {actor} {event.pc:08x}  {event.text}"


class Trace:
    """Keeps the last events of a chip: Chip(on_riscv=Trace()), Chip(on_tensix=Trace(most=1000))."""

    def __init__(self, most: int | None = None) -> None:
        """Keep `most` events, or all."""
        self.events: deque[Event] = deque(maxlen=most)

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def __len__(self) -> int:
        return len(self.events)

    def __bool__(self) -> bool:
        return True  # also without events

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def take(self) -> list[Event]:
        """The events so far, which are forgotten."""
        events = list(self.events)
        self.events.clear()
        return events

    def lines(self) -> list[str]:
        """The events as text."""
        return [_line(event) for event in self.events]
