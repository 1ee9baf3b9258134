#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""In a ring of tiles one does not pass the token. Finds the stuck tiles, and the tiles that sent no request."""
import tempfile
from pathlib import Path

import tilefarm

PROGRAM = """
#include "tilefarm_device.h"
#define TOKEN 0x20000u
static void pass(uint32_t to)
{
    tf_sem_inc_remote(TF_NOC, tf_tile_xy(TF_NOC, to), TOKEN, 1);
}
int main(void)
{
    uint32_t me = tf_my_tile();
    if (me != 0)
        tf_sem_wait(TOKEN, 1);
    if (me != 5)
        pass((me + 1) % 8);
    if (me == 0)
        tf_sem_wait(TOKEN, 1);
    return 0;
}
"""

NIU_COMMAND = 0xFFB20040  # a store there sends a request
sent = []
with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "ring.c"
    source.write_text(PROGRAM)
    program = tilefarm.compile_program(source, "B", source.with_suffix(".elf"))
    chip = tilefarm.Chip(
        on_riscv=lambda event: event.stores and event.address == NIU_COMMAND and sent.append(event.tile))
    chip.load(program, tiles=range(8))
    try:
        chip.run()
        raise SystemExit("there is no deadlock")
    except tilefarm.DeadlockError as error:
        print(error)
        stuck = sorted(tile for wait in error.waits for tile in wait.tiles)
    print("stuck:", stuck)
    assert stuck == [0, 6, 7]
    silent = [tile.index for tile in chip.tiles[:8] if (tile.x, tile.y) not in sent]
    print("these tiles sent no request:", silent)
    assert silent == [5, 6, 7]
    chip.tile(6).write32(0x20000, 1)  # the host passes the token, and run() continues
    chip.run()
    print("after a token for tile 6 all", len(chip.waits()[0].tiles), "tiles are done")
