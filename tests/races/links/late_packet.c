/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver takes it for granted that data need no more than some cycles. */
#include "pair.h"

#define CYCLES 4000u

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 1);
}

__attribute__((noinline)) void take(void)
{
#ifdef BUG
    for (uint32_t began = tf_cycle(); tf_cycle() - began < CYCLES;)
        ;
    tf_fence();
#else
    tf_link_wait(FLAG, 1);
#endif
    sum();
}
