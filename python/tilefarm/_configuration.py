# SPDX-License-Identifier: Apache-2.0
"""Options that say what chips compute, and how the host computes it: struct tf_config without places and callbacks."""
from __future__ import annotations

import ctypes
import difflib
from typing import Any, Mapping

from . import _arguments as arguments
from . import _layout as layout
from . import errors
from .names import Atomics, Timing, Undefined, Vectors

_VECTORS = {"best": layout.TF_VECTORS_BEST, "portable": layout.TF_VECTORS_PORTABLE, "avx2": layout.TF_VECTORS_AVX2,
            "avx512": layout.TF_VECTORS_AVX512}
_ATOMICS = {"isa": layout.TF_ATOMICS_ISA, "emu-spec": layout.TF_ATOMICS_EMU_SPEC}
_UNDEFINED = {"fault": False, "silicon": True}


def configure(
    config: layout.Config,
    whose: str,
    *,
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
    fields: Mapping[str, Any] = {},
) -> None:
    """
    Set options of Chip(), which describes them.

    whose  the class, for messages: "Chip"
    Raises InvalidArgumentError for an option out of its range, ArgumentTypeError for one of a wrong type, and TypeError
    for an unknown one.
    """
    config.threads = 0 if threads is None else arguments.configured("threads", threads, least=1)
    free = arguments.flag("relaxed", relaxed)
    config.mode = layout.TF_MODE_RELAXED if free else layout.TF_MODE_DETERMINISTIC
    config.atomics = _choose("atomics", atomics, _ATOMICS)
    config.vectors = _choose("vectors", vectors, _VECTORS)
    config.undefined_as_silicon = _choose("undefined", undefined, _UNDEFINED)
    config.late_cycles = arguments.configured("late_cycles", late_cycles)
    config.ordered_memory = arguments.flag("ordered_memory", ordered_memory)
    config.timing_coarse = isinstance(timing, str) and _choose("timing", timing, {"coarse": True})
    config.timing = config.timing_coarse or arguments.flag("timing", timing)
    config.inline_l1_faults = arguments.flag("inline_l1_faults", inline_l1_faults)
    config.go_on_after_fault = arguments.flag("keep_going", keep_going)
    config.parking = arguments.flag("parking", parking)
    config.serial_delivery = arguments.flag("serial_delivery", serial_delivery)
    config.pin = arguments.flag("pin", pin)
    if niu_requests is not None:
        config.niu_requests_max = arguments.configured("niu_requests", niu_requests, "niu_requests_max")
    _set_epochs(config, slice_cycles, epoch_cycles)
    for name, value in fields.items():
        _set_field(config, whose, name, value)


def _choose(what: str, value: str, values: dict[str, Any]) -> Any:
    if not isinstance(value, str) or value not in values:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, not {' or '.join(map(repr, values))}")
    return values[value]


def _set_field(config: layout.Config, whose: str, name: str, value: Any) -> None:
    """Set a number or a flag of the configuration. Raises TypeError if there is no such field."""
    field: Any = dict(config._fields_).get(name)
    if field is ctypes.c_bool:
        setattr(config, name, arguments.flag(name, value))
    elif field is ctypes.c_uint32:
        number = arguments.configured(name, value) if name in layout.LIMITS else arguments.integer(name, value)
        setattr(config, name, number)
    else:
        raise TypeError(f"{whose}() has no option {name!r}{_hint(config, name)}")


def _hint(config: layout.Config, name: str) -> str:
    """Return a hint at the option whose name is most like this one: " (did you mean 'epoch_cycles'?)"."""
    known = {*(configure.__kwdefaults__ or {}), *(field for field, kind, *_ in config._fields_
                                                  if kind in (ctypes.c_bool, ctypes.c_uint32))} - {name, "fields"}
    near = difflib.get_close_matches(name, sorted(known), 1, 0.55)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _set_epochs(config: layout.Config, slice_cycles: int | None, epoch_cycles: int | tuple[int, int] | None) -> None:
    """
    Set the lengths of slices and epochs. If only one of them is given, the other one is fitted to it: a slice is at
    most as long as the shortest epoch.
    """
    if slice_cycles is not None:
        config.slice_cycles = arguments.configured("slice_cycles", slice_cycles)
    if epoch_cycles is None:
        config.epoch_cycles_min = max(config.epoch_cycles_min, config.slice_cycles)
        config.epoch_cycles_max = max(config.epoch_cycles_max, config.epoch_cycles_min)
        return
    one = hasattr(epoch_cycles, "__index__")
    least, most = (epoch_cycles, epoch_cycles) if one else arguments.pair("epoch_cycles", epoch_cycles)
    config.epoch_cycles_min = arguments.configured("epoch_cycles", least, "epoch_cycles_min")
    config.epoch_cycles_max = arguments.configured("epoch_cycles", most, "epoch_cycles_max")
    if slice_cycles is None and config.epoch_cycles_min < config.slice_cycles:
        config.slice_cycles = config.epoch_cycles_min
