/* SPDX-License-Identifier: Apache-2.0 */
/* NC waits for a flag of B by a plain loop. The compiler puts its first round before the loop, and the stores of a
   function's start between that load and its branch. With the bug B sets the flag first. */
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

PLACE uint32_t take(uint32_t from)
{
    return sum(from, WORDS);
}

PLACE uint32_t take_twice(uint32_t from)
{
    while (TF_WORD(FLAG) == 0)
        tf_fence();
    for (uint32_t i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* the data come usually before */
    return take(from) + take(from) - take(from);
}

int main(void)
{
#if TF_CORE == 0
    produce();
#else
    finish(take_twice(DATA));
#endif
    return 0;
}
