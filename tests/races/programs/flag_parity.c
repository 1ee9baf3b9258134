/* SPDX-License-Identifier: Apache-2.0 */
/* Two flags and two buffers in turns, whose rounds only grow. With the bug the consumer waits for the other flag of the
   pair in one round. */
#include "races.h"

#define ROUNDS 6u
#define WRONG 3u
#define READY(i) (0x18400u + ((i)&1u) * 16u)
#define TAKEN(i) (0x18480u + ((i)&1u) * 16u)
#define BUFFER(i) (DATA + ((i)&1u) * 0x100u)

#ifdef BUG
#define AWAITED(i) ((i) - ((i) == WRONG))
#else
#define AWAITED(i) (i)
#endif

PLACE void produce(uint32_t i)
{
    fill(BUFFER(i), FIRST + i);
    tf_sem_set(READY(i), i + 1);
}

PLACE uint32_t take(uint32_t i)
{
    return sum(BUFFER(i), WORDS);
}

int main(void)
{
#if TF_CORE == 0
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (i >= 2)
            tf_sem_wait_min(TAKEN(i), i - 1);
        produce(i);
    }
#else
    uint32_t total = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        for (unsigned j = 0; j < 1000; j++)
            __asm__ volatile("" ::: "memory"); /* the data come usually before */
        tf_sem_wait_min(READY(AWAITED(i)), AWAITED(i) + 1);
        total += take(i);
        tf_sem_set(TAKEN(i), i + 1);
    }
    finish(total);
#endif
    return 0;
}
