/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock between B and NC. With the bug nothing lets the store of a flag arrive before the load of the other
   one. */
#include "races.h"

#define WANTS(core) (0x18300u + (core)*64)
#define TURN 0x18400u
#define ADDITIONS 20u

static __attribute__((unused)) void lock(uint32_t me)
{
    TF_WORD(WANTS(me)) = 1;
    TF_WORD(TURN) = 1 - me;
    settle(TURN);
    do
        tf_fence();
    while (TF_WORD(WANTS(1 - me)) == 1 && TF_WORD(TURN) == 1 - me);
}

PLACE void add(void)
{
    TF_WORD(COUNTER) += 1;
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
    for (unsigned i = 0; i < ADDITIONS; i++) {
#ifndef BUG
        lock(TF_CORE);
#else
        TF_WORD(WANTS(TF_CORE)) = 1;
#endif
        tf_fence();
        add();
        settle(COUNTER);
        TF_WORD(WANTS(TF_CORE)) = 0;
    }
#if TF_CORE == 0
    finish(7);
#endif
    return 0;
}
