/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to L1, and then a register that tile 1 polls, both on one virtual channel. The recipient may act
   on the second first: NoC/Ordering.md has a rule for two writes to registers alone. */
#include "races.h"

#define CHANNEL TF_NOC_CMD_VC_STATIC
#define REGISTER (TF_STREAM_BASE + 5 * TF_STREAM_BYTES + TF_STREAM_ACKED * 4)

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, CHANNEL | TF_NOC_CMD_RESP_MARKED);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

PLACE void raise(void)
{
    tf_noc_ready(0);
    tf_noc_addresses(0, tile_xy(1), REGISTER, tf_self_xy(0), 0);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = 0xF;
    *tf_niu(0, TF_NOC_AT_DATA) = 1;
    launch(0, TF_CORE, TF_NOC_CMD_WR | TF_NOC_CMD_WR_INLINE | CHANNEL | TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
}

PLACE void await(void)
{
    while (TF_WORD(REGISTER) == 0)
        ;
    tf_fence();
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
        raise();
    } else {
        await();
        take();
    }
    return 0;
}
