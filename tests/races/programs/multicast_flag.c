/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 multicasts data and then a flag. They stay in order only on one static virtual channel. */
#include "races.h"

#ifdef BUG
#define CHANNEL 0u
#else
#define CHANNEL (TF_NOC_CMD_VC_STATIC | TF_NOC_CMD_STATIC_VC_BRCST)
#endif

PLACE void multicast(uint32_t to, uint32_t bytes)
{
    write_as(TF_CORE, tile_xy(1) << 12 | tile_xy(2), to, to, bytes,
             TF_NOC_CMD_BRCST_PACKET | TF_NOC_CMD_PATH_RESERVE | CHANNEL);
    tf_noc_wait_sent(0);
}

PLACE void send(void)
{
    tf_noc_exclude_none(0);
    multicast(DATA, BYTES);
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        TF_WORD(FLAG) = 1;
        fill(DATA, FIRST);
        send();
        multicast(FLAG, 16);
    } else {
        await_flag();
        take();
    }
    return 0;
}
