/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver waits for the part of a signal that one stream has written. The other stream has written some data. */
#include "pair.h"

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
    tf_link_signal(0, FLAG, OWN, 1);
}

__attribute__((noinline)) void take(void)
{
#ifdef BUG
    tf_sem_wait_min(FLAG, 1);
#else
    tf_link_wait(FLAG, 1);
#endif
    sum();
}
