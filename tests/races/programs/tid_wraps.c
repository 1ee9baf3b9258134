/* SPDX-License-Identifier: Apache-2.0 */
/* More writes than the counter of a transaction id can count. It has 8 bits, so it may be 0 before all are done. */
#include "races.h"

#define WRITES 300u

PLACE void await(void)
{
    tf_noc_wait(0);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        for (uint32_t i = 0; i < WRITES; i++) {
            tf_noc_write(0, tile_xy(1), DATA + i * BYTES, DATA, BYTES);
#ifndef BUG
            if (i == WRITES / 2)
                tf_noc_wait(0);
#endif
        }
        await();
        announce(1);
    } else {
        await_flag();
        finish(sum(DATA + (WRITES - 1) * BYTES, WORDS));
    }
    return 0;
}
