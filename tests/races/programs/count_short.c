/* SPDX-License-Identifier: Apache-2.0 */
/* Three cores write data and count themselves. B waits for all of them, and takes all data. With the bug it waits for
   two, and usually finds three. */
#include "races.h"

#define CORES 3u
#define DATA_OF(core) (DATA + (core)*0x100u)

#ifdef BUG
#define AWAITED (CORES - 1)
#else
#define AWAITED CORES
#endif

PLACE void produce(void)
{
    fill(DATA_OF(TF_CORE), FIRST);
    tf_amoadd(COUNTER, 1);
}

PLACE uint32_t take(void)
{
    uint32_t total = 0;
    for (unsigned core = 1; core <= CORES; core++)
        total += sum(DATA_OF(core), WORDS);
    return total;
}

int main(void)
{
#if TF_CORE == 0
    for (unsigned i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* all have usually come before */
    while (TF_WORD(COUNTER) < AWAITED)
        tf_fence();
    finish(take());
#else
    produce();
#endif
    return 0;
}
