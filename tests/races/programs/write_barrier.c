/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1 and raises its flag, but does not wait for the acknowledgement between. */
#include "races.h"

PLACE void send(void)
{
    fill(DATA, FIRST);
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        send();
        announce(1);
    } else {
        await_flag();
        take();
    }
    return 0;
}
