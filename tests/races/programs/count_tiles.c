/* SPDX-License-Identifier: Apache-2.0 */
/* In each of two rounds, two tiles write data to tile 0 and count themselves there. Tile 0 waits for all of them, and
   takes all data; then it lets them go on. With the bug it waits for one of them in the second round. */
#include "races.h"

#define TILES 2u
#define ROUNDS 2u
#define DATA_OF(tile) (DATA + (tile)*0x100u)

#ifdef BUG
#define MISSED 1u
#else
#define MISSED 0u
#endif

PLACE void produce(uint32_t tile, uint32_t round)
{
    fill(DATA, FIRST + round);
    tf_noc_write(0, tile_xy(0), DATA_OF(tile), DATA, BYTES);
    tf_noc_wait(0);
    tf_noc_fetch_inc(0, tile_xy(0), COUNTER, 1);
}

PLACE uint32_t take(void)
{
    uint32_t total = 0;
    for (unsigned tile = 1; tile <= TILES; tile++)
        total += sum(DATA_OF(tile), WORDS);
    return total;
}

int main(void)
{
    const uint32_t tile = tf_my_tile();
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (tile != 0) {
            produce(tile, round);
            tf_sem_wait_min(FLAG, round);
            continue;
        }
        for (unsigned i = 0; i < 20000; i++)
            __asm__ volatile("" ::: "memory"); /* all have usually come before */
        tf_sem_wait_min(COUNTER, round * TILES - (round == ROUNDS ? MISSED : 0));
        finish(take());
        for (unsigned to = 1; to <= TILES; to++)
            tf_noc_fetch_inc(0, tile_xy(to), FLAG, 1);
    }
    return 0;
}
