# SPDX-License-Identifier: Apache-2.0
"""Tiles of a chip, and their cores."""
from __future__ import annotations

import operator
import os
from ctypes import byref
from typing import TYPE_CHECKING, Sequence, Union

from . import _arguments as arguments
from . import _layout as layout
from . import errors, html
from ._library import check, lib
from .memory import Memory
from .names import CoreName, EthCoreName
from .records import CoreState, CoreTimes, CoreView, TileStats, TileTimes

if TYPE_CHECKING:
    from .chip import Chip

CORES: tuple[CoreName, ...] = ("B", "NC", "T0", "T1", "T2")

#: A Tensix tile: its index from 0 on, its raw NOC 0 coordinates (x, y), or a Tile.
Place = Union[int, "tuple[int, int]", "Tile"]


def core_number(core: str | int, names: Sequence[str] = CORES) -> int:
    """Return the number of a core, from 0 on, by its name or number. Raises NoSuchPlaceError for other names."""
    if isinstance(core, str) and core.upper() in names:
        return names.index(core.upper())
    if not isinstance(core, (str, bool)) and arguments.is_index(core) and 0 <= operator.index(core) < len(names):
        return operator.index(core)
    raise errors.NoSuchPlaceError(f"no core {core!r}: {', '.join(names)}")


class Core:
    """A RISC-V core of a Tensix or Ethernet tile. Its methods raise ClosedError, and BusyError during a run."""

    def __init__(self, tile: Tile | Port, number: int) -> None:
        self.tile = tile
        self.number = number
        self.name = tile._core_names[number]

    def __repr__(self) -> str:
        return f"<tilefarm core {self.name} of {self.tile._label}>"

    def load(self, program: str | os.PathLike[str] | bytes, start: bool = True) -> None:
        """Load an ELF executable for this core; Chip.load() describes the parameters and exceptions."""
        self.tile.chip._load(program, self.number, [self.tile], start)

    def start(self, pc: int | None = None) -> None:
        """
        Take the core out of reset, to start with the next run.

        pc  the address to start from, in L1 and a multiple of 4; None: the entry point that load() or start() set last
        Raises InvalidArgumentError for another address.
        """
        handle = self.tile.chip._handle()
        if pc is not None:
            pc = arguments.integer("pc", pc)
            limits = f"from 0 to 0x{self.tile.bytes - 4:x}" if self.tile.bytes else "in L1"
            check(lib.tf_core_set_pc(handle, self.tile.index, self.number, pc),
                  f"{self!r}: pc is 0x{pc:x}, not a multiple of 4 {limits}")
        check(lib.tf_core_start(handle, self.tile.index, self.number), repr(self))

    def stop(self) -> None:
        """Put the core into reset."""
        check(lib.tf_core_stop(self.tile.chip._handle(), self.tile.index, self.number), repr(self))

    @property
    def view(self) -> CoreView:
        """The state of the core. Reading it changes nothing."""
        raw = layout.CoreView()
        check(lib.tf_core_view(self.tile.chip._handle(), self.tile.index, self.number, byref(raw)), repr(self))
        return CoreView(CoreState(raw.state), raw.pc, tuple(raw.x), raw.cycle, raw.instret, raw.wait_address,
                        raw.thread_waits)

    @property
    def times(self) -> CoreTimes:
        """Where its cycles went. Raises InvalidArgumentError for a chip without timing=True."""
        raw = layout.CoreTimes()
        check(lib.tf_core_times(self.tile.chip._handle(), self.tile.index, self.number, byref(raw)),
              f"{self!r}: times of a chip without timing")
        return CoreTimes._make((raw.cycles, *raw.spent, raw.uncertain, raw.ended))

    @property
    def stack(self) -> list[str]:
        """Its stack as lines, innermost call first; [] if the stack is only a pc without a name."""
        return self.tile.chip._stack(self.tile.index, self.number)


class Tile(Memory):
    """A Tensix tile: its cores, and its memory. L1 begins at address 0; registers are above 0xFF000000."""

    def __init__(self, chip: Chip, index: int, x: int, y: int) -> None:
        super().__init__(chip, f"tile {index} ({x},{y})", chip.shape.l1_bytes, chip._node_access(x, y))
        self.index: int = index
        self.x: int = x  #: raw NOC 0 coordinates
        self.y: int = y
        self._label: str = f"tile {index}"
        self._core_names: Sequence[str] = CORES[:chip.shape.cores]

    def __repr__(self) -> str:
        return f"<tilefarm {self.name}>"

    def _repr_html_(self) -> str | None:
        return html.tile(self)

    @property
    def l1(self) -> Memory:
        """The tile itself, as a memory."""
        return self

    @property
    def stats(self) -> TileStats:
        """What its cores and its NIUs did in all runs so far."""
        raw = layout.TileStats()
        check(lib.tf_tile_stats(self.chip._handle(), self.index, byref(raw)), f"{self!r}: statistics")
        return TileStats(*(getattr(raw, name) for name in TileStats._fields))

    @property
    def times(self) -> TileTimes:
        """For how many cycles its units were busy. Raises InvalidArgumentError for a chip without timing=True."""
        raw = layout.TileTimes()
        check(lib.tf_tile_times(self.chip._handle(), self.index, byref(raw)),
              f"{self!r}: times of a chip without timing")
        units = (getattr(raw, name) for name in TileTimes._fields[:-3])
        return TileTimes._make((*units, tuple(raw.noc_out), tuple(raw.noc_in), raw.mvmul))

    def core(self, core: CoreName | int) -> Core:
        """Return core "B", "NC", "T0", "T1" or "T2". Raises NoSuchPlaceError for other names."""
        return Core(self, core_number(core))

    @property
    def cores(self) -> list[Core]:
        """All its cores."""
        return arguments.Items("core", (Core(self, number) for number in range(self.chip.shape.cores)))

    # ---- parameters of kernels: tilefarm_params.h ----

    def set_arguments(self, core: CoreName | int | None, arguments_: Sequence[int]) -> None:
        """
        Write the arguments that kernels get by tf_argument() or get_arg_val(): at most 64 words.

        core  the core; None: the arguments that all cores of the tile have in common
        """
        words = [arguments.word("arguments", word) for word in arguments.items("arguments", arguments_)]
        if len(words) > layout.TF_PARAMS_ARGUMENTS:
            raise errors.InvalidArgumentError(f"{len(words)} arguments, and a core has {layout.TF_PARAMS_ARGUMENTS}")
        at = layout.TF_PARAMS_COMMON if core is None else core_number(core) * layout.TF_PARAMS_ARGUMENTS * 4
        self.write_array(layout.TF_PARAMS_ADDRESS + at, words, "uint32")

    def set_buffer(self, buffer: int, address: int, page_bytes: int, pages: int, format: int = 0) -> None:
        """
        Place a circular buffer, for kernels that are compiled with -DTF_HOST_BUFFERS.

        buffer      0 to 31
        address     in L1, a multiple of 64
        page_bytes  a multiple of 16
        pages       1 to 65535; all of them lie in L1
        format      for kernels that ask for it
        """
        number = arguments.integer("buffer", buffer, 0, layout.TF_PARAMS_BUFFERS - 1)
        words = [arguments.integer("address", address, 0, self.bytes - 1),
                 arguments.integer("page_bytes", page_bytes, 16, self.bytes),
                 arguments.integer("pages", pages, 1, 65535), arguments.word("format", format)]
        if address % 64 or page_bytes % 16:
            raise errors.InvalidArgumentError("address is no multiple of 64, or page_bytes of 16")
        if address + page_bytes * pages > self.bytes:
            raise errors.AddressRangeError(f"the buffer ends at {address + page_bytes * pages:#x}, and L1 at "
                                           f"{self.bytes:#x}")
        self.write_array(layout.TF_PARAMS_ADDRESS + layout.TF_PARAMS_BUFFER + number * 16, words, "uint32")

    def set_semaphore(self, semaphore: int, value: int) -> None:
        """Set a semaphore of tf_semaphore_address() or get_semaphore(). semaphore: 0 to 15."""
        number = arguments.integer("semaphore", semaphore, 0, layout.TF_PARAMS_SEMAPHORES - 1)
        self.write32(layout.TF_PARAMS_ADDRESS + layout.TF_PARAMS_SEMAPHORE + number * 16, value)


class Port(Memory):
    """
    The Ethernet tile of a port, with its cores. L1 begins at address 0; registers are above 0xFF000000.

    Addresses have no size here: a range past the end of L1 is an AddressRangeError, as everywhere.
    """

    def __init__(self, chip: Chip, number: int, x: int, y: int, index: int, core_names: Sequence[str]) -> None:
        super().__init__(chip, f"port {number} ({x},{y})", 0, chip._node_access(x, y))
        self.number: int = number  #: among the Ethernet tiles that the chip has, from 0 on
        self.index: int = index  #: of the tile, as functions of the library take it: behind the Tensix tiles
        self.x: int = x  #: raw NOC 0 coordinates
        self.y: int = y
        self._label: str = f"port {number}"
        self._core_names: Sequence[str] = core_names

    def __repr__(self) -> str:
        return f"<tilefarm {self.name}>"

    def _repr_html_(self) -> str | None:
        return html.tile(self)

    def core(self, core: EthCoreName | int) -> Core:
        """Return core "E0" or, on Blackhole, "E1". Raises NoSuchPlaceError for other names."""
        if isinstance(core, str) and core.upper() == "E0":
            core = 0
        return Core(self, core_number(core, self._core_names))

    @property
    def cores(self) -> list[Core]:
        """All its cores."""
        return arguments.Items("core", (Core(self, number) for number in range(len(self._core_names))))
