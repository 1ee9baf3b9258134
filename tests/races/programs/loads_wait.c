/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data in L1, loads another word of L1, and tells T0 by a mailbox. The load overtakes stores in the queue,
   unless bit 0 of cfg0 makes loads wait until that is empty. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
PLACE void produce(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
#ifndef BUG
    __asm__ volatile("csrsi 0x7c0, 1" ::: "memory");
#endif
    settle(RETURN);
    TF_WORD(TF_MAILBOX_OF(1)) = 1; /* the mailbox from B to T0 */
}

int main(void)
{
    TF_WORD(RETURN) = 0;
    produce();
    return 0;
}
#else
PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    (void)tf_mailbox_pop(0);
    take();
    return 0;
}
#endif
