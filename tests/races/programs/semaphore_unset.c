/* SPDX-License-Identifier: Apache-2.0 */
/* T0 hands a semaphore of the coprocessor from an instruction to a store. With the bug it has no SEMINIT before. */
#include "races_tensix.h"

#define READY_INDEX 3
#define READY (1 << READY_INDEX)

PLACE void post(void)
{
    TF_TT(SEMPOST(READY));
    tf_tt_wait_idle();
}

PLACE void take(void)
{
    tf_tt_sem_get(READY_INDEX);
}

int main(void)
{
#ifndef BUG
    TF_TT(SEMINIT(2, 0, READY));
#endif
    post();
    take();
    finish(7);
    return 0;
}
