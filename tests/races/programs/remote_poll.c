/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 1 reads the flag of tile 0 over the NOC until it is raised, and then the data. With the bug it reads them at
   once. */
#include "races.h"

PLACE uint32_t look(void)
{
    read_as(TID_OTHER, tile_xy(0), FLAG, COPY, 4);
    wait_for(TID_OTHER, 0);
    return TF_WORD(COPY);
}

PLACE void fetch(void)
{
    read_as(TID_OTHER, tile_xy(0), DATA, DATA, BYTES);
    wait_for(TID_OTHER, 0);
}

PLACE void produce(void)
{
    fill(DATA, FIRST);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        TF_WORD(FLAG) = 0;
        produce();
        TF_WORD(FLAG) = 1;
    } else {
#ifndef BUG
        while (look() != 1)
            ;
#else
        for (unsigned i = 0; i < 4000; i++)
            __asm__ volatile("" ::: "memory"); /* it is late, and usually after tile 0 */
#endif
        fetch();
        finish(sum(DATA, WORDS));
    }
    return 0;
}
