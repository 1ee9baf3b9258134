/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1 and reads them back. On one virtual channel the read comes after the write
   (NoC/Ordering.md, rule 1); on channels that the NIU chooses it may come before. */
#include "races.h"

#ifdef BUG
#define CHANNEL 0u
#else
#define CHANNEL TF_NOC_CMD_VC_STATIC
#endif

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, CHANNEL | TF_NOC_CMD_RESP_MARKED);
}

PLACE void look(void)
{
    tf_noc_ready(0);
    tf_noc_addresses(0, tile_xy(1), DATA, tf_self_xy(0), COPY);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = BYTES;
    launch(0, TF_CORE, TF_NOC_CMD_RD | CHANNEL | TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
        look();
        finish(sum(COPY, WORDS));
    }
    return 0;
}
