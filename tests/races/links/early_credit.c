/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver allows the next block before it has read the one that it has. */
#include "pair.h"

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 1);
    tf_link_wait(FLAG, 1);
    fill(100);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 2);
}

__attribute__((noinline)) void take(void)
{
    tf_link_wait(FLAG, 1);
#ifdef BUG
    tf_link_signal(0, FLAG, OWN, 1);
    sum();
#else
    sum();
    tf_link_signal(0, FLAG, OWN, 1);
#endif
    tf_link_wait(FLAG, 2);
    sum();
}
