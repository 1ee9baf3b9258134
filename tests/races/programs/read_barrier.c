/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 reads from tile 1, waits for a later request only, and uses the data. */
#include "races.h"

PLACE void fetch(void)
{
    tf_noc_read(0, tile_xy(1), DATA, COPY, BYTES);
}

PLACE void take(void)
{
    round_trip(1);
#ifndef BUG
    tf_noc_wait(0);
#endif
    finish(sum(COPY, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        await_flag();
        fetch();
        take();
    } else {
        fill(DATA, FIRST);
        announce(0);
    }
    return 0;
}
