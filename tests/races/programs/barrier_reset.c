/* SPDX-License-Identifier: Apache-2.0 */
/* The last core at a barrier sets its counter back, and then lets the others go. With the bug it lets them go first, so
   that one of them may already count in the next round. */
#include "races.h"

#define CORES 3u
#define ROUND 0x18400u

PLACE void reset(void)
{
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
}

PLACE void meet(uint32_t round)
{
    if (tf_amoadd(COUNTER, 1) != CORES - 1) {
        tf_sem_wait_min(ROUND, round);
        return;
    }
#ifdef BUG
    tf_sem_set(ROUND, round);
    reset();
#else
    reset();
    tf_sem_set(ROUND, round);
#endif
}

int main(void)
{
    for (uint32_t round = 1; round <= 3; round++) {
        for (unsigned i = 0; i < 300u * TF_CORE; i++)
            __asm__ volatile("" ::: "memory"); /* T0 is usually the last one */
        meet(round);
    }
#if TF_CORE == 2
    finish(3);
#endif
    return 0;
}
