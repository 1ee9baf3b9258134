/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 sends pages to one place of tile 1, which adds them up. It must not send the next one before tile 1 has taken
   the last. The loop that takes them stores nothing, and loads the same words each time, but does not wait for them. */
#include "races.h"

#define FULL 0x18300u
#define FREE 0x18340u
#define PAGES 6u

PLACE void send(uint32_t page)
{
#ifndef BUG
    tf_sem_wait_min(FREE, page);
#endif
    fill(COPY, page);
    tf_noc_write(0, tile_xy(1), DATA, COPY, BYTES);
    tf_noc_wait(0);
    tf_noc_fetch_inc(0, tile_xy(1), FULL, 1);
    for (volatile uint32_t i = 0; i < 400; i++)
        ;
}

PLACE uint32_t take(void)
{
    uint32_t total = 0;
    for (uint32_t page = 1; page <= PAGES; page++) {
        tf_sem_wait_min(FULL, page);
        total += sum(DATA, WORDS);
#ifndef BUG
        tf_noc_fetch_inc(0, tile_xy(0), FREE, 1);
#endif
    }
    return total;
}

int main(void)
{
    if (tf_my_tile() == 0) {
        for (uint32_t page = 0; page < PAGES; page++)
            send(page);
    } else {
        finish(take());
    }
    return 0;
}
