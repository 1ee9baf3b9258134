# SPDX-License-Identifier: Apache-2.0
"""Reads the critical path of a chip in timing mode."""
from __future__ import annotations

from ctypes import byref, c_size_t
from typing import TYPE_CHECKING

from . import _layout as layout
from ._library import check, lib
from .records import PathPart

if TYPE_CHECKING:
    from .chip import Chip

ACTORS = "none", "core", "thread", "packet"


def read(chip: Chip) -> list[PathPart]:
    """The parts of the path, in order."""
    handle = chip._handle()
    count = c_size_t()
    check(lib.tf_path_read(handle, None, 0, byref(count)), "the critical path: record_path() comes before the run")
    raw = (layout.PathPart * max(count.value, 1))()
    check(lib.tf_path_read(handle, raw, count.value, byref(count)), "the critical path")
    return [_part(chip, raw[i]) for i in range(count.value)]


def _part(chip: Chip, raw: layout.PathPart) -> PathPart:
    way = chr(raw.way) if raw.way else ""
    return PathPart(raw.step, raw.begin, raw.end, raw.cycles, lib.tf_path_kind_name(raw.kind).decode(),
                    ACTORS[raw.actor], (raw.at.x, raw.at.y), (raw.to.x, raw.to.y), raw.number, raw.pc,
                    chip._place(raw.code, raw.core, raw.pc) if raw.actor else "",
                    (raw.link.x, raw.link.y) if way else None, way,
                    raw.unit.decode() if raw.unit else None, bool(raw.uncertain))
