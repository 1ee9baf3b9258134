/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1; the last word is the flag. The two halves of each 32 bytes of a packet go their own
   ways. */
#include "races.h"

#define LAST (DATA + BYTES - 4)

PLACE void send(void)
{
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
    tf_noc_wait(0);
}

PLACE void raise(void)
{
    tf_noc_write(0, tile_xy(1), LAST, LAST, 4);
    tf_noc_wait(0);
}

PLACE void take(void)
{
    tf_sem_wait_min(LAST, 1);
    finish(sum(DATA, WORDS - 1));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
#ifndef BUG
        TF_WORD(LAST) = 0;
        settle(LAST);
#endif
        send();
#ifndef BUG
        TF_WORD(LAST) = FIRST;
        settle(LAST);
        raise();
#endif
    } else {
        take();
    }
    return 0;
}
