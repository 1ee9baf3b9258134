/* SPDX-License-Identifier: Apache-2.0 */
/* NC stores numbers to L1 until B stops it by a flag, and then takes B's data. With the bug B sets the flag first. */
#include "races.h"

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
    uint32_t i = 0;
    do {
        TF_WORD(COPY + i % WORDS * 4) = i;
        i += 3;
        tf_fence();
    } while (TF_WORD(FLAG) == 0);
    for (i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* the data come usually before */
    take();
#endif
    return 0;
}
