/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data in L1 and tells T0 by a mailbox. The last stores may be slower than the mailbox. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
PLACE void produce(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
#ifndef BUG
    settle(DATA + BYTES - 4);
#endif
    TF_WORD(TF_MAILBOX_OF(1)) = 1; /* the mailbox from B to T0 */
}

int main(void)
{
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
