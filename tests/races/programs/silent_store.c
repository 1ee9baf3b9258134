/* SPDX-License-Identifier: Apache-2.0 */
/* NC clears a word that is 0 already, and increments another one that it has cleared. B then stores to the first. With
   the bug B does not wait for NC, so the word may be cleared after B's store. */
#include "races.h"

#if TF_CORE == 0
PLACE void keep(void)
{
    TF_WORD(DATA) = 7;
}

int main(void)
{
#ifdef BUG
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory");
#else
    await_flag();
#endif
    keep();
    finish(TF_WORD(DATA));
    return 0;
}
#else
PLACE void clear(void)
{
    TF_WORD(DATA) = 0;
    settle(DATA);
}

int main(void)
{
    clear();
    TF_WORD(COUNTER) = 0;
    TF_WORD(COUNTER) += 1;
    tf_sem_set(FLAG, TF_WORD(COUNTER));
    return 0;
}
#endif
