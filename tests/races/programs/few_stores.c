/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data in L1 and a register, loads another word, and tells T0 by a mailbox. The load comes after stores that
   have left the store queue. A store has, when as many have followed it as the queue holds. */
#include "races.h"
#include "tilefarm_address.h"

#define QUEUE (TF_K_TILES == 80 ? 3 : 4) /* Wormhole's loads too wait until an entry is free */

#if TF_CORE == 0
PLACE void produce(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
#ifdef BUG
    enum { STORES = QUEUE - 1 };
#else
    enum { STORES = QUEUE };
#endif
#pragma GCC unroll 1
    for (uint32_t i = 0; i < STORES; i++)
        *tf_niu(0, TF_NOC_PACKET_TAG) = 0;
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
