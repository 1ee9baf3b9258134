# SPDX-License-Identifier: Apache-2.0
"""A chip, its tiles and its cores."""
from __future__ import annotations

import ctypes
import os
import signal
import threading
from contextlib import contextmanager
from ctypes import byref, c_void_p
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Sequence, Union

from . import _layout as layout
from . import errors, files, orders, records
from ._library import ON_NOC, ON_PRINT, ON_PROGRESS, ON_RISCV, ON_TENSIX, SAY, check, lib, text_of
from .memory import Memory
from .records import CoreState, CoreView, End, Fault, Race, RaceSide, Result, Shape, Stats, Trace, Waiting

CORES = ("B", "NC", "T0", "T1", "T2")

#: A Tensix tile: its index, its raw NOC 0 coordinates (x, y), or a Tile.
Place = Union[int, "tuple[int, int]", "Tile"]
#: Tiles: "all", one place, or several.
Places = Union[str, Place, Iterable[Place]]

_VECTORS = {"best": layout.TF_VECTORS_BEST, "portable": layout.TF_VECTORS_PORTABLE, "avx2": layout.TF_VECTORS_AVX2,
            "avx512": layout.TF_VECTORS_AVX512}
_ATOMICS = {"isa": layout.TF_ATOMICS_ISA, "emu-spec": layout.TF_ATOMICS_EMU_SPEC}
_UNDEFINED = {"fault": False, "silicon": True}


def core_number(core: str | int) -> int:
    """The number of a core, "B", "NC", "T0", "T1" or "T2"."""
    if isinstance(core, str) and core.upper() in CORES:
        return CORES.index(core.upper())
    if isinstance(core, int) and 0 <= core < len(CORES):
        return core
    raise errors.NoSuchPlaceError(f"no core {core!r}: {', '.join(CORES)}")


def _choose(what: str, value: str, values: dict[str, Any]) -> Any:
    if value not in values:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, not {' or '.join(map(repr, values))}")
    return values[value]


class Core:
    """A RISC-V core of a Tensix tile."""

    def __init__(self, tile: Tile, number: int) -> None:
        self.tile = tile
        self.number = number
        self.name = CORES[number]

    def __repr__(self) -> str:
        return f"<tilefarm core {self.name} of tile {self.tile.index}>"

    def load(self, program: str | os.PathLike[str] | bytes, start: bool = True) -> None:
        """Load an ELF executable for this core; see Chip.load()."""
        self.tile.chip.load(program, self.name, self.tile, start=start)

    def start(self, pc: int | None = None) -> None:
        """Take the core out of reset, at `pc` or at the entry point that was loaded."""
        handle = self.tile.chip._handle()
        if pc is not None:
            check(lib.tf_core_set_pc(handle, self.tile.index, self.number, pc), f"{self!r}: pc 0x{pc:x}")
        check(lib.tf_core_start(handle, self.tile.index, self.number), repr(self))

    def stop(self) -> None:
        """Put the core into reset."""
        check(lib.tf_core_stop(self.tile.chip._handle(), self.tile.index, self.number), repr(self))

    @property
    def view(self) -> CoreView:
        """The core as it is. Looking changes nothing."""
        raw = layout.CoreView()
        check(lib.tf_core_view(self.tile.chip._handle(), self.tile.index, self.number, byref(raw)), repr(self))
        return CoreView(CoreState(raw.state), raw.pc, tuple(raw.x), raw.cycle, raw.instret, raw.wait_address,
                        raw.thread_waits)

    @property
    def stack(self) -> list[str]:
        """Its calls as lines, innermost first; the pc alone where the program is not known."""
        return self.tile.chip._stack(self.tile.index, self.number)


class Tile(Memory):
    """A Tensix tile: its memory, L1 from 0 on and registers from 0xFF000000 on, and its cores."""

    def __init__(self, chip: Chip, index: int, x: int, y: int) -> None:
        super().__init__(chip, f"tile {index} ({x},{y})", chip.shape.l1_bytes, chip._node_access(x, y))
        self.index: int = index
        self.x: int = x  #: raw NOC 0 coordinates
        self.y: int = y

    def __repr__(self) -> str:
        return f"<tilefarm {self.name}>"

    @property
    def l1(self) -> Memory:
        """Its memory: the tile itself."""
        return self

    def core(self, core: str | int) -> Core:
        """The core of a name: "B", "NC", "T0", "T1", "T2"."""
        return Core(self, core_number(core))

    @property
    def cores(self) -> list[Core]:
        """All its cores."""
        return [Core(self, number) for number in range(self.chip.shape.cores)]


class Chip:
    """
    A whole chip. Close it, or use it in a `with` statement.

    A chip belongs to one thread at a time; several chips may run in several threads at once. Only stop() may be called
    while it runs.
    """

    def __init__(
        self,
        arch: str = "blackhole",
        *,
        board: str | None = None,
        threads: int | None = None,
        relaxed: bool = False,
        atomics: str = "isa",
        slice_cycles: int | None = None,
        epoch_cycles: int | tuple[int, int] | None = None,
        niu_requests: int | None = None,
        late_cycles: int = 0,
        ordered_memory: bool = False,
        undefined: str = "fault",
        inline_l1_faults: bool = False,
        keep_going: bool = False,
        parking: bool = True,
        serial_delivery: bool = False,
        pin: bool = True,
        vectors: str = "best",
        on_riscv: Callable[[Any], object] | None = None,
        riscv_tiles: Places = "all",
        riscv_cores: Iterable[str] = CORES,
        on_tensix: Callable[[Any], object] | None = None,
        tensix_tiles: Places = "all",
        on_print: Callable[[Any], object] | None = None,
        on_noc: Callable[[Any], object] | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        saved: str | os.PathLike[str] | None = None,
        order: orders.Order | None = None,
        timeline: str | os.PathLike[str] | None = None,
        report: str | os.PathLike[str] | None = None,
        profile: str | os.PathLike[str] | None = None,
        coverage: str | os.PathLike[str] | None = None,
        noc_trace: str | os.PathLike[str] | None = None,
        **fields: int,
    ) -> None:
        """
        arch           the family: "blackhole" or "wormhole"
        board          a board of the family, as `tilefarm describe` lists them
        threads        worker threads; None: one for each core that the process may use
        relaxed        run without epochs: the host's threads decide the order of requests
        atomics        "isa" or "emu-spec": which document defines NOC atomics where the two differ
        slice_cycles   length of a slice
        epoch_cycles   length of an epoch, or its shortest and longest
        niu_requests   requests that a NIU takes in an epoch
        late_cycles    keep instructions of the coprocessor under way for that long
        ordered_memory order what cores do to L1, local RAM and NIUs by cycle, too; slower
        undefined      undefined behaviour with a known outcome on silicon: a "fault", or as "silicon" does
        keep_going     run on after a fault
        on_riscv       called with a RiscvEvent for each instruction that riscv_cores of riscv_tiles retire
        on_tensix      called with a TensixEvent for each instruction that passes a wait gate in tensix_tiles
        on_print       called with a PrintEvent for each text that a program prints, and for its marks
        on_noc         called with a NocEvent for each step of each NOC request
        on_progress    called with cycles and instructions, at most ten times a second
        saved          a file of save(): the chip goes on from there. All options that show in a result are the file's
        order          run under another order that the documents allow, see explore()
        timeline, report, profile, coverage, noc_trace
                       files that show the runs (docs/debugging.md), written by close() or write_files()
        fields         other numbers and flags of struct tf_config (tilefarm.h), by name
        The others are those of `tilefarm run`. Results depend neither on threads, pin and vectors nor on who looks.
        """
        self._begin(on_progress)
        self._arch = lib.tf_arch_find(str(arch).encode())
        if not self._arch:
            raise errors.InvalidArgumentError(f"no chip family {arch!r}: 'blackhole' or 'wormhole'")
        config = layout.Config()
        lib.tf_config_init(byref(config))
        config.arch = self._arch
        if board is not None:
            message = layout.Message()
            check(lib.tf_board_parse(self._arch, byref(layout.BoardText(name=board.encode())), byref(config.board),
                                     byref(message)), "board", message)
        config.threads = 0 if threads is None else _number("threads", threads, 1)
        config.mode = layout.TF_MODE_RELAXED if relaxed else layout.TF_MODE_DETERMINISTIC
        config.atomics = _choose("atomics", atomics, _ATOMICS)
        config.vectors = _choose("vectors", vectors, _VECTORS)
        config.undefined_as_silicon = _choose("undefined", undefined, _UNDEFINED)
        config.late_cycles = _number("late_cycles", late_cycles)
        config.ordered_memory = ordered_memory
        config.inline_l1_faults = inline_l1_faults
        config.go_on_after_fault = keep_going
        config.parking = parking
        config.serial_delivery = serial_delivery
        config.pin = pin
        if niu_requests is not None:
            config.niu_requests_max = _number("niu_requests", niu_requests)
        _set_epochs(config, slice_cycles, epoch_cycles)
        for name, value in fields.items():
            _set_field(config, name, value)
        message = layout.Message()
        if saved is not None:
            check(lib.tf_saved_config(os.fsencode(saved), byref(config), byref(message)), "saved", message)
            self._arch = config.arch
        self.shape = self._find_shape(self._arch)
        self._config = config
        self._set_callbacks(config, on_riscv, riscv_tiles, riscv_cores, on_tensix, tensix_tiles)
        if on_print is not None:
            config.on_print = self._callback(ON_PRINT, on_print, records.print_event)
        if on_noc is not None:
            config.on_noc = self._callback(ON_NOC, on_noc, records.noc_event)
        if order is not None:
            if slice_cycles is not None or epoch_cycles is not None:
                raise errors.InvalidArgumentError("order: it has its own slice_cycles and epoch_cycles")
            self._order = order
            order._configure(config)
        self._create(config, {"timeline": timeline, "report": report, "profile": profile, "coverage": coverage,
                              "noc_trace": noc_trace})
        if saved is not None:
            self.restore(saved)

    def _begin(self, on_progress: Callable[[int, int], object] | None) -> None:
        self._chip = c_void_p()
        self._symbols = c_void_p()
        self._running = threading.Lock()
        self._error: BaseException | None = None
        self._files: files.Files | None = None
        self._cycles_limit: int | None = None  # of a run without a limit of its own; explore()
        self._on_progress = on_progress

    def _create(self, config: layout.Config, paths: dict[str, files.Path]) -> None:
        message = layout.Message()
        if any(path is not None for path in paths.values()):
            config = layout.Config.from_buffer_copy(config)
            self._files = files.Files(paths, config)  # changes it
        try:
            check(lib.tf_chip_create(byref(config), byref(self._chip), byref(message)), "Chip", message)
        except errors.TilefarmError:
            self._drop_files()
            raise
        self._find_places()

    def _find_places(self) -> None:
        self._arch = lib.tf_chip_arch(self._chip)
        self.shape = self._find_shape(self._arch)
        self._symbols = c_void_p(lib.tf_symbols_create())
        self.tiles: Sequence[Tile] = [Tile(self, i, *self._coord_of(i)) for i in range(self.shape.tensix_tiles)]
        self.dram: Sequence[Memory] = [
            Memory(self, f"DRAM channel {i}", self.shape.dram_channel_bytes, self._dram_access(i))
            for i in range(self.shape.dram_channels)
        ]

    # ---- life ----

    def close(self, write: bool = True) -> None:
        """Write the files of the chip unless `write` is False, and free it. Closing it again does nothing."""
        if self._running.locked():
            raise errors.BusyError("the chip is running")
        if not self._chip:
            return
        try:
            if write and self._files is not None and not self._files.written:
                self.write_files()
        finally:
            lib.tf_chip_destroy(self._chip)
            self._drop_files()
            lib.tf_symbols_destroy(self._symbols)
            self._chip = c_void_p()

    def write_files(self, title: str | None = None, verdict: str | None = None, message: str | None = None, *,
                    good: bool = False) -> None:
        """
        Write the files that Chip() was asked for: of all runs so far. Later runs are in no file.

        title    what ran, for the report
        verdict  a word or two, for the report, and `good` for its colour; None: what the state of the chip says
        message  a sentence behind it
        """
        handle = self._handle()
        if self._files is None or self._files.written:
            raise errors.InvalidArgumentError("files: Chip() was asked for none, or they are written")
        self._files.attach(handle, self._symbols)
        self._files.write(title, verdict, message, good)

    def _drop_files(self) -> None:
        if self._files is not None:
            self._files.close()
            self._files = None

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is not None and self._files is not None and not self._files.written and not self._running.locked():
            self.write_files(message=f"{type(error).__name__}: {error}")
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_chip", None) and not self._running.locked():
            self.close()

    def __repr__(self) -> str:
        state = "" if self._chip else ", closed"
        return f"<tilefarm chip: {self.shape.title}, {self.shape.tensix_tiles} tiles{state}>"

    def _handle(self) -> c_void_p:
        if not self._chip:
            raise errors.ClosedError("the chip has been closed")
        if self._running.locked():
            raise errors.BusyError("the chip is running; only stop() may be called")
        return self._chip

    # ---- set-up ----

    @staticmethod
    def _find_shape(arch: c_void_p) -> Shape:
        raw = layout.Shape()
        lib.tf_arch_shape(arch, byref(raw))
        return Shape(raw.name.decode(), raw.title.decode(), raw.grid_x, raw.grid_y, raw.tensix_tiles, raw.eth_tiles,
                     raw.cores, raw.l1_bytes, raw.dram_channels, raw.dram_channel_bytes)

    def _coord_of(self, index: int) -> tuple[int, int]:
        coord = layout.Coord()
        check(lib.tf_tile_coord(self._arch, index, byref(coord)), f"tile {index}")
        return coord.x, coord.y

    def _guarded(self, function: Callable[[Any], object],
                 convert: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
        def call(user: object, pointer: Any) -> None:
            if self._error is None:
                try:
                    function(convert(pointer.contents))
                except BaseException as error:
                    self._error = error
                    lib.tf_stop(self._chip)
        return call

    def _callback(self, kind: Any, function: Callable[[Any], object], convert: Callable[[Any], Any]) -> c_void_p:
        """The address of a function of this process, which lives as long as the chip."""
        self._callbacks.append(kind(self._guarded(function, convert)))
        return ctypes.cast(self._callbacks[-1], c_void_p)

    def _set_callbacks(self, config: layout.Config, on_riscv: Callable[[Any], object] | None, riscv_tiles: Places,
                       riscv_cores: Iterable[str], on_tensix: Callable[[Any], object] | None,
                       tensix_tiles: Places) -> None:
        """The library calls functions of this process, which must live as long as the chip. Their exceptions end the
        run, and come out of run()."""

        def progress(user: object, cycle: int, instructions: int) -> None:
            # Python handles signals while this runs.
            if self._on_progress is not None and self._error is None:
                try:
                    self._on_progress(cycle, instructions)
                except BaseException as error:
                    self._error = error
                    lib.tf_stop(self._chip)

        self._callbacks: list[Any] = [ON_PROGRESS(progress)]
        config.on_progress = ctypes.cast(self._callbacks[0], c_void_p)
        if on_riscv is not None:
            config.on_riscv = self._callback(ON_RISCV, on_riscv, lambda raw: records.riscv_event(raw, self.shape.name))
            cores = sum(1 << number for number in {core_number(core) for core in riscv_cores})
            for index in self._indices(riscv_tiles):
                config.riscv_traced[index] = cores
        if on_tensix is not None:
            config.on_tensix = self._callback(ON_TENSIX, on_tensix,
                                              lambda raw: records.tensix_event(raw, self.shape.name))
            traced = set(self._indices(tensix_tiles))
            for index in range(layout.TF_TENSIX_TILES_MAX):
                config.tensix_traced[index] = index in traced

    # ---- places ----

    def _index(self, place: Place) -> int:
        if isinstance(place, Tile):
            return place.index
        if isinstance(place, tuple):
            x, y = place
            index: int = lib.tf_tile_index(self._arch, layout.Coord(_byte(x), _byte(y)))
            check(index, f"tile ({x},{y})")
            return index
        if not isinstance(place, int) or not 0 <= place < self.shape.tensix_tiles:
            raise errors.NoSuchPlaceError(f"no tile {place!r}: 0 to {self.shape.tensix_tiles - 1}, or (x, y)")
        return place

    def _indices(self, tiles: Places) -> list[int]:
        if isinstance(tiles, str):
            if tiles != "all":
                raise errors.NoSuchPlaceError(f"no tiles {tiles!r}: 'all', an index, (x, y), or several of these")
            return list(range(self.shape.tensix_tiles))
        if isinstance(tiles, (int, Tile)) or (
            isinstance(tiles, tuple) and len(tiles) == 2 and all(isinstance(part, int) for part in tiles)
        ):
            return [self._index(tiles)]  # type: ignore[arg-type]
        return [self._index(place) for place in tiles]

    def tile(self, place: Place) -> Tile:
        """The tile of an index, or at raw NOC 0 coordinates (x, y)."""
        return self.tiles[self._index(place)]

    def node(self, x: int, y: int) -> Memory:
        """The address space of any node of the NOC, by raw NOC 0 coordinates."""
        if lib.tf_node_kind(self._arch, layout.Coord(_byte(x), _byte(y))) == 0:
            raise errors.NoSuchPlaceError(f"no node ({x},{y})")
        return Memory(self, f"node ({x},{y})", 0, self._node_access(x, y))

    def _node_access(self, x: int, y: int) -> Callable[[bool, int, int, int], None]:
        def access(write: bool, address: int, pointer: int, bytes: int) -> None:
            function = lib.tf_write if write else lib.tf_read
            code = function(self._handle(), layout.Coord(x, y), address, pointer, bytes)
            check(code, f"({x},{y}) 0x{address:x}, {bytes} bytes")
        return access

    def _dram_access(self, channel: int) -> Callable[[bool, int, int, int], None]:
        def access(write: bool, address: int, pointer: int, bytes: int) -> None:
            function = lib.tf_dram_write if write else lib.tf_dram_read
            check(function(self._handle(), channel, address, pointer, bytes),
                  f"DRAM channel {channel} 0x{address:x}, {bytes} bytes")
        return access

    # ---- programs ----

    def load(self, program: str | os.PathLike[str] | bytes, core: str | int = "B", tiles: Places = 0, *,
             start: bool = True) -> None:
        """
        Load an ELF executable, by its path or its bytes, for a core of some tiles, and start them with the next run.
        Its symbols name functions and lines in faults and stacks.
        """
        handle = self._handle()
        number, indices = core_number(core), self._indices(tiles)
        name, image = _read_program(program)
        message = layout.Message()
        for index in indices:
            check(lib.tf_load_elf(handle, index, number, name.encode(), image, len(image), byref(message)),
                  f"tile {index} core {CORES[number]}", message)
        self._add_symbols(image, number, indices)
        for index in indices if start else []:
            check(lib.tf_core_start(handle, index, number), f"tile {index} core {CORES[number]}")

    def add_symbols(self, program: str | os.PathLike[str] | bytes, core: str | int = "B",
                    tiles: Places = "all") -> None:
        """Take the symbols of a program that load() has not loaded, as after restore() or when firmware loads it."""
        self._handle()
        self._add_symbols(_read_program(program)[1], core_number(core), self._indices(tiles))

    def _add_symbols(self, image: bytes, core: int, indices: list[int]) -> None:
        wanted = set(indices)
        most = layout.TF_TENSIX_TILES_MAX
        marks = (ctypes.c_bool * most)(*[index in wanted for index in range(most)])
        lib.tf_symbols_add(self._symbols, image, len(image), 1 << core, marks)

    # ---- saved chips ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the whole state to a file, which is written whole or not at all. Not in relaxed mode."""
        message = layout.Message()
        check(lib.tf_chip_save(self._handle(), os.fsencode(path), byref(message)), "save", message)

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Take the state of a chip of an equal configuration; Chip(saved=path) makes one. After an error the chip is as
        it was. Files of Chip() show the runs before it: they are written then."""
        if self._files is not None and self._files.attached and not self._files.written:
            self.write_files()
        message = layout.Message()
        check(lib.tf_chip_restore(self._handle(), os.fsencode(path), byref(message)), "restore", message)

    def fork(self) -> Chip:
        """A second chip with the same state; both go on independently. It calls none of this one's functions, and knows
        none of its symbols. What neither of them touches is not copied. Not in relaxed mode."""
        message = layout.Message()
        chip = c_void_p()
        config = layout.Config.from_buffer_copy(self._config)
        config.on_riscv = config.on_tensix = config.on_print = config.on_noc = None
        fork = Chip.__new__(Chip)
        fork._begin(None)
        fork._set_callbacks(config, None, "all", CORES, None, "all")
        check(lib.tf_chip_fork(self._handle(), byref(config), byref(chip), byref(message)), "fork", message)
        fork._chip = chip
        fork._config = config
        fork._find_places()
        return fork

    # ---- runs ----

    def run(self, cycles: int | None = None, until: tuple[Place, int, int] | None = None, check: bool = True, *,
            pause: int | None = None) -> Result:
        """
        Run until nothing can happen any more.

        cycles  run so many cycles at most
        until   (tile, address, value): end when the word there has that value
        pause   end with the first epoch that ends at or after this cycle. It cuts no epoch short, so pauses change no
                result. Not in relaxed mode
        check   raise FaultError, ProgramError, DeadlockError or NotReachedError when the run did not end well;
                False: return in any case

        Ctrl-C ends the run at the next epoch and raises KeyboardInterrupt; the run can go on after it.
        """
        __tracebackhide__ = True  # pytest shows the line of the test that ran the chip
        handle = self._handle()
        options = layout.RunOptions()
        if cycles is not None:
            options.cycles_max = _number("cycles", cycles, 1, (1 << 63) - 1)
        elif self._cycles_limit is not None:
            options.cycles_max = max(self._cycles_limit - self.stats.cycles, 1)
        if until is not None:
            place, address, value = until
            tile = self.tile(place)
            options.until = True
            options.until_node = layout.Coord(tile.x, tile.y)
            options.until_address = _number("until: address", address, 0, (1 << 64) - 1)
            options.until_value = value & 0xFFFFFFFF
        if pause is not None:
            options.pause_cycle = _number("pause", pause, 1, (1 << 63) - 1)
        if self._files is not None:
            self._files.attach(handle, self._symbols)
        first = lib.tf_fault_count(handle)
        end = ctypes.c_uint()
        with self._interruptible():
            if not self._running.acquire(blocking=False):
                raise errors.BusyError("the chip is running; only stop() may be called")
            try:
                code = lib.tf_run(handle, byref(options), byref(end))
            finally:
                self._running.release()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if code == layout.TF_EINVAL and until is not None:
            raise errors.InvalidArgumentError(f"until: 0x{until[1]:x} is not in L1 or DRAM, or no multiple of 4")
        _check(code, "run")
        how = End(end.value)
        if how is End.CYCLES and cycles is None and pause is None:
            raise errors.NotReachedError(f"the run has not ended after {self.stats.cycles} cycles",
                                         Result(how, self.stats, self._faults_from(first), []))
        result = Result(how, self.stats, self._faults_from(first), self.waits() if how is End.QUIET else [])
        if check:
            _judge(result, until is not None)
        return result

    def stop(self) -> None:
        """End a run at the next epoch. Any thread may call this."""
        if self._chip:
            lib.tf_stop(self._chip)

    def events(self, trace: Trace, cycles: int | None = None, step: int = 16384) -> Iterator[Any]:
        """
        Run, and give the events of a trace while they happen: Chip(on_riscv=trace) or Chip(on_tensix=trace). The run
        ends as run(cycles) does, and raises what that would raise.
        """
        left = cycles
        while left is None or left > 0:
            part = step if left is None else min(step, left)
            result = self.run(part, check=False)
            yield from trace.take()
            left = None if left is None else left - part
            if result.end is not End.CYCLES:
                _judge(result, False)
                return

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let Ctrl-C end the run. The library's calls of on_progress let Python handle the signal."""
        handler = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(handler):
            yield
            return
        came: list[Any] = []

        def note(number: int, frame: Any) -> None:
            came.append(frame)
            lib.tf_stop(self._chip)

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
        if came:
            handler(signal.SIGINT, came[0])

    # ---- what it did ----

    @property
    def stats(self) -> Stats:
        """Figures of all runs so far."""
        raw = layout.Stats()
        lib.tf_stats(self._handle(), byref(raw))
        return Stats(*(getattr(raw, name) for name in Stats._fields))

    @property
    def state_hash(self) -> int:
        """A hash of the whole simulated state. It is equal for equal programs and configurations."""
        value: int = lib.tf_state_hash(self._handle())
        return value

    @property
    def faults(self) -> list[Fault]:
        """The faults and hazards of all runs; the first 1024."""
        return self._faults_from(0)

    def _faults_from(self, first: int) -> list[Fault]:
        handle = self._handle()
        found = []
        for i in range(first, lib.tf_fault_count(handle)):
            raw = layout.Fault()
            check(lib.tf_fault_get(handle, i, byref(raw)), f"fault {i}")
            found.append(self._fault(raw))
        return found

    def _fault(self, raw: layout.Fault) -> Fault:
        index = lib.tf_tile_index(self._arch, raw.tile)
        known = index >= 0 and raw.core < layout.TF_TILE_CORES
        place = self._place(index, raw.core, raw.pc) if known else ""
        advice = ctypes.create_string_buffer(layout.TF_PLACE_BYTES)
        if index >= 0:
            lib.tf_stack_diagnose(self._chip, self._symbols, byref(raw), advice)
        core = self._core_name(raw.tile, raw.core)
        return Fault(lib.tf_fault_category_name(raw.category).decode(), (raw.tile.x, raw.tile.y),
                     index if index >= 0 else None, core, raw.pc, raw.instruction, raw.address, raw.cycle, raw.hazard,
                     raw.text.decode(errors="replace"), place, advice.value.decode(errors="replace"),
                     self._stack(index, raw.core) if place else [])

    def _core_name(self, node: layout.Coord, core: int) -> str:
        if core == layout.TF_CORE_NONE:
            return ""
        name: bytes = lib.tf_core_name(self._arch, lib.tf_node_kind(self._arch, node), core)
        return name.decode()

    def _place(self, index: int, core: int, pc: int) -> str:
        text = ctypes.create_string_buffer(layout.TF_PLACE_BYTES)
        lib.tf_symbols_place(self._symbols, index, core, pc, text, len(text))
        return text.value.decode(errors="replace")

    def _stack(self, index: int, core: int) -> list[str]:
        lines: list[str] = []
        say = SAY(lambda user, line: lines.append(line.decode(errors="replace")))
        lib.tf_stack_print(self._handle(), self._symbols, index, core, say, None)
        return lines

    def waits(self) -> list[Waiting]:
        """Who waits for what, and who is done: those that are stuck first. Looking changes nothing."""
        handle = self._handle()
        room = lib.tf_waits(handle, None, 0)
        raw = (layout.Waiting * max(room, 1))()
        count = lib.tf_waits(handle, raw, room)
        return [self._waiting(raw[i]) for i in range(min(count, room))]

    def _waiting(self, raw: layout.Waiting) -> Waiting:
        index = lib.tf_tile_index(self._arch, raw.node)
        place = self._place(index, raw.core, raw.pc) if index >= 0 and not raw.thread else ""
        text = text_of(lib.tf_waiting_text, self._arch, byref(raw), place.encode() or None,
                       room=layout.TF_WAITING_TEXT_BYTES)
        tiles = [i for i in range(self.shape.tensix_tiles) if raw.tile[i // 64] >> i % 64 & 1]
        return Waiting(raw.stuck, raw.thread, raw.returned, raw.status,
                       self._core_name(raw.node, raw.core), (raw.node.x, raw.node.y), tiles,
                       raw.pc, raw.address, raw.what.decode(errors="replace"), text,
                       self._stack(index, raw.core) if place and raw.stuck else [])

    def races(self) -> list[Race]:
        """Accesses to memory that nothing orders, of Chip(check=True). Looking changes nothing."""
        handle = self._handle()
        room = lib.tf_races(handle, None, 0)
        raw = (layout.Race * max(room, 1))()
        count = lib.tf_races(handle, raw, room)
        return [self._race(raw[i]) for i in range(min(count, room))]

    def _race(self, raw: layout.Race) -> Race:
        def side(of: layout.RaceSide) -> RaceSide:
            index = lib.tf_tile_index(self._arch, of.tile)
            core = self._core_name(of.tile, of.core)
            named = index >= 0 and of.core < layout.TF_TILE_CORES
            place = self._place(index, of.core, of.pc) if named else ""
            waited = ""
            if of.waited:
                at = f" at 0x{of.waited_address:x}" if of.waited_address else ""
                pc = self._place(index, of.core, of.waited_pc) if named else ""
                waited = f"{of.waited.decode()}{at}, cycle {of.waited_cycle}, pc 0x{of.waited_pc:x} {pc}"
            return RaceSide(of.what.decode(), (of.tile.x, of.tile.y), core, of.cycle, of.pc, place,
                            of.noc if of.noc >= 0 else None, waited)
        return Race(records.RACE_KINDS[raw.kind], (raw.node.x, raw.node.y), raw.address, side(raw.side0),
                    side(raw.side1) if raw.side1.what else None, raw.advice.decode(), raw.count)

    def decisions(self) -> list[orders.Decision]:
        """The decisions of a chip with an order that went another way than usual."""
        return orders.decisions_of(self._handle(), self._symbols)

    def report(self) -> str:
        """The state in words: figures, faults, who waits, and races of Chip(check=True)."""
        stats = self.stats
        lines = [f"{self.shape.title}: {stats.cycles} cycles, {stats.instructions} instructions, "
                 f"{stats.noc_requests} NOC requests, state hash {self.state_hash:016x}"]
        lines += [str(fault) for fault in self.faults]
        lines += [("waits: " if wait.stuck else "done: ") + str(wait) for wait in self.waits()]
        lines += [str(race) for race in self.races()]
        return "\n".join(lines)


_check = check


def _judge(result: Result, awaited: bool) -> None:
    """Raise what is wrong with a run, as `tilefarm run` judges it."""
    __tracebackhide__ = True
    faults = [fault for fault in result.faults if not fault.hazard]
    failed = [wait for wait in result.waits if wait.returned and wait.status != 0]
    stuck = [wait for wait in result.waits if wait.stuck]
    if faults:
        raise errors.FaultError("\n".join(map(str, faults[:10])), result, faults)
    if stuck:
        raise errors.DeadlockError("\n".join(map(str, [*stuck[:20], *failed[:10]])), result, stuck)
    if failed:
        raise errors.ProgramError("\n".join(wait.text for wait in failed[:10]), result, failed)
    if awaited and result.end in (End.QUIET, End.CYCLES):
        raise errors.NotReachedError(f"the word never got its value: the run ended {result.end.name}", result)


def _number(what: str, value: int, least: int = 0, most: int = (1 << 32) - 1) -> int:
    """A number that fits a field. tf_chip_create() checks the limits of the field."""
    if not isinstance(value, int) or not least <= value <= most:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, not {least} to {most}")
    return value


def _read_program(program: str | os.PathLike[str] | bytes) -> tuple[str, bytes]:
    """The name and the bytes of a program."""
    if isinstance(program, bytes):
        return "program", program
    name = os.fspath(program)
    try:
        return name, Path(name).read_bytes()
    except OSError as error:
        raise errors.FileError(error.errno, error.strerror, name) from error


def _byte(value: int) -> int:
    return value if 0 <= value < 256 else 255


def _set_field(config: layout.Config, name: str, value: int) -> None:
    """Set a number or a flag."""
    field = dict(config._fields_).get(name)
    most = {ctypes.c_bool: 1, ctypes.c_uint32: (1 << 32) - 1}.get(field)  # type: ignore[call-overload]
    if most is None:
        raise TypeError(f"Chip() has no option {name!r}")
    setattr(config, name, _number(name, value, most=most))


def _set_epochs(config: layout.Config, slice_cycles: int | None, epoch_cycles: int | tuple[int, int] | None) -> None:
    """A short epoch shortens the slice, and a long slice lengthens the epoch, unless both are given."""
    if slice_cycles is not None:
        config.slice_cycles = _number("slice_cycles", slice_cycles)
    if epoch_cycles is None:
        config.epoch_cycles_min = max(config.epoch_cycles_min, config.slice_cycles)
        config.epoch_cycles_max = max(config.epoch_cycles_max, config.epoch_cycles_min)
        return
    least, most = (epoch_cycles, epoch_cycles) if isinstance(epoch_cycles, int) else epoch_cycles
    config.epoch_cycles_min = _number("epoch_cycles", least)
    config.epoch_cycles_max = _number("epoch_cycles", most)
    if slice_cycles is None and least < config.slice_cycles:
        config.slice_cycles = least
