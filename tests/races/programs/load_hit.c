/* SPDX-License-Identifier: Apache-2.0 */
/* B stores data and four more words in L1, loads another word, and tells T0 by a mailbox. A load that hits L0 does not
   reach L1, and so comes after no store. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
PLACE void produce(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + i * 4) = FIRST + i;
    for (uint32_t i = 0; i < 4; i++)
        TF_WORD(COPY + i * 16) = 0;
    settle(RETURN);
    TF_WORD(TF_MAILBOX_OF(1)) = 1; /* the mailbox from B to T0 */
}

int main(void)
{
    TF_WORD(RETURN) = 0;
#ifdef BUG
    settle(RETURN);
#endif
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
