# SPDX-License-Identifier: Apache-2.0
"""
Tensors in DRAM or L1 of a chip, in the layouts of tt-metal.

A tensor is a list of pages of equal size. A page is a tile of 32 by 32 numbers, or a row. An interleaved tensor gives
its pages to all banks in turn: page i lies in bank i modulo their number. A sharded tensor is cut into rectangles, and
gives each of them to one bank. A bank is a DRAM channel, or the L1 of a tile. The rules are those of
tech_reports/tensor_layouts/tensor_layouts.md and tech_reports/tensor_sharding/tensor_sharding.md of tt-metal.
"""
from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from . import formats
from .errors import AddressRangeError, InvalidArgumentError
from .memory import Memory
from .names import Format, PageLayout, ShardOrder, Where

if TYPE_CHECKING:
    from .chip import Chip
    from .tiles import Place

_SIDE = formats.TILE_SIDE
_SHARED_EXPONENTS = ("bfp8", "bfp4", "bfp2")
#: Alignment of pages in bytes, as DRAM_ALIGNMENT and L1_ALIGNMENT of tilefarm_dataflow.h.
_DRAM_ALIGNMENT = {"blackhole": 64, "wormhole": 32}
_L1_ALIGNMENT = 16


def _parts(whole: int, part: int) -> int:
    """Return how many parts cover the whole."""
    return -(-whole // part)


class Tensor:
    """A place for numbers on a chip: write() and read() move NumPy arrays. Chip.tensor() makes it."""

    def __init__(self, chip: Chip, shape: int | Sequence[int], format: Format, address: int, where: Where,
                 layout: PageLayout, shard: tuple[int, int] | None, banks: Iterable[int | Place] | None,
                 shard_order: ShardOrder) -> None:
        """Chip.tensor() describes the parameters and exceptions."""
        self.chip: Chip = chip
        self.shape: tuple[int, ...] = arguments.shape("shape", shape)
        self.format: Format = format
        self.where: Where = arguments.one_of("where", where, Where)
        self.layout: PageLayout = arguments.one_of("layout", layout, PageLayout)
        self.shard: tuple[int, int] | None = None
        size = formats.size_of(format, formats.TILE_NUMBERS)
        if not self.shape or 0 in self.shape or prod(self.shape) > arguments.BYTES_MOST:
            raise InvalidArgumentError(f"shape is {self.shape}, not one or more sides of at least 1")
        if self.layout == "rows" and format in _SHARED_EXPONENTS:
            raise InvalidArgumentError(f"layout is 'rows', and {format} has whole tiles alone: layout='tiles'")
        side = _SIDE if self.layout == "tiles" else 1
        height, width = (self.shape[-2] if len(self.shape) > 1 else 1), self.shape[-1]
        self._matrices = prod(self.shape[:-2])
        self._height, self._width = _parts(height, side) * side, width
        rows = self._matrices * self._height // side
        if shard is not None:
            self.shard = _checked_shard(shard, side)
        page_columns = (_SIDE if side > 1 else width) if self.shard is None or side > 1 else self.shard[1]
        self._grid = (rows, _parts(width, page_columns))
        self._page_numbers = side * page_columns
        self._page_data = size * self._page_numbers // formats.TILE_NUMBERS
        aligned = _L1_ALIGNMENT if self.shard and self.where == "l1" else _DRAM_ALIGNMENT[chip.shape.name]
        #: Bytes from a page to the next one in its bank.
        self.page_bytes: int = _parts(self._page_data, aligned) * aligned
        self.address: int = arguments.integer("address", address, 0, arguments.U64_MOST)
        if self.address % aligned:
            raise InvalidArgumentError(f"address is 0x{address:x}, not a multiple of {aligned}")
        self.banks: list[Memory] = _banks_of(chip, self.where, banks)
        self._slots = self._find_slots(side, arguments.one_of("shard_order", shard_order, ShardOrder))
        self._check_room()

    def __repr__(self) -> str:
        sides = "x".join(map(str, self.shape))
        how = "interleaved" if self.shard is None else f"shards of {self.shard[0]}x{self.shard[1]}"
        where = "DRAM" if self.where == "dram" else "L1"
        return (f"<tilefarm tensor: {sides} {self.format}, {self.pages} pages of {self.page_bytes} bytes, {how} in "
                f"{where} at 0x{self.address:x}>")

    @property
    def pages(self) -> int:
        """The number of its pages, which the kernels count row by row."""
        return self._grid[0] * self._grid[1]

    @property
    def bank_bytes(self) -> int:
        """The bytes that it takes in each bank: the next tensor may begin at address + bank_bytes."""
        return int(self._slots.shape[1]) * self.page_bytes

    def place(self, page: int) -> tuple[Memory, int]:
        """Return the memory and the address of a page. Raises InvalidArgumentError for a page that it has not."""
        page = arguments.integer("page", page, 0, self.pages - 1)
        bank, slot = (int(found[0]) for found in np.nonzero(self._slots == page))
        return self.banks[bank], self.address + slot * self.page_bytes

    def write(self, numbers: ArrayLike) -> None:
        """
        Write an array of the tensor's shape. Numbers that fill up tiles, pages and shards become 0. bf16, tf32 and fp32
        hold NaN and infinities; other formats hold no NaN.

        Raises InvalidArgumentError for another shape, AddressRangeError if the format cannot hold one of the numbers,
        and what Memory.write_array() raises.
        """
        array = arguments.array("numbers", numbers, np.float64)
        if array.shape != self.shape:
            raise InvalidArgumentError(f"numbers have the shape {array.shape}, and the tensor has {self.shape}")
        pages = np.zeros((self.pages + 1, self.page_bytes), dtype=np.uint8)  # the last one fills up
        pages[:-1, :self._page_data] = formats.encode(self._to_pages(array), self.format).reshape(self.pages, -1)
        for bank, slots in zip(self.banks, self._slots):
            bank.write_array(self.address, pages[slots])

    def read(self) -> NDArray[np.float32]:
        """Return its numbers: float32 in the tensor's shape, but float64 for int32."""
        pages = np.zeros((self.pages, self.page_bytes), dtype=np.uint8)
        for bank, slots in zip(self.banks, self._slots):
            held = slots >= 0
            pages[slots[held]] = bank.read_array(self.address, (len(slots), self.page_bytes), np.uint8)[held]
        data = np.ascontiguousarray(pages[:, :self._page_data])
        return self._from_pages(formats.decode(data, self.format, self.pages * self._page_numbers))

    # ---- order of the numbers ----

    def _to_pages(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        rows, columns = (array.shape[-2] if array.ndim > 1 else 1), array.shape[-1]
        whole = self._page_numbers // (_SIDE if self.layout == "tiles" else 1) * self._grid[1]
        full = np.zeros((self._matrices, self._height, whole))
        full[:, :rows, :columns] = array.reshape(self._matrices, rows, columns)
        matrix = full.reshape(-1, whole)
        return formats.tilize(matrix) if self.layout == "tiles" else matrix

    def _from_pages(self, numbers: NDArray[Any]) -> NDArray[Any]:
        rows, columns = (self.shape[-2] if len(self.shape) > 1 else 1), self.shape[-1]
        whole = self._page_numbers // (_SIDE if self.layout == "tiles" else 1) * self._grid[1]
        if self.layout == "tiles":
            numbers = formats.untilize(numbers, (self._matrices * self._height, whole))
        full = numbers.reshape(self._matrices, self._height, whole)
        return np.ascontiguousarray(full[:, :rows, :columns]).reshape(self.shape)

    # ---- order of the pages ----

    def _find_slots(self, side: int, order: ShardOrder) -> NDArray[np.int64]:
        """Return the number of the page in each slot of each bank; -1: none."""
        if self.shard is None:
            slots = np.full((_parts(self.pages, len(self.banks)), len(self.banks)), -1)
            slots.reshape(-1)[:self.pages] = np.arange(self.pages)
            return self._used(slots.T)
        high, wide = self.shard[0] // side, self.shard[1] // side if side > 1 else 1
        down, across = _parts(self._grid[0], high), _parts(self._grid[1], wide)
        pages = np.full((down * high, across * wide), -1)
        pages[:self._grid[0], :self._grid[1]] = np.arange(self.pages).reshape(self._grid)
        shards = pages.reshape(down, high, across, wide).transpose(0, 2, 1, 3)
        if order == "columns":
            shards = shards.transpose(1, 0, 2, 3)
        shards = shards.reshape(down * across, high * wide)
        rounds = _parts(len(shards), len(self.banks))
        slots = np.full((rounds * len(self.banks), high * wide), -1)
        slots[:len(shards)] = shards
        return self._used(slots.reshape(rounds, len(self.banks), -1).transpose(1, 0, 2).reshape(len(self.banks), -1))

    def _used(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Forget banks without a page."""
        used = (slots >= 0).any(axis=1)
        self.banks = [bank for bank, held in zip(self.banks, used) if held]
        return np.ascontiguousarray(slots[used])

    def _check_room(self) -> None:
        end = self.address + self.bank_bytes
        for bank in self.banks:
            if end > bank.bytes:
                raise AddressRangeError(f"the tensor ends at 0x{end:x}, and {bank.name} at 0x{bank.bytes:x}")


def _checked_shard(shard: Any, side: int) -> tuple[int, int]:
    rows, columns = arguments.matrix_shape("shard", shard)
    if rows == 0 or columns == 0 or rows % side or columns % side:
        raise InvalidArgumentError(f"shard is {rows} by {columns}, not a multiple of {side} by {side}")
    return rows, columns


def _banks_of(chip: Chip, where: Where, banks: Iterable[int | Place] | None) -> list[Memory]:
    every = chip.tiles if where == "l1" else chip.dram
    if banks is None:
        return list(every)
    numbers = arguments.items("banks", banks)
    if not numbers:
        raise InvalidArgumentError("banks is empty")
    if where == "l1":
        return [chip.tile(bank) for bank in numbers]
    return [chip.dram[arguments.integer("banks: a channel", bank, 0, len(chip.dram) - 1)] for bank in numbers]
