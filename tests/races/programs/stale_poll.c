/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 1 polls its flag without a fence: the line of the flag may stay in the L0 data cache. */
#include "races.h"

PLACE void poll(void)
{
#ifdef BUG
    while (TF_WORD(FLAG) == 0)
        ;
    tf_fence();
#else
    tf_sem_wait_min(FLAG, 1);
#endif
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
        tf_noc_wait(0);
        announce(1);
    } else {
        poll();
        take();
    }
    return 0;
}
