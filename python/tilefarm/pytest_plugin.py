# SPDX-License-Identifier: Apache-2.0
"""
For pytest: chips as fixtures, seeds that a failure names, and what is kept of a failing test.

chip             a chip; @pytest.mark.tilefarm(arch="wormhole", ...) gives the options of Chip()
make_chip        a function that makes further chips with options of Chip()
tilefarm_seed    a number for random inputs: of the test's name and of --tilefarm-seed
tilefarm_rng     numpy.random.Generator with that seed

When a test fails, the report of each of its chips goes to the failure's text and to a file in the folder of
--tilefarm-keep. With --tilefarm-trace the last instructions are kept too.
"""
from __future__ import annotations

import re
import zlib
from pathlib import Path
from random import SystemRandom
from typing import Any, Callable, Iterator

import numpy as np
import pytest

from . import Chip, Trace, __version__

_SEED = pytest.StashKey[int]()
_CHIPS = pytest.StashKey["list[tuple[Chip, Trace | None]]"]()
_TRACED_EVENTS = 10000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilefarm")
    group.addoption("--tilefarm-seed", metavar="N", type=lambda text: int(text, 0),
                    help="seed of random inputs (default: another one in each session)")
    group.addoption("--tilefarm-keep", metavar="DIR", default="tilefarm-failures",
                    help="where reports of failing tests are kept (default: tilefarm-failures)")
    group.addoption("--tilefarm-trace", choices=("riscv", "tensix"),
                    help="keep the last instructions of a failing test; tests run slower")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "tilefarm(**options): options of Chip() for the fixture chip")
    seed = config.getoption("--tilefarm-seed")
    if seed is None:
        shared = getattr(config, "workerinput", {}).get("testrunuid")  # equal in all workers of pytest-xdist
        seed = SystemRandom().getrandbits(32) if shared is None else zlib.crc32(shared.encode())
    config.stash[_SEED] = seed


def pytest_report_header(config: pytest.Config) -> str:
    return f"tilefarm {__version__}, --tilefarm-seed {config.stash[_SEED]}"


@pytest.fixture
def tilefarm_seed(request: pytest.FixtureRequest) -> int:
    """A seed of this test: it depends on its name and on --tilefarm-seed alone."""
    return zlib.crc32(f"{request.config.stash[_SEED]}:{request.node.nodeid}".encode())


@pytest.fixture
def tilefarm_rng(tilefarm_seed: int) -> np.random.Generator:
    """Random numbers of this test."""
    return np.random.default_rng(tilefarm_seed)


@pytest.fixture
def make_chip(request: pytest.FixtureRequest) -> Iterator[Callable[..., Chip]]:
    """A function that makes a chip; all of them are closed behind the test."""
    chips = request.node.stash.setdefault(_CHIPS, [])

    def make(**options: Any) -> Chip:
        if hasattr(request.config, "workerinput"):
            options.setdefault("threads", 1)  # the workers of pytest-xdist share the host
        kind, trace = request.config.getoption("--tilefarm-trace"), None
        if kind is not None and f"on_{kind}" not in options:
            trace = Trace(_TRACED_EVENTS)
            options[f"on_{kind}"] = trace
        chip = Chip(**options)
        chips.append((chip, trace))
        return chip

    yield make
    for chip, _ in chips:
        chip.close()
    chips.clear()


@pytest.fixture
def chip(request: pytest.FixtureRequest, make_chip: Callable[..., Chip]) -> Chip:
    """A chip, closed behind the test."""
    marker = request.node.get_closest_marker("tilefarm")
    return make_chip(**(marker.kwargs if marker is not None else {}))


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc] # pytest 7 has no types for it
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    chips: list[tuple[Chip, Trace | None]] = item.stash.get(_CHIPS, [])
    if report.when != "call" or not report.failed or not chips:
        return
    folder = Path(item.config.getoption("--tilefarm-keep")) / re.sub(r"[^\w.-]+", "_", item.nodeid)
    for number, (chip, trace) in enumerate(chips):
        try:
            text = f"--tilefarm-seed {item.config.stash[_SEED]}\n{chip.report()}\n"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"report-{number}.txt").write_text(text)
            if trace is not None:
                (folder / f"trace-{number}.txt").write_text("\n".join(trace.lines()) + "\n")
            report.sections.append((f"tilefarm chip {number}, kept in {folder}", text))
        except Exception as error:  # the test's own failure is what counts
            report.sections.append((f"tilefarm chip {number}", f"cannot be reported: {error}"))
