/* SPDX-License-Identifier: Apache-2.0 */
/* T2 takes 1 from a semaphore of the coprocessor that T1 posts. With the bug it does not wait for the post, and is
   usually late enough. */
#include "races_tensix.h"

enum { SEM = 4 };

#if TF_CORE == 3
int main(void)
{
    TF_TT(SEMINIT(2, 0, 1 << SEM));
    tf_tt_wait_idle();
    tf_sem_set(FLAG, 1);
    TF_TT(SEMPOST(1 << SEM));
    tf_tt_wait_idle();
    tf_sem_wait(COUNTER, 1);
    finish(7 + tf_tt_sem_read(SEM));
    return 0;
}
#else
PLACE void take(void)
{
#ifndef BUG
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_SYNC, 1 << SEM));
#endif
    TF_TT(SEMGET(1 << SEM));
    tf_tt_wait_idle();
    tf_settle(TF_DONE_CHECK); /* for Wormhole */
}

int main(void)
{
    await_flag();
#ifdef BUG
    for (unsigned i = 0; i < 300; i++)
        __asm__ volatile("" ::: "memory");
#endif
    take();
    tf_sem_set(COUNTER, 1);
    return 0;
}
#endif
