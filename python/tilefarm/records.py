# SPDX-License-Identifier: Apache-2.0
"""Records of runs: the end, statistics, faults, waiting cores, races, and events of traces."""
from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import Iterator, NamedTuple, Union

from . import _arguments as arguments
from . import _layout as layout
from ._library import lib, text_of


class End(enum.Enum):
    """
    Why a run ended.

    QUIET    nothing can happen any more: all cores are done, or wait
    VALUE    the word of `until` has its value
    CYCLES   the limit of `cycles` or `pause` is reached
    FAULT    a core or a thread of the coprocessor stopped on a fault
    STOPPED  Chip.stop() was called
    TIME     the limit of seconds is reached
    """

    QUIET = layout.TF_END_QUIET  #: nothing can happen any more
    VALUE = layout.TF_END_VALUE  #: the word of `until` has its value
    CYCLES = layout.TF_END_CYCLES  #: the limit of `cycles` or `pause` is reached
    FAULT = layout.TF_END_FAULT  #: a core or coprocessor thread stopped on a fault
    STOPPED = layout.TF_END_STOPPED  #: Chip.stop() was called
    TIME = layout.TF_END_TIME  #: the limit of seconds is reached


class CoreState(enum.Enum):
    """
    The state of a core.

    RESET    it is in reset, as all cores of a new chip are; load() and start() take it out
    RUNNING  it retires instructions
    PARKED   it polls, and is skipped until a polled value changes
    BLOCKED  a load or a store waits
    PAUSED   by ebreak
    FAULTED  it stopped on a fault
    """

    RESET = layout.TF_CORE_RESET  #: it waits for start()
    RUNNING = layout.TF_CORE_RUNNING  #: it retires instructions
    PARKED = layout.TF_CORE_PARKED  #: it polls, and is skipped until a polled value changes
    BLOCKED = layout.TF_CORE_BLOCKED  #: a load or store waits
    PAUSED = layout.TF_CORE_PAUSED  #: by ebreak
    FAULTED = layout.TF_CORE_FAULTED  #: it stopped on a fault


class Shape(NamedTuple):
    """The sizes of a chip."""

    name: str  #: of the family, as Chip() takes it: "blackhole"
    title: str  #: of the family, as reports write it: "Blackhole"
    grid_x: int  #: columns of nodes of the NOC
    grid_y: int  #: rows of nodes
    tensix_tiles: int
    eth_tiles: int
    cores: int  #: RISC-V cores of a Tensix tile
    l1_bytes: int  #: L1 of a Tensix tile
    dram_channels: int
    dram_channel_bytes: int
    clock_mhz: int  #: of the tiles


class Stats(NamedTuple):
    """Statistics of all runs of a chip. The last three depend on the host."""

    epochs: int
    cycles: int
    instructions: int  #: retired by all cores, parked ones included
    noc_requests: int
    noc_bytes: int
    noc_atomics: int
    faults: int
    hazards: int
    workers: int  #: worker threads
    wall_s: float  #: seconds in run()
    cpu_s: float  #: seconds of CPU time in run()


class TileStats(NamedTuple):
    """The share of a tile in the statistics of its chip."""

    instructions: int  #: retired by its cores
    noc_requests: int  #: issued by the tile, as the next two
    noc_bytes: int
    noc_atomics: int
    noc_bytes_in: int  #: written to the tile by others


@dataclass(frozen=True)
class Fault:
    """A violation. str() gives it as lines, with its probable cause and the stack."""

    category: str
    tile: tuple[int, int]  #: raw NOC 0 coordinates
    index: int | None  #: of the Tensix tile; None: on another node
    core: str  #: "B"; "": no core caused it
    pc: int
    instruction: int  #: the RISC-V or Tensix word; 0: none
    address: int  #: of the access or the register; 0: none
    cycle: int
    hazard: bool  #: it is only recorded, and the chip does what hardware does
    text: str  #: one sentence
    place: str  #: "function+offset (file:line)"; "": the symbols do not have the pc
    advice: str  #: the probable cause; "": unknown
    stack: list[str] = field(default_factory=list)  #: lines, innermost call first
    chip: int | None = None  #: number of the chip in a System
    node: str = ""  #: "tile 1 (2,2)", "port 0 (1,1)", "DRAM (0,0)"

    def __str__(self) -> str:
        chip = "" if self.chip is None else f"chip {self.chip}, "
        core = f" core {self.core}" if self.core else ""
        place = f" {self.place}" if self.place else ""
        lines = [
            f"{'hazard' if self.hazard else 'fault'}: {chip}{self.node}{core}, cycle {self.cycle}, "
            f"pc 0x{self.pc:x}{place}, instruction 0x{self.instruction:08x}, address 0x{self.address:x}: "
            f"{self.category}: {self.text}"
        ]
        if self.advice:
            lines.append(f"  {self.advice}")
        return "\n".join(lines + self.stack)


@dataclass(frozen=True)
class Waiting:
    """A group of equal cores, or of equal coprocessor threads, that wait or are done."""

    stuck: bool  #: they wait; False: they are done
    thread: bool  #: coprocessor threads of `core`, not cores
    returned: bool  #: main() has returned `status`
    status: int  #: the value that main() returned; any but 0 is a failure
    core: str
    tile: tuple[int, int]  #: raw NOC 0 coordinates of the first tile
    tiles: list[int]  #: indices of the tiles; those of Ethernet tiles are as in Port.index
    pc: int  #: of cores; 0 for threads
    address: int  #: the address that a core waits for; 0: none
    what: str  #: the cause of the wait, and the cores that can end it
    text: str  #: the group as a line
    stack: list[str] = field(default_factory=list)  #: of the first core, if it is stuck
    chip: int | None = None  #: number of the chip in a System
    trapped: bool = False  #: it is done by an ebreak before main() returned, as of __builtin_trap(): a failure
    endless: bool = False  #: it is done by an empty endless loop before main() returned: a failure

    def __str__(self) -> str:
        return "\n".join([self.text] + self.stack)


@dataclass(frozen=True, repr=False)
class Result:
    """The outcome of a run. str() is a line."""

    end: End
    stats: Stats  #: of all runs of the chip
    faults: list[Fault]  #: faults and hazards of this run
    waits: list[Waiting]  #: the cores and threads that wait or are done; [] unless the run ended quiet

    @property
    def cycles(self) -> int:
        """Cycles of all runs of the chip."""
        return self.stats.cycles

    @property
    def instructions(self) -> int:
        """Instructions of all runs of the chip, retired by all cores."""
        return self.stats.instructions

    @property
    def seconds(self) -> float:
        """Seconds of the host in all runs of the chip."""
        return self.stats.wall_s

    @property
    def done(self) -> list[Waiting]:
        """Groups of cores that are done."""
        return [wait for wait in self.waits if not wait.stuck]

    @property
    def stuck(self) -> list[Waiting]:
        """Groups of cores and threads that wait."""
        return [wait for wait in self.waits if wait.stuck]

    def __repr__(self) -> str:
        faults = sum(not fault.hazard for fault in self.faults)
        counts = [(faults, "fault", "faults"), (len(self.faults) - faults, "hazard", "hazards"),
                  (sum(len(wait.tiles) for wait in self.stuck if not wait.thread), "core waits", "cores wait"),
                  (sum(len(wait.tiles) for wait in self.done), "core is done", "cores are done")]
        text = "".join(f", {count} {one if count == 1 else more}" for count, one, more in counts if count)
        return f"<tilefarm result: {self.end.name}, cycle {self.cycles}{text}>"

    def _repr_html_(self) -> str:
        from . import html  # which needs these records

        return html.result(self)


class CoreTimes(NamedTuple):
    """The cycles of a core in timing mode, by what they were for."""

    cycles: int  #: until the core ended: the sum of the others, without `uncertain` and `ended`
    issued: int  #: instructions
    result: int  #: awaiting a result of arithmetic, or its unit
    load_l1: int  #: awaiting a load from L1
    load: int  #: awaiting any other load, or a place for a load
    store: int  #: awaiting room in the store queue
    branch: int  #: jumps and branches that were not as predicted
    fetch: int  #: awaiting instructions
    fifo: int  #: awaiting room in the FIFO of a thread of the coprocessor
    sync: int  #: awaiting a mailbox, a semaphore of the coprocessor, or its end
    noc: int  #: polling a register of a NIU
    memory: int  #: polling L1
    other: int  #: polling any other register
    uncertain: int  #: of all these, those that rest on durations which are derived, or without a source
    ended: int  #: since the core ended: its program has returned


class TileTimes(NamedTuple):
    """Cycles in which units of a tile were busy, in timing mode."""

    matrix: int
    vector: int
    unpack: int
    pack: int
    scalar: int
    config: int
    mover: int
    noc_out: tuple[int, int]  #: links from the NIU of each NOC
    noc_in: tuple[int, int]
    mvmul: int  #: MVMULs; the unit takes at most one a cycle


class PathPart(NamedTuple):
    """A part of the critical path: cycles of one kind, at one instruction, in one step of the path."""

    step: int  #: steps are in order; a step stays with one actor, and its parts are mixed in time
    begin: int  #: the first cycle of the step
    end: int  #: the cycle after it, where the next step begins
    cycles: int  #: of this part; those of all parts add up to the cycles since record_path()
    kind: str  #: what they were for: tf_path_kind_name() of tilefarm_times.h
    actor: str  #: "core", "thread", "packet", "link" for a packet on a link; "none" for the end
    at: tuple[int, int]  #: raw coordinates of its tile; of a packet, where it left
    to: tuple[int, int]  #: of a packet, where it goes
    number: int  #: the core, the thread of the coprocessor, the NOC, or the TX queue
    pc: int  #: the instruction; of a thread or a packet, the one that pushed or sent it
    place: str  #: its function and line, if they are known
    link: tuple[int, int] | None  #: of kind "link": the router before the link for which it waited longest
    way: str  #: and its direction: "x", "y", or "i" to the NIU
    unit: str | None  #: the unit of the coprocessor
    uncertain: bool  #: it rests on a duration that is derived, or has no source
    chip: int | None = None  #: number of the chip of `at` and `pc` in a System
    to_chip: int | None = None  #: number of the chip of `to` in a System


class CoreView(NamedTuple):
    """The state of a core."""

    state: CoreState
    pc: int
    registers: tuple[int, ...]  #: x0 .. x31
    cycle: int
    instret: int  #: instructions that it has retired
    wait_address: int  #: of the access that a parked or blocked core waits in; else 0
    thread_waits: bool  #: an instruction of its coprocessor thread is stalled


def _family(name: str) -> int | None:
    arch: int | None = lib.tf_arch_find(arguments.text("family", name))
    return arch


class RiscvEvent(NamedTuple):
    """An instruction that a core has retired."""

    tile: tuple[int, int]  #: raw NOC 0 coordinates
    core: str
    cycle: int
    pc: int
    instruction: int
    rd: int  #: the register written: 1 .. 31 for x registers, 32 .. 63 for f registers; 0: none
    value: int  #: of register `rd`, afterwards
    address: int  #: of the access to memory or a register
    bytes: int  #: length of the access; 0: no access
    stored: int  #: the value in L1 or local RAM after a store; elsewhere the value stored
    loads: bool
    stores: bool
    skipped: int  #: instructions of polling loops, retired without an event since the core's last event
    family: str = "blackhole"  #: of the chip

    @property
    def text(self) -> str:
        """The disassembled instruction."""
        instruction, pc = arguments.integer("instruction", self.instruction), arguments.integer("pc", self.pc)
        return text_of(lib.tf_riscv_text, _family(self.family), instruction, pc)


class TensixEvent(NamedTuple):
    """An instruction of the coprocessor that has passed its wait gate."""

    tile: tuple[int, int]  #: raw NOC 0 coordinates
    thread: int  #: 0 .. 2
    cycle: int
    pc: int  #: of the core's instruction that pushed it, or its MOP or REPLAY
    instruction: int
    unit: str  #: of the coprocessor
    family: str = "blackhole"  #: of the chip

    @property
    def text(self) -> str:
        """The disassembled instruction."""
        instruction = arguments.integer("instruction", self.instruction)
        return text_of(lib.tf_tensix_text, _family(self.family), instruction)


_CORES = ("B", "NC", "T0", "T1", "T2")


class NocEvent(NamedTuple):
    """A step of a NOC request."""

    request: int  #: its number, from 1 on, in delivery order
    step: str  #: "issued"; "acted": at a node; "landed": its response reached its node; "refused": by a node
    kind: str  #: "read", "write", "masked write", "inline write" or "atomic"
    cycle: int
    initiator: tuple[int, int]  #: raw NOC 0 coordinates, as in the next two fields
    target: tuple[int, int]  #: the node that acts; "issued", of a multicast: the first corner of its rectangle
    target_last: tuple[int, int]  #: of a multicast: the last corner of its rectangle; else equal to `target`
    noc: int  #: 0 or 1
    core: str  #: the core that stored to NOC_CMD_CTRL; "": a NOC request stored there
    tid: int  #: transaction identifier, 0 .. 15
    answered: bool  #: it has a response
    multicast: bool
    pc: int  #: of the store to NOC_CMD_CTRL
    address: int  #: at the target
    source_address: int  #: of a write's data
    return_address: int  #: of a read's data, or an atomic's result
    bytes: int  #: length from `address` on
    at_len_be: int  #: of an atomic: NOC_AT_LEN_BE, opcode and operands
    at_data: int  #: of an atomic or an inline write: NOC_AT_DATA
    result: int  #: "landed", of an atomic: the word returned

    @property
    def text(self) -> str:
        """The step as a line."""
        many = f"multicast to {self.target}-{self.target_last}" if self.multicast else f"{self.target}"
        return f"{self.step}: {self.kind} {many} 0x{self.address:x}, {self.bytes} bytes"


_STEPS = {layout.TF_NOC_ISSUED: "issued", layout.TF_NOC_ACTED: "acted", layout.TF_NOC_LANDED: "landed",
          layout.TF_NOC_REFUSED: "refused"}
_KINDS = {layout.TF_NOC_READ: "read", layout.TF_NOC_WRITE: "write", layout.TF_NOC_WRITE_BE: "masked write",
          layout.TF_NOC_WRITE_INLINE: "inline write", layout.TF_NOC_ATOMIC: "atomic"}


def noc_event(raw: layout.NocEvent) -> NocEvent:
    """Convert an event of the library."""
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
              layout.TF_RACE_SCHEDULE: "schedule", layout.TF_RACE_NULL: "null",
              layout.TF_RACE_SEMAPHORE: "semaphore"}
_RACE_TEXTS = {"data": "nothing orders", "stale line": "the load may hit a stale line of the L0 data cache:",
               "overtaken": "the second may overtake the first:", "unwritten": "read before it is written:",
               "counter": "pops more from a circular buffer than is in it:",
               "unfinished": "the core ended without waiting for the answer:",
               "wrapped": "waits for a counter that may have wrapped around:",
               "register": "a register of this number is read before it is written:",
               "schedule": "the vector unit does not allow:",
               "null": "access to address 0, probably through a null pointer:",
               "semaphore": "a semaphore of this number may not change:"}


class RaceSide(NamedTuple):
    """One access of a race."""

    what: str  #: "store", "NOC write", ...
    tile: tuple[int, int]  #: of the core, or of the request's initiator; raw NOC 0 coordinates
    core: str  #: "": not a core
    cycle: int  #: of the access; of a request, of its issue
    pc: int  #: of the access; of a request, of the store to NOC_CMD_CTRL
    place: str  #: "function+offset (file:line)"; "": the symbols do not have the pc
    noc: int | None  #: of a request: 0 or 1; None: not a request
    waited: str  #: the last wait of the core before it: "a word of memory at 0x18000, cycle 1056, ..."; "": none
    node_name: str = ""  #: of `tile`: "tile 1 (2,2)"

    def __str__(self) -> str:
        if not self.core and self.noc is None:  # the host, or a packet
            return f"{self.what}, after cycle {self.cycle}" if self.cycle else self.what
        core = f" core {self.core}" if self.core else ""
        return f"{self.what}, by {self.node_name}{core}, cycle {self.cycle}, pc 0x{self.pc:x} {self.place}"


class Race(NamedTuple):
    """A race between two places in programs. All fields but `times` are those of its first occurrence."""

    kind: str  #: "data", "stale line", "overtaken", "unwritten", "counter", "unfinished", "wrapped",
    #: "register", "schedule", "null" or "semaphore"
    node: tuple[int, int]  #: the node that has the memory, in raw NOC 0 coordinates
    address: int  #: of the word; or the number of the register
    first: RaceSide
    second: RaceSide | None  #: None: a race of this kind has one side
    advice: str  #: how to fix it
    times: int  #: number of occurrences
    node_name: str = ""  #: of `node`: "tile 1 (2,2)"

    def __str__(self) -> str:
        times = "1 time" if self.times == 1 else f"{self.times} times"
        lines = [f"race: {self.node_name} 0x{self.address:x}, {times}: {_RACE_TEXTS[self.kind]}"]
        for side in (side for side in (self.first, self.second) if side):
            lines.append(f"  {side}")
            if side.waited:
                lines.append(f"    last waited for {side.waited}")
        return "\n".join([*lines, f"  to fix it: {self.advice}"])


def riscv_event(raw: layout.RiscvEvent, family: str) -> RiscvEvent:
    """Convert an event of the library. `family` is the chip's."""
    return RiscvEvent((raw.tile.x, raw.tile.y), _CORES[raw.core], raw.cycle, raw.pc, raw.instruction, raw.rd,
                      raw.value, raw.address, raw.bytes, raw.stored, raw.loads, raw.stores, raw.skipped, family)


def tensix_event(raw: layout.TensixEvent, family: str) -> TensixEvent:
    """Convert an event of the library. `family` is the chip's."""
    return TensixEvent((raw.tile.x, raw.tile.y), raw.thread, raw.cycle, raw.pc, raw.instruction, raw.unit.decode(),
                       family)


class PrintEvent(NamedTuple):
    """A text or a mark from a program: tf_printf() and tf_mark() of tilefarm_print.h, or RISC-V semihosting."""

    tile: tuple[int, int]  #: raw NOC 0 coordinates
    core: str
    cycle: int
    pc: int
    text: str  #: may end in the middle of a line
    mark: bool  #: `text` is a mark for a timeline; False: text to print


def print_event(raw: layout.PrintEvent, core: str) -> PrintEvent:
    """Convert an event of the library. `core` is the name of the core."""
    return PrintEvent((raw.tile.x, raw.tile.y), core, raw.cycle, raw.pc, raw.text.decode("utf-8", "replace"), raw.mark)


Event = Union[RiscvEvent, TensixEvent, PrintEvent, NocEvent]


def _line(event: Event) -> str:
    tile = event.initiator if isinstance(event, NocEvent) else event.tile
    actor = f"T{event.thread}" if isinstance(event, TensixEvent) else event.core
    return f"{event.cycle:10d} {tile[0]},{tile[1]} {actor} {event.pc:08x}  {event.text}"


class Trace:
    """Keeps the last events of a chip: Chip(on_riscv=Trace()), Chip(on_tensix=Trace(most=1000))."""

    def __init__(self, most: int | None = None) -> None:
        """`most` is the number of events to keep, the last ones; None: all."""
        if most is not None:
            most = arguments.integer("most", most, 0, (1 << 62) - 1)
        self.events: deque[Event] = deque(maxlen=most)

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def __len__(self) -> int:
        return len(self.events)

    def __bool__(self) -> bool:
        return True  # else __len__() would make a trace without events false

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def take(self) -> list[Event]:
        """Return the events that are kept, and remove them."""
        events = list(self.events)
        self.events.clear()
        return events

    def lines(self) -> list[str]:
        """Return each event as a line: cycle, tile, core or thread, pc, text."""
        return [_line(event) for event in self.events]
