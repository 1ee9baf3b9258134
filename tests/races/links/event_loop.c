/* SPDX-License-Identifier: Apache-2.0 */
/* A router's loop: it looks at two signals in each round, and works between the looks. It allows the next block before
   it has read the one that it has. */
#include "pair.h"

#define BLOCKS 4u
#define CREDITS 0x24000u

static volatile uint32_t rounds;
static uint32_t sent, returned, received;

__attribute__((noinline)) void send(void)
{
    while (returned != BLOCKS) {
        rounds++;
        if (sent == returned && sent < BLOCKS) {
            fill(100 * sent);
            tf_link_write(0, DATA, DATA, 4 * WORDS);
            tf_link_signal(0, FLAG, OWN, ++sent);
        }
        if (returned != sent && tf_link_signalled(CREDITS, returned + 1)) {
            tf_fence();
            returned++;
        }
    }
}

__attribute__((noinline)) void take(void)
{
    while (received != BLOCKS) {
        rounds++;
        if (!tf_link_signalled(FLAG, received + 1))
            continue;
        tf_fence();
        received++;
#ifdef BUG
        tf_link_signal(0, CREDITS, OWN, received);
        sum();
#else
        sum();
        tf_link_signal(0, CREDITS, OWN, received);
#endif
    }
}
