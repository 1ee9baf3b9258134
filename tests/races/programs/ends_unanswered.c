/* SPDX-License-Identifier: Apache-2.0 */
/* B ends before its write is acknowledged. A program that starts on its tile afterwards may take the answer for one of
   its own. */
#include "races.h"

PLACE void send(void)
{
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
    } else {
        finish(1);
    }
    return 0;
}
