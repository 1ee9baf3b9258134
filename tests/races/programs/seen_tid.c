/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 looks once whether its read is under way. If not, it waits until the NIU has the command. Then it waits for
   the answer. With the bug it waits for the command in the wrong case. */
#include "races.h"

#ifdef BUG
#define UNSEEN 1000u
#else
#define UNSEEN 0u
#endif

PLACE void fetch(void)
{
    read_as(TID_OTHER, tile_xy(1), DATA, COPY, BYTES);
    if (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TID_OTHER) == UNSEEN)
        while ((*tf_niu(0, TF_NOC_CMD_CTRL) & 1) != 0)
            ;
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
