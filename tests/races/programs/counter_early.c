/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 reads from tile 1. The load of the counter may overtake the store that issues the request. */
#include "races.h"

PLACE void fetch(void)
{
    read_as(TF_CORE, tile_xy(1), DATA, COPY, BYTES);
}

PLACE void take(void)
{
#ifndef BUG
    tf_noc_ready(0);
#endif
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TF_CORE))
        ;
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
