/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data on NOC 0 and a flag on NOC 1. */
#include "races.h"

PLACE void send(void)
{
    fill(DATA, FIRST);
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

PLACE void raise(void)
{
    tf_noc_write(1, tf_tile_xy(1, 1), FLAG, FLAG, 16);
    tf_noc_wait(1);
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
        settle(FLAG);
        send();
        raise();
    } else {
        await_flag();
        take();
    }
    return 0;
}
