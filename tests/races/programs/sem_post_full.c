/* SPDX-License-Identifier: Apache-2.0 */
/* T0 posts a semaphore of the coprocessor more often than it can count. With the bug it does not wait for room. T1 is
   usually fast enough. */
#include "races_tensix.h"

enum { SEM = 4, POSTS = 20, ROOM = 8 };

#if TF_CORE == 2
PLACE void post(void)
{
#ifndef BUG
    while (tf_tt_sem_read(SEM) >= ROOM)
        ;
#endif
    tf_tt_sem_post(SEM);
}

int main(void)
{
    TF_TT(SEMINIT(15, 0, 1 << SEM));
    tf_tt_wait_idle();
    tf_sem_set(FLAG, 1);
    for (unsigned i = 0; i < POSTS; i++) {
        post();
        for (unsigned j = 0; j < 20; j++)
            __asm__ volatile("" ::: "memory");
    }
    return 0;
}
#else
int main(void)
{
    await_flag();
    for (unsigned i = 0; i < POSTS; i++) {
        while (tf_tt_sem_read(SEM) == 0)
            ;
        tf_tt_sem_get(SEM);
        settle(TF_TT_SEMAPHORE(SEM));
    }
    finish(POSTS);
    return 0;
}
#endif
