/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data in L1, loads registers for a while, and tells T0 by a mailbox. Loads from other addresses wait for no
   store. On Wormhole, loads whose first byte is not that of a store do not wait, either. The twin loads back a
   register, and then a word of L1. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
PLACE void produce(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
#ifdef BUG
    for (uint32_t i = 0; i < 8; i++)
        (void)tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID);
    __asm__ volatile("fence" ::: "memory"); /* on Blackhole the stores have left the queue, and may not have arrived */
    if (TF_K_TILES == 80)
        (void)*(volatile uint16_t *)(DATA + BYTES - 2);
#else
    TF_STREAM_REG(0, TF_STREAM_RECEIVED) = 1;
    (void)TF_STREAM_REG(0, TF_STREAM_RECEIVED); /* it comes after that store, so the others have left the queue */
    settle(RETURN);
#endif
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
