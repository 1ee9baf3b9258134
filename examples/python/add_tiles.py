#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds two random matrices by the coprocessors of six tiles, and compares the sum with NumPy's."""
import tempfile
from pathlib import Path

import numpy as np

import tilefarm
from tilefarm import formats

SOURCE = Path(__file__).resolve().parent.parent / "tutorial" / "4-add.c"
A, B, SUM = 0x20000, 0x40000, 0x60000

rng = np.random.default_rng(1)
a, b = rng.uniform(-4, 4, (2, 64, 96))

with tilefarm.Chip() as chip, tempfile.TemporaryDirectory() as folder:
    for core in ("B", "T0", "T1", "T2"):
        program = tilefarm.compile_program(SOURCE, core, Path(folder) / f"add.{core}.elf", "-DFROM_HOST")
        chip.load(program, core, tiles=range(6))
    for tile, numbers_a, numbers_b in zip(chip.tiles, formats.tilize(a), formats.tilize(b)):
        tile.write_numbers(A, numbers_a, "bf16")
        tile.write_numbers(B, numbers_b, "bf16")
    result = chip.run()
    tiles = [chip.tile(i).read_numbers(SUM, 1024, "bf16") for i in range(6)]

total = formats.untilize(np.stack(tiles), (64, 96))
error = np.abs(total - (a + b)).max()
print(f"{result.stats.cycles} cycles; the largest error of a sum in bf16 is {error:.4f}")
assert error < 2**-4, "the error of three roundings to eight bits is smaller"
