/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data, and asks the mover for a copy of them. The command may come before the data. */
#include "races.h"

#define L1_TO_L1 3u

PLACE void keep(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
#ifndef BUG
    settle(DATA + (WORDS - 1) * 4);
#endif
}

PLACE void copy(void)
{
    TDMA(0x0) = DATA / 16;
    TDMA(0x4) = COPY / 16;
    TDMA(0x8) = BYTES / 16;
    TDMA(0xC) = L1_TO_L1;
    TDMA(0x10) = MOVE;
    tf_fence();
    while (TDMA(0x14) & 1)
        ;
}

int main(void)
{
    keep();
    copy();
    finish(sum(COPY, WORDS));
    return 0;
}
