/* SPDX-License-Identifier: Apache-2.0 */
/* B holds NC in reset and overwrites what NC has stored. NC's last store may still be on its way. A word that NC has
   only read may be overwritten immediately. */
#include "races.h"
#include "tilefarm_address.h"

#define SOFT_RESET TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0))
#define NC_IN_RESET 0x40000u
#define STOP COUNTER

#if TF_CORE == 0
PLACE void hold(void)
{
    SOFT_RESET |= NC_IN_RESET;
    uint32_t got = SOFT_RESET;
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
}

PLACE void overwrite(void)
{
    TF_WORD(DATA) = 1;
    settle(DATA);
    fill(COPY, FIRST + WORDS);
}

int main(void)
{
    fill(COPY, FIRST);
    tf_sem_set(FLAG, 1);
    tf_sem_wait_min(RETURN, 1);
#ifndef BUG
    tf_sem_set(STOP, 1);
    tf_sem_wait_min(RETURN, 2);
#endif
    hold();
    overwrite();
    for (volatile uint32_t i = 0; i < 2000; i++)
        ;
    finish(TF_WORD(DATA));
    return 0;
}
#else
PLACE uint32_t look(void)
{
    return sum(COPY, WORDS);
}

PLACE void work(uint32_t value)
{
    TF_WORD(DATA) = value;
}

int main(void)
{
    await_flag();
    uint32_t total = look();
    tf_sem_set(RETURN, 1);
#ifdef BUG
    for (;;)
        work(total++);
#else
    do {
        work(total++);
        tf_fence();
    } while (TF_WORD(STOP) == 0);
    settle(DATA);
    tf_sem_set(RETURN, 2);
    for (;;)
        look();
#endif
    return 0;
}
#endif
