/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 increments a counter of tile 1 and tells tile 2, which reads the counter. A posted atomic has no response, so
   tile 0 cannot wait for it. */
#include "races.h"

PLACE void add(void)
{
#ifdef BUG
    tf_noc_atomic_posted(0, tile_xy(1), false, COUNTER, TF_AT_INC(COUNTER, 1), 1);
#else
    tf_noc_atomic(0, tile_xy(1), COUNTER, TF_AT_INC(COUNTER, 1), 1, RETURN);
#endif
    tf_noc_wait(0);
}

PLACE void look(void)
{
    tf_noc_read(0, tile_xy(1), COUNTER, COPY, 16);
    tf_noc_wait(0);
}

int main(void)
{
    uint32_t me = tf_my_tile();
    if (me == 0) {
        await_flag();
        add();
        announce(2);
    } else if (me == 1) {
        TF_WORD(COUNTER) = 41;
        settle(COUNTER);
        announce(0);
    } else {
        await_flag();
        look();
        finish(TF_WORD(COPY));
    }
    return 0;
}
