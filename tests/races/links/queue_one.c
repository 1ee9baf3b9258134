/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and signals by TX queue 1. Its RX queue must be told to take them. */
#include "pair.h"

__attribute__((noinline)) void send(void)
{
#ifndef BUG
    tf_link_open(1);
#endif
    fill(1);
    tf_link_write(1, DATA, DATA, 4 * WORDS);
    tf_link_signal(1, FLAG, OWN, 1);
    tf_link_wait(FLAG, 1);
}

__attribute__((noinline)) void take(void)
{
#ifndef BUG
    tf_link_open(1);
#endif
    tf_link_wait(FLAG, 1);
    sum();
    tf_link_signal(1, FLAG, OWN, 1);
}
