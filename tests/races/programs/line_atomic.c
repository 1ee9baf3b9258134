/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 swaps the third word of a line of tile 1 and tells tile 2, which reads that word. The atomic is posted, so
   tile 0 cannot wait for a response. */
#include "races.h"

#define SWAP_THIRD_WORD (0x3000u | 0x30u << 2) /* of a line: two granules of 16 bits (NoC/Atomics.md) */
#define THIRD (COUNTER + 8)

PLACE void swap(void)
{
#ifdef BUG
    tf_noc_atomic_posted(0, tile_xy(1), false, COUNTER, SWAP_THIRD_WORD, 42);
#else
    tf_noc_atomic(0, tile_xy(1), COUNTER, SWAP_THIRD_WORD, 42, RETURN);
#endif
    tf_noc_wait(0);
}

PLACE void look(void)
{
    tf_noc_read(0, tile_xy(1), THIRD, COPY + 8, 4);
    tf_noc_wait(0);
}

int main(void)
{
    uint32_t me = tf_my_tile();
    if (me == 0) {
        await_flag();
        swap();
        announce(2);
    } else if (me == 1) {
        TF_WORD(THIRD) = 41;
        settle(THIRD);
        announce(0);
    } else {
        await_flag();
        look();
        finish(TF_WORD(COPY + 8));
    }
    return 0;
}
