/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 raises the flag of tile 1 before it sends the data that the flag stands for. */
#include "races.h"

PLACE void send(void)
{
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
}

PLACE void raise(void)
{
    tf_noc_atomic(0, tile_xy(1), FLAG, TF_AT_INC(FLAG, 1), 1, RETURN);
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
#ifdef BUG
        raise();
        send();
#else
        send();
        tf_noc_wait(0);
        raise();
#endif
        tf_noc_wait(0);
    } else {
        await_flag();
        take();
    }
    return 0;
}
