# SPDX-License-Identifier: Apache-2.0
"""
Numbers in the chip's formats: fp32, tf32, bf16, fp16, fp8, fp8_e4m3, bfp8, bfp4, bfp2, int32, uint16 and int8.

A tile is 32 by 32 numbers: four faces of 16 by 16, upper left, upper right, lower left, lower right, each row by row.
Numbers are rounded to the nearest, ties to even. tilefarm_numbers.h has the limits of each format.
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from . import _layout as layout
from ._library import check, lib
from .errors import AddressRangeError, InvalidArgumentError
from .names import Format

TILE_SIDE = 32
FACE_SIDE = 16
TILE_NUMBERS = TILE_SIDE * TILE_SIDE


def names() -> list[str]:
    """Return the names of all formats."""
    found: list[str] = []
    while (name := lib.tf_format_name(len(found))) is not None:
        found.append(name.decode())
    return found


def number_of(format: Format) -> int:
    """
    Return the number of a format in fields of the coprocessor's configuration. fp8_e4m3 has 26: number 10 and a mode
    bit. Raises InvalidArgumentError for a name that is not in names().
    """
    number: int = lib.tf_format_find(arguments.text("format", format))
    if number < 0:
        raise InvalidArgumentError(f"no format '{format}': {', '.join(names())}")
    return number


def size_of(format: Format, count: int) -> int:
    """
    Return the size of `count` numbers in bytes.

    count  at least 0; a multiple of 1024 for bfp8, bfp4 and bfp2
    Raises InvalidArgumentError for another count or format.
    """
    number = number_of(format)
    count = arguments.integer("count", count, 0, arguments.BYTES_MOST)
    size: int = lib.tf_format_bytes(number, count)
    if size == 0 and count != 0:
        raise InvalidArgumentError(f"{format}: {count} numbers are not whole tiles of {TILE_NUMBERS}")
    return size


def encode(numbers: ArrayLike, format: Format) -> NDArray[np.uint8]:
    """
    Convert numbers to a format. Returns the bytes as they lie in memory, in the order of the array.

    Raises InvalidArgumentError for an unknown format or a part of a tile (see size_of()), and AddressRangeError if the
    format cannot hold one of the numbers.
    """
    values = arguments.array("numbers", numbers, np.float64).reshape(-1)
    data = np.zeros(size_of(format, values.size), dtype=np.uint8)
    pointer = values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    code = lib.tf_numbers_encode(number_of(format), pointer, values.size, data.ctypes.data)
    if code == layout.TF_ERANGE:
        raise AddressRangeError(f"{format} cannot hold one of the numbers, {values.min()} to {values.max()}")
    check(code, format)
    return data


def decode(data: Any, format: Format, count: int | None = None) -> NDArray[np.float32]:
    """
    Convert bytes of memory to numbers, float32. int32 becomes float64, since float32 would round.

    data   a bytes-like object or an array, of exactly size_of(format, count) bytes
    count  the number of numbers; None: as many as `data` holds
    Raises InvalidArgumentError for an unknown format or another size.
    """
    raw = arguments.data("data", data).view(np.uint8).reshape(-1)
    if count is None:
        count = _count_in(raw.size, format)
    if raw.size != size_of(format, count):
        raise InvalidArgumentError(f"{format}: {count} numbers take {size_of(format, count)} bytes, not {raw.size}")
    count = arguments.integer("count", count, 0, arguments.BYTES_MOST)
    values = np.zeros(count, dtype=np.float64)
    pointer = values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    check(lib.tf_numbers_decode(number_of(format), raw.ctypes.data, count, pointer))
    return values if format == "int32" else values.astype(np.float32)


def _count_in(size: int, format: Format) -> int:
    """Return the number of numbers that `size` bytes hold."""
    tile = size_of(format, TILE_NUMBERS)
    count = size * TILE_NUMBERS // tile
    if lib.tf_format_bytes(number_of(format), count) != size:
        raise InvalidArgumentError(f"{format}: {size} bytes are not whole numbers, or not whole tiles")
    return count


def tilize(matrix: ArrayLike) -> NDArray[Any]:
    """
    Split a matrix into its tiles, row by row. Returns an array of shape (tiles, 1024), each tile in memory order.

    Raises InvalidArgumentError unless both sides of the matrix are multiples of 32.
    """
    array = np.asarray(matrix)
    arguments.dtype("matrix", array.dtype)
    if array.ndim != 2 or array.shape[0] % TILE_SIDE or array.shape[1] % TILE_SIDE or array.size == 0:
        raise InvalidArgumentError(f"a matrix of shape {array.shape} is not made of tiles of 32 by 32")
    rows, columns = array.shape[0] // TILE_SIDE, array.shape[1] // TILE_SIDE
    parts = array.reshape(rows, 2, FACE_SIDE, columns, 2, FACE_SIDE)
    return np.ascontiguousarray(parts.transpose(0, 3, 1, 4, 2, 5)).reshape(rows * columns, TILE_NUMBERS)


def untilize(tiles: ArrayLike, shape: tuple[int, int]) -> NDArray[Any]:
    """
    Join tiles to a matrix: the inverse of tilize().

    shape  rows and columns of the matrix, multiples of 32
    Raises InvalidArgumentError if the tiles do not fill that shape.
    """
    array = np.asarray(tiles)
    shape = arguments.matrix_shape("shape", shape)
    rows, columns = shape[0] // TILE_SIDE, shape[1] // TILE_SIDE
    if shape[0] % TILE_SIDE or shape[1] % TILE_SIDE or array.size != shape[0] * shape[1]:
        raise InvalidArgumentError(f"{array.size} numbers in tiles do not make a matrix of shape {shape}")
    parts = array.reshape(rows, columns, 2, 2, FACE_SIDE, FACE_SIDE)
    return np.ascontiguousarray(parts.transpose(0, 2, 4, 1, 3, 5)).reshape(shape)


def encode_tiles(matrix: ArrayLike, format: Format) -> NDArray[np.uint8]:
    """Return a matrix as bytes of memory: its tiles, row by row. Raises what tilize() and encode() raise."""
    return encode(tilize(matrix), format)


def decode_tiles(data: Any, format: Format, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return the matrix of a shape from the bytes of its tiles. Raises what decode() and untilize() raise."""
    rows, columns = arguments.matrix_shape("shape", shape)
    return untilize(decode(data, format, rows * columns), (rows, columns))
