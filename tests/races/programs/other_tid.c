/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 reads two tables with a transaction id each, and uses the first while the second is on its way. With the bug
   it uses the other one. */
#include "races.h"

enum { TID_FIRST = 6, TID_SECOND = 7 };

PLACE void fetch(void)
{
    read_as(TID_FIRST, tile_xy(1), DATA, COPY, BYTES);
    read_as(TID_SECOND, tile_xy(1), DATA, COPY + 0x100, BYTES);
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TID_FIRST) != 0)
        ;
}

PLACE void take(void)
{
#ifdef BUG
    finish(sum(COPY + 0x100, WORDS));
#else
    finish(sum(COPY, WORDS));
#endif
    wait_for(TID_SECOND, 0);
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
