/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 waits until it sees its read under way, and then until it is answered. With the bug it waits for the answer
   alone: a load that overtakes the command finds nothing under way. */
#include "races.h"

PLACE void fetch(void)
{
    read_as(TID_OTHER, tile_xy(1), DATA, COPY, BYTES);
#ifndef BUG
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TID_OTHER) == 0)
        ;
#endif
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TID_OTHER) != 0)
        ;
    tf_fence();
}

PLACE void take(void)
{
    finish(sum(COPY, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        await_flag();
        fetch();
        take();
    } else {
        fill(DATA, FIRST);
        announce(0);
    }
    return 0;
}
