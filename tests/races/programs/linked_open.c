/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1 as a linked transaction of two requests. With the bug the second one does not end it. */
#include "races.h"

#ifdef BUG
#define LAST TF_NOC_CMD_VC_LINKED
#else
#define LAST 0u
#endif

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, TF_NOC_CMD_VC_LINKED | TF_NOC_CMD_RESP_MARKED);
    write_as(TF_CORE, tile_xy(1), COPY, DATA, BYTES, LAST | TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
}

PLACE void raise(void)
{
    tf_noc_fetch_inc(1, tf_tile_xy(1, 1), FLAG, 1);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
        raise();
    } else {
        await_flag();
        finish(sum(COPY, WORDS));
    }
    return 0;
}
