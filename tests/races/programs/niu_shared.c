/* SPDX-License-Identifier: Apache-2.0 */
/* B and NC both send by initiator 0 of NOC 0. With the bug nothing orders their stores to its registers. */
#include "races.h"

PLACE void send(uint32_t to)
{
    volatile uint32_t *niu = (volatile uint32_t *)TF_NIU_BASE(0);
    while (niu[TF_NOC_CMD_CTRL / 4] & 1)
        ;
    niu[TF_NOC_TARG_ADDR_LO / 4] = DATA;
    niu[TF_NOC_TARG_ADDR_MID / 4] = 0;
    niu[TF_NOC_TARG_ADDR_HI / 4] = tf_self_xy(0);
    niu[TF_NOC_RET_ADDR_LO / 4] = to;
    niu[TF_NOC_RET_ADDR_MID / 4] = 0;
    niu[TF_NOC_RET_ADDR_HI / 4] = tile_xy(1);
    niu[TF_NOC_AT_LEN_BE / 4] = BYTES;
    niu[TF_NOC_PACKET_TAG / 4] = TF_CORE << 10;
    niu[TF_NOC_CTRL / 4] = TF_NOC_CMD_WR | TF_NOC_CMD_RESP_MARKED;
    niu[TF_NOC_CMD_CTRL / 4] = 1;
    while (niu[TF_NOC_CMD_CTRL / 4] & 1)
        ;
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + TF_CORE))
        ;
    tf_fence();
}

int main(void)
{
#if TF_CORE == 0
    fill(DATA, FIRST);
    send(DATA);
    tf_sem_set(FLAG, 1);
    tf_sem_wait_min(COUNTER, 1);
    finish(7);
#else
#ifndef BUG
    await_flag();
#else
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after B */
#endif
    send(COPY);
    tf_sem_set(COUNTER, 1);
#endif
    return 0;
}
