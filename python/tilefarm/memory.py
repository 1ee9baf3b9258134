# SPDX-License-Identifier: Apache-2.0
"""Memory of a chip as bytes, NumPy arrays, and numbers in the chip's formats."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import formats
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from .chip import Chip


class _Access(Protocol):
    def __call__(self, write: bool, address: int, pointer: int, bytes: int, /) -> None: ...


class Memory:
    """
    An address space: L1 and registers of a tile, a DRAM channel, another node. What it returns is a copy.

    `memory[a:b]` are bytes as a NumPy array, `memory[a]` is a byte; both can be assigned.
    """

    def __init__(self, chip: Chip, name: str, bytes: int, access: _Access) -> None:
        self.chip = chip
        self.name = name
        self.bytes = bytes  #: its size; 0 where it is not one memory
        self._access = access

    def __repr__(self) -> str:
        return f"<tilefarm memory: {self.name}>"

    def __len__(self) -> int:
        return self.bytes

    # ---- bytes and arrays ----

    def read(self, address: int, bytes: int) -> bytes:
        """Bytes at an address. Registers take 4 at a multiple of 4, and have the side effects of a read."""
        return self.read_array(address, bytes, np.uint8).tobytes()

    def write(self, address: int, data: Any) -> None:
        """Write bytes, or the memory of an array."""
        array = data if isinstance(data, np.ndarray) else np.frombuffer(data, dtype=np.uint8)
        self.write_array(address, array)

    def read_array(self, address: int, shape: int | tuple[int, ...], dtype: DTypeLike = np.uint32) -> NDArray[Any]:
        """An array of a shape and type at an address."""
        array: NDArray[Any] = np.empty(shape, dtype=dtype)
        if array.nbytes:
            self._access(False, _address(address), array.ctypes.data, array.nbytes)
        return array

    def write_array(self, address: int, array: ArrayLike, dtype: DTypeLike = None) -> None:
        """Write an array, row by row."""
        values = np.ascontiguousarray(array, dtype=dtype)
        if values.dtype.hasobject:
            raise InvalidArgumentError(f"an array of {values.dtype} is no data")
        if values.nbytes:
            self._access(True, _address(address), values.ctypes.data, values.nbytes)

    def read32(self, address: int) -> int:
        """A word or register."""
        return int(self.read_array(address, 1, np.uint32)[0])

    def write32(self, address: int, value: int) -> None:
        """Write a word or register; of negative values the two's complement."""
        self.write_array(address, np.array([value & 0xFFFFFFFF], dtype=np.uint32))

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            start, end = self._range(at)
            return self.read_array(start, end - start, np.uint8)
        return int(self.read_array(at, 1, np.uint8)[0])

    def __setitem__(self, at: int | slice, data: Any) -> None:
        if not isinstance(at, slice):
            self.write_array(at, np.array([data], dtype=np.uint8))
            return
        start, end = self._range(at)
        values = np.ascontiguousarray(data if isinstance(data, np.ndarray) else np.frombuffer(data, dtype=np.uint8))
        if values.nbytes != end - start:
            raise InvalidArgumentError(f"{values.nbytes} bytes for a range of {end - start}")
        self.write_array(start, values)

    def _range(self, at: slice) -> tuple[int, int]:
        if at.step not in (None, 1) or at.start is None or (at.stop is None and not self.bytes):
            raise InvalidArgumentError("a range is [first:end], without a step")
        end = self.bytes if at.stop is None else at.stop
        if end < at.start:
            raise InvalidArgumentError(f"a range from 0x{at.start:x} to 0x{end:x}")
        return at.start, end

    # ---- numbers in the chip's formats ----

    def read_numbers(self, address: int, count: int, format: str) -> NDArray[np.float32]:
        """Numbers in a format (formats.py); those with shared exponents by whole tiles."""
        return formats.decode(self.read_array(address, formats.size_of(format, count), np.uint8), format, count)

    def write_numbers(self, address: int, numbers: ArrayLike, format: str) -> int:
        """Write numbers, in the order of the array. Returns how many bytes they take."""
        data = formats.encode(numbers, format)
        self.write_array(address, data)
        return int(data.nbytes)

    def read_tiles(self, address: int, shape: tuple[int, int], format: str) -> NDArray[np.float32]:
        """A matrix whose tiles of 32 by 32 lie one behind the other, by rows of tiles."""
        size = formats.size_of(format, shape[0] * shape[1])
        return formats.decode_tiles(self.read_array(address, size, np.uint8), format, shape)

    def write_tiles(self, address: int, matrix: ArrayLike, format: str) -> int:
        """Write a matrix as tiles. Returns how many bytes they take."""
        data = formats.encode_tiles(matrix, format)
        self.write_array(address, data)
        return int(data.nbytes)


def _address(address: int) -> int:
    if not 0 <= address < 1 << 64:
        raise InvalidArgumentError(f"address {address}")
    return int(address)
