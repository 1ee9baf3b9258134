#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs configurations side by side, each on its own chip: with long epochs, requests that wait in turn take longer."""
import itertools
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tilefarm

PROGRAM = """
#include "tilefarm_device.h"
int main(void)
{
    for (unsigned i = 0; i < 20; i++)
        tf_noc_fetch_inc(TF_NOC, tf_tile_xy(TF_NOC, 0), 0x20000, 1);
    return 0;
}
"""


def measure(program: bytes, tiles: int, epoch_cycles: int) -> tuple[int, int]:
    """Let `tiles` tiles increment a counter. Returns the cycles of the run, and the counter."""
    with tilefarm.Chip(threads=1, slice_cycles=epoch_cycles, epoch_cycles=epoch_cycles) as chip:
        chip.load(program, tiles=range(tiles))
        return chip.run().stats.cycles, chip.tile(0).read32(0x20000)


with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "count.c"
    source.write_text(PROGRAM)
    program = tilefarm.compile_program(source, "B", source.with_suffix(".elf")).read_bytes()

cases = list(itertools.product((1, 140), (128, 256, 1024)))
with ThreadPoolExecutor(2) as pool:
    for (tiles, epoch), (cycles, count) in zip(cases, pool.map(lambda case: measure(program, *case), cases)):
        print(f"{tiles:4d} tiles, epochs of {epoch:4d} cycles: {cycles:6d} cycles, counted to {count}")
        assert count == 20 * tiles and 0 < cycles <= 40 * epoch
