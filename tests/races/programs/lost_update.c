/* SPDX-License-Identifier: Apache-2.0 */
/* Two cores add to a counter that a third polls. With the bug they load and store; an addition may be lost. */
#include "races.h"

PLACE void add(void)
{
#ifdef BUG
    tf_fence();
    TF_WORD(COUNTER) = TF_WORD(COUNTER) + 1;
#else
    tf_amoadd(COUNTER, 1);
#endif
}

int main(void)
{
#if TF_CORE == 2
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
    tf_sem_set(FLAG, 1);
    tf_sem_wait_min(COUNTER, 2);
    finish(7);
#elif TF_CORE == 0
    await_flag();
    add();
#else
    await_flag();
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after B */
    add();
#endif
    return 0;
}
