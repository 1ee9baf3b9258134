/* SPDX-License-Identifier: Apache-2.0 */
/* NC's code runs in its instruction RAM (Wormhole), waits for a flag there, and reads what B has written. With the bug
   B raises the flag before its data have arrived. */
#include "races.h"

#if TF_CORE == 0
PLACE void produce(void)
{
#ifdef BUG
    TF_WORD(FLAG) = 1;
    fill(DATA, FIRST);
#else
    fill(DATA, FIRST);
    TF_WORD(FLAG) = 1;
#endif
}

int main(void)
{
    produce();
    return 0;
}
#else
#define IRAM 0xFFC00000u
#define IRAM_OF_MOVER 0x40000u
#define CODE_BYTES 256u

/* It calls nothing, so that it runs at any address. */
static __attribute__((noinline, aligned(16))) void take(void)
{
    while (TF_WORD(FLAG) == 0)
        ;
#ifdef BUG
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory");
#endif
    finish(sum(DATA, WORDS));
}

int main(void)
{
    TDMA(0x0) = (uint32_t)(uintptr_t)take / 16;
    TDMA(0x4) = IRAM_OF_MOVER / 16;
    TDMA(0x8) = CODE_BYTES / 16;
    TDMA(0xC) = L1_TO_CONFIG;
    TDMA(0x10) = MOVE;
    for (unsigned i = 0; i < 8; i++)
        (void)TDMA(0x14);
    while (TDMA(0x14) & 1)
        ;
    ((void (*)(void))(uintptr_t)IRAM)();
    return 0;
}
#endif
