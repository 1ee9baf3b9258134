/* SPDX-License-Identifier: Apache-2.0 */
/* write_barrier.c as a compiler makes it without optimization: variables are on the stack, and fences are calls. Tile 1
   also takes the data under a sequence number. */
#pragma GCC optimize("O0")
#include "races.h"

#define SEQUENCE 0x18300u

PLACE void send(void)
{
    fill(DATA, FIRST);
    TF_WORD(SEQUENCE) = 2;
    settle(SEQUENCE);
    tf_noc_write(0, tile_xy(1), SEQUENCE, SEQUENCE, 4);
    tf_noc_wait(0);
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

PLACE void take(void)
{
    uint32_t before, total;
    do {
        do {
            tf_fence();
            before = TF_WORD(SEQUENCE);
        } while (before % 2 != 0);
        total = sum(DATA, WORDS);
        tf_fence();
    } while (TF_WORD(SEQUENCE) != before);
    finish(total);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        send();
        announce(1);
    } else {
        await_flag();
        take();
    }
    return 0;
}
