# SPDX-License-Identifier: Apache-2.0
"""A chip, its tiles and its cores."""
from __future__ import annotations

import ctypes
import operator
import os
import warnings
from ctypes import byref, c_uint64, c_void_p, sizeof
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Sequence, Union

from . import _layout as layout
from . import _arguments as arguments
from . import _path, errors, files, html, orders, records
from ._configuration import configure
from ._library import ON_NOC, ON_PRINT, ON_PROGRESS, ON_RISCV, ON_TENSIX, SAY, check, lib, text_of
from .memory import Memory
from .names import Arch, Atomics, CoreName, Format, PageLayout, ShardOrder, Timing, Undefined, Vectors, Where
from .records import End, Fault, PathPart, Race, RaceSide, Result, Shape, Stats, Trace, Waiting
from .runs import Runner
from .tensors import Tensor
from .tiles import CORES, Core, Place, Port, Tile, core_number

__all__ = ["CORES", "Chip", "Core", "Place", "Places", "Port", "Tile"]

#: Tiles: "all", one place, or several.
Places = Union[str, Place, Iterable[Place]]


class Chip:
    """
    A whole chip. Call close() at the end, or use a `with` statement.

    A chip belongs to one thread at a time; different threads may run different chips at the same time. During a run
    only stop() may be called: other methods raise BusyError. After close() they raise ClosedError.
    """

    def __init__(
        self,
        arch: Arch = "blackhole",
        *,
        board: str | None = None,
        threads: int | None = None,
        relaxed: bool = False,
        atomics: Atomics = "isa",
        slice_cycles: int | None = None,
        epoch_cycles: int | tuple[int, int] | None = None,
        niu_requests: int | None = None,
        late_cycles: int = 0,
        ordered_memory: bool = False,
        timing: Timing = False,
        undefined: Undefined = "fault",
        inline_l1_faults: bool = False,
        keep_going: bool = False,
        parking: bool = True,
        serial_delivery: bool = False,
        pin: bool = True,
        vectors: Vectors = "best",
        on_riscv: Callable[[Any], object] | None = None,
        riscv_tiles: Places = "all",
        riscv_cores: Iterable[CoreName] = CORES,
        on_tensix: Callable[[Any], object] | None = None,
        tensix_tiles: Places = "all",
        on_print: Callable[[Any], object] | None = None,
        on_noc: Callable[[Any], object] | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        limit_seconds: float | None = None,
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
        Create a chip: all cores are in reset, all memory is zero.

        arch           the family: "blackhole" or "wormhole"
        board          a board of the family that `tilefarm describe` lists; None: the first one
        threads        worker threads, 1 to 256; None: one for each idle CPU core that the process may use
        relaxed        run without epochs: the host's threads decide the order of requests
        atomics        "isa" or "emu-spec": the document that defines NOC atomics where the two documents differ
        slice_cycles   length of a slice in cycles, 16 to 65,536; None: 1024, or less if epochs are shorter
        epoch_cycles   length of an epoch in cycles, or the shortest and the longest. They are at least a slice. The
                       shortest is at most 2^20, the longest 2^24; None: (1024, 16384), or more if slices are longer
        niu_requests   requests that a NIU takes in an epoch, 1 to 65,536; None: 64
        late_cycles    cycles, 0 to 65,536, for which a coprocessor unit stays busy after an instruction has acted
        ordered_memory order the accesses of cores to L1, local RAM and NIUs by cycle, too; slower
        timing         take the cycles of silicon, by tables, as far as they are modelled; slower. "coarse": faster, but
                       cores of a tile see each other's stores late
        undefined      undefined behaviour whose outcome on silicon is known is a "fault", or acts as on "silicon"
        inline_l1_faults
                       an inline write to L1 is a fault; False: a hazard
        keep_going     continue a run after a fault
        on_riscv       called with a RiscvEvent for each instruction that riscv_cores of riscv_tiles retire
        on_tensix      called with a TensixEvent for each instruction that passes a wait gate in tensix_tiles
        on_print       called with a PrintEvent for each text that a program prints, and for its marks
        on_noc         called with a NocEvent for each step of each NOC request; not in relaxed mode
        on_progress    called with cycles and instructions, at most ten times a second
        limit_seconds  the limit `seconds` of runs that have none of their own; None: no limit
        saved          a file of save(), whose state the chip gets. The file also decides all options that change
                       results
        order          an Order: run under another order that the documents allow; see explore()
        timeline, report, profile, coverage, noc_trace
                       paths of files that show the runs (docs/debugging.md); close() or write_files() writes them
        fields         other numbers and flags of struct tf_config (tilefarm_config.h), by name: Chip(check=True)

        These options change no result: threads; pin (pin the workers to CPUs); vectors ("best", "portable", "avx2" or
        "avx512"); callbacks; files. Nor do parking=False and serial_delivery=True, which are slower references.

        Raises InvalidArgumentError for an option out of its range, ArgumentTypeError for one of a wrong type, TypeError
        for an unknown one, OutOfMemoryError, and HostError if the host refuses a thread. With files or `saved` also
        FileError, and FileFormatError for `saved`.
        """
        self._begin(None if limit_seconds is None else arguments.seconds("limit_seconds", limit_seconds))
        if on_progress is not None:
            on_progress = arguments.function("on_progress", on_progress)
        self._arch = lib.tf_arch_find(arguments.text("arch", arch))
        if not self._arch:
            raise errors.InvalidArgumentError(f"no chip family {arch!r}: 'blackhole' or 'wormhole'")
        config = layout.Config()
        lib.tf_config_init_sized(byref(config), sizeof(config))
        config.arch = self._arch
        if board is not None:
            message = layout.Message()
            wanted = layout.BoardText(name=arguments.text("board", board))
            check(lib.tf_board_parse(self._arch, byref(wanted), byref(config.board), byref(message)), "board", message)
        configure(config, "Chip", threads=threads, relaxed=relaxed, atomics=atomics, slice_cycles=slice_cycles,
                  epoch_cycles=epoch_cycles, niu_requests=niu_requests, late_cycles=late_cycles,
                  ordered_memory=ordered_memory, timing=timing, undefined=undefined,
                  inline_l1_faults=inline_l1_faults, keep_going=keep_going, parking=parking,
                  serial_delivery=serial_delivery, pin=pin, vectors=vectors, fields=fields)
        message = layout.Message()
        if saved is not None:
            check(lib.tf_saved_config(arguments.path("saved", saved), byref(config), byref(message)), "saved", message)
            self._arch = config.arch
        self.shape = self._find_shape(self._arch)
        self._config = config
        self._set_callbacks(config, on_riscv, riscv_tiles, riscv_cores, on_tensix, tensix_tiles, on_progress)
        if on_print is not None:
            on_print = arguments.function("on_print", on_print)
            config.on_print = self._callback(ON_PRINT, on_print, self._print_event)
        if on_noc is not None:
            on_noc = arguments.function("on_noc", on_noc)
            config.on_noc = self._callback(ON_NOC, on_noc, records.noc_event)
        if order is not None:
            self._order = orders.checked(order, {"slice_cycles": slice_cycles, "epoch_cycles": epoch_cycles})
            order._configure(config)
        paths = {"timeline": timeline, "report": report, "profile": profile, "coverage": coverage,
                 "noc_trace": noc_trace}
        arguments.distinct({"saved": saved}, paths)
        self._runner.paths.written = paths
        self._create(config, paths)
        if saved is not None:
            try:
                self.restore(saved)
            except errors.TilefarmError:
                self.close(write=False)  # nobody has it: it has run nothing that its files could show
                raise

    _number: int | None = None  #: of the chip in a System

    def _begin(self, limit_seconds: float | None) -> None:
        self._chip = c_void_p()
        self._symbols = c_void_p()
        self._callbacks: list[Any] = []
        self._runner = Runner()
        self._limit_seconds = limit_seconds
        self._files: files.Files | None = None
        self._cycles_limit: int | None = None  # explore() sets it: the limit of runs that have no limit of their own

    def _create(self, config: layout.Config, paths: dict[str, files.Path]) -> None:
        message = layout.Message()
        if any(path is not None for path in paths.values()):
            config = layout.Config.from_buffer_copy(config)
            self._files = files.Files(paths, config)  # adds its callbacks to the configuration
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
        self.tiles: Sequence[Tile] = arguments.Items(
            "tile", (Tile(self, i, *self._coord_of(i)) for i in range(self.shape.tensix_tiles)))
        self.dram: Sequence[Memory] = arguments.Items("DRAM channel", (
            Memory(self, f"DRAM channel {i}", self.shape.dram_channel_bytes, self._dram_access(i))
            for i in range(self.shape.dram_channels)))
        self.ports: Sequence[Port] = arguments.Items("port", self._find_ports())

    def _find_ports(self) -> list[Port]:
        named = (lib.tf_core_name(self._arch, layout.TF_NODE_ETH, i).decode() for i in range(layout.TF_TILE_CORES))
        names = [name for name in named if name != "-"]
        coord, found = layout.Coord(), list[Port]()
        while lib.tf_port_coord(self._arch, len(found), byref(coord)) == layout.TF_OK:
            index = lib.tf_port_tile(self._chip, len(found))
            found.append(Port(self, len(found), coord.x, coord.y, index, names))
        return found

    # ---- life ----

    def close(self, write: bool = True) -> None:
        """
        Free the chip. A second call does nothing.

        write  first write the files that Chip() was given and write_files() has not written
        Raises what write_files() raises, after the chip is freed; BusyError during a run.
        """
        if self._runner.busy:
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
        Write the files that Chip() was given, with all runs so far. They do not show later runs.

        title    the name of the run in the report
        verdict  a word or two in the report; None: from the state of the chip
        message  a sentence after the verdict
        good     show `verdict` in the colour of success
        Raises InvalidArgumentError if there are no files or they are written, and FileError if the disk is full.
        """
        handle = self._handle()
        if self._files is None or self._files.written:
            raise errors.InvalidArgumentError("files: Chip() was given none, or they are written")
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
        if error is not None and self._files is not None and not self._files.written and not self._runner.busy:
            self.write_files(message=f"{type(error).__name__}: {error}")
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_chip", None) and not self._runner.busy:
            self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "tiles"):
            return "<tilefarm chip: not made>"
        state = "" if self._chip else ", closed"
        return f"<tilefarm chip: {self.shape.title}, {self.shape.tensix_tiles} tiles{state}>"

    def _repr_html_(self) -> str | None:
        return html.chip(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # copy.copy() and pickle call this. A second object would free the same chip again.
        raise TypeError("a chip cannot be copied or pickled: use fork(), or save() and Chip(saved=path)")

    def _handle(self) -> c_void_p:
        if not self._chip:
            raise errors.ClosedError("the chip has been closed")
        if self._runner.busy:
            raise errors.BusyError("the chip is running; only stop() may be called")
        return self._chip

    # ---- set-up ----

    @staticmethod
    def _find_shape(arch: c_void_p) -> Shape:
        raw = layout.Shape()
        lib.tf_arch_shape(arch, byref(raw))
        return Shape(raw.name.decode(), raw.title.decode(), raw.grid_x, raw.grid_y, raw.tensix_tiles, raw.eth_tiles,
                     raw.cores, raw.l1_bytes, raw.dram_channels, raw.dram_channel_bytes, raw.clock_mhz)

    def _coord_of(self, index: int) -> tuple[int, int]:
        coord = layout.Coord()
        check(lib.tf_tile_coord(self._arch, index, byref(coord)), f"tile {index}")
        return coord.x, coord.y

    def _callback(self, kind: Any, function: Callable[[Any], object], convert: Callable[[Any], Any]) -> c_void_p:
        """Return the address of a C function that calls `function`. It lives as long as the chip."""
        def call(user: object, pointer: Any) -> None:
            self._runner.guard(self._chip, lambda: function(convert(pointer.contents)))

        return self._kept(kind(call))

    def _kept(self, callback: Any) -> c_void_p:
        self._callbacks.append(callback)
        return ctypes.cast(callback, c_void_p)

    def _set_callbacks(self, config: layout.Config, on_riscv: Callable[[Any], object] | None, riscv_tiles: Places,
                       riscv_cores: Iterable[CoreName], on_tensix: Callable[[Any], object] | None,
                       tensix_tiles: Places, on_progress: Callable[[int, int], object] | None) -> None:
        """
        Set the callbacks that the library calls. Python keeps them, since they must live as long as the chip. If one
        raises an exception, the run ends and run() raises it.
        """
        if on_progress is not None:
            callback = on_progress

            def progress(user: object, cycle: int, instructions: int) -> None:
                self._runner.guard(self._chip, lambda: callback(cycle, instructions))

            config.on_progress = self._kept(ON_PROGRESS(progress))
        if on_riscv is not None:
            on_riscv = arguments.function("on_riscv", on_riscv)
            config.on_riscv = self._callback(ON_RISCV, on_riscv, lambda raw: records.riscv_event(raw, self.shape.name))
            numbers = {core_number(core) for core in arguments.items("riscv_cores", riscv_cores)}
            cores = sum(1 << number for number in numbers)
            for index in self._indices(riscv_tiles):
                config.riscv_traced[index] = cores
        if on_tensix is not None:
            on_tensix = arguments.function("on_tensix", on_tensix)
            config.on_tensix = self._callback(ON_TENSIX, on_tensix,
                                              lambda raw: records.tensix_event(raw, self.shape.name))
            traced = set(self._indices(tensix_tiles))
            for index in range(layout.TF_TENSIX_TILES_MAX):
                config.tensix_traced[index] = index in traced

    # ---- places ----

    def _index(self, place: Place) -> int:
        if isinstance(place, tuple):
            x, y = arguments.pair("a tile", place)
            index: int = lib.tf_tile_index(self._arch, layout.Coord(_byte("x", x), _byte("y", y)))
            check(index, f"tile ({x},{y})")
            return index
        number = place.index if isinstance(place, Tile) else place
        if not arguments.is_index(number) or not 0 <= operator.index(number) < self.shape.tensix_tiles:
            raise errors.NoSuchPlaceError(f"no tile {place!r}: 0 to {self.shape.tensix_tiles - 1}, or (x, y)")
        return operator.index(number)

    def _indices(self, tiles: Places) -> list[int]:
        if isinstance(tiles, str):
            if tiles != "all":
                raise errors.NoSuchPlaceError(f"no tiles {tiles!r}: 'all', an index, (x, y), or several of these")
            return list(range(self.shape.tensix_tiles))
        pair = isinstance(tiles, tuple) and len(tiles) == 2 and all(map(arguments.is_index, tiles))
        if pair or isinstance(tiles, Tile) or arguments.is_index(tiles):
            return [self._index(tiles)]  # type: ignore[arg-type]
        return [self._index(place) for place in arguments.items("tiles", tiles)]

    def tile(self, place: Place) -> Tile:
        """Return a Tensix tile, by its index or its raw NOC 0 coordinates (x, y). Raises NoSuchPlaceError."""
        return self.tiles[self._index(place)]

    def node(self, x: int, y: int) -> Memory:
        """Return the address space of a node of the NOC, by raw NOC 0 coordinates. Raises NoSuchPlaceError."""
        if lib.tf_node_kind(self._arch, layout.Coord(_byte("x", x), _byte("y", y))) == 0:
            raise errors.NoSuchPlaceError(f"no node ({x},{y})")
        x, y = operator.index(x), operator.index(y)
        return Memory(self, f"node ({x},{y})", 0, self._node_access(x, y))

    def tensor(self, shape: int | Sequence[int], format: Format, *, address: int, where: Where = "dram",
               layout: PageLayout = "tiles", shard: tuple[int, int] | None = None,
               banks: Iterable[int | Place] | None = None, shard_order: ShardOrder = "rows") -> Tensor:
        """
        Return a place for a tensor: its write() and read() move NumPy arrays. It reserves nothing.

        shape    sides of the array. Those before the last two count matrices, which follow each other
        format   one of formats.names(); bfp8, bfp4 and bfp2 have tiles alone
        address  of its first page in each bank: a multiple of 64, on Wormhole of 32, for shards in L1 of 16
        where    "dram": the banks are channels; "l1": tiles
        layout   a page is a tile ("tiles"), or a row of the matrix or of the shard ("rows")
        shard    rows and columns of a shard, in numbers; None: pages go to the banks in turn
        banks    channels, or tiles as tile() takes them; None: all. Shards go round if there are more of them
        shard_order
                 "rows": the second shard lies right of the first one; "columns": below it
        Raises InvalidArgumentError for a parameter out of its range, NoSuchPlaceError, and AddressRangeError if the
        tensor does not fit in a bank.
        """
        return Tensor(self, shape, format, address, where, layout, shard, banks, shard_order)

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

    def load(self, program: str | os.PathLike[str] | bytes, core: CoreName | int = "B", tiles: Places = 0, *,
             start: bool = True) -> None:
        """
        Load an ELF executable for a core of some tiles. Its symbols name functions and lines in faults and stacks.

        program  the path of the file, or its bytes
        core     "B", "NC", "T0", "T1" or "T2"
        tiles    "all", one place, or several: indices, (x, y) or Tile
        start    start the cores, at the next run, also those that run or have ended; False: they are left as they are
        Raises FileError, FileFormatError (also: compiled for another family), AddressRangeError (it does not fit),
        NoSuchPlaceError, OutOfMemoryError. Warns (UserWarning) if the program was compiled for another core.
        """
        self._load(program, core_number(core), [self.tiles[index] for index in self._indices(tiles)], start)

    def _load(self, program: str | os.PathLike[str] | bytes, number: int, tiles: Sequence[Tile | Port],
              start: bool) -> None:
        """For public functions: a warning names the caller of the caller."""
        handle, start = self._handle(), arguments.flag("start", start)
        name, image = self._read_program(program)
        message = layout.Message()
        for tile in tiles:
            label = f"{tile._label} core {tile._core_names[number]}"
            if start:  # a core that is out of reset would not start again
                check(lib.tf_core_stop(handle, tile.index, number), label)
            check(lib.tf_load_elf(handle, tile.index, number, name, image, len(image), byref(message)), label, message)
        if tiles and message.text:
            warnings.warn(message.text.decode(errors="replace"), stacklevel=3)
        self._add_symbols(image, number, tiles)
        for tile in tiles if start else []:
            check(lib.tf_core_start(handle, tile.index, number), f"{tile._label} core {tile._core_names[number]}")

    def add_symbols(self, program: str | os.PathLike[str] | bytes, core: CoreName | int = "B",
                    tiles: Places = "all") -> None:
        """
        Add the symbols of a program that load() has not loaded: after restore(), or if firmware loads it. The
        parameters are those of load(). Raises FileError and NoSuchPlaceError. A file without symbols adds none.
        """
        self._handle()
        self._add_symbols(self._read_program(program)[1], core_number(core),
                          [self.tiles[index] for index in self._indices(tiles)])

    def _add_symbols(self, image: bytes, core: int, tiles: Sequence[Tile | Port]) -> None:
        nodes = (layout.Coord * max(len(tiles), 1))(*[layout.Coord(tile.x, tile.y) for tile in tiles])
        lib.tf_symbols_add_nodes(self._symbols, self._arch, image, len(image), 1 << core, nodes, len(tiles))

    def _read_program(self, program: str | os.PathLike[str] | bytes) -> tuple[bytes, bytes]:
        """Return the name and the bytes of a program. Raises FileError."""
        if isinstance(program, (bytes, bytearray, memoryview)):
            return b"program", bytes(program)
        name = arguments.path("program", program)
        self._runner.paths.load(name)
        return name, arguments.file_bytes(arguments.name_of(name))

    # ---- saved chips ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Save the whole state to a file. After an error an earlier file of that name is unchanged.

        Raises FileError, OutOfMemoryError, and InvalidArgumentError in relaxed mode and for the file of a program that
        load() has read.
        """
        message = layout.Message()
        handle, name = self._handle(), arguments.path("path", path)
        self._runner.paths.save(name)
        check(lib.tf_chip_save(handle, name, byref(message)), "save", message)

    def restore(self, path: str | os.PathLike[str]) -> None:
        """
        Give the chip the state in a file of save(). Its configuration must be equal, as that of Chip(saved=path) is.
        After an error the chip is unchanged. If the chip has run, its files are written first.

        Raises FileError, FileFormatError, OutOfMemoryError, and InvalidArgumentError for another configuration, in
        relaxed mode and with check=True.
        """
        name = arguments.path("path", path)
        if self._files is not None and self._files.attached and not self._files.written:
            self.write_files()
        message = layout.Message()
        check(lib.tf_chip_restore(self._handle(), name, byref(message)), "restore", message)

    def fork(self) -> Chip:
        """
        Return a second chip with the state of this one. Both continue independently. The fork has no callbacks, files
        or symbols. A tile or DRAM channel is copied when one of the two chips first accesses it.

        Raises OutOfMemoryError, and InvalidArgumentError in relaxed mode or under another order.
        """
        message = layout.Message()
        chip = c_void_p()
        config = layout.Config.from_buffer_copy(self._config)
        config.on_riscv = config.on_tensix = config.on_print = config.on_noc = config.on_progress = None
        fork = Chip.__new__(Chip)
        fork._begin(self._limit_seconds)
        check(lib.tf_chip_fork(self._handle(), byref(config), byref(chip), byref(message)), "fork", message)
        fork._chip = chip
        fork._config = config
        fork._find_places()
        return fork

    # ---- runs ----

    def run(self, cycles: int | None = None, until: tuple[Place | Port, int, int] | None = None, check: bool = True, *,
            pause: int | None = None, seconds: float | None = None) -> Result:
        """
        Run until nothing can happen any more. A later call continues the run.

        cycles  run at most this number of cycles, 1 to 2^63 - 1; None: no limit
        until   (tile, address, value): end the run when the word has that value, tested at the end of each epoch. The
                tile is a Tensix tile or a Port. The address is in L1 and a multiple of 4
        check   raise FaultError, DeadlockError, ProgramError, NotReachedError or TimeLimitError if the run did not end
                well; False: return the Result in these cases, too
        pause   end with the first epoch that ends at or after this cycle of the chip, 1 to 2^63 - 1. It cuts no epoch
                short, so pauses change no result. Not in relaxed mode
        seconds end the run after so many seconds of the host's time, more than 0; None: the chip's limit_seconds

        A handler of a signal that raises an exception, as that of Ctrl-C does, ends the run within a tenth of a second
        or an epoch; a later call continues the run. If a callback raises an exception, the run ends and raises it.
        Raises InvalidArgumentError for a parameter out of its range, NoSuchPlaceError, and OutOfMemoryError if the host
        has no memory for the copy of a fork.
        """
        __tracebackhide__ = True  # pytest shows the line of the test that ran the chip
        handle = self._handle()
        check = arguments.flag("check", check)
        seconds = self._limit_seconds if seconds is None else arguments.seconds("seconds", seconds)
        seconds = self._runner.limit(seconds)
        options = self._run_options(cycles, until, pause)
        if self._files is not None:
            self._files.attach(handle, self._symbols)
        first = lib.tf_fault_count(handle)
        code, end = self._runner.run(handle, options, seconds, lambda: self._stats(handle).cycles)
        if code == layout.TF_EINVAL and until is not None:
            raise errors.InvalidArgumentError(f"until: 0x{options.until_address:x} is not in L1 or DRAM, or not a "
                                              "multiple of 4")
        _check(code, "run")
        how = End(end)
        if how is End.CYCLES and cycles is None and pause is None:
            raise errors.NotReachedError(f"the run has not ended after {self.stats.cycles} cycles",
                                         Result(how, self.stats, self._faults_from(first), []))
        result = Result(how, self.stats, self._faults_from(first), self.waits() if how is End.QUIET else [])
        if check:
            self._judge(result, until is not None, seconds)
        return result

    def _judge(self, result: Result, awaited: bool, seconds: float | None) -> None:
        """
        Raise the exception of a run that did not end well.

        awaited  the run had `until`
        seconds  its limit
        """
        __tracebackhide__ = True
        _judge(result, awaited)
        if result.end is End.TIME:
            raise errors.TimeLimitError("\n".join([self._runner.late(seconds), *self.stacks()]),
                                        result)

    def _run_options(self, cycles: int | None, until: tuple[Place | Port, int, int] | None,
                     pause: int | None) -> layout.RunOptions:
        options = layout.RunOptions()
        if cycles is not None:
            options.cycles_max = arguments.integer("cycles", cycles, 1, (1 << 63) - 1)
        elif self._cycles_limit is not None:
            options.cycles_max = max(self._cycles_limit - self.stats.cycles, 1)
        if until is not None:
            place, address, value = arguments.pair("until", until, 3)
            tile: Tile | Port = place if isinstance(place, Port) else self.tile(place)
            options.until = True
            options.until_node = layout.Coord(tile.x, tile.y)
            options.until_address = arguments.integer("until: address", address, 0, arguments.U64_MOST)
            options.until_value = arguments.word("until: value", value)
        if pause is not None:
            options.pause_cycle = arguments.integer("pause", pause, 1, (1 << 63) - 1)
        return options

    def stop(self) -> None:
        """End the run at the next epoch. Any thread may call this, and a signal handler."""
        if self._chip:
            lib.tf_stop(self._chip)

    def events(self, trace: Trace, cycles: int | None = None, step: int = 16384) -> Iterator[Any]:
        """
        Run, and yield the events of a trace of this chip, such as Chip(on_riscv=trace), during the run.

        cycles  run at most this number of cycles; None: no limit
        step    cycles of each part of the run, at least 1. The events of a part are yielded after it
        Raises what run(cycles) raises.
        """
        if not isinstance(trace, Trace):
            raise errors.ArgumentTypeError(f"trace is {trace!r}, not a Trace")
        step = arguments.integer("step", step, 1, (1 << 63) - 1)
        left = None if cycles is None else arguments.integer("cycles", cycles, 0, (1 << 63) - 1)
        while left is None or left > 0:
            part = step if left is None else min(step, left)
            result = self.run(part, check=False)
            yield from trace.take()
            left = None if left is None else left - part
            if result.end is not End.CYCLES:
                self._judge(result, False, self._limit_seconds)
                return

    # ---- what it did ----

    @property
    def stats(self) -> Stats:
        """Statistics of all runs so far."""
        return self._stats(self._handle())

    @staticmethod
    def _stats(handle: c_void_p) -> Stats:
        raw = layout.Stats()
        lib.tf_stats(handle, byref(raw))
        return Stats(*(getattr(raw, name) for name in Stats._fields))

    @property
    def dram_times(self) -> list[int]:
        """For how many cycles each DRAM channel was busy. Raises InvalidArgumentError without timing=True."""
        busy = c_uint64()
        result = []
        for channel in range(self.shape.dram_channels):
            _check(lib.tf_dram_times(self._handle(), channel, byref(busy)), "times of a chip without timing")
            result.append(busy.value)
        return result

    def record_path(self) -> None:
        """Record the critical path from now on. Raises InvalidArgumentError without timing=True, or twice."""
        _check(lib.tf_path_record(self._handle()), "the critical path of a chip without timing, or recorded twice")

    @property
    def critical_path(self) -> list[PathPart]:
        """Which waits, in order, made the run as long as it is, since record_path(). Their cycles add up to it."""
        return _path.read(self)

    @property
    def state_hash(self) -> int:
        """A hash of the whole simulated state, 64 bits. Equal programs, inputs and configurations give equal hashes."""
        value: int = lib.tf_state_hash(self._handle())
        return value

    @property
    def faults(self) -> list[Fault]:
        """The first 1024 faults and hazards of all runs."""
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
        index, number = lib.tf_tile_index(self._arch, raw.tile), self._index_of(raw.tile)
        place = self._place(raw.tile, raw.core, raw.pc)
        advice = ctypes.create_string_buffer(layout.TF_PLACE_BYTES)
        if number >= 0:
            lib.tf_stack_diagnose(self._chip, self._symbols, byref(raw), advice)
        core = self._core_name(raw.tile, raw.core)
        return Fault(lib.tf_fault_category_name(raw.category).decode(), (raw.tile.x, raw.tile.y),
                     index if index >= 0 else None, core, raw.pc, raw.instruction, raw.address, raw.cycle, raw.hazard,
                     raw.text.decode(errors="replace"), place, advice.value.decode(errors="replace"),
                     self._stack(number, raw.core) if place else [], self._number, self._node_name(raw.tile))

    def _index_of(self, node: layout.Coord) -> int:
        """Return the index of a tile with cores: those of ports follow those of Tensix tiles; else -1."""
        index: int = lib.tf_tile_index(self._arch, node)
        return next((port.index for port in self.ports if (port.x, port.y) == (node.x, node.y)), index)

    def _node_name(self, node: layout.Coord) -> str:
        """Return the name of a node as the command writes it."""
        index = lib.tf_tile_index(self._arch, node)
        if index >= 0:
            return f"tile {index} ({node.x},{node.y})"
        for port in self.ports:
            if (port.x, port.y) == (node.x, node.y):
                return port.name
        kind = {layout.TF_NODE_DRAM: "DRAM", layout.TF_NODE_PCIE: "PCIe", layout.TF_NODE_ARC: "ARC",
                layout.TF_NODE_L2CPU: "L2CPU", layout.TF_NODE_SECURITY: "security"}
        return f"{kind.get(lib.tf_node_kind(self._arch, node), 'node')} ({node.x},{node.y})"

    def _print_event(self, raw: layout.PrintEvent) -> records.PrintEvent:
        return records.print_event(raw, self._core_name(raw.tile, raw.core))

    def _core_name(self, node: layout.Coord, core: int) -> str:
        if core == layout.TF_CORE_NONE:
            return ""
        name: bytes = lib.tf_core_name(self._arch, lib.tf_node_kind(self._arch, node), core)
        return name.decode()

    def _place(self, node: layout.Coord, core: int, pc: int) -> str:
        """Return the function and line of an instruction; "" if the node or the core is none, or nothing is known."""
        number = lib.tf_symbols_tile(self._arch, node)
        if number < 0 or core >= layout.TF_TILE_CORES:
            return ""
        text = ctypes.create_string_buffer(layout.TF_PLACE_BYTES)
        lib.tf_symbols_place(self._symbols, number, core, pc, text, len(text))
        return text.value.decode(errors="replace")

    def _stack(self, index: int, core: int) -> list[str]:
        lines: list[str] = []
        say = SAY(lambda user, line: lines.append(line.decode(errors="replace")))
        lib.tf_stack_print(self._handle(), self._symbols, index, core, say, None)
        return lines

    def stacks(self) -> list[str]:
        """Return the stacks of all cores that run or wait, as lines. Equal ones appear once. Changes no state."""
        lines: list[str] = []
        say = SAY(lambda user, line: lines.append(line.decode(errors="replace")))
        lib.tf_stacks_print(self._handle(), self._symbols, True, say, None)
        return lines

    def waits(self) -> list[Waiting]:
        """Return the groups of cores and threads that wait or are done; stuck ones come first. Changes no state."""
        handle = self._handle()
        room = lib.tf_waits(handle, None, 0)
        raw = (layout.Waiting * max(room, 1))()
        count = lib.tf_waits(handle, raw, room)
        return [self._waiting(raw[i]) for i in range(min(count, room))]

    def _waiting(self, raw: layout.Waiting) -> Waiting:
        index = self._index_of(raw.node)
        trapped = lib.tf_waiting_trapped(self._handle(), self._symbols, byref(raw))  # pc is that of the next word
        place = self._place(raw.node, raw.core, raw.pc - 4 * trapped) if not raw.thread else ""
        text = text_of(lib.tf_waiting_text, self._arch, byref(raw), place.encode() or None,
                       room=layout.TF_WAITING_TEXT_BYTES)
        if self._number is not None:
            text = f"chip {self._number}: {text}"
        every = range(self.shape.tensix_tiles + self.shape.eth_tiles)
        tiles = [i for i in every if raw.tile[i // 64] >> i % 64 & 1]
        return Waiting(raw.stuck, raw.thread, raw.returned, raw.status,
                       self._core_name(raw.node, raw.core), (raw.node.x, raw.node.y), tiles,
                       raw.pc, raw.address, raw.what.decode(errors="replace"), text,
                       self._stack(index, raw.core) if place and raw.stuck else [], self._number, trapped,
                       lib.tf_waiting_endless(self._handle(), self._symbols, byref(raw)))

    def races(self) -> list[Race]:
        """Return the races that Chip(check=True) has found so far; [] without it. Changes no state."""
        handle = self._handle()
        room = lib.tf_races(handle, None, 0)
        raw = (layout.Race * max(room, 1))()
        count = lib.tf_races(handle, raw, room)
        return [self._race(raw[i]) for i in range(min(count, room))]

    def _race(self, raw: layout.Race) -> Race:
        def side(of: layout.RaceSide) -> RaceSide:
            core, place = self._core_name(of.tile, of.core), self._place(of.tile, of.core, of.pc)
            waited = ""
            if of.waited:
                at = f" at 0x{of.waited_address:x}" if of.waited_address else ""
                pc = self._place(of.tile, of.core, of.waited_pc)
                waited = f"{of.waited.decode()}{at}, cycle {of.waited_cycle}, pc 0x{of.waited_pc:x} {pc}"
            return RaceSide(of.what.decode(), (of.tile.x, of.tile.y), core, of.cycle, of.pc, place,
                            of.noc if of.noc >= 0 else None, waited, self._node_name(of.tile))
        return Race(records.RACE_KINDS[raw.kind], (raw.node.x, raw.node.y), raw.address, side(raw.side0),
                    side(raw.side1) if raw.side1.what else None, raw.advice.decode(), raw.count,
                    self._node_name(raw.node))

    def decisions(self) -> list[orders.Decision]:
        """Return the decisions so far of a chip with an order: those with another value than 0."""
        return orders.decisions_of(self._handle(), self._symbols, self._number)

    def report(self) -> str:
        """Return the state as lines: statistics, faults, waiting cores, and the races of Chip(check=True)."""
        stats = self.stats
        lines = [f"{self.shape.title}: {stats.cycles} cycles, {stats.instructions} instructions, "
                 f"{stats.noc_requests} NOC requests, state hash {self.state_hash:016x}"]
        lines += [str(fault) for fault in self.faults]
        lines += [("waits: " if wait.stuck else "done: ") + str(wait) for wait in self.waits()]
        lines += [str(race) for race in self.races()]
        return "\n".join(lines)


_check = check


def _judge(result: Result, awaited: bool, links: Sequence[object] = ()) -> None:
    """
    Raise the exception of a run that did not end well, by the rules of `tilefarm run`.

    awaited  the run had `until`
    links    of a system: what links have to do with the waits of its cores
    """
    __tracebackhide__ = True
    faults = [fault for fault in result.faults if not fault.hazard]
    failed = [wait for wait in result.waits if wait.returned and wait.status != 0 or wait.trapped or wait.endless]
    stuck = [wait for wait in result.waits if wait.stuck]
    if faults:
        raise errors.FaultError("\n".join(map(str, faults[:10])), result, faults)
    if stuck:
        raise errors.DeadlockError("\n".join(map(str, [*stuck[:20], *links[:20], *failed[:10]])), result, stuck)
    if failed:
        lines = [wait.text + ", and main() has not returned" * wait.endless for wait in failed[:10]]
        raise errors.ProgramError("\n".join(lines), result, failed)
    if awaited and result.end in (End.QUIET, End.CYCLES):
        raise errors.NotReachedError(f"the word never got its value: the run ended {result.end.name}", result)


def _byte(what: str, value: int) -> int:
    """Return a coordinate as a byte; 255, which no chip has, for one that does not fit."""
    number = arguments.index(what, value)
    return number if 0 <= number < 256 else 255
