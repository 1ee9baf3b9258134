/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 multicasts data to tiles 1 and 2, and waits until both have acknowledged them: each recipient does. With the
   bug it waits until they have left. Then it announces the data. */
#include "races.h"

#define RECEIVERS 2

PLACE void send(void)
{
    const uint32_t acks = tf_niu_count(0, TF_NIU_MST_WR_ACK_RECEIVED);
    tf_noc_exclude_none(0);
    write_as(TID_OTHER, tile_xy(1) << 12 | tile_xy(2), DATA, DATA, BYTES,
             TF_NOC_CMD_RESP_MARKED | TF_NOC_CMD_BRCST_PACKET | TF_NOC_CMD_PATH_RESERVE);
    tf_noc_ready(0);
#ifdef BUG
    while (tf_niu_count(0, TF_NIU_MST_WRITE_REQS_OUTGOING_ID + TID_OTHER) != 0 || acks == RECEIVERS)
        ;
#else
    while (tf_niu_count(0, TF_NIU_MST_WR_ACK_RECEIVED) - acks < RECEIVERS)
        ;
#endif
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
        announce(1);
        announce(2);
    } else {
        await_flag();
        take();
    }
    return 0;
}
