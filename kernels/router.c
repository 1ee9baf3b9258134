/* SPDX-License-Identifier: Apache-2.0 */
/* Store and forward between Tensix tiles of several chips (tilefarm_router_layout.h). E0 of Ethernet tiles routes; core
   B of Tensix tiles sends packets to all others, and adds up what arrives. */
#include "tilefarm_layout.h"
#include "tilefarm_router_layout.h"

#ifdef TF_CORE_ON_ETH
#include "tilefarm_link.h"

#define JOB (*(const volatile struct tf_router_job *)(uintptr_t)TF_R_JOB)
#define QUEUE 0u

static uint32_t sent, returned, received;   /* packets over the link */
static uint32_t taken[TF_R_PRODUCERS];      /* of producers */
static uint32_t handed[TF_R_PORTS];         /* to other ports */
static uint32_t producer_of[TF_R_IN_SLOTS]; /* of packets that are on the link, by number */

static uint32_t freed_at(uint32_t producer)
{
    return producer < TF_R_PORTS ? TF_R_FREED(JOB.port) : TF_R_TILE_FREED(JOB.port);
}

/* The other end has freed slots. So it has the packets, and their producers may use their slots again. */
static void take_credits(void)
{
    const uint32_t credits = TF_STREAM_REG(TF_R_STREAM, TF_STREAM_SPACE_AVAILABLE);
    for (tf_fence(); ((credits - returned) & 0xFFu) != 0; returned++) {
        const uint32_t producer = producer_of[returned % TF_R_IN_SLOTS];
        tf_sem_inc_remote(0, JOB.producer_xy[producer], freed_at(producer), 1);
    }
}

static void send_some(void)
{
    for (uint32_t producer = 0; producer < TF_R_PRODUCERS && sent - returned < TF_R_IN_SLOTS; producer++) {
        if (TF_WORD(TF_R_FILLED(producer)) == taken[producer])
            continue;
        tf_fence();
        tf_link_write(QUEUE, TF_R_IN(sent), TF_R_SLOT(producer, taken[producer]), TF_R_BYTES);
        taken[producer]++;
        producer_of[sent++ % TF_R_IN_SLOTS] = producer;
        tf_link_signal(QUEUE, TF_L_SIGNAL, TF_L_OWN, sent);
    }
}

/* Write a packet to the next router. Returns false if that one has no free slot. */
static bool hand_on(uint32_t packet, volatile struct tf_router_header *header)
{
    const uint32_t hop = header->hop[header->at], port = hop >> 12, xy = hop & 0xFFFu;
    if (handed[port] - TF_WORD(TF_R_FREED(port)) >= TF_R_SLOTS)
        return false;
    header->at++;
    tf_settle((uint32_t)(uintptr_t)&header->at);
    tf_noc_write(0, xy, TF_R_SLOT(JOB.port, handed[port]), packet, TF_R_BYTES);
    tf_sem_inc_remote(0, xy, TF_R_FILLED(JOB.port), 1);
    handed[port]++;
    return true;
}

static void deliver(uint32_t packet, const volatile struct tf_router_header *header)
{
    tf_noc_write(0, header->xy, header->to, packet + TF_R_HEADER_BYTES, TF_R_DATA_BYTES);
    tf_sem_inc_remote(0, header->xy, TF_R_TILE_ARRIVED, 1);
}

static void receive_one(void)
{
    const uint32_t packet = TF_R_IN(received);
    volatile struct tf_router_header *header = (volatile struct tf_router_header *)(uintptr_t)packet;
    if (received == JOB.receives || !tf_link_signalled(TF_L_SIGNAL, received + 1))
        return;
    tf_fence();
    if (header->at == header->hops)
        deliver(packet, header);
    else if (!hand_on(packet, header))
        return;
    tf_noc_wait(0);
    tf_link_store(QUEUE, TF_STREAM_REG_ADDRESS(TF_R_STREAM, TF_STREAM_SPACE_UPDATE), 1u << 6);
    received++;
}

int main(void)
{
    if (JOB.magic != TF_R_MAGIC)
        return 1;
    while (sent != JOB.sends || returned != JOB.sends || received != JOB.receives) {
        take_credits();
        send_some();
        receive_one();
    }
    tf_link_wait_ready(QUEUE);
    tf_noc_wait(0);
    return 0;
}

#else
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif
#include "tilefarm_device.h"

#define JOB (*(const volatile struct tf_router_tile_job *)(uintptr_t)TF_R_TILE_JOB)

static uint32_t handed[TF_R_PORTS];

static void make_packet(uint32_t to, uint32_t round)
{
    const uint32_t header = TF_R_TILE_HEADERS + to * TF_R_HEADER_BYTES;
    for (uint32_t at = 0; at < TF_R_HEADER_BYTES; at += 4)
        TF_WORD(TF_R_TILE_PACKET + at) = TF_WORD(header + at);
    for (uint32_t at = 0; at < TF_R_DATA_BYTES; at += 4)
        TF_WORD(TF_R_TILE_PACKET + TF_R_HEADER_BYTES + at) = tf_r_word(JOB.seed, JOB.me, to, round, at);
    volatile struct tf_router_header *made = (volatile struct tf_router_header *)(uintptr_t)TF_R_TILE_PACKET;
    made->to = TF_R_TILE_DATA + (JOB.me * JOB.rounds + round) * TF_R_DATA_BYTES;
    tf_settle((uint32_t)(uintptr_t)&made->to);
}

/* To a tile of the same chip without a router; else to the first router, when it has a free slot. */
static void send(void)
{
    const volatile struct tf_router_header *made = (volatile struct tf_router_header *)(uintptr_t)TF_R_TILE_PACKET;
    if (made->hops == 0) {
        tf_noc_write(0, made->xy, made->to, TF_R_TILE_PACKET + TF_R_HEADER_BYTES, TF_R_DATA_BYTES);
        tf_sem_inc_remote(0, made->xy, TF_R_TILE_ARRIVED, 1);
    } else {
        const uint32_t hop = made->hop[0], port = hop >> 12, xy = hop & 0xFFFu;
        if (handed[port] >= TF_R_SLOTS)
            tf_sem_wait_min(TF_R_TILE_FREED(port), handed[port] - TF_R_SLOTS + 1);
        tf_noc_write(0, xy, TF_R_SLOT(JOB.producer, handed[port]), TF_R_TILE_PACKET, TF_R_BYTES);
        tf_sem_inc_remote(0, xy, TF_R_FILLED(JOB.producer), 1);
        handed[port]++;
    }
    tf_noc_wait(0);
}

int main(void)
{
    const uint32_t tiles = JOB.tiles, rounds = JOB.rounds, me = JOB.me;
    uint32_t sum = 0;
    if (JOB.magic != TF_R_MAGIC)
        return 1;
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 1; i < tiles; i++) {
            make_packet((me + i) % tiles, round);
            send();
        }
    tf_sem_wait_min(TF_R_TILE_ARRIVED, (tiles - 1) * rounds);
    for (uint32_t from = 0; from < tiles; from++)
        for (uint32_t at = 0; from != me && at < rounds * TF_R_DATA_BYTES; at += 4)
            sum += TF_WORD(TF_R_TILE_DATA + from * rounds * TF_R_DATA_BYTES + at);
    TF_WORD(TF_R_TILE_RESULT) = sum;
    tf_settle(TF_R_TILE_RESULT);
    return 0;
}
#endif
