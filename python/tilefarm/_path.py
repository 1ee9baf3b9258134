# SPDX-License-Identifier: Apache-2.0
"""Reads the critical path of a chip or a system in timing mode."""
from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import TYPE_CHECKING, Callable, Sequence, TypeVar

from . import _layout as layout
from ._library import check, lib
from .records import PathPart

if TYPE_CHECKING:
    from .chip import Chip

ACTORS = "none", "core", "thread", "packet", "link"
_Record = TypeVar("_Record", layout.PathPart, layout.SystemPathPart)
FIRST = "the critical path: record_path() comes before the run"


def read(chip: Chip) -> list[PathPart]:
    """The parts of the path, in order."""
    return [_part(chip, raw) for raw in _read(lib.tf_path_read, chip._handle(), layout.PathPart)]


def read_system(handle: c_void_p, chips: Sequence[Chip]) -> list[PathPart]:
    """The parts of the path of a system, in order."""
    return [_part(chips[raw.chip], raw.part)._replace(chip=raw.chip, to_chip=raw.to_chip)
            for raw in _read(lib.tf_system_path_read, handle, layout.SystemPathPart)]


def _read(function: Callable[..., int], handle: c_void_p, record: type[_Record]) -> list[_Record]:
    count = c_size_t()
    check(function(handle, None, 0, byref(count)), FIRST)
    raw = (record * max(count.value, 1))()
    check(function(handle, raw, count.value, byref(count)), "the critical path")
    return [raw[i] for i in range(count.value)]


def _part(chip: Chip, raw: layout.PathPart) -> PathPart:
    way = chr(raw.way) if raw.way else ""
    return PathPart(raw.step, raw.begin, raw.end, raw.cycles, lib.tf_path_kind_name(raw.kind).decode(),
                    ACTORS[raw.actor], (raw.at.x, raw.at.y), (raw.to.x, raw.to.y), raw.number, raw.pc,
                    chip._place(raw.code, raw.core, raw.pc) if raw.actor else "",
                    (raw.link.x, raw.link.y) if way else None, way,
                    raw.unit.decode() if raw.unit else None, bool(raw.uncertain))
