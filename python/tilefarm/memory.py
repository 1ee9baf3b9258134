# SPDX-License-Identifier: Apache-2.0
"""Memory of a chip as bytes, NumPy arrays, and numbers in the chip's formats."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _arguments as arguments
from . import formats
from .errors import ArgumentTypeError, InvalidArgumentError, OutOfMemoryError
from .names import Format

if TYPE_CHECKING:
    from .chip import Chip


class _Access(Protocol):
    def __call__(self, write: bool, address: int, pointer: int, bytes: int, /) -> None: ...


class Memory:
    """
    An address space: a Tensix tile with L1 and registers, a DRAM channel, or another node of the NOC.

    `memory[first:end]` is a NumPy array of bytes, `memory[address]` is one byte. Both can be assigned. Reads return
    copies. Addresses are in bytes. L1 and DRAM allow any range; a register takes 4 bytes at a multiple of 4.

    Every access may raise these exceptions:
    InvalidArgumentError  the address is not 0 to 2^64 - 1, or a number does not fit
    ArgumentTypeError     an argument is of a wrong type
    AddressRangeError     the range goes past the end of the memory
    AccessRefusedError    the chip refuses the address, the size or the alignment
    OutOfMemoryError      the host has no memory for a page of DRAM
    ClosedError           the chip has been closed
    BusyError             the chip is running
    """

    def __init__(self, chip: Chip, name: str, bytes: int, access: _Access) -> None:
        self.chip = chip
        self.name = name
        self.bytes = bytes  #: the size; 0: unknown, as for Chip.node()
        self._access = access

    def __repr__(self) -> str:
        return f"<tilefarm memory: {self.name}>"

    def __len__(self) -> int:
        return self.bytes

    # Else iteration, `in` and NumPy would take one byte after another, of up to 4 GiB.
    __iter__ = None
    __contains__ = None

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> NoReturn:
        raise ArgumentTypeError(f"{self.name} is no array; a range [first:end] of it is one")

    # ---- bytes and arrays ----

    def read(self, address: int, bytes: int) -> bytes:
        """Return `bytes` bytes from an address on. The read of a register has its side effects."""
        return self.read_array(address, arguments.integer("bytes", bytes, 0, arguments.BYTES_MOST), np.uint8).tobytes()

    def write(self, address: int, data: Any) -> None:
        """Write `data`, a bytes-like object or a NumPy array, from an address on."""
        self.write_array(address, arguments.data("data", data))

    def read_array(self, address: int, shape: int | tuple[int, ...], dtype: DTypeLike = np.uint32) -> NDArray[Any]:
        """Return a copy of the memory from an address on, as an array of a shape and an element type."""
        sides, kind = arguments.shape("shape", shape), arguments.dtype("dtype", dtype)
        _check_size(sides, kind.itemsize)
        try:
            array: NDArray[Any] = np.empty(sides, dtype=kind)
        except (MemoryError, ValueError) as error:
            raise OutOfMemoryError(f"no memory for an array of shape {sides}: {error}") from None
        if array.nbytes:
            self._access(False, _address(address), array.ctypes.data, array.nbytes)
        return array

    def write_array(self, address: int, array: ArrayLike, dtype: DTypeLike = None) -> None:
        """
        Write an array, row by row.

        dtype  convert the elements to this type; None: keep their type
        Raises InvalidArgumentError for an array of Python objects, and for numbers that do not fit in an integer type,
        with or without sign.
        """
        values = arguments.array("array", array, dtype)
        if values.nbytes:
            self._access(True, _address(address), values.ctypes.data, values.nbytes)

    def read32(self, address: int) -> int:
        """Return the word or the register at an address: 4 bytes, little-endian, 0 to 2^32 - 1."""
        return int(self.read_array(address, 1, np.uint32)[0])

    def write32(self, address: int, value: int) -> None:
        """
        Write a word or a register: -2^31 to 2^32 - 1, in two's complement if it is negative.

        A word of memory may have any address; an address of a register that is no multiple of 4 is refused.
        """
        self.write_array(address, np.array([arguments.word("value", value)], dtype=np.uint32))

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            start, end = self._range(at)
            return self.read_array(start, end - start, np.uint8)
        return int(self.read_array(at, 1, np.uint8)[0])

    def __setitem__(self, at: int | slice, data: Any) -> None:
        if not isinstance(at, slice):
            self.write_array(at, np.array([arguments.word("a byte", data, 8)], dtype=np.uint8))
            return
        start, end = self._range(at)
        values = arguments.data("data", data)
        if values.nbytes != end - start:
            raise InvalidArgumentError(f"{values.nbytes} bytes for a range of {end - start}")
        self.write_array(start, values)

    def _range(self, at: slice) -> tuple[int, int]:
        if at.step not in (None, 1) or at.start is None or (at.stop is None and not self.bytes):
            raise InvalidArgumentError("a range is [first:end] without a step, or [first:] if the size is known")
        start, end = _address(at.start), self.bytes if at.stop is None else _address(at.stop)
        if end < start:
            raise InvalidArgumentError(f"the range from 0x{start:x} ends before it, at 0x{end:x}")
        return start, end

    # ---- numbers in the chip's formats ----

    def read_numbers(self, address: int, count: int, format: Format) -> NDArray[np.float32]:
        """
        Return `count` numbers in one of formats.names(): float32, but float64 for int32.

        count  a multiple of 1024 for bfp8, bfp4 and bfp2
        Raises InvalidArgumentError for another format or count.
        """
        return formats.decode(self.read_array(address, formats.size_of(format, count), np.uint8), format, count)

    def write_numbers(self, address: int, numbers: ArrayLike, format: Format) -> int:
        """
        Write numbers in one of formats.names(), in the order of the array. Returns the number of bytes written.

        Raises InvalidArgumentError for another format or number of numbers (see read_numbers()), and for a fraction in
        a format of integers; AddressRangeError if the format cannot hold one of them.
        """
        data = formats.encode(numbers, format)
        if "int" in format:
            arguments.whole("numbers", arguments.array("numbers", numbers, np.float64), format)
        self.write_array(address, data)
        return int(data.nbytes)

    def read_tiles(self, address: int, shape: tuple[int, int], format: Format) -> NDArray[np.float32]:
        """
        Return a matrix of float32 (int32: float64). In memory its tiles of 32 by 32 follow each other, row by row.

        shape   rows and columns, multiples of 32
        format  one of formats.names()
        Raises InvalidArgumentError for another shape or format.
        """
        rows, columns = arguments.matrix_shape("shape", shape)
        size = formats.size_of(format, rows * columns)
        return formats.decode_tiles(self.read_array(address, size, np.uint8), format, shape)

    def write_tiles(self, address: int, matrix: ArrayLike, format: Format) -> int:
        """
        Write a matrix as tiles, in the layout of read_tiles(). Returns the number of bytes written.

        Raises InvalidArgumentError for another shape or format, and AddressRangeError if the format cannot hold one of
        the numbers.
        """
        data = formats.encode_tiles(matrix, format)
        self.write_array(address, data)
        return int(data.nbytes)


def _address(address: int) -> int:
    return arguments.integer("address", address, 0, arguments.U64_MOST)


def _check_size(sides: tuple[int, ...], item_bytes: int) -> None:
    bytes = item_bytes
    for side in sides:
        bytes *= side
    if bytes > arguments.BYTES_MOST:
        raise InvalidArgumentError(f"shape is {sides}, more than 2^48 bytes")
