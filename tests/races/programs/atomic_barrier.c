/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 increments a counter of tile 1, and uses the old value before it has waited for the response. */
#include "races.h"

PLACE void add(void)
{
    tf_noc_atomic(0, tile_xy(1), COUNTER, TF_AT_INC(COUNTER, 1), 1, RETURN);
}

PLACE void use(void)
{
    round_trip(1);
#ifndef BUG
    tf_noc_wait(0);
#endif
    finish(TF_WORD(RETURN) + 1);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        await_flag();
        add();
        use();
        tf_noc_wait(0);
    } else {
        TF_WORD(COUNTER) = 41;
        settle(COUNTER);
        announce(0);
    }
    return 0;
}
