/* SPDX-License-Identifier: Apache-2.0 */
/* Three tiles add to a word of tile 0 under a lock that they take by compare-and-swap over the NOC. */
#include "races.h"

#define LOCK 0x18300u
#define SHARED 0x18380u
#define MINE 0x18400u
#define DONE 0x18500u

PLACE void add(void)
{
    read_as(TID_OTHER, tile_xy(0), SHARED, MINE, 16);
    wait_for(TID_OTHER, 0);
    TF_WORD(MINE) += 1;
    settle(MINE);
    write_as(TID_OTHER, tile_xy(0), SHARED, MINE, 16, TF_NOC_CMD_RESP_MARKED);
    wait_for(TID_OTHER, 0);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        for (uint32_t i = 0; i < 16; i += 4)
            TF_WORD(SHARED + i) = 0;
        settle(SHARED + 12);
        announce(1);
        announce(2);
    } else {
        await_flag();
    }
    for (uint32_t i = 0; i < 3; i++) {
        while (!tf_noc_cas(0, tile_xy(0), LOCK, 0, 1))
            ;
        add();
        tf_noc_cas(0, tile_xy(0), LOCK, 1, 0);
    }
    tf_noc_fetch_inc(0, tile_xy(0), DONE, 1);
    if (tf_my_tile() == 0) {
        tf_sem_wait_min(DONE, 3);
        finish(TF_WORD(SHARED));
    }
    return 0;
}
