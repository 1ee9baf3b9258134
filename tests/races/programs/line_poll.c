/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 1 reads a line of tile 0 over the NOC, with a sequence number and other words, until it has the number. Then it
   fetches the data, twice. With the bug tile 0 sets the number first. */
#include "races.h"

#define LINE_WORDS 16u
#define SEQUENCE 4u /* byte of the line */

PLACE void look(void)
{
    tf_noc_read(0, tile_xy(0), FLAG, COPY, LINE_WORDS * 4);
    tf_noc_wait(0);
}

PLACE void fetch(void)
{
    tf_noc_read(0, tile_xy(0), DATA, DATA, BYTES);
    tf_noc_wait(0);
}

PLACE void produce(void)
{
    fill(DATA, FIRST);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        for (uint32_t i = 0; i < LINE_WORDS; i++)
            TF_WORD(FLAG + i * 4) = 0;
        settle(FLAG + LINE_WORDS * 4 - 4);
#ifdef BUG
        TF_WORD(FLAG + SEQUENCE) = 1;
#endif
        produce();
#ifndef BUG
        TF_WORD(FLAG + SEQUENCE) = 1;
#endif
    } else {
        do
            look();
        while (TF_WORD(COPY + SEQUENCE) != 1);
        for (unsigned i = 0; i < 2; i++)
            fetch();
        finish(sum(DATA, WORDS));
    }
    return 0;
}
