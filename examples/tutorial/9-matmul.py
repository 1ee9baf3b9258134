#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Step 9: multiplies two random matrices on six tiles of a chip, and compares the product with NumPy's."""
import sys
import tempfile
from pathlib import Path

import numpy as np

import tilefarm

SOURCE = Path(__file__).resolve().parent / "9-matmul.c"
A, B, PRODUCT = 0x00000000, 0x20000000, 0x40000000  # addresses in each DRAM channel: tilefarm_tensor.h
TILES = 6

arch = sys.argv[1] if len(sys.argv) > 1 else "blackhole"
rng = np.random.default_rng(1)

with tilefarm.Chip(arch, check=True) as chip, tempfile.TemporaryDirectory() as folder:
    a = chip.tensor((64, 128), "bf16", address=A)
    b = chip.tensor((128, 96), "bf16", address=B)
    product = chip.tensor((64, 96), "bf16", address=PRODUCT)
    a.write(rng.uniform(-1, 1, a.shape))
    b.write(rng.uniform(-1, 1, b.shape))

    for core in tilefarm.CORES:
        program = tilefarm.compile_program(SOURCE, core, Path(folder) / f"matmul.{core}.elf", arch=arch)
        chip.load(program, core, tiles=range(TILES))
    for tile in chip.tiles[:TILES]:
        tile.set_arguments(None, [64 // 32, 128 // 32, 96 // 32, tile.index, TILES])
    result = chip.run()

    expected = a.read().astype(np.float64) @ b.read()  # of the numbers in bf16, as the chip has them
    error = np.abs(product.read() - expected)
    print(f"{arch}: {result.cycles} cycles, {len(chip.races())} races, the largest error is {error.max():.3f}")
    # The packer rounds to 8 significant bits. MVMUL drops low bits of products that are smaller than others of its sum.
    assert (error <= np.abs(expected) * 2**-8 + 2**-4).all()
    assert not chip.races()
