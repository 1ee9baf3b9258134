/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver waits for each value of a signal, and misses one if the next comes soon after it. Then it waits for
   ever, and the sender for its answer. */
#include "pair.h"

#define BETWEEN 2000u /* cycles between two signals */

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 1);
    for (uint32_t began = tf_cycle(); tf_cycle() - began < BETWEEN;)
        ;
    tf_link_signal(0, FLAG, OWN, 2);
    tf_link_wait(FLAG, 1);
}

__attribute__((noinline)) void take(void)
{
    for (uint32_t number = 1; number <= 2; number++)
#ifdef BUG
        while (TF_WORD(FLAG) != number || TF_WORD(FLAG + 32) != number)
            tf_fence();
#else
        tf_link_wait(FLAG, number);
#endif
    sum();
    tf_link_signal(0, FLAG, OWN, 1);
}
