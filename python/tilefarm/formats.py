# SPDX-License-Identifier: Apache-2.0
"""
Numbers in the chip's formats: fp32, tf32, bf16, fp16, fp8, fp8_e4m3, bfp8, bfp4, bfp2, int32, uint16 and int8.

A tile is 32 by 32 numbers: four faces of 16 by 16, upper left, upper right, lower left, lower right, each row by row.
The rounding, and what happens to numbers that a format lacks, is that of the library (tilefarm_numbers.h).
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _layout as layout
from ._library import check, lib
from .errors import AddressRangeError, InvalidArgumentError

TILE_SIDE = 32
FACE_SIDE = 16
TILE_NUMBERS = TILE_SIDE * TILE_SIDE


def names() -> list[str]:
    """The formats."""
    found: list[str] = []
    while (name := lib.tf_format_name(len(found))) is not None:
        found.append(name.decode())
    return found


def number_of(format: str) -> int:
    """The number that fields of the coprocessor's configuration have for a format; 26 for fp8_e4m3."""
    number: int = lib.tf_format_find(str(format).encode())
    if number < 0:
        raise InvalidArgumentError(f"no format '{format}': {', '.join(names())}")
    return number


def size_of(format: str, count: int) -> int:
    """Bytes that `count` numbers take; whole tiles of 1024 in bfp8, bfp4 and bfp2."""
    number = number_of(format)
    size: int = lib.tf_format_bytes(number, count)
    if count < 0 or (size == 0 and count != 0):
        raise InvalidArgumentError(f"{format}: {count} numbers are no whole tiles of {TILE_NUMBERS}")
    return size


def encode(numbers: ArrayLike, format: str) -> NDArray[np.uint8]:
    """Numbers, in the order of the array, as bytes of memory."""
    values = np.ascontiguousarray(numbers, dtype=np.float64).reshape(-1)
    data = np.zeros(size_of(format, values.size), dtype=np.uint8)
    pointer = values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    code = lib.tf_numbers_encode(number_of(format), pointer, values.size, data.ctypes.data)
    if code == layout.TF_ERANGE:
        raise AddressRangeError(f"{format} lacks one of the numbers")
    check(code, format)
    return data


def decode(data: Any, format: str, count: int | None = None) -> NDArray[np.float32]:
    """Numbers out of bytes of memory. int32 gives float64, since float32 would round."""
    raw = np.ascontiguousarray(np.frombuffer(data, dtype=np.uint8) if not isinstance(data, np.ndarray) else data)
    raw = raw.view(np.uint8).reshape(-1)
    if count is None:
        count = _count_in(raw.size, format)
    if raw.size != size_of(format, count):
        raise InvalidArgumentError(f"{format}: {count} numbers take {size_of(format, count)} bytes, not {raw.size}")
    values = np.zeros(count, dtype=np.float64)
    pointer = values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    check(lib.tf_numbers_decode(number_of(format), raw.ctypes.data, count, pointer))
    return values if format == "int32" else values.astype(np.float32)


def _count_in(size: int, format: str) -> int:
    """How many numbers so many bytes hold."""
    tile = size_of(format, TILE_NUMBERS)
    count = size * TILE_NUMBERS // tile
    if lib.tf_format_bytes(number_of(format), count) != size:
        raise InvalidArgumentError(f"{format}: {size} bytes are no whole numbers, or no whole tiles")
    return count


def tilize(matrix: ArrayLike) -> NDArray[Any]:
    """A matrix of whole tiles as tiles by rows of tiles, in memory order: shape (tiles, 1024)."""
    array = np.asarray(matrix)
    if array.ndim != 2 or array.shape[0] % TILE_SIDE or array.shape[1] % TILE_SIDE or array.size == 0:
        raise InvalidArgumentError(f"a matrix of shape {array.shape} is not made of tiles of 32 by 32")
    rows, columns = array.shape[0] // TILE_SIDE, array.shape[1] // TILE_SIDE
    parts = array.reshape(rows, 2, FACE_SIDE, columns, 2, FACE_SIDE)
    return np.ascontiguousarray(parts.transpose(0, 3, 1, 4, 2, 5)).reshape(rows * columns, TILE_NUMBERS)


def untilize(tiles: ArrayLike, shape: tuple[int, int]) -> NDArray[Any]:
    """The matrix of a shape, of its tiles in memory order: what tilize() gave."""
    array = np.asarray(tiles)
    rows, columns = shape[0] // TILE_SIDE, shape[1] // TILE_SIDE
    if shape[0] % TILE_SIDE or shape[1] % TILE_SIDE or array.size != shape[0] * shape[1]:
        raise InvalidArgumentError(f"{array.size} numbers in tiles are no matrix of shape {shape}")
    parts = array.reshape(rows, columns, 2, 2, FACE_SIDE, FACE_SIDE)
    return np.ascontiguousarray(parts.transpose(0, 2, 4, 1, 3, 5)).reshape(shape)


def encode_tiles(matrix: ArrayLike, format: str) -> NDArray[np.uint8]:
    """A matrix as tiles in memory, one behind the other, by rows of tiles."""
    return encode(tilize(matrix), format)


def decode_tiles(data: Any, format: str, shape: tuple[int, int]) -> NDArray[np.float32]:
    """The matrix of a shape out of its tiles in memory."""
    return untilize(decode(data, format, shape[0] * shape[1]), shape)
