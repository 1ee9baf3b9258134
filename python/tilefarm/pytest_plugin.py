# SPDX-License-Identifier: Apache-2.0
"""
The plugin of pytest: chips as fixtures, seeds of random inputs, and files of failing tests.

chip             a chip; @pytest.mark.tilefarm(arch="wormhole", ...) gives the options of Chip()
make_chip        a function that makes more chips, with the options of Chip()
make_system      a function that makes systems of several chips, with the options of System()
tilefarm_seed    a seed for random inputs, from the test's name and --tilefarm-seed
tilefarm_rng     numpy.random.Generator with that seed

When a test fails, the report of each of its chips and systems becomes part of the failure. The folder of
--tilefarm-keep gets the report as text and as a web page, and a timeline for Perfetto. All tests record the page and
the timeline, which takes time; --tilefarm-look none switches them off. --tilefarm-trace also keeps the last 10,000
instructions of chips.

A run that has not ended after the 300 seconds of --tilefarm-limit fails its test, with the stacks of the cores.
"""
from __future__ import annotations

import re
import shutil
import zlib
from pathlib import Path
from random import SystemRandom
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import pytest

from . import Chip, ClosedError, System, TimeLimitError, Trace, __version__
from .names import Arch

_SEED = pytest.StashKey[int]()
_CHIPS = pytest.StashKey["list[_Made]"]()
_LOOKS: dict[str, dict[str, str]] = {
    "all": {"report": "report.html", "timeline": "timeline.pftrace.gz"},
    "report": {"report": "report.html"},
    "none": {},
}
_TRACED_EVENTS = 10000
_LIMIT_S = 300


class _Made(NamedTuple):
    """A chip or a system of a test."""

    chip: Chip | System
    trace: Trace | None
    files: list[Path]  #: in a temporary folder: the plugin added them, and keeps them only if the test fails


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plugin."""
    group = parser.getgroup("tilefarm")
    group.addoption("--tilefarm-seed", metavar="N", type=lambda text: int(text, 0),
                    help="seed of random inputs (default: a new one in each session)")
    group.addoption("--tilefarm-keep", metavar="DIR", default="tilefarm-failures",
                    help="folder for reports of failing tests (default: tilefarm-failures)")
    group.addoption("--tilefarm-look", choices=tuple(_LOOKS), default="all",
                    help="files to record during each test, and to keep if it fails: a report and a timeline (all, "
                         "the default), the report alone (report), or neither (none), which is fastest")
    group.addoption("--tilefarm-trace", choices=("riscv", "tensix"),
                    help="keep the last 10,000 instructions of a failing test; tests run slower")
    group.addoption("--tilefarm-limit", metavar="SECONDS", type=float, default=_LIMIT_S,
                    help="fail a test if a run of its chips takes longer (default: 300; 0: no limit)")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and choose the seed of the session."""
    config.addinivalue_line("markers", "tilefarm(**options): options of Chip() for the fixture chip")
    seed = config.getoption("--tilefarm-seed")
    if seed is None:
        shared = getattr(config, "workerinput", {}).get("testrunuid")  # equal in all workers of pytest-xdist
        seed = SystemRandom().getrandbits(32) if shared is None else zlib.crc32(shared.encode())
    config.stash[_SEED] = seed


def pytest_report_header(config: pytest.Config) -> str:
    """Return the line of the head that names the seed."""
    return f"tilefarm {__version__}, --tilefarm-seed {config.stash[_SEED]}"


@pytest.fixture
def tilefarm_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this test, 0 to 2^32 - 1. It depends only on the test's name and on --tilefarm-seed."""
    return zlib.crc32(f"{request.config.stash[_SEED]}:{request.node.nodeid}".encode())


@pytest.fixture
def tilefarm_rng(tilefarm_seed: int) -> np.random.Generator:
    """A random generator with the seed of this test."""
    return np.random.default_rng(tilefarm_seed)


class _Looks:
    """Files that the plugin adds to the chips and systems of a test."""

    def __init__(self, request: pytest.FixtureRequest, factory: pytest.TempPathFactory) -> None:
        self._looks = _LOOKS[request.config.getoption("--tilefarm-look")]
        self._folder = factory.mktemp("tilefarm") if self._looks else Path()

    def add(self, options: dict[str, Any], number: int) -> list[Path]:
        """Add files to the options of a chip or system, unless the test has its own. Returns the added ones."""
        files = []
        for name, file in self._looks.items():
            path = self._folder / f"{number}-{file}"
            if options.setdefault(name, path) is path:
                files.append(path)
        return files

    def forget(self) -> None:
        """Remove what was not kept."""
        if self._looks:
            shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def make_chip(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Chip]]:
    """A function that makes a chip, with the options of Chip(). All of its chips are closed after the test."""
    chips = request.node.stash.setdefault(_CHIPS, [])
    looks = _Looks(request, tmp_path_factory)

    def make(arch: Arch | None = None, **options: Any) -> Chip:
        if arch is not None:
            options["arch"] = arch
        if hasattr(request.config, "workerinput"):
            options.setdefault("threads", 1)  # the workers of pytest-xdist share the host
        if request.config.getoption("--tilefarm-limit") > 0:
            options.setdefault("limit_seconds", request.config.getoption("--tilefarm-limit"))
        kind, trace = request.config.getoption("--tilefarm-trace"), None
        if kind is not None and f"on_{kind}" not in options:
            trace = Trace(_TRACED_EVENTS)
            options[f"on_{kind}"] = trace
        looked = not any(options.get(name) for name in ("relaxed", "order"))
        files = looks.add(options, len(chips)) if looked else []
        chip = Chip(**options)
        chips.append(_Made(chip, trace, files))
        return chip

    yield make
    _close(chips)
    looks.forget()


def _close(chips: list[_Made]) -> None:
    for made in chips:
        made.chip.close(write=not made.files)
    chips.clear()


@pytest.fixture
def make_system(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., System]]:
    """A function that makes a system, with the options of System(). All of its systems are closed after the test."""
    chips = request.node.stash.setdefault(_CHIPS, [])
    looks = _Looks(request, tmp_path_factory)

    def make(*name: str, **options: Any) -> System:
        if hasattr(request.config, "workerinput"):
            options.setdefault("threads", 1)  # the workers of pytest-xdist share the host
        if request.config.getoption("--tilefarm-limit") > 0:
            options.setdefault("limit_seconds", request.config.getoption("--tilefarm-limit"))
        files = [] if options.get("relaxed") else looks.add(options, len(chips))
        system = System(*name, **options)
        chips.append(_Made(system, None, files))
        return system

    yield make
    _close(chips)
    looks.forget()


@pytest.fixture
def chip(request: pytest.FixtureRequest, make_chip: Callable[..., Chip]) -> Chip:
    """A chip, which is closed after the test."""
    marker = request.node.get_closest_marker("tilefarm")
    return make_chip(**(marker.kwargs if marker is not None else {}))


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc] # pytest 7 has no types for it
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Report the chips of a failing test, and keep their files."""
    outcome: Any = yield
    report = outcome.get_result()
    chips: list[_Made] = item.stash.get(_CHIPS, [])
    if report.when != "call" or not report.failed or not chips:
        return
    folder = Path(item.config.getoption("--tilefarm-keep")) / re.sub(r"[^\w.-]+", "_", item.nodeid)
    why = str(call.excinfo.value).partition("\n")[0] if call.excinfo is not None else ""
    timed = call.excinfo is not None and isinstance(call.excinfo.value, TimeLimitError)
    for number, made in enumerate(chips):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kept = _keep(made, number, folder, item.nodeid, why, timed)
            text = f"--tilefarm-seed {item.config.stash[_SEED]}\n{kept}\n"
            (folder / f"report-{number}.txt").write_text(text)
            what = "chip" if isinstance(made.chip, Chip) else "system"
            report.sections.append((f"tilefarm {what} {number}, kept in {folder}", text))
        except Exception as error:  # an error here must not hide the failure of the test
            report.sections.append((f"tilefarm chip {number}", f"cannot be reported: {error}"))


def _keep(made: _Made, number: int, folder: Path, title: str, why: str, timed: bool) -> str:
    """
    Move the files of a chip to a folder. Returns the report of the chip.

    timed  the exception of the test has the stacks of the cores
    """
    if made.trace is not None:
        (folder / f"trace-{number}.txt").write_text("\n".join(made.trace.lines()) + "\n")
    try:
        text = made.chip.report()
        stacks = [] if timed else made.chip.stacks()
        if any(line.endswith(": runs") for line in stacks):  # pytest-timeout or Ctrl-C has ended a run
            text = "\n".join([text, *stacks])
        if made.chip._files is not None and not made.chip._files.written:
            made.chip.write_files(title, "test failed", why)
    except ClosedError as closed:  # the test closed it, so its files are written
        text = str(closed)
    for file in made.files:
        if file.exists():
            name, _, ending = file.name.partition("-")[2].partition(".")
            shutil.move(file, folder / f"{name}-{number}.{ending}")
    return text
