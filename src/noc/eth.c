/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of an Ethernet tile without a link partner, and what its firmware would have left and done. Register
 * offsets and values after reset as ttsim has them (data/bh/tile_regs.json, tile.cpp). The two cores do not run.
 */
#include <stdlib.h>
#include <string.h>

#include "noc/endpoints.h"

#define DEBUG_FIRST 0xFFB12000u
#define DEBUG_WORDS 1024u
#define SOFT_RESET_0 0x1B0u
#define SOFT_RESET_CORES 0x1800u
#define CONTROL_FIRST 0xFFB14000u
#define RESET_PC_0 0x00u
#define RESET_PC_1 0x08u
#define QUEUES 3u
#define TXQ_FIRST 0xFFB90000u
#define RXQ_FIRST 0xFFB94000u
#define QUEUE_STRIDE 0x1000u
#define TXQ_COMMAND 0x4u
#define LINK_FIRST 0xFFB98000u
#define LINK_WORDS (0x200u / 4)
#define LINK_PCS_STATUS 0xCu
#define LINK_MAC_RX_ADDRESS_ROUTING 0x154u
#define HEADER_FIRST 0xFFB98200u
#define HEADER_WORDS (0x500u / 4)
#define HEADER_STRIDE 0x80u
#define HEADER_MAC_LOW 0x18u
#define HEADER_MAC_HIGH 0x1Cu
#define QUEUE_WORDS (0x100u / 4)
#define CONTROL_WORDS (0x40u / 4)

struct tf_eth {
    uint32_t debug[DEBUG_WORDS];
    uint32_t control[CONTROL_WORDS];
    uint32_t txq[QUEUES][QUEUE_WORDS], rxq[QUEUES][QUEUE_WORDS];
    uint32_t link[LINK_WORDS], header[HEADER_WORDS];
};

/* Words of L1 that the firmware of a tile without a link partner leaves behind. */
static const struct {
    uint32_t address, value;
} left_behind[] = {
    {0x7CF00, 0x71574}, {0x71574, 0x8067}, /* entry points for programs, each a plain return */
    {0x7CF04, 0x759AC}, {0x759AC, 0x8067},
    {0x7CF08, 0x75414}, {0x75414, 0x8067},
    {0x7CC00, 0xC0DEA000},                 /* initialisation has passed */
    {0x7CC04, 2},                          /* port status: down */
    {0x7CFBC, 0x00010600},                 /* firmware 1.6.0 */
};

struct tf_eth *tf_eth_create(uint8_t *l1)
{
    struct tf_eth *eth = calloc(1, sizeof *eth);
    if (eth == NULL)
        return NULL;
    for (unsigned i = 0; i < sizeof left_behind / sizeof left_behind[0]; i++)
        memcpy(l1 + left_behind[i].address, &left_behind[i].value, 4);
    eth->debug[SOFT_RESET_0 / 4] = SOFT_RESET_CORES;
    for (unsigned i = 0; i < 2; i++) {
        eth->txq[i][0] = 1;
        eth->rxq[i][0] = 2;
    }
    eth->txq[1][0x80 / 4] = 0x111;
    eth->txq[1][0x84 / 4] = 1;
    eth->link[LINK_PCS_STATUS / 4] = 1;
    eth->link[LINK_MAC_RX_ADDRESS_ROUTING / 4] = 0xA00;
    eth->header[HEADER_MAC_LOW / 4] = 0xFFFFFFFF;
    eth->header[HEADER_MAC_HIGH / 4] = 0xFFFF;
    eth->header[(HEADER_STRIDE + HEADER_MAC_LOW) / 4] = 1;
    eth->header[(HEADER_STRIDE + HEADER_MAC_HIGH) / 4] = 0x100;
    return eth;
}

static const uint32_t *in_queues(const uint32_t queue[QUEUES][QUEUE_WORDS], uint32_t offset)
{
    if (offset / QUEUE_STRIDE >= QUEUES || offset % QUEUE_STRIDE >= 4 * QUEUE_WORDS)
        return NULL;
    return &queue[offset / QUEUE_STRIDE][offset % QUEUE_STRIDE / 4];
}

static const uint32_t *word_at(const struct tf_eth *eth, uint32_t address)
{
    const struct {
        uint32_t first, words;
        const uint32_t *word;
    } plain[] = {
        {DEBUG_FIRST, DEBUG_WORDS, eth->debug},
        {CONTROL_FIRST, CONTROL_WORDS, eth->control},
        {LINK_FIRST, LINK_WORDS, eth->link},
        {HEADER_FIRST, HEADER_WORDS, eth->header},
    };
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (address >= plain[i].first && address - plain[i].first < 4 * plain[i].words)
            return &plain[i].word[(address - plain[i].first) / 4];
    const uint32_t *word = address >= TXQ_FIRST ? in_queues(eth->txq, address - TXQ_FIRST) : NULL;
    if (word == NULL && address >= RXQ_FIRST)
        word = in_queues(eth->rxq, address - RXQ_FIRST);
    return word;
}

const char *tf_eth_load(const struct tf_eth *eth, uint32_t address, uint32_t *value)
{
    const uint32_t *word = word_at(eth, address);
    if (word == NULL)
        return "of an Ethernet tile this register is not implemented";
    *value = *word;
    return NULL;
}

const char *tf_eth_store(struct tf_eth *eth, uint32_t address, uint32_t value)
{
    uint32_t *word = (uint32_t *)word_at(eth, address);
    if (word == NULL)
        return "of an Ethernet tile this register is not implemented";
    if (address >= TXQ_FIRST && address < RXQ_FIRST && address % QUEUE_STRIDE == TXQ_COMMAND && value != 0)
        return "nothing can be sent: the Ethernet tile has no link partner";
    uint32_t released = address == DEBUG_FIRST + SOFT_RESET_0 ? ~value & SOFT_RESET_CORES : 0;
    if ((released & 0x800 && eth->control[RESET_PC_0 / 4] != 0) ||
        (released & 0x1000 && eth->control[RESET_PC_1 / 4] != 0))
        return "the cores of Ethernet tiles do not run programs here";
    *word = address == DEBUG_FIRST + SOFT_RESET_0 ? value & SOFT_RESET_CORES : value;
    return NULL;
}

void tf_eth_hash(const struct tf_eth *eth, struct tf_hash *hash)
{
    tf_hash_bytes(hash, eth, sizeof *eth);
}

#define HEARTBEAT 0x7CC70u
#define GO_MESSAGE 0x590u
#define GO_SIGNAL_INIT 0x40u

void tf_eth_host_reads(uint8_t *l1, uint64_t address)
{
    uint32_t beats;
    if (address != HEARTBEAT)
        return;
    memcpy(&beats, l1 + HEARTBEAT, sizeof beats);
    beats++;
    memcpy(l1 + HEARTBEAT, &beats, sizeof beats);
}

void tf_eth_host_wrote(uint8_t *l1, uint64_t address, uint64_t bytes)
{
    if (address == GO_MESSAGE && bytes == 4 && l1[GO_MESSAGE + 3] == GO_SIGNAL_INIT)
        l1[GO_MESSAGE + 3] = 0; /* done */
}
