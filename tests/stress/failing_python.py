#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The host refuses memory to the library under Python: the n-th allocation of a call fails, for each n. The call raises
OutOfMemoryError, or does without the memory; a core that runs then has a fault that says so. Chips, systems and files
are as before, and the next call succeeds.

Usage: failing_python.py PROGRAM STEP, with the library of refuse_memory.c loaded. Each STEP-th n is tried."""
import contextlib
import ctypes
import sys
import tempfile
from pathlib import Path
from typing import Callable

import tilefarm

PROGRAM = Path(sys.argv[1]).read_bytes()
STEP = int(sys.argv[2])
CYCLES = 3000
refuse_at = ctypes.CDLL(None).refuse_at
refuse_at.argtypes = [ctypes.c_char_p, ctypes.c_uint]


def refuse(n: int) -> int:
    """Refuse the n-th allocation from now on, 0: none. Returns how many there were since the last call."""
    return refuse_at(b"libtilefarm", n)


@contextlib.contextmanager
def a_chip(**options: object):
    with tilefarm.Chip(threads=1, **options) as chip:
        chip.load(PROGRAM, core="B", tiles=[0, 1])
        chip.run(CYCLES)
        yield chip


def fail_each(what: str, call: Callable[[], None], check: Callable[[bool], None] = lambda done: None) -> None:
    """Try a call with each of its allocations refused. check() gets whether it was done."""
    refuse(0)
    call()
    least = refuse(0)
    check(True)
    n, refused = 1, 0
    while True:
        refuse(n)
        try:
            call()
            done = True
        except tilefarm.OutOfMemoryError as error:
            assert str(error), f"{what}: an error without a text"
            done = False
        except tilefarm.FaultError as error:  # a core needs memory to go on
            assert all("the host has no memory" in str(fault) for fault in error.faults), error
            done = False
        asked = refuse(0)
        check(done)
        refused += not done
        if asked < n:
            break
        n += STEP
    call()
    check(True)
    assert least >= 2 and refused >= 1, f"{what}: {least} allocations, {refused} of them needed"
    print(f"{what}: {least} allocations, {refused} refused")


def create() -> None:
    with tilefarm.Chip(threads=1, check=True) as chip:
        chip.tile(0).write32(0x20000, 7)


def create_system() -> None:
    with tilefarm.System("n300") as system:
        system.chips[1].ports[0].write32(0x20000, 7)


def load_and_run() -> None:
    with a_chip(check=True) as chip:
        chip.races()
        chip.waits()
        chip.report()
        assert not chip.faults


def chips(folder: Path) -> None:
    saved = folder / "chip"
    with a_chip() as chip, a_chip() as other:
        other.run(CYCLES)
        hashes = [chip.state_hash, other.state_hash]
        assert hashes[0] != hashes[1]
        chip.save(saved)

        def saves(done: bool) -> None:
            assert chip.state_hash == hashes[0] and [file.name for file in folder.iterdir()] == [saved.name]
            with tilefarm.Chip(saved=saved) as third:
                assert third.state_hash == hashes[0]

        def restores(done: bool) -> None:
            hashes[1] = hashes[0] if done else hashes[1]
            assert other.state_hash == hashes[1]

        fail_each("save()", lambda: chip.save(saved), saves)
        fail_each("restore()", lambda: other.restore(saved), restores)
        fail_each("fork()", lambda: chip.fork().close(), lambda done: saves(True))


with tempfile.TemporaryDirectory() as name:
    chips(Path(name))
fail_each("Chip()", create)
fail_each("System()", create_system)
fail_each("load() and run()", load_and_run)
