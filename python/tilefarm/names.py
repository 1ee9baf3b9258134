# SPDX-License-Identifier: Apache-2.0
"""The names that arguments take, as types: editors complete them, and mypy finds other ones."""
from __future__ import annotations

from typing import Literal, Union

#: A family of chips.
Arch = Literal["blackhole", "wormhole"]
#: The document that defines NOC atomics where two differ.
Atomics = Literal["isa", "emu-spec"]
#: The vector instructions of the host.
Vectors = Literal["best", "portable", "avx2", "avx512"]
#: Undefined behaviour whose outcome on silicon is known.
Undefined = Literal["fault", "silicon"]
#: Timing mode: not, exact, or faster.
Timing = Union[bool, Literal["coarse"]]
#: A core of a Tensix tile.
CoreName = Literal["B", "NC", "T0", "T1", "T2"]
#: A core of an Ethernet tile. Wormhole has one, which reports call E.
EthCoreName = Literal["E0", "E1"]
#: A format of numbers.
Format = Literal["fp32", "tf32", "bf16", "fp16", "fp8", "fp8_e4m3", "bfp8", "bfp4", "bfp2", "int32", "uint16", "int8"]
#: A way from a seed to an order.
Strategy = Literal["random", "chaos", "pct", "delay-one"]
#: Where a tensor lies: in DRAM channels, or in the L1 of tiles.
Where = Literal["dram", "l1"]
#: What a page of a tensor is: a tile of 32 by 32 numbers, or a row.
PageLayout = Literal["tiles", "rows"]
#: The order in which shards of a tensor go to banks.
ShardOrder = Literal["rows", "columns"]
