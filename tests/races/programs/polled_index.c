/* SPDX-License-Identifier: Apache-2.0 */
/* A core takes as many pages as a counter shows, and waits for more: what it polls decides where its data are. With the
   bug the counter comes before the page. */
#include "races.h"

#define PAGES 4u
#define MORE 0x18200u
#define PAGE(i) (COPY + (i)*BYTES)
PLACE void produce(void)
{
    for (uint32_t i = 0; i < PAGES; i++) {
#ifdef BUG
        tf_amoadd(MORE, 1);
        fill(PAGE(i), FIRST);
#else
        fill(PAGE(i), FIRST);
        tf_amoadd(MORE, 1);
#endif
    }
}
PLACE uint32_t take_all(void)
{
    uint32_t total = 0, taken = 0, seen;
    while (taken < PAGES) {
        do {
            tf_fence();
            seen = TF_WORD(MORE);
        } while (seen == taken);
        for (; taken < seen; taken++)
            total += sum(PAGE(taken), WORDS);
    }
    return total;
}
int main(void)
{
#if TF_CORE == 0
    for (unsigned i = 0; i < 2000; i++)
        __asm__ volatile("" ::: "memory"); /* what is waited for has usually come before */
    finish(take_all());
#else
    produce();
#endif
    return 0;
}
