/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data and then a flag, each on a virtual channel that it chooses: two channels keep no order. */
#include "races.h"

#define CHANNEL(class) (TF_NOC_CMD_VC_STATIC | (uint32_t)(class) << 14)

#ifdef BUG
#define FLAG_CHANNEL CHANNEL(1)
#else
#define FLAG_CHANNEL CHANNEL(0)
#endif

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, CHANNEL(0) | TF_NOC_CMD_RESP_MARKED);
}

PLACE void raise(void)
{
    write_as(TF_CORE, tile_xy(1), FLAG, FLAG, 16, FLAG_CHANNEL | TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
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
        raise();
    } else {
        await_flag();
        take();
    }
    return 0;
}
