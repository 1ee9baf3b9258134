/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 reads from tile 1. The load of a counter of requests under way may overtake the store that issues one. The
   counter of all responses shows the one that is awaited. */
#include "races.h"

PLACE void fetch(void)
{
    read_as(TF_CORE, tile_xy(1), DATA, COPY, BYTES);
}

PLACE void take(void)
{
#ifdef BUG
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TF_CORE))
        ;
#else
    while (tf_niu_count(0, TF_NIU_MST_RD_RESP_RECEIVED) != 1)
        ;
#endif
    tf_fence();
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
