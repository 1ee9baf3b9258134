/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every tile starts a packet. All packets go round all tiles, and each tile changes a few words of them. B pushes them
 * forwards with writes, NC pulls them backwards with reads. With two slots and a credit, no packet overwrites another.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

#if TF_CORE == 0
#define WAY 0u
#define NOC 0u
#else
#define WAY 1u
#define NOC 1u
#endif

static uint32_t packet_bytes;

static void start(uint32_t seed, uint32_t tile)
{
    volatile uint32_t *packet = &TF_WORD(TF_RING_SLOT(WAY, 0));
    packet[TF_RING_ORIGIN] = tile;
    packet[TF_RING_HOPS] = 0;
    packet[TF_RING_TRACE] = 0;
    packet[3] = 0;
    for (uint32_t i = TF_RING_HEADER_WORDS; i < packet_bytes / 4; i++)
        packet[i] = tf_k_input(seed + WAY, tile, i);
}

/* Change the packet in a slot for one hop. Returns a number for the sum of the result. */
static uint32_t visit(uint32_t slot, uint32_t tile)
{
    volatile uint32_t *packet = &TF_WORD(TF_RING_SLOT(WAY, slot));
    uint32_t hops = packet[TF_RING_HOPS] + 1, trace = packet[TF_RING_TRACE];
    uint32_t body = packet_bytes / 4 - TF_RING_HEADER_WORDS;
    packet[TF_RING_HOPS] = hops;
    trace = (trace << 5 | trace >> 27) + tf_k_mix(tile);
    packet[TF_RING_TRACE] = trace;
    volatile uint32_t *changed = &packet[TF_RING_HEADER_WORDS + hops * 29 % body];
    *changed ^= trace;
    if (sizeof TF_K_FENCE == sizeof "") /* else the fences in tf_sem_wait_min() wait for the stores */
        tf_settle((uint32_t)(uintptr_t)changed);
    return tf_k_mix(trace + hops) + packet[TF_RING_ORIGIN];
}

static void push(uint32_t steps, uint32_t tile)
{
    uint32_t next = tf_tile_xy(NOC, (tile + 1) % TF_K_TILES);
    uint32_t previous = tf_tile_xy(NOC, (tile + TF_K_TILES - 1) % TF_K_TILES);
    uint32_t sum = 0;
    for (uint32_t step = 0; step < steps; step++) {
        sum += visit(step & 1, tile);
        tf_sem_wait_min(TF_RING_CREDIT(WAY), step);
        tf_noc_write(NOC, next, TF_RING_SLOT(WAY, ~step & 1), TF_RING_SLOT(WAY, step & 1), packet_bytes);
        tf_sem_inc_remote(NOC, next, TF_RING_ARRIVED(WAY), 1);
        tf_sem_inc_remote(NOC, previous, TF_RING_CREDIT(WAY), 1);
        tf_sem_wait_min(TF_RING_ARRIVED(WAY), step + 1);
    }
    TF_RESULT[TF_RING_SUM] = sum;
}

static void pull(uint32_t steps, uint32_t tile)
{
    uint32_t next = tf_tile_xy(NOC, (tile + 1) % TF_K_TILES);
    uint32_t previous = tf_tile_xy(NOC, (tile + TF_K_TILES - 1) % TF_K_TILES);
    uint32_t sum = 0;
    for (uint32_t step = 0; step < steps; step++) {
        sum += visit(step & 1, tile);
        tf_sem_inc_remote(NOC, previous, TF_RING_ARRIVED(WAY), 1);
        tf_sem_wait_min(TF_RING_ARRIVED(WAY), step + 1);
        tf_sem_wait_min(TF_RING_CREDIT(WAY), step);
        tf_noc_read(NOC, next, TF_RING_SLOT(WAY, step & 1), TF_RING_SLOT(WAY, ~step & 1), packet_bytes);
        tf_sem_inc_remote(NOC, next, TF_RING_CREDIT(WAY), 1);
    }
    TF_RESULT[TF_RING_SUM] = sum;
}

int main(void)
{
    uint32_t tile = tf_my_tile(), steps = TF_PARAMS->scale * TF_K_TILES;
    packet_bytes = TF_PARAMS->variant == TF_RING_LONG ? TF_RING_LONG_BYTES : TF_RING_BYTES;
    start(TF_PARAMS->seed, tile);
    if (WAY == 0)
        push(steps, tile);
    else
        pull(steps, tile);
    tf_noc_wait(NOC);
    TF_RESULT[TF_RING_SEEN] = steps;
    return 0;
}
