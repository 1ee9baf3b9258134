/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers of all cores of the chip. Before a barrier each core writes the number of its round to L1. After it, cores
 * check the numbers of others. One variant has an AMO in the tile, an increment at tile 0, and a multicast for the
 * release. One has mailboxes and PCBufs in the tile. One has no centre: tiles signal at distances 1, 2, 4 ...
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

static uint32_t me;

/* Tile 0: wait for all tiles, then release them. */
static void release(unsigned noc, uint32_t round)
{
    tf_sem_wait(TF_BARRIER_ARRIVED, TF_K_TILES * round);
    tf_sem_set_multicast(noc, TF_ALL_TILES(noc), TF_BARRIER_RELEASE, round, true);
}

static void central(uint32_t round)
{
    tf_settle(TF_BARRIER_ROUND(round, TF_CORE));
    if (tf_add_here(TF_BARRIER_LOCAL, 1) + 1 == TF_K_CORES * round) {
        tf_sem_inc_remote(TF_NOC, tf_tile_xy(TF_NOC, 0), TF_BARRIER_ARRIVED, 1);
        if (me == 0)
            release(TF_NOC, round);
    }
    tf_sem_wait_min(TF_BARRIER_RELEASE, round);
}

#if TF_CORE == 0
static int mailboxes(uint32_t round)
{
    tf_settle(TF_BARRIER_ROUND(round, TF_CORE));
    for (unsigned core = 1; core <= 3; core++) {
        if (tf_mailbox_pop(core) != round)
            return 1;
    }
    tf_sem_wait_min(TF_BARRIER_NC, round);
    tf_sem_inc_remote(0, tf_tile_xy(0, 0), TF_BARRIER_ARRIVED, 1);
    if (me == 0)
        release(0, round);
    tf_sem_wait_min(TF_BARRIER_RELEASE, round);
    for (unsigned core = 0; core < 3; core++) {
        tf_pcbuf_wait(core);
        tf_pcbuf_push(core, round);
    }
    return 0;
}
#elif TF_CORE == 1
static int mailboxes(uint32_t round)
{
    tf_settle(TF_BARRIER_ROUND(round, TF_CORE));
    tf_sem_set(TF_BARRIER_NC, round);
    tf_sem_wait_min(TF_BARRIER_RELEASE, round);
    return 0;
}
#else
static int mailboxes(uint32_t round)
{
    tf_settle(TF_BARRIER_ROUND(round, TF_CORE));
    tf_mailbox_push(0, round);
    return tf_pcbuf_pop() != round;
}
#endif

static void disseminate(uint32_t round)
{
    tf_settle(TF_BARRIER_ROUND(round, TF_CORE));
    tf_add_here(TF_BARRIER_LOCAL, 1);
    if (TF_CORE == 0) {
        tf_sem_wait_min(TF_BARRIER_LOCAL, TF_K_CORES * round);
        for (uint32_t level = 0; level < TF_BARRIER_LEVELS; level++) {
            tf_sem_inc_remote(0, tf_tile_xy(0, (me + (1u << level)) % TF_K_TILES), TF_BARRIER_FLAG(level), 1);
            tf_sem_wait_min(TF_BARRIER_FLAG(level), round);
        }
        tf_sem_set(TF_BARRIER_RELEASE, round);
    }
    tf_sem_wait_min(TF_BARRIER_RELEASE, round);
}

/* Check that every core of this tile and of another one has reached this round, and that none is two rounds ahead. */
static int look(uint32_t round)
{
    uint32_t other = (me + round * 11 + TF_CORE) % TF_K_TILES, copy = TF_SCRATCH + 0x80;
    tf_noc_read(TF_NOC, tf_tile_xy(TF_NOC, other), TF_BARRIER_ROUND(round, 0), copy, 32);
    tf_noc_wait(TF_NOC);
    for (unsigned core = 0; core < TF_K_CORES; core++) {
        if (TF_WORD(copy + core * 4) != round || TF_WORD(TF_BARRIER_ROUND(round, core)) != round)
            return 2;
    }
    return 0;
}

int main(void)
{
    uint32_t rounds = TF_PARAMS->scale, variant = TF_PARAMS->variant;
    int status = 0;
    me = tf_my_tile();
    for (uint32_t round = 1; round <= rounds && !status; round++) {
        TF_WORD(TF_BARRIER_ROUND(round, TF_CORE)) = round;
        if (variant == TF_BARRIER_MAILBOX)
            status = mailboxes(round);
        else if (variant == TF_BARRIER_DISSEMINATE)
            disseminate(round);
        else
            central(round);
        if (!status && round % TF_K_CORES == TF_CORE)
            status = look(round);
    }
    tf_noc_wait(TF_NOC);
    TF_RESULT[0] = rounds;
    return status;
}
