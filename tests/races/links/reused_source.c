/* SPDX-License-Identifier: Apache-2.0 */
/* The sender fills its buffer again, although the queue may read it again until the packet is acknowledged. */
#include "pair.h"

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 1);
#ifndef BUG
    tf_link_wait(FLAG, 1); /* the peer has answered */
#endif
    fill(100);
}

__attribute__((noinline)) void take(void)
{
    tf_link_wait(FLAG, 1);
    sum();
    tf_link_signal(0, FLAG, OWN, 1);
}
