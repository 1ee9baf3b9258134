#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Step 10: where do the cycles of step 9 go? Runs its kernel in timing mode, and then a faster form of it."""
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import tilefarm

SOURCE = Path(__file__).resolve().parent / "9-matmul.c"
A, B, PRODUCT = 0x00000000, 0x20000000, 0x40000000  # addresses in each DRAM channel: tilefarm_tensor.h
ROWS, INNER, COLUMNS, TILES = 64, 512, 96, 6

arch = sys.argv[1] if len(sys.argv) > 1 else "blackhole"


def run(at_once: int) -> int:
    """Multiply matrices in timing mode. Print what cores and units of tile 0 did. Return the cycles."""
    rng = np.random.default_rng(1)
    with tilefarm.Chip(arch, timing=True) as chip, tempfile.TemporaryDirectory() as folder:
        a = chip.tensor((ROWS, INNER), "bf16", address=A)
        b = chip.tensor((INNER, COLUMNS), "bf16", address=B)
        product = chip.tensor((ROWS, COLUMNS), "bf16", address=PRODUCT)
        a.write(rng.uniform(-1, 1, a.shape))
        b.write(rng.uniform(-1, 1, b.shape))
        for core in tilefarm.CORES:
            program = tilefarm.compile_program(SOURCE, core, Path(folder) / f"{core}.elf", f"-DAT_ONCE={at_once}",
                                               arch=arch)
            chip.load(program, core, tiles=range(TILES))
        for tile in chip.tiles[:TILES]:
            tile.set_arguments(None, [ROWS // 32, INNER // 32, COLUMNS // 32, tile.index, TILES])
        chip.record_path()
        cycles = chip.run().cycles
        assert np.abs(product.read() - a.read().astype(np.float64) @ b.read()).max() < 0.2
        tile, core = chip.tile(0), chip.tile(0).core("B").times
        print(f"{at_once} at once: {cycles} cycles; the matrix unit works in {100 * tile.times.matrix // cycles} % of "
              f"them, B polls a NIU in {100 * core.noc // cycles} %")
        spent = Counter()
        for part in chip.critical_path:
            spent[part.actor] += part.cycles
        assert sum(spent.values()) == cycles
        print(f"on the critical path, packets of the NOCs have {100 * spent['packet'] // cycles} %, cores "
              f"{100 * spent['core'] // cycles} %, threads of the coprocessor {100 * spent['thread'] // cycles} %")
        return cycles


slow, fast = run(1), run(2)
print(f"2 at once need {100 * fast // slow} % of the cycles")
assert fast < slow
