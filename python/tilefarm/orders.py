# SPDX-License-Identifier: Apache-2.0
"""
Runs under other orders that the documents of the chip allow, like those of `tilefarm explore` (docs/explore.md).

An Order is the source of decisions of a chip or a system: Chip(order=Order.of_seed(7)). explore() runs a function under
many orders. If one makes it fail, explore() shrinks the decisions of that order to the few that matter.
"""
from __future__ import annotations

import ctypes
import functools
import os
import signal
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Sequence

from . import _arguments as arguments
from . import _layout as layout
from . import errors
from ._library import lib
from .names import Strategy

if TYPE_CHECKING:
    from .chip import Chip
    from .system import System

_STRATEGIES = {"random": "tf_explore_random", "chaos": "tf_explore_chaos"}
_CHOOSING = ("pct", "delay-one")  # these choose among the places of the usual order
_VALUE_MOST = 1 << 24
_TILE_MOST = 4095
_CHIP_MOST = 255


class Decision(NamedTuple):
    """A place of a run where the order may differ, and the way that a run takes there. See docs/explore.md."""

    #: one of kinds(), such as "store"; docs/explore.md describes them
    kind: str
    tile: int  #: index of a Tensix tile
    actor: int  #: number of a core, a thread or a NOC of the tile
    ordinal: int  #: number of the place among the actor's places of this kind, from 0 on
    value: int  #: the way: the length of a delay, for most kinds; 0: the way of usual runs
    text: str = ""  #: the place in a run, and the effect of the decision
    chip: int = 0  #: number of the chip in a system

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        """The decision without its value and its text."""
        return self.kind, self.chip, self.tile, self.actor, self.ordinal

    @property
    def line(self) -> str:
        """The decision as a line of a schedule."""
        chip = f"{self.chip}:" if self.chip else ""
        return f"{self.kind} {chip}{self.tile} {self.actor} {self.ordinal} {self.value}"


def kinds() -> list[str]:
    """Return the kinds of decisions."""
    return [lib.tf_freedom_name(number).decode() for number in range(layout.TF_FREEDOMS)]


class Order:
    """The source of decisions of a chip, or of all chips of a system. One Order may serve several of them."""

    def __init__(self, decisions: Sequence[Decision] = ()) -> None:
        """
        Make an order with these decisions, and the usual way at all other places.

        decisions  at most one for each place; values are 0 to 2^24
        Raises InvalidArgumentError for an unknown kind, a second decision for a place, or another value, and
        ArgumentTypeError for what is no Decision.
        """
        numbers = {name: number for number, name in enumerate(kinds())}
        self.seed: int | None = None
        self.decisions = [self._checked(decision) for decision in arguments.items("decisions", decisions)]
        self._array = (layout.Decision * max(len(self.decisions), 1))()
        seen = set()
        for at, decision in enumerate(self.decisions):
            if decision.kind not in numbers or decision.place in seen:
                raise errors.InvalidArgumentError(f"its kind is unknown, or its place has a decision: {decision}")
            seen.add(decision.place)
            self._array[at] = layout.Decision(numbers[decision.kind], decision.chip, decision.tile, decision.actor,
                                              ordinal=decision.ordinal, value=decision.value)
        self._explore = layout.Explore(scheduled=True, decisions=len(self.decisions))
        self._explore.decision = ctypes.cast(self._array, ctypes.c_void_p)

    @staticmethod
    def _checked(decision: Any) -> Decision:
        if not isinstance(decision, Decision) or not isinstance(decision.kind, str):
            raise errors.ArgumentTypeError(f"{decision!r} is not a Decision")
        return decision._replace(tile=arguments.integer("tile", decision.tile, 0, _TILE_MOST),
                                 actor=arguments.integer("actor", decision.actor, 0, arguments.U16_MOST),
                                 ordinal=arguments.integer("ordinal", decision.ordinal),
                                 value=arguments.integer("value", decision.value, 0, _VALUE_MOST),
                                 chip=arguments.integer("chip", decision.chip, 0, _CHIP_MOST))

    @classmethod
    def of_seed(cls, seed: int, strategy: Strategy = "random") -> Order:
        """
        Make an order whose decisions are drawn from a seed.

        seed      0 to 2^64 - 1
        strategy  "random": draws at all places; "chaos": decisions are rare and long, and some cores starve
        Raises InvalidArgumentError for another seed or strategy.
        """
        if not isinstance(strategy, str) or strategy not in _STRATEGIES:
            raise errors.InvalidArgumentError(f"strategy is {strategy!r}, not {' or '.join(map(repr, _STRATEGIES))}"
                                              f"{'; only explore() has it' if strategy in _CHOOSING else ''}")
        seed = arguments.integer("seed", seed, 0, arguments.U64_MOST)
        order = cls()
        order.seed = seed
        order._explore.scheduled = False
        getattr(lib, _STRATEGIES[strategy])(ctypes.byref(order._explore), seed)
        return order

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Order:
        """
        Read the decisions of a file that write() or `tilefarm explore` has written.

        Raises FileFormatError if it is not a schedule, InvalidArgumentError for a bad decision, and FileError.
        """
        name = arguments.name_of(arguments.path("path", path))
        try:
            text = arguments.file_bytes(name).decode()
        except UnicodeDecodeError:
            raise errors.FileFormatError(f"{name}: it is not a schedule") from None
        lines = [line.partition("#")[0].split() for line in text.splitlines()]
        lines = [words for words in lines if words]
        if not lines or lines[0] != ["tilefarm-schedule", "1"]:
            raise errors.FileFormatError(f"{name}: it is not a schedule")
        decisions = []
        for words in lines[1:]:
            if words[0] in ("program", "limit", "hash"):
                continue
            try:
                chip, tile = ("0:" + words[1]).split(":")[-2:]
                actor, ordinal, value = map(int, words[2:])
                decisions.append(Decision(words[0], int(tile), actor, ordinal, value, chip=int(chip)))
            except (ValueError, IndexError):
                raise errors.FileFormatError(f"{name}: not a decision: {' '.join(words)}") from None
        return cls(decisions)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the decisions to a text file, which may be edited. Raises FileError. A seed is not written."""
        lines = ["tilefarm-schedule 1", f"# FREEDOM [CHIP:]TILE ACTOR ORDINAL VALUE; a slice and an epoch are "
                                        f"{layout.TF_EXPLORE_CYCLES} cycles."]
        lines += [decision.line + (f"  # {decision.text}" if decision.text else "") for decision in self.decisions]
        name = arguments.name_of(arguments.path("path", path))
        try:
            Path(name).write_text("\n".join(lines) + "\n")
        except OSError as error:
            raise errors.FileError(error.errno, error.strerror, name) from error

    def __repr__(self) -> str:
        what = f"seed {self.seed}" if self.seed is not None else f"{len(self.decisions)} decisions"
        return f"<tilefarm order: {what}>"

    def _configure(self, config: layout.Config) -> None:
        config.explore = ctypes.cast(ctypes.pointer(self._explore), ctypes.c_void_p)
        config.slice_cycles = config.epoch_cycles_min = config.epoch_cycles_max = layout.TF_EXPLORE_CYCLES


def checked(order: Any, options: Mapping[str, Any]) -> Order:
    """Return the order, unless it is none, or an option contradicts it."""
    if options.get("slice_cycles") is not None or options.get("epoch_cycles") is not None:
        raise errors.InvalidArgumentError("order: an order sets slice_cycles and epoch_cycles itself")
    if not isinstance(order, Order):
        raise errors.ArgumentTypeError(f"order is {order!r}, not an Order")
    return order


def _raw_decisions_of(chips: Sequence[ctypes.c_void_p]) -> tuple[Any, int]:
    counts = [lib.tf_chip_decisions(chip, None, 0) for chip in chips]
    raw = (layout.Decision * max(sum(counts), 1))()
    for at, chip in enumerate(chips):
        first = ctypes.byref(raw, sum(counts[:at]) * ctypes.sizeof(layout.Decision))
        lib.tf_chip_decisions(chip, ctypes.cast(first, ctypes.POINTER(layout.Decision)), counts[at])
    return raw, sum(counts)


def decisions_of(chip: ctypes.c_void_p, symbols: ctypes.c_void_p, number: int | None) -> list[Decision]:
    """Return the decisions of a chip so far. number: of the chip in its system; None: it is alone."""
    raw, count = _raw_decisions_of([chip])
    arch = lib.tf_chip_arch(chip)
    names, text = kinds(), ctypes.create_string_buffer(layout.TF_DECISION_TEXT_BYTES)
    whose = "" if number is None else f"chip {number}: "
    made = []
    for i in range(count):
        lib.tf_decision_text(arch, ctypes.byref(raw[i]), symbols, text, len(text))
        made.append(Decision(names[raw[i].freedom], raw[i].tile, raw[i].actor, raw[i].ordinal, raw[i].value,
                             whose + text.value.decode(errors="replace"), raw[i].chip))
    return made


@dataclass
class Outcome:
    """A group of equal outcomes of explore()."""

    text: str  #: the result of the function, or the first line of its exception
    failed: bool  #: it raised an exception
    first_seed: int
    runs: int = 0  #: number of runs with this outcome


@dataclass
class Exploration:
    """The result of explore(). str() gives it as lines."""

    outcomes: list[Outcome] = field(default_factory=list)  #: the most frequent first
    seed: int | None = None  #: the first seed that fails
    error: BaseException | None = None  #: the exception under `decisions`; without a seed, under the usual order
    decisions: list[Decision] = field(default_factory=list)  #: the few that make the function fail
    runs: int = 0  #: runs with seeds
    shrink_runs: int = 0  #: runs to shrink the decisions

    @property
    def failed(self) -> bool:
        """Has the function failed under some order?"""
        return self.error is not None

    @property
    def order(self) -> Order:
        """The order under which the function fails, for Chip(order=...) or System(order=...)."""
        return Order(self.decisions)

    def __str__(self) -> str:
        lines = [f"{outcome.runs:8d} runs, first seed {outcome.first_seed}{', FAILS' if outcome.failed else ''}: "
                 f"{outcome.text}" for outcome in self.outcomes]
        if self.failed and self.seed is None:
            lines.append(f"it fails in the usual order: {_first_line(self.error)}")
        elif self.failed:
            lines += [f"seed {self.seed} fails by {len(self.decisions)} decisions:"]
            lines += [f"  {decision.text or decision.line}" for decision in self.decisions]
        return "\n".join(lines)


class _Strategy:
    """Makes orders from seeds. "pct" and "delay-one" choose among the places of the usual order."""

    def __init__(self, name: Strategy, depth: int) -> None:
        if not isinstance(name, str) or name not in (*_STRATEGIES, *_CHOOSING):
            names = " or ".join(map(repr, (*_STRATEGIES, *_CHOOSING)))
            raise errors.InvalidArgumentError(f"strategy is {name!r}, not {names}")
        self.name, self.depth = name, arguments.integer("depth", depth, 1, 16)
        self._places: ctypes.c_void_p | None = None

    def default_order(self) -> Order:
        """Return the usual order. It notes its places if the strategy chooses among them."""
        order = Order()
        order._explore.notes = self.name in _CHOOSING
        return order

    def take(self, chips: Sequence[ctypes.c_void_p]) -> None:
        """Copy the places of chips that have run in the usual order, if the strategy chooses among them."""
        if self.name in _CHOOSING:
            self._places = lib.tf_places_create(*_raw_decisions_of(chips))
            if not self._places:
                raise errors.OutOfMemoryError("no memory for the places of the usual order")

    def keep_conflicts(self, chips: Sequence[ctypes.c_void_p]) -> None:
        """Keep only the places of accesses that conflict, as a chip alone with check=True has found them."""
        lib.tf_places_keep_conflicts(self._places, chips[0])

    def most(self, seeds: int) -> int:
        """Return the number of seeds that give different orders: at most `seeds`."""
        if self.name != "delay-one":
            return seeds
        count = layout.PlacesCount()
        lib.tf_places_count(self._places, ctypes.byref(count))
        return min(seeds, 2 * int(count.packets))

    def order(self, seed: int) -> Order:
        """Return the order of a seed."""
        if self.name in _STRATEGIES:
            return Order.of_seed(seed, self.name)
        raw = (layout.Decision * self.depth)()
        if self.name == "pct":
            count = lib.tf_places_pct(self._places, seed, self.depth, raw)
        else:
            count = lib.tf_places_delay_one(self._places, seed, raw)
        names = kinds()
        return Order([Decision(names[at.freedom], at.tile, at.actor, at.ordinal, at.value, chip=at.chip)
                      for at in raw[:count]])

    def close(self) -> None:
        """Free the places."""
        lib.tf_places_destroy(self._places)
        self._places = None


class _Ended(BaseException):
    """The exploration has ended: raised in trials that still run."""


def _code(handler: Any) -> CodeType | None:
    """Return the code of the handler of a signal. None: it is no Python function."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    function = handler if hasattr(handler, "__code__") else getattr(handler, "__call__", None)
    return getattr(function, "__code__", None)


class _Handlers:
    """The handlers of signals when an exploration begins. They are not part of its function."""

    def __init__(self) -> None:
        codes = (_code(signal.getsignal(number)) for number in signal.valid_signals())
        self._codes = {code for code in codes if code is not None}

    def raised(self, error: BaseException | None) -> bool:
        """Has a handler raised the exception, or the one during whose handling it was raised?"""
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            if any(frame.f_code in self._codes for frame, _ in traceback.walk_tb(error.__traceback__)):
                return True
            error = error.__cause__ or error.__context__
        return False


class _Trials:
    """Runs a function on a chip or a system under an order."""

    def __init__(self, trial: Callable[[Any], object], options: dict[str, Any], seconds: float | None) -> None:
        self._trial = trial
        self._handlers = _Handlers()
        self._seconds = seconds
        self._until_s: float | None = None
        self.ended = threading.Event()  #: trials that still run end now
        self._options: dict[str, Any] = {"threads": 1, **options}
        self._name = self._options.pop("system", None)
        self.of_system = self._name is not None or "cluster" in options
        self._limit: int | None = None
        self.can_check = not self.of_system and options.get("arch", "blackhole") == "blackhole"

    def _new(self, order: Order, options: dict[str, Any]) -> Chip | System:
        from .chip import Chip
        from .system import System

        options = {**self._options, **options}
        return System(self._name, order=order, **options) if self.of_system else Chip(order=order, **options)

    def take_time(self, limited: bool) -> None:
        """What follows may take as long as explore() was told. limited: False: it has no limit."""
        self._until_s = time.monotonic() + self._seconds if limited and self._seconds is not None else None

    @property
    def late(self) -> bool:
        """Is the time over?"""
        return self._until_s is not None and time.monotonic() >= self._until_s

    def _check(self) -> None:
        if self.ended.is_set() or (self.late and self._limit is not None):
            raise _Ended

    def run(self, order: Order, look: Callable[[Sequence[ctypes.c_void_p]], None] | None = None,
            **options: Any) -> tuple[str, BaseException | None, list[Decision], int]:
        """
        Run the function once on a new chip or system.

        look  called with the chips at the end; the decisions are then left out
        Returns the text of the outcome, the exception or None, the decisions, and the cycles of the run. Raises _Ended
        if the exploration ends meanwhile, and what the handler of a signal raises.
        """
        from .chip import Chip

        with self._new(order, options) as made:
            chips: Sequence[Chip] = [made] if isinstance(made, Chip) else made.chips
            chips[0]._cycles_limit = self._limit  # that of a system, too
            made._runner.before_part, made._runner.until_s = self._check, self._until_s
            text, error = "", None
            try:
                text = repr(self._trial(made))
            except (KeyboardInterrupt, SystemExit, _Ended):
                raise
            except BaseException as raised:  # pytest.fail() raises one that is not an Exception
                if self._handlers.raised(raised):
                    raise
                text, error = _first_line(raised), raised
            self._check()
            if look is not None:
                look([chip._handle() for chip in chips])
            return text, error, [] if look is not None else made.decisions(), made.stats.cycles

    def limit(self, cycles: int) -> None:
        """Limit later runs, after the usual order took `cycles`."""
        self._limit = cycles * 16 + 262144


def _first_line(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def explore(trial: Callable[[Chip], object] | Callable[[System], object], seeds: int = 100, *, first_seed: int = 1,
            strategy: Strategy = "random", depth: int = 3, jobs: int = 1, all: bool = False, shrink: bool = True,
            seconds: float | None = None, **options: Any) -> Exploration:
    """
    Run a function under many orders, each on a new chip or system, and find an order that makes it fail.

    trial       a function of a chip, or of a system: it loads programs and runs them. It fails by an exception, such
                as those of run() and `assert`. Its result counts as the outcome. It must not depend on earlier calls;
                with several jobs several threads call it at the same time
    seeds       number of orders to try after the usual order; their seeds begin with first_seed
    first_seed  0 to 2^64 - 1; from 1 on for "delay-one"
    strategy    the way from a seed to decisions.
                "random": draws at all places; "chaos": rare and long ones, and some cores starve;
                "pct": one core or thread is late, and depth - 1 places of the usual order are delayed;
                "delay-one": one packet or response comes last
    depth       choices of a seed of "pct", 1 to 16
    jobs        number of chips that run at the same time; the result does not depend on it
    all         try all seeds; False: stop at the first one that fails
    shrink      reduce the decisions to a few that still make the function fail, with small values
    seconds     limit of the host's time for the usual order and the seeds, and then for shrinking; None: no limit. A
                run of the usual order that has not ended by then raises TimeLimitError
    options     of Chip(), except files, `check`, `relaxed` and the lengths of slices and epochs. With `system`, the
                name of one, or with `cluster`: of System(), and the function gets a system

    Returns an Exploration. Runs without `cycles` get a limit: 16 times the cycles of the usual order, and 262,144 more.
    A run that reaches it raises NotReachedError. Raises InvalidArgumentError for a bad parameter. What the handler of a
    signal raises ends the exploration, as for pytest-timeout, if the handler was set before the call.
    """
    first_seed = arguments.integer("first_seed", first_seed, 0, arguments.U64_MOST)
    seeds = arguments.integer("seeds", seeds, 0, arguments.U64_MOST - first_seed)
    jobs = arguments.integer("jobs", jobs, 1, 4096)
    all, shrink = arguments.flag("all", all), arguments.flag("shrink", shrink)
    seconds = None if seconds is None else arguments.seconds("seconds", seconds)
    trials, plan = _Trials(arguments.function("trial", trial), options, seconds), _Strategy(strategy, depth)
    try:
        return _explore(trials, plan, range(first_seed, first_seed + seeds), jobs, all, shrink)
    finally:
        plan.close()


def _explore(trials: _Trials, plan: _Strategy, seeds: range, jobs: int, all: bool, shrink: bool) -> Exploration:
    found = Exploration()
    trials.take_time(limited=True)
    text, error, _, cycles = trials.run(plan.default_order(), plan.take)
    if error is not None:
        found.error = error
        return found
    trials.limit(cycles)
    try:
        if plan.name == "pct" and trials.can_check:
            trials.run(Order(), plan.keep_conflicts, check=True)
    except _Ended:
        return found
    if plan.name in _STRATEGIES:
        plan.order(seeds.start)
    _search(trials, found, seeds[: plan.most(len(seeds))], plan, jobs, all)
    if found.seed is not None:
        trials.take_time(limited=False)
        text, error, made, _ = trials.run(plan.order(found.seed))
        found.error, found.decisions = error, made
        if shrink:
            trials.take_time(limited=True)
            _shrink(trials, found)
            trials.take_time(limited=False)
        _, found.error, made, _ = trials.run(Order(found.decisions))
        texts = {decision.place: decision.text for decision in made}
        found.decisions = [decision._replace(text=texts.get(decision.place, "")) for decision in found.decisions]
    return found


def _search(trials: _Trials, found: Exploration, seeds: range, plan: _Strategy, jobs: int, all: bool) -> None:
    lock = threading.Lock()
    left = iter(seeds)
    results: dict[int, tuple[str, bool]] = {}
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set() and not trials.late:
            with lock:
                seed = next(left, None)
            if seed is None:
                return
            try:
                text, error, _, _ = trials.run(plan.order(seed))
            except _Ended:
                return
            with lock:
                results[seed] = text, error is not None
                if error is not None and not all:
                    stop.set()

    if jobs == 1:
        work()
    else:
        with ThreadPoolExecutor(jobs) as pool:
            try:
                for done in [pool.submit(work) for _ in range(jobs)]:
                    done.result()
            except BaseException:  # such as what the handler of a signal raises here
                trials.ended.set()
                raise
    _count(found, results, all)


def _count(found: Exploration, results: dict[int, tuple[str, bool]], all: bool) -> None:
    """Count outcomes up to the first seed that fails. The seeds up to there have run with any number of jobs."""
    lines: dict[tuple[str, bool], Outcome] = {}
    for seed, result in sorted(results.items()):
        line = lines.setdefault(result, Outcome(*result, first_seed=seed))
        line.runs += 1
        found.runs += 1
        if line.failed and found.seed is None:
            found.seed = seed
            if not all:
                break
    found.outcomes = sorted(lines.values(), key=lambda outcome: (-outcome.runs, outcome.first_seed))


def _shrink(trials: _Trials, found: Exploration) -> None:
    """Shrink the decisions by delta debugging, then their values by bisection, as `tilefarm explore` does."""

    def fails(decisions: list[Decision]) -> bool:
        if trials.late:
            return False
        found.shrink_runs += 1
        try:
            return trials.run(Order(decisions))[1] is not None
        except _Ended:
            return False

    decisions, pieces = found.decisions, 2
    while decisions and pieces <= 2 * len(decisions):
        parts = min(pieces, len(decisions))
        bounds = [len(decisions) * part // parts for part in range(parts + 1)]
        rests = (decisions[: bounds[part]] + decisions[bounds[part + 1] :] for part in reversed(range(parts)))
        rest = next(filter(fails, rests), None)
        if rest is not None:
            decisions, pieces = rest, max(pieces - 1, 2)
        elif parts == len(decisions):
            break
        else:
            pieces *= 2
    for at, decision in enumerate(decisions):
        least, kept = 1, decision.value
        while least < kept:
            middle = least + (kept - least) // 2
            if fails([*decisions[:at], decision._replace(value=middle), *decisions[at + 1 :]]):
                kept = middle
            else:
                least = middle + 1
        decisions[at] = decision._replace(value=kept)
    found.decisions = decisions
