# SPDX-License-Identifier: Apache-2.0
"""Systems: several chips, whose Ethernet tiles are joined by links."""
from __future__ import annotations

import ctypes
import operator
import os
import time
from ctypes import byref, c_void_p, sizeof
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, NamedTuple, NoReturn, Sequence, Union

from . import _arguments as arguments
from . import _layout as layout
from . import _path
from . import errors, files, orders, records
from ._configuration import configure
from ._library import ON_CHIP, ON_NOC, ON_PRINT, ON_PROGRESS, check, lib, text_of
from .chip import Chip, Places, _judge
from .names import CoreName
from .records import End, Fault, PathPart, Result, Stats, Waiting
from .runs import Runner
from .tiles import CORES, Place, Port

#: A cluster descriptor: the path of a file, or its text, which has more than one line, or is bytes.
Descriptor = Union[str, "os.PathLike[str]", bytes]

_TEXT_BYTES = 1 << 16


class LinkEnd(NamedTuple):
    """One end of a link."""

    chip: int
    port: int  #: index in the `ports` of the chip


class Link(NamedTuple):
    """One direction of a link, and its traffic."""

    sender: LinkEnd
    receiver: LinkEnd
    packets: int  #: that have been sent
    bytes: int  #: of data that have been sent, without headers
    waiting: int  #: packets that have not arrived
    lost: int  #: other packets, which faults of the link lost


class LinkWait(NamedTuple):
    """A port whose cores wait, and what its link has to do with it."""

    sender: LinkEnd  #: the port
    receiver: LinkEnd | None  #: the other end of its link; None: it has none
    up: bool  #: there is a link, and it is not down
    unacknowledged: int  #: TT-link packets of the port that the other end has not acknowledged
    lost: int  #: packets of the port that were lost
    not_taken: int  #: packets of the port for RX queues at the other end that force back-pressure
    text: str  #: all of it as a line, with what the cores at the other end wait for

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class SystemResult(Result):
    """The outcome of a run of a system: figures, faults and waits of all chips. str() is a line."""

    chips: list[Result] = field(default_factory=list)  #: the same for each chip
    link_waits: list[LinkWait] = field(default_factory=list)  #: ports whose cores wait; [] unless the run ended quiet


class _Runner(Runner):
    """Runs a system, for all of its chips."""

    what = "system"

    def __init__(self) -> None:
        super().__init__()
        self.system = c_void_p()

    def _run_part(self, chip: c_void_p, options: layout.RunOptions, end: ctypes.c_uint) -> int:
        whole = layout.SystemRunOptions(run=options, until_chip=options.until_chip)
        code: int = lib.tf_system_run(self.system, byref(whole), byref(end))
        return code

    def _stop(self, chip: c_void_p) -> None:
        lib.tf_system_stop(self.system)


class SystemChip(Chip):
    """
    A chip of a system: a Chip, except that the system runs, saves and closes it. System makes these.

    Its callbacks, options and files are those of System().
    """

    def __init__(self, system: System, number: int, arch: c_void_p) -> None:
        self._begin(None)
        self._runner = system._runner
        self._arch = arch
        self._number: int = number
        self.shape = self._find_shape(arch)
        self.system = system

    @property
    def number(self) -> int:
        """Its number in the system."""
        return self._number

    def _join(self, chip: int, config: layout.Config) -> None:
        """Take the chip that the library has made."""
        self._chip = c_void_p(chip)
        self._config = config
        self._find_places()

    def _leave(self) -> None:
        """Forget the chip, which the library has destroyed or is about to."""
        lib.tf_symbols_destroy(self._symbols)
        self._symbols = c_void_p()
        self._chip = c_void_p()

    def _refuse(self, instead: str) -> NoReturn:
        raise errors.InvalidArgumentError(f"chip {self.number} belongs to a system: call {instead}")

    def run(self, *_: Any, **__: Any) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.run()")

    def events(self, *_: Any, **__: Any) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.run(), with System(on_riscv=) or System(on_tensix=)")

    def save(self, *_: Any) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.save()")

    def restore(self, *_: Any) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.restore()")

    def fork(self) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.fork()")

    def close(self, *_: Any, **__: Any) -> NoReturn:
        """Not for a chip of a system. Raises InvalidArgumentError."""
        self._refuse("System.close()")

    def stop(self) -> None:
        """End the run of the system soon. Any thread may call this, and a signal handler."""
        self.system.stop()

    def __enter__(self) -> NoReturn:
        self._refuse("System.close()")

    def __del__(self) -> None:
        """The system closes it."""

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, chip {self.number} of a system>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a chip of a system cannot be copied or pickled: use System.fork(), or System.save()")


class System:
    """
    Several chips, whose Ethernet tiles are joined by links. Call close() at the end, or use a `with` statement.

    A system belongs to one thread at a time. During a run only stop() may be called: other methods, and those of its
    chips, raise BusyError. After close() they raise ClosedError.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        cluster: Descriptor | None = None,
        threads: int | None = None,
        link_latency: int | None = None,
        link_gbps: int | None = None,
        link_faults: str | None = None,
        on_riscv: Callable[[int, Any], object] | None = None,
        riscv_tiles: Places = "all",
        riscv_cores: Iterable[CoreName] = CORES,
        on_tensix: Callable[[int, Any], object] | None = None,
        tensix_tiles: Places = "all",
        on_print: Callable[[int, Any], object] | None = None,
        on_noc: Callable[[int, Any], object] | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        limit_seconds: float | None = None,
        order: orders.Order | None = None,
        saved: str | os.PathLike[str] | None = None,
        timeline: str | os.PathLike[str] | None = None,
        report: str | os.PathLike[str] | None = None,
        profile: str | os.PathLike[str] | None = None,
        coverage: str | os.PathLike[str] | None = None,
        noc_trace: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        """
        Create a system: all cores are in reset, all memory is zero, and links are up.

        name           one of System.names(), such as "n300"; or None, with `cluster` or `saved`
        cluster        a cluster descriptor as tt-umd writes it, instead of a name: the path of a file, or its text,
                       which has more than one line, or is bytes
        threads        worker threads for all chips together, 1 to 256; None: one for each idle CPU core that the
                       process may use. They change no result. A system with callbacks for events has one
        link_latency   time of a packet in cycles, from the shortest epoch to 65,536; None: 1024
        link_gbps      rate of each direction of a link in Gb/s, 1 to 1000; None: that of the family
        link_faults    what goes wrong on links, such as "0:8 cut 20000, 1:0 lose 3 4" (docs/systems.md)
        on_riscv, on_tensix, on_print, on_noc
                       called as those of Chip(), with the number of the chip before the event. They make all chips run
                       in the calling thread
        riscv_tiles, riscv_cores, tensix_tiles
                       as those of Chip(), on each chip: "all" or indices
        on_progress    called with cycles and instructions, at most ten times a second
        limit_seconds  the limit `seconds` of runs that have none of their own; None: no limit
        order          an Order for all chips: run under another order that the documents allow; see explore()
        saved          a path of save(), whose state the system gets. The file also decides which chips there are, if
                       neither name nor cluster does; links, if no option does; and all options of chips that change
                       results
        timeline, report, profile, coverage, noc_trace
                       paths of files that show the runs of all chips; close() or write_files() writes them. All chips
                       run in the calling thread then
        options        other options of Chip(), for all chips: relaxed (links take no time then, and have no option),
                       atomics, slice_cycles, epoch_cycles, niu_requests, late_cycles, ordered_memory, timing,
                       undefined, inline_l1_faults, keep_going, parking, serial_delivery, pin, vectors

        Raises InvalidArgumentError for an option out of its range, or one that a system cannot have, ArgumentTypeError
        for one of a wrong type, TypeError for an unknown one, OutOfMemoryError, and HostError if the host refuses a
        thread. With files, `cluster` or `saved` also FileError, and FileFormatError for the latter two.
        """
        self._system = c_void_p()
        self._files: files.SystemFiles | None = None
        self._runner = _Runner()
        self._limit_seconds = None if limit_seconds is None else arguments.seconds("limit_seconds", limit_seconds)
        self._wall_s = self._cpu_s = 0.0
        self.name = name if cluster is None else None  #: None: it was made of a descriptor or a saved system
        config = layout.SystemConfig()
        lib.tf_system_config_init_sized(byref(config), sizeof(config))
        _configure_chips(config.chip, threads, options)
        faults = ctypes.create_string_buffer(layout.TF_LINK_FAULTS_MAX * layout.LINK_FAULT_BYTES)
        self._cluster = layout.Cluster()
        if saved is not None:
            message = layout.Message()
            check(lib.tf_saved_system_config(arguments.path("saved", saved), byref(config), byref(self._cluster),
                                             faults, byref(message)), "saved", message)
        if saved is None or name is not None or cluster is not None:
            self._cluster = _find_cluster(name, cluster)
        config.cluster = ctypes.addressof(self._cluster)
        if order is not None:
            self._order = orders.checked(order, options)
            order._configure(config.chip)
        if link_latency is not None:
            config.link_latency_cycles = arguments.integer("link_latency", link_latency, 1, 65536)
        if link_gbps is not None:
            config.link_gbps = arguments.integer("link_gbps", link_gbps, 1, 1000)
        if link_faults is not None:
            count, message = ctypes.c_uint(), layout.Message()
            text = arguments.text("link_faults", link_faults)
            code = lib.tf_link_fault_parse(byref(self._cluster), text, faults, byref(count), byref(message))
            if code != layout.TF_OK:
                raise errors.InvalidArgumentError(f"link_faults: {message.text.decode()}")
            config.link_fault = ctypes.addressof(faults)
            config.link_faults = count.value
        chips = [SystemChip(self, i, self._cluster.arch) for i in range(self._cluster.chips)]
        if on_progress is not None:
            config.chip.on_progress = self._progress(chips[0], arguments.function("on_progress", on_progress))
        events = {"on_riscv": on_riscv, "on_tensix": on_tensix, "on_print": on_print, "on_noc": on_noc}
        wanted = {key: arguments.function(key, function) for key, function in events.items() if function is not None}
        cores = arguments.items("riscv_cores", riscv_cores)
        tiles = [list(each) if isinstance(each, Iterator) else each for each in (riscv_tiles, tensix_tiles)]
        of_chip = [_callbacks(chip, wanted, tiles[0], cores, tiles[1]) for chip in chips]
        paths = {"timeline": timeline, "report": report, "profile": profile, "coverage": coverage,
                 "noc_trace": noc_trace}
        arguments.distinct({"saved": saved}, paths)
        self._runner.paths.written = paths
        self._create(config, chips, of_chip, paths)
        if saved is not None:
            try:
                self.restore(saved)
            except errors.TilefarmError:
                self.close(write=False)  # nobody has it: it has run nothing that its files could show
                raise

    def _progress(self, chip: SystemChip, function: Callable[[int, int], object]) -> c_void_p:
        def progress(user: object, cycle: int, instructions: int) -> None:
            self._runner.guard(self._system, lambda: function(cycle, instructions))

        return chip._kept(ON_PROGRESS(progress))

    def _create(self, config: layout.SystemConfig, chips: list[SystemChip], of_chip: list[layout.Config],
                paths: dict[str, files.Path]) -> None:
        def on_chip(user: object, number: int, pointer: Any) -> None:
            for key in _EVENT_FIELDS:
                setattr(pointer.contents, key, getattr(of_chip[number], key))

        call = ON_CHIP(on_chip)
        config.on_chip = ctypes.cast(call, c_void_p)
        if any(path is not None for path in paths.values()):
            self._files = files.SystemFiles(paths, config)  # adds its callbacks to the configuration
        message = layout.Message()
        try:
            check(lib.tf_system_create(byref(config), byref(self._system), byref(message)), "System", message)
        except errors.TilefarmError:
            self._drop_files()
            raise
        self._runner.system = self._system
        for chip in chips:
            chip._join(lib.tf_system_chip(self._system, chip.number), of_chip[chip.number])
        self.chips: Sequence[SystemChip] = arguments.Items("chip", chips)  #: by their numbers in the cluster

    @staticmethod
    def names() -> list[str]:
        """Return the names of the systems that System() knows."""
        found: list[str] = []
        while (name := lib.tf_cluster_name(len(found))) is not None:
            found.append(name.decode())
        return found

    # ---- life ----

    def close(self, write: bool = True) -> None:
        """
        Free the system with its chips. A second call does nothing.

        write  first write the files that System() was given and write_files() has not written
        Raises what write_files() raises, after the system is freed; BusyError during a run.
        """
        if self._runner.busy:
            raise errors.BusyError("the system is running")
        if not self._system:
            return
        try:
            if write and self._files is not None and not self._files.written:
                self.write_files()
        finally:
            lib.tf_system_destroy(self._system)
            self._drop_files()
            for chip in self.chips:
                chip._leave()
            self._system = self._runner.system = c_void_p()

    def write_files(self, title: str | None = None, verdict: str | None = None, message: str | None = None, *,
                    good: bool = False) -> None:
        """Write the files that System() was given, as Chip.write_files() does."""
        handle = self._handle()
        if self._files is None or self._files.written:
            raise errors.InvalidArgumentError("files: System() was given none, or they are written")
        self._files.attach(handle, [chip._symbols for chip in self.chips])
        self._files.write(title, verdict, message, good)

    def _drop_files(self) -> None:
        if self._files is not None:
            self._files.close()
            self._files = None

    def __enter__(self) -> System:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is not None and self._files is not None and not self._files.written and not self._runner.busy:
            self.write_files(message=f"{type(error).__name__}: {error}")
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_system", None) and not self._runner.busy:
            self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "chips"):
            return "<tilefarm system: not made>"
        state = "" if self._system else ", closed"
        title = self.chips[0].shape.title
        return f"<tilefarm system: {self.name or 'of a descriptor'}, {len(self.chips)} chips {title}{state}>"

    def __len__(self) -> int:
        return len(self.chips)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[SystemChip]:
        return iter(self.chips)

    def __getitem__(self, number: int) -> SystemChip:
        return self.chips[number]

    def __reduce_ex__(self, protocol: Any) -> Any:
        # copy.copy() and pickle call this. A second object would free the same system again.
        raise TypeError("a system cannot be copied or pickled: use fork(), or save() and System(saved=path)")

    def _handle(self) -> c_void_p:
        if not self._system:
            raise errors.ClosedError("the system has been closed")
        if self._runner.busy:
            raise errors.BusyError("the system is running; only stop() may be called")
        return self._system

    # ---- saved systems ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Save the whole state: what is on the links to the file of `path`, and each chip to a file beside it, whose name
        begins with that of `path`. After an error an earlier save of that path is whole.

        Raises FileError, OutOfMemoryError, and InvalidArgumentError for the file of a program that load() has read.
        """
        message = layout.Message()
        handle, name = self._handle(), arguments.path("path", path)
        self._runner.paths.save(name)
        check(lib.tf_system_save(handle, name, byref(message)), "save", message)

    def restore(self, path: str | os.PathLike[str]) -> None:
        """
        Give the system the state that an equal system has saved: equal chips, links, and options but for threads and
        callbacks, as System(saved=path) has them. After an error it is unchanged.

        Raises FileError, FileFormatError (also: of another system), OutOfMemoryError, and InvalidArgumentError for
        other options. If the system has run, its files are written first.
        """
        name = arguments.path("path", path)
        if self._files is not None and self._files.attached and not self._files.written:
            self.write_files()
        message = layout.Message()
        check(lib.tf_system_restore(self._handle(), name, byref(message)), "restore", message)

    def fork(self) -> System:
        """
        Return a second system with the state of this one, with what is on its links. Both continue independently. The
        fork has no callbacks, files or symbols. A tile or DRAM channel is copied when a chip first accesses it.

        Raises OutOfMemoryError, and InvalidArgumentError in relaxed mode or under another order.
        """
        message = layout.Message()
        fork = System.__new__(System)
        fork._system = c_void_p()
        fork._files = None
        fork._runner = _Runner()
        fork._limit_seconds, fork._cluster, fork.name = self._limit_seconds, self._cluster, self.name
        fork._wall_s = fork._cpu_s = 0.0
        check(lib.tf_system_fork(self._handle(), None, byref(fork._system), byref(message)), "fork", message)
        fork._runner.system = fork._system
        chips = [SystemChip(fork, i, fork._cluster.arch) for i in range(len(self))]
        for chip in chips:
            chip._join(lib.tf_system_chip(fork._system, chip.number), _callbacks(chip, {}, "all", CORES, "all"))
        fork.chips = arguments.Items("chip", chips)
        return fork

    # ---- runs ----

    def run(self, cycles: int | None = None,
            until: tuple[int | SystemChip, Place | Port, int, int] | None = None, check: bool = True, *,
            pause: int | None = None, seconds: float | None = None) -> SystemResult:
        """
        Run all chips until nothing can happen any more. A later call continues the run.

        cycles  run at most this number of cycles, 1 to 2^63 - 1; None: no limit
        until   (chip, tile, address, value): end the run when the word has that value. The chip is one of `chips` or
                its number; the tile is a Tensix tile or a Port; the address is in L1 and a multiple of 4
        check   raise FaultError, DeadlockError, ProgramError, NotReachedError or TimeLimitError if the run did not end
                well, with the numbers of the chips; False: return the SystemResult in these cases, too
        pause   end at or after this cycle of the system, 1 to 2^63 - 1. Pauses change no result
        seconds end the run after so many seconds of the host's time, more than 0; None: the system's limit_seconds

        Signals and callbacks that raise exceptions end the run as in Chip.run(). Raises InvalidArgumentError for a
        parameter out of its range, and NoSuchPlaceError.
        """
        __tracebackhide__ = True  # pytest shows the line of the test that ran the system
        handle = self._handle()
        check = arguments.flag("check", check)
        seconds = self._limit_seconds if seconds is None else arguments.seconds("seconds", seconds)
        seconds = self._runner.limit(seconds)
        chip, word = self.chips[0], None
        if until is not None:
            number, *rest = arguments.pair("until", until, 4)
            chip, word = self._chip(number), tuple(rest)
        options = chip._run_options(cycles, word, pause)  # type: ignore[arg-type]
        if self._files is not None:
            self._files.attach(handle, [each._symbols for each in self.chips])
        options.until_chip = chip.number  # beside the fields of the structure, for the runner
        firsts = [lib.tf_fault_count(chip._chip) for chip in self.chips]
        began, cpu = time.perf_counter(), time.process_time()
        try:
            code, end = self._runner.run(handle, options, seconds, lambda: self._time(handle))
        finally:
            self._wall_s += time.perf_counter() - began
            self._cpu_s += time.process_time() - cpu
        if code == layout.TF_EINVAL and until is not None:
            raise errors.InvalidArgumentError(f"until: 0x{options.until_address:x} is not in L1 or DRAM, or not a "
                                              "multiple of 4")
        _check(code, "run")
        result = self._result(End(end), firsts)
        if check:
            _judge(result, until is not None, result.link_waits)
            if result.end is End.TIME:
                lines = [self._runner.late(seconds), *self.stacks()]
                raise errors.TimeLimitError("\n".join(lines), result)
        return result

    def _chip(self, chip: int | SystemChip) -> SystemChip:
        number = chip.number if isinstance(chip, SystemChip) else chip
        if not hasattr(number, "__index__") or not 0 <= operator.index(number) < len(self.chips):
            raise errors.NoSuchPlaceError(f"no chip {chip!r}: 0 to {len(self.chips) - 1}")
        return self.chips[operator.index(number)]

    def _result(self, how: End, firsts: list[int]) -> SystemResult:
        of_chip = []
        for chip, first in zip(self.chips, firsts):
            waits = chip.waits() if how is End.QUIET else []
            of_chip.append(Result(how, chip.stats, chip._faults_from(first), waits))
        faults: list[Fault] = [fault for result in of_chip for fault in result.faults]
        waits_of_all: list[Waiting] = [wait for result in of_chip for wait in result.waits]
        link_waits = self.link_waits() if how is End.QUIET else []
        return SystemResult(how, self.stats, faults, waits_of_all, of_chip, link_waits)

    def stop(self) -> None:
        """End the run soon. Any thread may call this, and a signal handler."""
        if self._system:
            lib.tf_system_stop(self._system)

    # ---- what it did ----

    @property
    def cycles(self) -> int:
        """The time of the system in cycles, which all chips share."""
        return self._time(self._handle())

    @staticmethod
    def _time(handle: c_void_p) -> int:
        value: int = lib.tf_system_cycles(handle)
        return value

    @property
    def stats(self) -> Stats:
        """Statistics of all runs so far, as sums over the chips; `cycles` is the time of the system."""
        handle = self._handle()
        sums = dict(zip(Stats._fields, map(sum, zip(*(chip.stats for chip in self.chips)))))
        return Stats(**{**sums, "cycles": self.cycles, "workers": lib.tf_system_workers(handle),
                        "wall_s": self._wall_s, "cpu_s": self._cpu_s})

    @property
    def state_hash(self) -> int:
        """A hash of the state of all chips and of what is on the links, 64 bits. Raises OutOfMemoryError."""
        value: int = lib.tf_system_hash(self._handle())
        if value == 0:
            raise errors.OutOfMemoryError("state_hash: the host has too little memory")
        return value

    @property
    def links(self) -> list[Link]:
        """Both directions of each link, with their traffic so far."""
        handle, raw = self._handle(), layout.LinkStats()
        found: list[Link] = []
        while lib.tf_link_stats(handle, len(found), byref(raw)) == layout.TF_OK:
            found.append(Link(LinkEnd(raw.from_.chip, raw.from_.port), LinkEnd(raw.to.chip, raw.to.port), raw.packets,
                              raw.bytes, raw.waiting, raw.lost))
        return found

    @property
    def link_latency(self) -> int:
        """The time of a packet in cycles, from the last byte sent to the last byte received; 0 in relaxed mode."""
        value: int = lib.tf_system_latency(self._handle())
        return value

    @property
    def link_gbps(self) -> int:
        """The rate of each direction of a link, in Gb/s; 0 in relaxed mode, where links take no time."""
        value: int = lib.tf_system_gbps(self._handle())
        return value

    @property
    def descriptor(self) -> str:
        """The cluster descriptor, in YAML: System(cluster=text) makes an equal system."""
        self._handle()
        return text_of(lib.tf_describe_system, byref(self._cluster), room=_TEXT_BYTES)

    @property
    def faults(self) -> list[Fault]:
        """The first 1024 faults and hazards of each chip, in all runs."""
        return [fault for chip in self.chips for fault in chip.faults]

    def decisions(self) -> list[orders.Decision]:
        """Return the decisions so far of a system with an order: those with another value than 0."""
        return [decision for chip in self.chips for decision in chip.decisions()]

    def waits(self) -> list[Waiting]:
        """Return the groups of cores and threads of each chip that wait or are done. Changes no state."""
        return [wait for chip in self.chips for wait in chip.waits()]

    def record_path(self) -> None:
        """Record the critical path of all chips from now on, and over links. Raises as Chip.record_path()."""
        check(lib.tf_system_path_record(self._handle()), "the critical path of a system without timing, or of one that "
              "records it")

    @property
    def critical_path(self) -> list[PathPart]:
        """Which waits, in order, made the run as long as it is, since record_path(). Their cycles add up to it."""
        return _path.read_system(self._handle(), self.chips)

    def link_waits(self) -> list[LinkWait]:
        """Return the ports whose cores wait, and what their links have to do with it. Changes no state."""
        handle = self._handle()
        room = lib.tf_link_waits(handle, None, 0)
        raw = (layout.LinkWait * max(room, 1))()
        count = min(lib.tf_link_waits(handle, raw, room), room)
        return [self._link_wait(handle, raw[i]) for i in range(count)]

    @staticmethod
    def _link_wait(handle: c_void_p, raw: layout.LinkWait) -> LinkWait:
        text = f"chip {raw.from_.chip}: {text_of(lib.tf_link_wait_text, handle, byref(raw))}"
        receiver = LinkEnd(raw.to.chip, raw.to.port) if raw.linked else None
        return LinkWait(LinkEnd(raw.from_.chip, raw.from_.port), receiver, raw.linked and not raw.down,
                        raw.unacknowledged, raw.lost, raw.held, text)

    def stacks(self) -> list[str]:
        """Return the stacks of all cores that run or wait, as lines. Changes no state."""
        return [line for chip in self.chips for line in _headed(f"chip {chip.number}:", chip.stacks())]

    def report(self) -> str:
        """Return the state as lines: statistics, traffic of links, and the reports of the chips."""
        lines = [f"system: {self.cycles} cycles, state hash {self.state_hash:016x}"]
        lines += [f"link: chip {link.sender.chip} port {link.sender.port} to chip {link.receiver.chip} port "
                  f"{link.receiver.port}: {link.packets} packets, {link.bytes} bytes, {link.waiting} under way, "
                  f"{link.lost} lost"
                  for link in self.links]
        for chip in self.chips:
            lines += _headed(f"chip {chip.number}:", chip.report().splitlines())
        lines += map(str, self.link_waits())
        return "\n".join(lines)


_check = check

_EVENT_FIELDS = ("on_riscv", "riscv_traced", "on_tensix", "tensix_traced", "on_print", "on_noc")
_OF_LONE_CHIPS = ("arch", "board")


def _headed(head: str, lines: list[str]) -> list[str]:
    return [head, *lines] if lines else []


def _find_cluster(name: str | None, descriptor: Descriptor | None) -> layout.Cluster:
    cluster, message = layout.Cluster(), layout.Message()
    if (name is None) == (descriptor is None):
        raise errors.InvalidArgumentError(f"System() needs one of name, cluster and saved: {', '.join(System.names())}")
    if descriptor is None:
        check(lib.tf_cluster_find(arguments.text("name", name), byref(cluster), byref(message)), "name", message)
        return cluster
    if isinstance(descriptor, (bytes, bytearray, memoryview)):
        text, where = bytes(descriptor), "cluster"
    elif isinstance(descriptor, str) and "\n" in descriptor:
        text, where = arguments.text("cluster", descriptor), "cluster"
    else:
        where = arguments.name_of(arguments.path("cluster", descriptor))
        text = arguments.file_bytes(where)
    check(lib.tf_cluster_parse(text, len(text), byref(cluster), byref(message)), where, message)
    return cluster


def _configure_chips(config: layout.Config, threads: int | None, options: dict[str, Any]) -> None:
    for name in _OF_LONE_CHIPS:
        if name in options:
            raise TypeError(f"System() has no option {name!r}: it is one of single chips")
    named = set(configure.__kwdefaults__ or ()) - {"fields"}
    fields = {name: value for name, value in options.items() if name not in named}
    configure(config, "System", threads=threads, fields=fields,
              **{name: value for name, value in options.items() if name in named})


def _callbacks(chip: SystemChip, wanted: dict[str, Callable[..., Any]], riscv_tiles: Places,
               riscv_cores: Iterable[CoreName], tensix_tiles: Places) -> layout.Config:
    """Return a configuration with the callbacks of a chip. Functions get the number of the chip first."""
    config = layout.Config()
    lib.tf_config_init_sized(byref(config), sizeof(config))
    own = {key: partial(function, chip.number) for key, function in wanted.items()}
    chip._set_callbacks(config, own.get("on_riscv"), riscv_tiles, riscv_cores, own.get("on_tensix"), tensix_tiles, None)
    if "on_print" in own:
        config.on_print = chip._callback(ON_PRINT, own["on_print"], chip._print_event)
    if "on_noc" in own:
        config.on_noc = chip._callback(ON_NOC, own["on_noc"], records.noc_event)
    return config
