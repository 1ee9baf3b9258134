/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data in L1 and tells T0 by a mailbox. T0 takes that first, but nothing needs it: a later load may overtake
   the load from the mailbox. */
#include "races.h"
#include "tilefarm_address.h"

#define MAILBOX_TO_T0 TF_MAILBOX_OF(1)
#define MAILBOX_FROM_B TF_MAILBOX_BASE
#define LAST (DATA + BYTES - 4)

#if TF_CORE == 0
PLACE void produce(void)
{
    fill(DATA, FIRST);
    TF_WORD(MAILBOX_TO_T0) = 1;
}

int main(void)
{
    produce();
    return 0;
}
#else
PLACE uint32_t take(void)
{
    uint32_t told, last;
#ifdef BUG
    __asm__ volatile("lw %0, 0(%2)\n lw %1, 0(%3)"
                     : "=&r"(told), "=&r"(last)
                     : "r"(MAILBOX_FROM_B), "r"(LAST)
                     : "memory");
#else
    __asm__ volatile("lw %0, 0(%2)\n andi zero, %0, 0\n lw %1, 0(%3)"
                     : "=&r"(told), "=&r"(last)
                     : "r"(MAILBOX_FROM_B), "r"(LAST)
                     : "memory");
#endif
    return last + told;
}

int main(void)
{
    finish(take());
    return 0;
}
#endif
