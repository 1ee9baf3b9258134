/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 1 resets its semaphore by a store. With the bug it does so after it has told tile 0 to go on, whose next
   increment may come first and be lost. */
#include "races.h"

PLACE void reset(void)
{
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
}

PLACE void raise(void)
{
    tf_noc_fetch_inc(0, tile_xy(1), COUNTER, 1);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        raise();
        await_flag();
        raise();
    } else {
        tf_sem_wait_min(COUNTER, 1);
#ifndef BUG
        reset();
        announce(0);
#else
        announce(0);
        reset();
#endif
        tf_sem_wait_min(COUNTER, 1);
        finish(7);
    }
    return 0;
}
