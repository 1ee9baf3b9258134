# SPDX-License-Identifier: Apache-2.0
import threading
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import tilefarm

LONGEST_S = 60

pytest_plugins = ["pytester"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: sessions within a session, programs for a second family; nightly alone")


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    """A function that compiles the text of a device program for a core. It returns the path of the program."""

    def compile(source: str, core: str = "B", *flags: str) -> Path:
        file = tmp_path / f"program{len(list(tmp_path.glob('*.c')))}.c"
        file.write_text('#include "tilefarm_device.h"\n' + source)
        return tilefarm.compile_program(file, core, file.with_suffix(".elf"), *flags)

    return compile


@pytest.fixture(autouse=True)
def stopped_when_it_hangs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After LONGEST_S seconds all chips and systems of the test are stopped: an endless run ends and fails the test."""
    chips: list[Any] = []

    def noting(create: Callable[..., None]) -> Callable[..., None]:
        def note(self: Any, *arguments: object, **options: object) -> None:
            chips.append(self)
            create(self, *arguments, **options)

        return note

    def stop() -> None:
        for chip in chips:
            chip.stop()

    for kind in (tilefarm.Chip, tilefarm.System):
        monkeypatch.setattr(kind, "__init__", noting(kind.__init__))
    timer = threading.Timer(LONGEST_S, stop)
    timer.start()
    yield
    timer.cancel()
