# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of a chip, a tile and a result."""
import enum
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Callable

import pytest

import tilefarm
from tilefarm import records

WAITS = 'int main(void) { if (TF_CORE == 0) tf_sem_wait(0x20000, 1); return 0; }'


class Checked(HTMLParser):
    """Collects texts, and asserts that each tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.titles: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.titles += [value or "" for name, value in attrs if name == "title"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("arch", ["blackhole", "wormhole"])
def test_a_chip_is_a_map(arch: str, tmp_path: Path) -> None:
    source = tmp_path / "waits.c"
    source.write_text('#include "tilefarm_device.h"\n' + WAITS)
    programs = {core: tilefarm.compile_program(source, core, tmp_path / core, arch=arch) for core in ("B", "T1")}
    with tilefarm.Chip(arch, threads=1) as chip:
        new = Checked(chip._repr_html_())
        assert "in reset" in "".join(new.texts) and str(len(chip.tiles)) in new.texts
        chip.load(programs["B"], "B", tiles=[3])
        chip.load(programs["T1"], "T1", tiles=[3, 4])
        result = chip.run(check=False)
        ran = Checked(chip._repr_html_())
        assert any(title.startswith(f"{chip.tile(3).name}: waits") and "B waits: polls" in title
                   for title in ran.titles)
        assert any(title.startswith(f"{chip.tile(4).name}: done\nT1 is done") for title in ran.titles)
        tile = Checked(chip.tile(3)._repr_html_())
        assert chip.tile(3).name in tile.texts and "parked" in tile.texts and "0x20000" in tile.texts
        shown = "\n".join(Checked(result._repr_html_()).texts)
        assert "ended: quiet, 2 cores are done" in shown and "polls the word at 0x20000" in shown
        assert f"{result.cycles:,}" in shown
    assert chip._repr_html_() is None and chip.tile(3)._repr_html_() is None


def test_a_fault_is_red_and_escaped(chip: tilefarm.Chip, build: Callable[..., Path]) -> None:
    chip.load(build("int main(void) { return (int)TF_WORD(0x7FFFFFF0); }"), "B", tiles=[9])
    result = chip.run(check=False)
    page = Checked(chip._repr_html_())
    assert any(title.startswith(f"{chip.tile(9).name}: a fault\nB: ") for title in page.titles)
    assert "faults and hazards" in Checked(result._repr_html_()).texts
    assert "<main" not in result._repr_html_()


def test_cells_have_ink_of_their_own(chip: tilefarm.Chip) -> None:
    """A cell with a colour of its own that took the page's ink could not be read on one of both kinds of pages."""
    for style in re.findall(r'style="([^"]*background:[^"]*)"', chip._repr_html_()):
        assert ";color:" in style, style


@pytest.mark.parametrize("kind", [value for value in vars(records).values() if isinstance(value, type)
                                  and issubclass(value, enum.Enum) and value is not enum.Enum])
def test_enums_are_documented(kind: type[enum.Enum]) -> None:
    lines = (kind.__doc__ or "").splitlines()
    for name in kind.__members__:
        assert any(re.match(rf"\s*{name}  +\S", line) for line in lines), name  # 3.13 takes the indent away
