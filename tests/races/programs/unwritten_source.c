/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 sends twice as many words as it has written. */
#include "races.h"

#ifdef BUG
#define COUNT (2 * BYTES)
#else
#define COUNT BYTES
#endif

PLACE void send(void)
{
    tf_noc_write(0, tile_xy(1), DATA, DATA, COUNT);
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
