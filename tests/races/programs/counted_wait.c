/* SPDX-License-Identifier: Apache-2.0 */
/* NC waits for a flag with a limit of rounds, and counts them in L1 for others. With the bug B sets the flag first. */
#include "races.h"

#define ROUNDS 0x18300u

PLACE void produce(void)
{
#ifdef BUG
    TF_WORD(FLAG) = 1;
#endif
    fill(DATA, FIRST);
#ifndef BUG
    TF_WORD(FLAG) = 1;
#endif
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
#if TF_CORE == 0
    produce();
#else
    volatile uint32_t left = 100000; /* on the stack */
    TF_WORD(ROUNDS) = 0;
    do {
        tf_fence();
        TF_WORD(ROUNDS) = TF_WORD(ROUNDS) + 1;
        if (--left == 0)
            return 1;
    } while (TF_WORD(FLAG) != 1);
    tf_fence();
    for (uint32_t i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* the data come usually before */
    take();
#endif
    return 0;
}
