/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of links: one program for core E0 of Ethernet tiles, whose role the host chooses. */
#include "tilefarm_layout.h"
#include "tilefarm_link.h"
#include "tilefarm_link_layout.h"

#define JOB (*(const volatile struct tf_link_job *)(uintptr_t)TF_L_JOB)
#define RESULT (*(volatile struct tf_link_result *)(uintptr_t)TF_L_RESULT)
#define QUEUE 0u
#define SIGNAL(which) (TF_L_SIGNAL + 64u * (which))
#define OWN(which) (TF_L_OWN + 64u * (which))
#define COUNTER(which) (TF_L_ARRIVED + 64u * (which))

static void signal(unsigned which, uint32_t number)
{
    tf_link_signal(QUEUE, SIGNAL(which), OWN(which), number);
}

static void wait_for(unsigned which, uint32_t number)
{
    tf_link_wait(SIGNAL(which), number);
}

/* ---- There and back ---- */

static void ping(void)
{
    const uint32_t rounds = JOB.rounds, bytes = JOB.bytes, began = tf_cycle();
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t round = 1; round <= rounds; round++) {
        const uint32_t sent = tf_cycle();
        if (bytes != 0)
            tf_link_write(QUEUE, TF_L_BUFFER, TF_L_BUFFER, bytes);
        signal(TF_L_DATA, round);
        wait_for(TF_L_DATA, round);
        const uint32_t cycles = tf_cycle() - sent;
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    RESULT.cycles = tf_cycle() - began;
    RESULT.cycles_min = least;
    RESULT.cycles_max = most;
}

static void pong(void)
{
    const uint32_t rounds = JOB.rounds, bytes = JOB.bytes;
    for (uint32_t round = 1; round <= rounds; round++) {
        wait_for(TF_L_DATA, round);
        if (bytes != 0)
            tf_link_write(QUEUE, TF_L_BUFFER, TF_L_BUFFER, bytes);
        signal(TF_L_DATA, round);
    }
}

/* ---- As fast as possible ---- */

static void source(void)
{
    const uint32_t rounds = JOB.rounds, bytes = JOB.bytes, began = tf_cycle();
    for (uint32_t round = 0; round < rounds; round++)
        tf_link_write(QUEUE, TF_L_BUFFER, TF_L_BUFFER, bytes);
    signal(TF_L_DATA, rounds);
    tf_link_wait_ready(QUEUE);
    RESULT.cycles = tf_cycle() - began;
}

static void sink(void)
{
    wait_for(TF_L_DATA, JOB.rounds);
}

/* ---- A ring of chips: every chip gets the blocks of all others ---- */

static uint32_t block(uint32_t slot)
{
    return TF_L_BUFFER + slot * JOB.bytes;
}

static uint32_t sum_of(uint32_t address, uint32_t bytes)
{
    uint32_t sum = 0;
    for (uint32_t at = 0; at < bytes; at += 4)
        sum += tf_k_mix(TF_WORD(address + at) + at);
    return sum;
}

/* Pass the blocks of a round on. The block in slot s has passed s links. */
static void pass_on(uint32_t round)
{
    const uint32_t chips = JOB.chips, bytes = JOB.bytes, other = tf_xy(0, JOB.other_xy & 63, JOB.other_xy >> 6);
    uint32_t sum = 0;
    for (uint32_t slot = 1; slot < chips; slot++) {
        wait_for(TF_L_DATA, round * (chips - 1) + slot);
        if (slot + 1 < chips) {
            tf_noc_write(0, other, block(slot), block(slot), bytes);
            tf_noc_wait(0);
            tf_sem_inc_remote(0, other, COUNTER(TF_L_BLOCKS), 1);
        }
        sum += sum_of(block(slot), bytes);
    }
    RESULT.sum += sum;
}

static void ring_in(void)
{
    const uint32_t rounds = JOB.rounds;
    for (uint32_t round = 0; round < rounds; round++) {
        tf_sem_wait_min(COUNTER(TF_L_ROUNDS), round); /* the other tile's blocks may be overwritten */
        pass_on(round);
        signal(TF_L_CREDIT, round + 1);
    }
    tf_link_wait_ready(QUEUE);
}

static void make_block(uint32_t round)
{
    const uint32_t bytes = JOB.bytes, seed = JOB.seed + round, chip = JOB.chip;
    for (uint32_t at = 0; at < bytes; at += 4)
        TF_WORD(block(0) + at) = tf_k_input(seed, chip, at);
    tf_settle(block(0) + bytes - 4);
}

static void ring_out(void)
{
    const uint32_t rounds = JOB.rounds, chips = JOB.chips, bytes = JOB.bytes;
    const uint32_t other = tf_xy(0, JOB.other_xy & 63, JOB.other_xy >> 6);
    for (uint32_t round = 0; round < rounds; round++) {
        make_block(round);
        for (uint32_t slot = 0; slot + 1 < chips; slot++) {
            tf_sem_wait_min(COUNTER(TF_L_BLOCKS), round * (chips - 2) + slot);
            tf_link_write(QUEUE, block(slot + 1), block(slot), bytes);
            signal(TF_L_DATA, round * (chips - 1) + slot + 1);
        }
        wait_for(TF_L_CREDIT, round + 1);
        tf_sem_inc_remote(0, other, COUNTER(TF_L_ROUNDS), 1);
    }
    tf_noc_wait(0);
}

int main(void)
{
    static void (*const play[TF_L_ROLES])(void) = {
        [TF_L_PING] = ping, [TF_L_PONG] = pong,  [TF_L_SOURCE] = source,
        [TF_L_SINK] = sink, [TF_L_IN] = ring_in, [TF_L_OUT] = ring_out,
    };
    if (JOB.magic != TF_L_MAGIC || JOB.role >= TF_L_ROLES)
        return 1;
    play[JOB.role]();
    RESULT.rounds = JOB.rounds;
    tf_settle((uint32_t)(uintptr_t)&RESULT.rounds);
    return 0;
}
