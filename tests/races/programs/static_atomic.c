/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data and increments the flag, both on one virtual channel. The recipient may act on the atomic first
   (NoC/Ordering.md has no rule for the two), so a barrier must come between. */
#include "races.h"

#define CHANNEL TF_NOC_CMD_VC_STATIC

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
    tf_noc_addresses(0, tile_xy(1), FLAG, tf_self_xy(0), RETURN);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = TF_AT_INC(FLAG, 1);
    *tf_niu(0, TF_NOC_AT_DATA) = 1;
    launch(0, TF_CORE, TF_NOC_CMD_AT | CHANNEL | TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
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
        await_flag();
        take();
    }
    return 0;
}
