/* SPDX-License-Identifier: Apache-2.0 */
/* Three cores add to a word under a ticket lock. With the bug one of them takes no ticket. */
#include "races.h"

#define NEXT 0x18300u
#define SERVED 0x18340u

PLACE void add(void)
{
    tf_fence();
    TF_WORD(COUNTER) += 1;
    settle(COUNTER);
}

int main(void)
{
#if TF_CORE == 0
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
    tf_sem_set(FLAG, 1);
#else
    await_flag();
#endif
    for (unsigned i = 0; i < 10; i++) {
#ifdef BUG
        if (TF_CORE == 2) {
            add();
            continue;
        }
#endif
        uint32_t ticket = tf_amoadd(NEXT, 1);
        do
            tf_fence();
        while (TF_WORD(SERVED) != ticket);
        add();
        TF_WORD(SERVED) = ticket + 1;
    }
    if (TF_CORE == 0)
        finish(7);
    return 0;
}
