/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 multicasts data, and overwrites them when they have left. NIU_MST_NONPOSTED_WR_REQ_SENT counts one for a
   multicast, whatever the number of its recipients. With the bug it does not wait. */
#include "races.h"

#define RECEIVERS 2

static uint32_t count(unsigned counter, uint32_t from)
{
    return tf_niu_count(0, counter) - from;
}

PLACE void send(void)
{
    const uint32_t sent __attribute__((unused)) = count(TF_NIU_MST_NONPOSTED_WR_REQ_SENT, 0);
    tf_noc_exclude_none(0);
    write_as(TID_OTHER, tile_xy(1) << 12 | tile_xy(2), DATA, DATA, BYTES,
             TF_NOC_CMD_RESP_MARKED | TF_NOC_CMD_BRCST_PACKET | TF_NOC_CMD_PATH_RESERVE);
    tf_noc_ready(0);
#ifndef BUG
    while (count(TF_NIU_MST_NONPOSTED_WR_REQ_SENT, sent) < 1)
        ;
#endif
    tf_fence();
}

PLACE void overwrite(void)
{
#ifdef BUG
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory");
#endif
    fill(DATA, FIRST + WORDS);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        const uint32_t acks = count(TF_NIU_MST_WR_ACK_RECEIVED, 0);
        send();
        overwrite();
        while (count(TF_NIU_MST_WR_ACK_RECEIVED, acks) < RECEIVERS)
            ;
        tf_fence();
        announce(1);
        announce(2);
    } else {
        await_flag();
        finish(sum(DATA, WORDS));
    }
    return 0;
}
