/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NC of two tiles: each writes a block to the other one's L1, raises a semaphore there, waits for its own, and mixes
 * both blocks. The peer may be a round ahead, so there are two places for its blocks. At the end the block goes to
 * DRAM.
 */
#include "start.h"

START

enum { WORDS = CLIENT_BLOCK_BYTES / 4, MINE = CLIENT_DATA, THEIRS = CLIENT_DATA + 0x1000 };

static inline const volatile struct client_exchange *exchange(void)
{
    return arguments();
}

static void mix(uint32_t theirs)
{
    for (unsigned i = 0; i < WORDS; i++)
        TF_WORD(MINE + 4 * i) = 3 * TF_WORD(MINE + 4 * i) + TF_WORD(theirs + 4 * i);
    tf_settle(MINE + CLIENT_BLOCK_BYTES - 4);
}

uint32_t main(void)
{
    const uint32_t peer = tf_xy(NOC, exchange()->peer_x, exchange()->peer_y);
    const uint32_t semaphore = CONTEXT->config + CLIENT_SEMAPHORES + exchange()->semaphore;
    for (uint32_t round = 0; round < CLIENT_ROUNDS; round++) {
        const uint32_t theirs = THEIRS + round % 2 * CLIENT_BLOCK_BYTES;
        tf_noc_write(NOC, peer, theirs, MINE, CLIENT_BLOCK_BYTES);
        tf_sem_inc_remote(NOC, peer, semaphore, 1);
        tf_sem_wait_min(semaphore, round + 1);
        mix(theirs);
    }
    write_page(exchange()->address, exchange()->page, CLIENT_BLOCK_BYTES, MINE);
    tf_noc_wait(NOC);
    return 0;
}
