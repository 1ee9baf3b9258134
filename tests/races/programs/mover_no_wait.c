/* SPDX-License-Identifier: Apache-2.0 */
/* B asks the mover for a copy, and reads it without loading the mover's status. A load of the status may overtake the
   store of the command. */
#include "races.h"

#define L1_TO_L1 3u

PLACE void copy(void)
{
    TDMA(0x0) = DATA / 16;
    TDMA(0x4) = COPY / 16;
    TDMA(0x8) = BYTES / 16;
    TDMA(0xC) = L1_TO_L1;
    TDMA(0x10) = MOVE;
#ifndef BUG
    tf_fence();
    while (TDMA(0x14) & 1)
        ;
#endif
}

PLACE void take(void)
{
    finish(sum(COPY, WORDS));
}

int main(void)
{
    fill(DATA, FIRST);
    copy();
    take();
    return 0;
}
