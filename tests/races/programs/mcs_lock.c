/* SPDX-License-Identifier: Apache-2.0 */
/* A lock whose waiting cores form a queue, each with a word of its own (Mellor-Crummey and Scott). Who unlocks looks
   once whether another core follows, and waits for it only if the queue's end has moved. With the bug nobody waits for
   the own turn. */
#include "races.h"

#define TAIL 0x18200u
#define CORES 3u
#define ROUNDS 10u
#define ME (TF_CORE + 1u) /* 0: nobody */
#define NODE(of) (0x18300u + (of)*64u)
#define NEXT(of) TF_WORD(NODE(of))
#define LOCKED(of) TF_WORD(NODE(of) + 16)

static inline void lock(void)
{
    NEXT(ME)
    = 0;
    LOCKED(ME) = 1;
    settle(NODE(ME) + 16);
    const uint32_t before = tf_amoswap(TAIL, ME);
    if (before == 0)
        return;
    NEXT(before)
    = ME;
#ifndef BUG
    tf_sem_wait(NODE(ME) + 16, 0);
#endif
}

PLACE void unlock(void)
{
    settle(COUNTER);
    tf_fence();
    if (NEXT(ME) == 0) {
        if (tf_noc_cas(TF_NOC, tf_self_xy(TF_NOC), TAIL, ME, 0))
            return;
        do
            tf_fence();
        while (NEXT(ME) == 0);
    }
    LOCKED(NEXT(ME)) = 0;
}

PLACE void add(void)
{
    TF_WORD(COUNTER) = TF_WORD(COUNTER) + 1;
}

int main(void)
{
    if (TF_CORE == 0) {
        TF_WORD(COUNTER) = 0;
        TF_WORD(TAIL) = 0;
        settle(TAIL);
        tf_sem_set(FLAG, 1);
    } else {
        await_flag();
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        lock();
        add();
        unlock();
    }
    tf_add_here(RETURN, 1);
    if (TF_CORE == 0) {
        tf_sem_wait(RETURN, CORES);
        finish(TF_WORD(COUNTER) > ROUNDS / 2);
    }
    return 0;
}
