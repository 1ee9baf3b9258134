/* SPDX-License-Identifier: Apache-2.0 */
/* B takes the data of four cores when each has set its flag. It looks at all flags in each round, and keeps in a mask
   which are set. Then each takes all data: it looks at a flag, and waits only if that is not set. With the bug a core
   sets its flag first. */
#include "races.h"

#define CORES 4u
#define FLAG_OF(i) (0x18400u + (i)*16u)
#define DATA_OF(i) (DATA + (i)*0x100u)

PLACE void produce(void)
{
#ifdef BUG
    TF_WORD(FLAG_OF(TF_CORE)) = 1;
#endif
    fill(DATA_OF(TF_CORE), FIRST);
#ifndef BUG
    TF_WORD(FLAG_OF(TF_CORE)) = 1;
#endif
}

static inline void await_mask(void)
{
    uint32_t seen = 0;
    while (seen != (1u << CORES) - 1) {
        tf_fence();
        for (unsigned i = 0; i < CORES; i++)
            if (TF_WORD(FLAG_OF(i)) != 0)
                seen |= 1u << i;
    }
}

static inline void await_each(void)
{
    for (unsigned i = 0; i < CORES; i++) {
        tf_fence();
        if (TF_WORD(FLAG_OF(i)) != 0)
            continue;
        do
            tf_fence();
        while (TF_WORD(FLAG_OF(i)) == 0);
    }
}

PLACE uint32_t take(void)
{
    uint32_t total = 0;
    for (unsigned i = 0; i < CORES; i++)
        total += sum(DATA_OF(i), WORDS);
    return total;
}

int main(void)
{
    produce();
#if TF_CORE == 0
    await_mask();
    for (unsigned i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* the data come usually before */
    finish(take());
#else
    await_each();
    take();
#endif
    return 0;
}
