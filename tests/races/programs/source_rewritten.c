/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1, and overwrites them at their source before they have left. */
#include "races.h"

PLACE void send(void)
{
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
}

PLACE void overwrite(void)
{
#ifndef BUG
    tf_noc_wait_sent(0);
#endif
    fill(DATA, 0);
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
        overwrite();
        tf_noc_wait(0);
        announce(1);
    } else {
        await_flag();
        take();
    }
    return 0;
}
