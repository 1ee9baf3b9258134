/* SPDX-License-Identifier: Apache-2.0 */
/* Two cores add to a counter, and both wait until it has both additions. With the bug they load and store. */
#include "races.h"

PLACE void add(void)
{
#ifdef BUG
    TF_WORD(COUNTER) = TF_WORD(COUNTER) + 1;
    settle(COUNTER);
#else
    tf_amoadd(COUNTER, 1);
#endif
}

int main(void)
{
#if TF_CORE == 0
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
    tf_sem_set(FLAG, 1);
    add();
#else
    await_flag();
    add();
#endif
    tf_sem_wait(COUNTER, 2);
#if TF_CORE == 0
    finish(7);
#endif
    return 0;
}
