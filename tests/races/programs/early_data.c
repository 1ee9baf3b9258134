/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 1 reads a flag of tile 0 over the NOC until it is raised, and then the data. With the bug it reads both in each
   round: the data may come before the flag. */
#include "races.h"

PLACE void produce(void)
{
    fill(DATA, FIRST);
}

PLACE void take(void)
{
#ifdef BUG
    do {
        tf_noc_read(0, tile_xy(0), DATA, DATA, BYTES);
        tf_noc_read(0, tile_xy(0), FLAG, COPY, 4);
        tf_noc_wait(0);
    } while (TF_WORD(COPY) != 1);
#else
    do {
        tf_noc_read(0, tile_xy(0), FLAG, COPY, 4);
        tf_noc_wait(0);
    } while (TF_WORD(COPY) != 1);
    tf_noc_read(0, tile_xy(0), DATA, DATA, BYTES);
    tf_noc_wait(0);
#endif
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        produce();
        TF_WORD(FLAG) = 1;
        return 0;
    }
#ifdef BUG
    for (unsigned i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after tile 0 */
#endif
    take();
    return 0;
}
