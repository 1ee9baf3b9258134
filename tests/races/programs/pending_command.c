/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 sends data, and then describes the flag's write in the same registers of the NIU. Its FIFO may be full, so
   that it has not taken the first command yet. */
#include "races.h"

static inline void describe(uint32_t to, uint32_t from, uint32_t bytes)
{
    tf_noc_addresses(0, tf_self_xy(0), from, tile_xy(1), to);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = bytes;
}

PLACE void send(void)
{
    describe(DATA, DATA, BYTES);
    launch(0, TF_CORE, TF_NOC_CMD_WR | TF_NOC_CMD_RESP_MARKED | TF_NOC_CMD_VC_STATIC);
}

PLACE void announce_all(void)
{
    describe(FLAG, FLAG, 4);
    launch(0, TF_CORE, TF_NOC_CMD_WR | TF_NOC_CMD_RESP_MARKED | TF_NOC_CMD_VC_STATIC);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        TF_WORD(FLAG) = 1;
        settle(FLAG);
        tf_noc_ready(0);
        send();
#ifndef BUG
        tf_noc_ready(0);
#endif
        announce_all();
        tf_noc_wait(0);
    } else {
        await_flag();
        finish(sum(DATA, WORDS));
    }
    return 0;
}
