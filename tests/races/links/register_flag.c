/* SPDX-License-Identifier: Apache-2.0 */
/* A write to a register of the peer's overlay announces data, but nothing orders it with writes to L1. As a credit it
   is right: it says that data have been read. */
#include "pair.h"

#define STREAM 4u
#define CREDITS TF_STREAM_REG_ADDRESS(STREAM, TF_STREAM_SPACE_AVAILABLE)
#define CREDIT_UPDATE TF_STREAM_REG_ADDRESS(STREAM, TF_STREAM_SPACE_UPDATE)
#define CREDIT (1u << 6)

__attribute__((noinline)) void send(void)
{
    fill(1);
    tf_link_write(0, DATA, DATA, 4 * WORDS);
#ifdef BUG
    tf_link_store(0, CREDIT_UPDATE, CREDIT);
#else
    tf_link_signal(0, FLAG, OWN, 1);
#endif
    while (TF_WORD(CREDITS) == 0) /* the peer has read the block */
        ;
    tf_fence();
    fill(100);
}

__attribute__((noinline)) void take(void)
{
#ifdef BUG
    while (TF_WORD(CREDITS) == 0)
        ;
    tf_fence();
#else
    tf_link_wait(FLAG, 1);
#endif
    sum();
    tf_link_store(0, CREDIT_UPDATE, CREDIT);
}
