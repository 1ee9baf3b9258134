/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data and then a flag. Requests of one linked transaction stay in order; those of two have no order. */
#include "races.h"

#ifdef BUG
#define AFTER_DATA 0u
#else
#define AFTER_DATA TF_NOC_CMD_VC_LINKED
#endif

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, TF_NOC_CMD_VC_LINKED | TF_NOC_CMD_RESP_MARKED);
    write_as(TF_CORE, tile_xy(1), COPY, DATA, BYTES, AFTER_DATA | TF_NOC_CMD_RESP_MARKED);
}

PLACE void raise(void)
{
    write_as(TF_CORE, tile_xy(1), RETURN, FLAG, 16, TF_NOC_CMD_VC_LINKED | TF_NOC_CMD_RESP_MARKED);
    write_as(TF_CORE, tile_xy(1), FLAG, FLAG, 16, TF_NOC_CMD_RESP_MARKED);
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
