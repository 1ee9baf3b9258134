/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 reads two blocks from tile 1 and waits for the first. With one transaction id for both, the count says how
   many have arrived, but not which. */
#include "races.h"

#ifdef BUG
enum { TID_SECOND = 3, LEFT = 1 };
#else
enum { TID_SECOND = 4, LEFT = 0 };
#endif

PLACE void fetch(void)
{
    read_as(3, tile_xy(1), DATA, COPY, BYTES);
}

PLACE void fetch_next(void)
{
    read_as(TID_SECOND, tile_xy(1), DATA, COPY + BYTES, BYTES);
}

PLACE uint32_t take(void)
{
    wait_for(3, LEFT);
    return sum(COPY, WORDS);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        await_flag();
        fetch();
        round_trip(1);
        fetch_next();
        uint32_t first = take();
        wait_for(3, 0);
        wait_for(TID_SECOND, 0);
        finish(first + sum(COPY + BYTES, WORDS));
    } else {
        fill(DATA, FIRST);
        announce(0);
    }
    return 0;
}
