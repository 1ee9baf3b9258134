/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes to tile 1 and increments a counter there. Tile 2 swaps words of that counter's line until it gets the
   increment as the answer, which is the line's first word. Then it reads the data. */
#include "races.h"

#define SWAP_TWO_WORDS (0x3000u | 0x33u << 2) /* the first and third of a line; two granules each (NoC/Atomics.md) */

PLACE void send(void)
{
    fill(DATA, FIRST);
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
    tf_noc_atomic_posted(0, tile_xy(1), false, COUNTER, TF_AT_INC(COUNTER, 1), 1);
}

PLACE void await_increment(void)
{
    do {
        tf_noc_atomic(0, tile_xy(1), COUNTER, SWAP_TWO_WORDS, 0, RETURN);
        tf_noc_wait(0);
    } while (TF_WORD(RETURN) == 0);
}

PLACE void take(void)
{
    tf_noc_read(0, tile_xy(1), DATA, COPY, BYTES);
    tf_noc_wait(0);
}

int main(void)
{
    uint32_t me = tf_my_tile();
    if (me == 0) {
        send();
        tf_noc_wait(0);
    } else if (me == 2) {
        await_increment();
        take();
        finish(sum(COPY, WORDS));
    }
    return 0;
}
