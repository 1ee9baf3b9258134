/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of links: one program for core E0 of Ethernet tiles, whose role the host chooses. */
#include "tilefarm_layout.h"
#include "tilefarm_link.h"
#include "tilefarm_link_layout.h"

#define JOB (*(const volatile struct tf_link_job *)(uintptr_t)TF_L_JOB)
#define RESULT (*(volatile struct tf_link_result *)(uintptr_t)TF_L_RESULT)
#define QUEUE 0u
#define SIGNAL(which) (TF_L_SIGNAL + 64u * (which))
#define OWN(which) (TF_L_OWN + TF_L_OWN_BYTES * (which))
#define COUNTER(which) TF_L_COUNTER(which)

_Static_assert(TF_L_OWN_BYTES >= TF_LINK_SIGNALS_BYTES && TF_L_OWN + 2 * TF_L_OWN_BYTES <= TF_L_PROGRAM, "");

static void signal(unsigned which, uint32_t number)
{
    tf_link_signal(QUEUE, SIGNAL(which), OWN(which), number);
}

static void wait_for(unsigned which, uint32_t number)
{
    tf_link_wait(SIGNAL(which), number);
}

/* The chip's other tile. */
static uint32_t other(void)
{
    return tf_xy(0, JOB.other_xy & 63, JOB.other_xy >> 6);
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

/* Copy a block to the chip's other tile. */
static void pass_on(uint32_t slot)
{
    tf_noc_write(0, other(), block(slot), block(slot), JOB.bytes);
    tf_noc_wait(0);
    tf_sem_inc_remote(0, other(), COUNTER(TF_L_BLOCKS), 1);
}

/* Receive blocks 1 to `last` in each round, and pass on those up to `passed`. */
static void receive(uint32_t last, uint32_t passed, bool sums)
{
    const uint32_t rounds = JOB.rounds;
    for (uint32_t round = 0; round < rounds; round++) {
        tf_sem_wait_min(COUNTER(TF_L_ROUNDS), round); /* the other tile's blocks may be overwritten */
        for (uint32_t slot = 1; slot <= last; slot++) {
            wait_for(TF_L_DATA, round * last + slot);
            if (slot <= passed)
                pass_on(slot);
            if (sums)
                RESULT.sum += sum_of(block(slot), JOB.bytes);
        }
        signal(TF_L_CREDIT, round + 1);
    }
    tf_link_wait_ready(QUEUE);
}

/* The block in slot s has passed s links. */
static void ring_in(void)
{
    receive(JOB.chips - 1, JOB.chips - 2, true);
}

static void make_block(uint32_t round, uint32_t address, uint32_t first)
{
    const uint32_t bytes = JOB.bytes, seed = JOB.seed + round, chip = JOB.chip;
    for (uint32_t at = 0; at < bytes; at += 4)
        TF_WORD(address + at) = tf_k_input(seed, chip, first + at);
    tf_settle(address + bytes - 4);
}

/* The chip behind has all blocks of a round. Let the chip's other tile overwrite those of this one. */
static void end_round(uint32_t round)
{
    wait_for(TF_L_CREDIT, round + 1);
    tf_sem_inc_remote(0, other(), COUNTER(TF_L_ROUNDS), 1);
}

static void ring_out(void)
{
    const uint32_t rounds = JOB.rounds, chips = JOB.chips, bytes = JOB.bytes;
    for (uint32_t round = 0; round < rounds; round++) {
        make_block(round, block(0), 0);
        for (uint32_t slot = 0; slot + 1 < chips; slot++) {
            tf_sem_wait_min(COUNTER(TF_L_BLOCKS), round * (chips - 2) + slot);
            tf_link_write(QUEUE, block(slot + 1), block(slot), bytes);
            signal(TF_L_DATA, round * (chips - 1) + slot + 1);
        }
        end_round(round);
    }
    tf_noc_wait(0);
}

/* ---- A ring of chips: every chip gets the sum of the data of all ---- */

static void relay(void)
{
    receive(tf_l_reduce_steps(JOB.chips), tf_l_reduce_steps(JOB.chips), false);
}

/* Block k of the data of this chip, which become the sum. */
static uint32_t result(uint32_t k)
{
    return block(tf_l_reduce_place(JOB.chips, k % JOB.chips));
}

/* Send a block of the data, and wait for the block of this step. Steps count from 1. */
static void exchange(uint32_t round, uint32_t step, uint32_t k)
{
    const uint32_t steps = tf_l_reduce_steps(JOB.chips);
    tf_link_write(QUEUE, block(step), result(k), JOB.bytes);
    signal(TF_L_DATA, round * steps + step);
    tf_sem_wait_min(COUNTER(TF_L_BLOCKS), round * steps + step);
}

/* Add the words of a block that has arrived, or copy them. */
static void take(uint32_t step, uint32_t k, bool adds)
{
    const uint32_t to = result(k), from = block(step), bytes = JOB.bytes;
    for (uint32_t at = 0; at < bytes; at += 4)
        TF_WORD(to + at) = TF_WORD(from + at) + (adds ? TF_WORD(to + at) : 0);
    tf_settle(to + bytes - 4);
}

/* In the first steps each chip adds its data to the partial sums that pass. Then chip c has the whole sum of block
   c + 1, and in the other steps whole sums go round. */
static void reduce(void)
{
    const uint32_t rounds = JOB.rounds, chips = JOB.chips, me = JOB.chip;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t k = 0; k < chips; k++)
            make_block(round, result(k), k * JOB.bytes);
        for (uint32_t step = 1; step < chips; step++) {
            exchange(round, step, me + 1 + chips - step);
            take(step, me + chips - step, true);
        }
        for (uint32_t step = 1; step < chips; step++) {
            exchange(round, chips - 1 + step, me + 2 + chips - step);
            take(chips - 1 + step, me + 1 + chips - step, false);
        }
        for (uint32_t k = 0; k < chips; k++)
            RESULT.sum += sum_of(result(k), JOB.bytes) * (k + 1);
        end_round(round);
    }
    tf_noc_wait(0);
}

/* ---- A ring of chips: a Tensix tile of each one adds ---- */

static void fetch(void)
{
    const uint32_t steps = tf_l_reduce_steps(JOB.chips), blocks = JOB.rounds * steps;
    for (uint32_t i = 0; i < blocks; i++) {
        wait_for(TF_L_DATA, i + 1);
        tf_sem_wait_min(COUNTER(TF_L_ROUNDS), i / steps); /* the tile's blocks may be overwritten */
        tf_noc_write(0, other(), block(i % steps), block(i % TF_L_WINDOW), JOB.bytes);
        tf_noc_wait(0);
        tf_sem_inc_remote(0, other(), COUNTER(TF_L_BLOCKS), 1);
        signal(TF_L_CREDIT, i + 1);
    }
    tf_noc_wait(0);
    tf_link_wait_ready(QUEUE);
}

static void send(void)
{
    const uint32_t blocks = JOB.rounds * tf_l_reduce_steps(JOB.chips);
    for (uint32_t i = 0; i < blocks; i++) {
        if (i >= TF_L_WINDOW) {
            wait_for(TF_L_CREDIT, i + 1 - TF_L_WINDOW);
            tf_sem_inc_remote(0, other(), COUNTER(TF_L_FREE), 1);
        }
        tf_sem_wait_min(COUNTER(TF_L_BLOCKS), i + 1);
        tf_link_write(QUEUE, block(i % TF_L_WINDOW), block(i % TF_L_WINDOW), JOB.bytes);
        signal(TF_L_DATA, i + 1);
    }
    wait_for(TF_L_CREDIT, blocks);
    tf_noc_wait(0);
}

/* ---- Neighbours: in each round both ends send a block ---- */

static void exchange_blocks(void)
{
    const uint32_t rounds = JOB.rounds, bytes = JOB.bytes, port = JOB.chip;
    for (uint32_t round = 0; round < rounds; round++) {
        tf_sem_wait_min(COUNTER(TF_L_BLOCKS), round + 1);
        tf_link_write(QUEUE, TF_L_COMES(round, bytes), TF_L_LEAVES(round, bytes), bytes);
        signal(TF_L_DATA, round + 1);
        wait_for(TF_L_DATA, round + 1);
        tf_noc_write(0, other(), TF_L_AT_TILE(port, round, bytes), TF_L_COMES(round, bytes), bytes);
        tf_noc_wait(0);
        tf_sem_inc_remote(0, other(), COUNTER(port), 1);
    }
    tf_noc_wait(0);
    tf_link_wait_ready(QUEUE);
}

int main(void)
{
    static void (*const play[TF_L_ROLES])(void) = {
        [TF_L_PING] = ping,
        [TF_L_PONG] = pong,
        [TF_L_SOURCE] = source,
        [TF_L_SINK] = sink,
        [TF_L_IN] = ring_in,
        [TF_L_OUT] = ring_out,
        [TF_L_RELAY] = relay,
        [TF_L_REDUCE] = reduce,
        [TF_L_FETCH] = fetch,
        [TF_L_SEND] = send,
        [TF_L_EXCHANGE] = exchange_blocks,
    };
    if (JOB.magic != TF_L_MAGIC || JOB.role >= TF_L_ROLES)
        return 1;
    play[JOB.role]();
    RESULT.rounds = JOB.rounds;
    tf_settle((uint32_t)(uintptr_t)&RESULT.rounds);
    return 0;
}
