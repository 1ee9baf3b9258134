/* SPDX-License-Identifier: Apache-2.0 */
/* T0 loads a word, asks B for a new value, and loads it again without a fence: L0, if it is on, may still have the old
   one. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
PLACE void change(void)
{
    TF_WORD(DATA) = FIRST;
    settle(DATA);
}

int main(void)
{
    (void)tf_mailbox_pop(1);
    change();
    tf_mailbox_push(1, 1);
    return 0;
}
#else
PLACE uint32_t look(void)
{
    return TF_WORD(DATA);
}

int main(void)
{
#ifndef BUG
    __asm__ volatile("csrs 0x7C0, %0" ::"r"(1u << 3)); /* cfg0: L0 is off */
#endif
    TF_WORD(DATA) = 0;
    settle(DATA);
    uint32_t before = look();
    __asm__ volatile("" ::"r"(before) : "memory");
    TF_WORD(TF_MAILBOX_BASE) = before; /* no fence before it: the line stays in L0 */
    uint32_t answer = TF_WORD(TF_MAILBOX_BASE);
    __asm__ volatile("andi %0, %0, 0" : "+r"(answer)::"memory");
    finish(look());
    return 0;
}
#endif
