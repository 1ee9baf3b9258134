/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 sends pages to tile 1 through two places. Atomics count full and free ones. */
#include "races.h"

#define FULL 0x18300u
#define FREE 0x18340u
#define PAGE(i) (DATA + (i) % 2 * BYTES)

PLACE uint32_t take(uint32_t i)
{
    tf_sem_wait_min(FULL, i + 1);
    uint32_t got = sum(PAGE(i), WORDS);
    tf_noc_fetch_inc(0, tile_xy(0), FREE, 1);
    return got;
}

int main(void)
{
    if (tf_my_tile() == 0) {
        TF_WORD(FREE) = 0;
        settle(FREE);
        announce(1);
        for (uint32_t i = 0; i < 6; i++) {
            if (i >= 2)
                tf_sem_wait_min(FREE, i - 1);
            fill(COPY, i);
            tf_noc_write(0, tile_xy(1), PAGE(i), COPY, BYTES);
            tf_noc_wait(0);
            tf_noc_fetch_inc(0, tile_xy(1), FULL, 1);
        }
    } else {
        uint32_t total = 0;
        await_flag();
        for (uint32_t i = 0; i < 6; i++)
            total += take(i);
        finish(total);
    }
    return 0;
}
