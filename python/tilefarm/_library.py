# SPDX-License-Identifier: Apache-2.0
"""Finds libtilefarm and declares its functions. They release the interpreter's lock while they run."""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64
from ctypes import c_void_p, sizeof
from pathlib import Path
from typing import Any

from . import _layout as layout
from . import errors

ON_PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)
ON_TENSIX = ctypes.CFUNCTYPE(None, c_void_p, POINTER(layout.TensixEvent))
ON_RISCV = ctypes.CFUNCTYPE(None, c_void_p, POINTER(layout.RiscvEvent))
ON_NOC = ctypes.CFUNCTYPE(None, c_void_p, POINTER(layout.NocEvent))
ON_PRINT = ctypes.CFUNCTYPE(None, c_void_p, POINTER(layout.PrintEvent))
ON_CHIP = ctypes.CFUNCTYPE(None, c_void_p, c_uint, POINTER(layout.Config))
SAY = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)

_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "tf_version": (c_char_p, []),
    "tf_commit": (c_char_p, []),
    "tf_strerror": (c_char_p, [c_int]),
    "tf_fault_category_name": (c_char_p, [c_uint]),
    "tf_arch_find": (c_void_p, [c_char_p]),
    "tf_chip_arch": (c_void_p, [c_void_p]),
    "tf_arch_shape": (None, [c_void_p, POINTER(layout.Shape)]),
    "tf_board_parse": (c_int, [c_void_p, POINTER(layout.BoardText), POINTER(layout.Board), POINTER(layout.Message)]),
    "tf_core_name": (c_char_p, [c_void_p, c_uint, c_uint]),
    "tf_config_init_sized": (None, [POINTER(layout.Config), c_size_t]),
    "tf_chip_create": (c_int, [POINTER(layout.Config), POINTER(c_void_p), POINTER(layout.Message)]),
    "tf_chip_destroy": (None, [c_void_p]),
    "tf_node_kind": (c_uint, [c_void_p, layout.Coord]),
    "tf_tile_coord": (c_int, [c_void_p, c_uint, POINTER(layout.Coord)]),
    "tf_port_coord": (c_int, [c_void_p, c_uint, POINTER(layout.Coord)]),
    "tf_port_tile": (c_int, [c_void_p, c_uint]),
    "tf_tile_index": (c_int, [c_void_p, layout.Coord]),
    "tf_write": (c_int, [c_void_p, layout.Coord, c_uint64, c_void_p, c_size_t]),
    "tf_read": (c_int, [c_void_p, layout.Coord, c_uint64, c_void_p, c_size_t]),
    "tf_dram_write": (c_int, [c_void_p, c_uint, c_uint64, c_void_p, c_size_t]),
    "tf_dram_read": (c_int, [c_void_p, c_uint, c_uint64, c_void_p, c_size_t]),
    "tf_load_elf": (c_int, [c_void_p, c_uint, c_uint, c_char_p, c_void_p, c_size_t, POINTER(layout.Message)]),
    "tf_core_start": (c_int, [c_void_p, c_uint, c_uint]),
    "tf_core_stop": (c_int, [c_void_p, c_uint, c_uint]),
    "tf_core_set_pc": (c_int, [c_void_p, c_uint, c_uint, c_uint32]),
    "tf_core_view": (c_int, [c_void_p, c_uint, c_uint, POINTER(layout.CoreView)]),
    "tf_run": (c_int, [c_void_p, POINTER(layout.RunOptions), POINTER(c_uint)]),
    "tf_stop": (None, [c_void_p]),
    "tf_stats": (None, [c_void_p, POINTER(layout.Stats)]),
    "tf_core_times": (c_int, [c_void_p, c_uint, c_uint, POINTER(layout.CoreTimes)]),
    "tf_tile_stats": (c_int, [c_void_p, c_uint, POINTER(layout.TileStats)]),
    "tf_tile_times": (c_int, [c_void_p, c_uint, POINTER(layout.TileTimes)]),
    "tf_dram_times": (c_int, [c_void_p, c_uint, POINTER(c_uint64)]),
    "tf_path_record": (c_int, [c_void_p]),
    "tf_system_path_record": (c_int, [c_void_p]),
    "tf_path_read": (c_int, [c_void_p, POINTER(layout.PathPart), c_size_t, POINTER(c_size_t)]),
    "tf_system_path_read": (c_int, [c_void_p, POINTER(layout.SystemPathPart), c_size_t, POINTER(c_size_t)]),
    "tf_path_kind_name": (c_char_p, [c_uint]),
    "tf_fault_count": (c_size_t, [c_void_p]),
    "tf_fault_get": (c_int, [c_void_p, c_size_t, POINTER(layout.Fault)]),
    "tf_state_hash": (c_uint64, [c_void_p]),
    "tf_chip_save": (c_int, [c_void_p, c_char_p, POINTER(layout.Message)]),
    "tf_chip_restore": (c_int, [c_void_p, c_char_p, POINTER(layout.Message)]),
    "tf_chip_fork": (c_int, [c_void_p, POINTER(layout.Config), POINTER(c_void_p), POINTER(layout.Message)]),
    "tf_saved_config": (c_int, [c_char_p, POINTER(layout.Config), POINTER(layout.Message)]),
    "tf_cluster_name": (c_char_p, [c_uint]),
    "tf_cluster_find": (c_int, [c_char_p, POINTER(layout.Cluster), POINTER(layout.Message)]),
    "tf_link_fault_parse": (c_int, [POINTER(layout.Cluster), c_char_p, c_void_p, POINTER(c_uint),
                                    POINTER(layout.Message)]),
    "tf_cluster_parse": (c_int, [c_char_p, c_size_t, POINTER(layout.Cluster), POINTER(layout.Message)]),
    "tf_describe_system": (c_size_t, [POINTER(layout.Cluster), c_char_p, c_size_t]),
    "tf_system_config_init_sized": (None, [POINTER(layout.SystemConfig), c_size_t]),
    "tf_system_create": (c_int, [POINTER(layout.SystemConfig), POINTER(c_void_p), POINTER(layout.Message)]),
    "tf_system_destroy": (None, [c_void_p]),
    "tf_system_chip": (c_void_p, [c_void_p, c_uint]),
    "tf_system_run": (c_int, [c_void_p, POINTER(layout.SystemRunOptions), POINTER(c_uint)]),
    "tf_system_stop": (None, [c_void_p]),
    "tf_system_hash": (c_uint64, [c_void_p]),
    "tf_system_save": (c_int, [c_void_p, c_char_p, POINTER(layout.Message)]),
    "tf_system_restore": (c_int, [c_void_p, c_char_p, POINTER(layout.Message)]),
    "tf_saved_system_config": (c_int, [c_char_p, POINTER(layout.SystemConfig), POINTER(layout.Cluster), c_char_p,
                                       POINTER(layout.Message)]),
    "tf_system_fork": (c_int, [c_void_p, POINTER(layout.SystemConfig), POINTER(c_void_p), POINTER(layout.Message)]),
    "tf_system_latency": (c_uint32, [c_void_p]),
    "tf_system_gbps": (c_uint32, [c_void_p]),
    "tf_system_workers": (c_uint, [c_void_p]),
    "tf_system_cycles": (c_uint64, [c_void_p]),
    "tf_link_wait_text": (c_size_t, [c_void_p, POINTER(layout.LinkWait), c_char_p, c_size_t]),
    "tf_link_waits": (c_size_t, [c_void_p, POINTER(layout.LinkWait), c_size_t]),
    "tf_link_stats": (c_int, [c_void_p, c_uint, POINTER(layout.LinkStats)]),
    "tf_waits": (c_size_t, [c_void_p, POINTER(layout.Waiting), c_size_t]),
    "tf_waiting_text": (c_size_t, [c_void_p, POINTER(layout.Waiting), c_char_p, c_char_p, c_size_t]),
    "tf_waiting_trapped": (c_bool, [c_void_p, c_void_p, POINTER(layout.Waiting)]),
    "tf_waiting_endless": (c_bool, [c_void_p, c_void_p, POINTER(layout.Waiting)]),
    "tf_tensix_text": (c_size_t, [c_void_p, c_uint32, c_char_p, c_size_t]),
    "tf_riscv_text": (c_size_t, [c_void_p, c_uint32, c_uint32, c_char_p, c_size_t]),
    "tf_symbols_create": (c_void_p, []),
    "tf_symbols_destroy": (None, [c_void_p]),
    "tf_symbols_add": (c_bool, [c_void_p, c_char_p, c_size_t, c_uint, POINTER(c_bool)]),
    "tf_symbols_add_nodes": (c_bool, [c_void_p, c_void_p, c_char_p, c_size_t, c_uint, POINTER(layout.Coord), c_size_t]),
    "tf_symbols_tile": (c_int, [c_void_p, layout.Coord]),
    "tf_symbols_place": (c_bool, [c_void_p, c_uint, c_uint, c_uint32, c_char_p, c_size_t]),
    "tf_stack_print": (None, [c_void_p, c_void_p, c_uint, c_uint, SAY, c_void_p]),
    "tf_stacks_print": (None, [c_void_p, c_void_p, c_bool, SAY, c_void_p]),
    "tf_stack_diagnose": (None, [c_void_p, c_void_p, POINTER(layout.Fault), c_char_p]),
    "tf_races": (c_size_t, [c_void_p, POINTER(layout.Race), c_size_t]),
    "tf_freedom_name": (c_char_p, [c_uint]),
    "tf_explore_random": (None, [POINTER(layout.Explore), c_uint64]),
    "tf_explore_chaos": (None, [POINTER(layout.Explore), c_uint64]),
    "tf_places_create": (c_void_p, [POINTER(layout.Decision), c_size_t]),
    "tf_places_destroy": (None, [c_void_p]),
    "tf_places_count": (None, [c_void_p, POINTER(layout.PlacesCount)]),
    "tf_places_keep_conflicts": (None, [c_void_p, c_void_p]),
    "tf_places_pct": (c_size_t, [c_void_p, c_uint64, c_uint, POINTER(layout.Decision)]),
    "tf_places_delay_one": (c_size_t, [c_void_p, c_uint64, POINTER(layout.Decision)]),
    "tf_chip_decisions": (c_size_t, [c_void_p, POINTER(layout.Decision), c_size_t]),
    "tf_decision_text": (None, [c_void_p, POINTER(layout.Decision), c_void_p, c_char_p, c_size_t]),
    "tf_files_open": (c_int, [POINTER(layout.FilesWish), POINTER(layout.Config), POINTER(c_void_p),
                              POINTER(layout.Message)]),
    "tf_files_attach": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tf_files_write": (c_int, [c_void_p, POINTER(layout.FilesVerdict), POINTER(layout.Message)]),
    "tf_files_close": (None, [c_void_p]),
    "tf_system_files_open": (c_int, [POINTER(layout.FilesWish), POINTER(layout.SystemConfig), POINTER(c_void_p),
                                     POINTER(layout.Message)]),
    "tf_system_files_attach": (c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(layout.Message)]),
    "tf_system_files_write": (c_int, [c_void_p, POINTER(layout.FilesVerdict), POINTER(layout.Message)]),
    "tf_system_files_close": (None, [c_void_p]),
    "tf_format_name": (c_char_p, [c_uint]),
    "tf_format_find": (c_int, [c_char_p]),
    "tf_format_bytes": (c_size_t, [c_int, c_size_t]),
    "tf_numbers_encode": (c_int, [c_int, POINTER(c_double), c_size_t, c_void_p]),
    "tf_numbers_decode": (c_int, [c_int, c_void_p, c_size_t, POINTER(c_double)]),
}


def _whole(kind: Any) -> Any:
    """
    Return a type for a parameter that refuses a number which does not fit. ctypes would cut it. Callers check their
    arguments by _arguments.py, so this finds only what they have missed.
    """

    class Whole(kind):  # type: ignore[misc]
        @classmethod
        def from_param(cls, value: Any) -> Any:
            if isinstance(value, int) and not 0 <= value < 1 << 8 * ctypes.sizeof(kind):
                raise ValueError(f"{value} does not fit in {8 * ctypes.sizeof(kind)} bits")
            return kind.from_param(value)

    return Whole


_WHOLE = {kind: _whole(kind) for kind in (c_size_t, c_uint, c_uint32, c_uint64)}


def _load() -> ctypes.CDLL:
    """
    Load the library. The environment variable TILEFARM_LIBRARY may name it. Else it is the library in the package,
    then the one in the prefix of the package, then the library of the system.

    Raises ImportError if there is none, or if it is of another version than the package.
    """
    script = Path(__file__).resolve()
    near = [script.with_name("libtilefarm.so"), *(parent / "libtilefarm.so.1" for parent in script.parents[3:4])]
    found = [str(path) for path in near if path.exists()]
    path = os.environ.get("TILEFARM_LIBRARY") or (found[0] if found else "libtilefarm.so.1")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libtilefarm cannot be loaded: {error}; TILEFARM_LIBRARY may name it") from error
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{path} lacks {name}(): it is not the libtilefarm of this package")
        function.restype = result
        function.argtypes = [_WHOLE.get(kind, kind) for kind in arguments]  # type: ignore[call-overload]
    version = library.tf_version().decode()
    config = layout.Config()
    library.tf_config_init_sized(byref(config), sizeof(config))
    if version != layout.VERSION or config.struct_bytes != ctypes.sizeof(layout.Config):
        raise ImportError(f"{path} is libtilefarm {version}, but the package was built with {layout.VERSION}")
    return library


lib = _load()

_ERRORS: dict[int, type[errors.TilefarmError]] = {
    layout.TF_EINVAL: errors.InvalidArgumentError,
    layout.TF_ENOMEM: errors.OutOfMemoryError,
    layout.TF_EIO: errors.FileError,
    layout.TF_EFORMAT: errors.FileFormatError,
    layout.TF_ERANGE: errors.AddressRangeError,
    layout.TF_ENODEV: errors.NoSuchPlaceError,
    layout.TF_EACCESS: errors.AccessRefusedError,
    layout.TF_ESYS: errors.HostError,
}


def check(code: int, what: str = "", message: layout.Message | None = None) -> None:
    """
    Raise the exception of an error code; return if the code is 0 or more.

    what     the beginning of the exception's text, such as the name of the call
    message  the cause, from the library; None: the sentence of tf_strerror()
    """
    if code >= 0:
        return
    text = message.text.decode(errors="replace") if message is not None else ""
    text = text or lib.tf_strerror(code).decode()
    raise _ERRORS.get(code, errors.TilefarmError)(f"{what}: {text}" if what else text)


def text_of(function: object, *arguments: object, room: int = 400) -> str:
    """
    Return the text that a function writes. Its last two parameters are a buffer and the size of it, and it returns the
    length of the whole text, as tf_riscv_text() does.

    room  size of the first buffer in bytes; a longer text gets a larger one
    """
    buffer = ctypes.create_string_buffer(room)
    length = function(*arguments, buffer, room)  # type: ignore[operator]
    if length >= room:
        return text_of(function, *arguments, room=length + 1)
    return buffer.value.decode(errors="replace")
