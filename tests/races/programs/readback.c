/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1 and reads the last bytes back on the same static channel before it raises the
   flag. With the bug the channel is not static, and the read may overtake the write. */
#include "races.h"

#ifdef BUG
#define CHANNEL 0u
#else
#define CHANNEL TF_NOC_CMD_VC_STATIC
#endif

PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, CHANNEL);
    tf_noc_ready(0);
    tf_noc_addresses(0, tile_xy(1), DATA + BYTES - 16, tf_self_xy(0), COPY);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = 16;
    launch(0, TF_CORE, TF_NOC_CMD_RD | TF_NOC_CMD_RESP_MARKED | CHANNEL);
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
        announce(1);
    } else {
        await_flag();
        take();
    }
    return 0;
}
