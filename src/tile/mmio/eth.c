/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices of an Ethernet tile: control registers of its two cores, queues, and link registers without a link
 * partner. Also the state and the answers of the tile's own firmware, while core E0 runs nothing else. Register
 * offsets, values after reset, and the firmware's part are ttsim's (data/bh/tile_regs.json, tile.cpp); memory map:
 * BlackholeA0/EthernetTile/BabyRISCV/README.md.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tile/mmio/eth_rx.h"
#include "tile/mmio/parts.h"
#include "host/saved.h"
#include "tile/riscv/code.h"
#include "tile/riscv/control.h"
#include "tile/riscv/hart.h"

#define CONTROL_FIRST TF_ETH_CONTROL_BASE
#define CONTROL_WORDS (0x64u / 4)
#define RESET_PC_0 0x00u
#define RESET_PC_1 0x08u
#define INTERRUPT_MODE 0x20u
#define QUEUES 3u
#define TXQ_FIRST TF_ETH_LINK_BASE
#define RXQ_FIRST (TF_ETH_LINK_BASE + 0x4000)
#define QUEUE_STRIDE 0x1000u
#define QUEUE_WORDS (0x100u / 4)
#define TXQ_COMMAND 0x4u
#define LINK_FIRST (TF_ETH_LINK_BASE + 0x8000)
#define LINK_WORDS (0x200u / 4)
#define LINK_PCS_STATUS 0xCu
#define LINK_EOP_STATUS_GOOD 0x120u
#define LINK_MAC_RX_ADDRESS_ROUTING 0x154u
#define HEADER_FIRST (TF_ETH_LINK_BASE + 0x8200)
#define HEADER_WORDS (0x500u / 4)
#define HEADER_STRIDE 0x80u
#define HEADER_MAC_LOW 0x18u
#define HEADER_MAC_HIGH 0x1Cu

#define EOP_STATUS_GOOD_RESET 0x1Fu /* the stored word is the difference to this (EthernetRxClassifier.md) */

struct tf_eth {
    uint32_t control[CONTROL_WORDS];
    uint32_t txq[QUEUES][QUEUE_WORDS], rxq[QUEUES][QUEUE_WORDS];
    uint32_t link[LINK_WORDS], header[HEADER_WORDS];
    struct tf_eth_rx *rx; /* NULL: never written */
};

/* The return address of programs that the firmware calls: code that reports them as done, and idles. */
#define RETURN_TO 0x7FFF0u
#define RETURN_BYTES 8u
#define STACK_TOP (TF_LOCAL_BASE + TF_LOCAL_BYTES)
#define GO_MESSAGE 0x590u
#define HEARTBEAT 0x7CC70u

/* Words of L1 that the firmware writes in a tile without a link partner. */
static const struct {
    uint32_t address, value;
} left_behind[] = {
    {0x7CF00, 0x71574},
    {0x71574, 0x8067}, /* entry points for programs: each returns at once */
    {0x7CF04, 0x759AC},
    {0x759AC, 0x8067},
    {0x7CF08, 0x75414},
    {0x75414, 0x8067},
    {0x7CC00, 0xC0DEA000},       /* initialisation has passed */
    {0x7CC04, 2},                /* port status: down */
    {0x7CFBC, 0x00010600},       /* firmware 1.6.0 */
    {RETURN_TO, 0x580009A3},     /* sb x0, 0x593(x0): the go message's signal becomes "done" */
    {RETURN_TO + 4, 0x0000006F}, /* j . */
};

bool tf_eth_create(struct tf_tile *tile)
{
    struct tf_eth *eth = calloc(1, sizeof *eth);
    if (eth == NULL)
        return false;
    for (unsigned i = 0; i < sizeof left_behind / sizeof left_behind[0]; i++)
        memcpy(tile->l1 + left_behind[i].address, &left_behind[i].value, 4);
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
    tile->mmio.eth = eth;
    return true;
}

void tf_eth_destroy(struct tf_tile *tile)
{
    if (tile->mmio.eth != NULL)
        free(tile->mmio.eth->rx);
    free(tile->mmio.eth);
    tile->mmio.eth = NULL;
}

static uint32_t *in_queues(uint32_t queue[QUEUES][QUEUE_WORDS], uint32_t offset)
{
    if (offset / QUEUE_STRIDE >= QUEUES || offset % QUEUE_STRIDE >= 4 * QUEUE_WORDS)
        return NULL;
    return &queue[offset / QUEUE_STRIDE][offset % QUEUE_STRIDE / 4];
}

static uint32_t *word_at(struct tf_eth *eth, uint32_t address)
{
    const struct {
        uint32_t first, words;
        uint32_t *word;
    } range[] = {
        {CONTROL_FIRST, CONTROL_WORDS, eth->control},
        {LINK_FIRST, LINK_WORDS, eth->link},
        {HEADER_FIRST, HEADER_WORDS, eth->header},
    };
    for (unsigned i = 0; i < sizeof range / sizeof range[0]; i++)
        if (address >= range[i].first && address - range[i].first < 4 * range[i].words)
            return &range[i].word[(address - range[i].first) / 4];
    uint32_t *word = address >= TXQ_FIRST ? in_queues(eth->txq, address - TXQ_FIRST) : NULL;
    if (word == NULL && address >= RXQ_FIRST)
        word = in_queues(eth->rxq, address - RXQ_FIRST);
    return word;
}

static const char *const no_register = "this register of an Ethernet tile is not implemented";

enum tf_access tf_eth_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth *eth = tile->mmio.eth;
    const uint32_t *word = word_at(tile->mmio.eth, address);
    (void)pure;
    if (address - TF_ETH_RX_FIRST < TF_ETH_RX_BYTES) {
        *value = eth->rx != NULL ? tf_eth_rx_load(eth->rx, address - TF_ETH_RX_FIRST) : 0;
        return TF_ACCESS_OK;
    }
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    *value = address == LINK_FIRST + LINK_EOP_STATUS_GOOD ? *word ^ EOP_STATUS_GOOD_RESET : *word;
    return TF_ACCESS_OK;
}

static enum tf_access store_rx(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_eth *eth = tile->mmio.eth;
    if (eth->rx == NULL)
        eth->rx = tf_eth_rx_create();
    if (eth->rx == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_HOST, address, "no memory for the receive classifier's registers");
    tf_eth_rx_store(eth->rx, address - TF_ETH_RX_FIRST, value);
    return TF_ACCESS_OK;
}

enum tf_access tf_eth_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t *word = word_at(tile->mmio.eth, address);
    if (address - TF_ETH_RX_FIRST < TF_ETH_RX_BYTES)
        return store_rx(tile, from, address, value);
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    if (address >= TXQ_FIRST && address < RXQ_FIRST && address % QUEUE_STRIDE == TXQ_COMMAND && value != 0)
        return tf_mmio_fault(tile, from, TF_FAULT_UNSUPPORTED, address,
                             "nothing can be sent: the Ethernet tile has no link partner");
    if (address >= CONTROL_FIRST + INTERRUPT_MODE && address < CONTROL_FIRST + 4 * CONTROL_WORDS && value != 0)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                             "the interrupts of Ethernet cores are not implemented");
    *word = address == LINK_FIRST + LINK_EOP_STATUS_GOOD ? value ^ EOP_STATUS_GOOD_RESET : value;
    return TF_ACCESS_OK;
}

uint32_t tf_eth_reset_pc(const struct tf_tile *tile, unsigned core)
{
    return tile->mmio.eth->control[(core == 0 ? RESET_PC_0 : RESET_PC_1) / 4];
}

void tf_eth_release(struct tf_tile *tile, unsigned core, uint32_t pc)
{
    struct tf_hart *hart = &tile->hart[core];
    tf_hart_release(tile, hart, pc, tile->now);
    hart->local_zero = false;
    hart->x[1] = RETURN_TO;
    hart->x[2] = STACK_TOP;
}

/* Does E0 run the firmware? */
static bool in_firmware(const struct tf_tile *tile)
{
    struct tf_core_view view;
    if (tile->hart[0].state == TF_CORE_RESET)
        return true;
    tf_hart_look((struct tf_tile *)tile, &tile->hart[0], &view);
    return view.pc - RETURN_TO < RETURN_BYTES;
}

static uint32_t word_of(const struct tf_tile *tile, uint32_t address)
{
    uint32_t value;
    memcpy(&value, tile->l1 + address, sizeof value);
    return value;
}

static void set_word(struct tf_tile *tile, uint32_t address, uint32_t value)
{
    memcpy(tile->l1 + address, &value, sizeof value);
    tf_tile_l1_written(tile, address, sizeof value);
}

bool tf_eth_heeds_read(uint64_t address)
{
    return address == HEARTBEAT;
}

void tf_eth_host_read(struct tf_tile *tile, uint64_t address)
{
    if (address == HEARTBEAT && in_firmware(tile))
        set_word(tile, HEARTBEAT, word_of(tile, HEARTBEAT) + 1);
}

#define GO_SIGNAL 0xFF000000u
#define GO_SIGNAL_INIT 0x40000000u
#define MAILBOX 0x7D000u
#define MAILBOX_STRIDE 0x10u
#define MAILBOXES 4u
#define CALL_RELEASE_CORE 0xCA110002u
#define DONE_RELEASE_CORE 0xD0E50002u

void tf_eth_host_wrote(struct tf_tile *tile, uint64_t address, uint64_t bytes)
{
    uint64_t offset = address - MAILBOX;
    if (bytes != 4 || !in_firmware(tile))
        return;
    if (address == GO_MESSAGE && (word_of(tile, GO_MESSAGE) & GO_SIGNAL) == GO_SIGNAL_INIT) {
        set_word(tile, GO_MESSAGE, word_of(tile, GO_MESSAGE) & ~GO_SIGNAL); /* done */
        return;
    }
    if (offset >= MAILBOXES * MAILBOX_STRIDE || offset % MAILBOX_STRIDE != 0)
        return;
    uint32_t mailbox = (uint32_t)address;
    if (word_of(tile, mailbox) != CALL_RELEASE_CORE)
        return;
    tf_eth_release(tile, 0, word_of(tile, mailbox + 4));
    set_word(tile, mailbox, DONE_RELEASE_CORE);
    for (uint32_t argument = 4; argument < MAILBOX_STRIDE; argument += 4)
        set_word(tile, mailbox + argument, 0);
}

void tf_eth_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    tf_hash_bytes(hash, mmio->eth, offsetof(struct tf_eth, header) + sizeof mmio->eth->header);
    if (mmio->eth->rx != NULL)
        tf_eth_rx_hash(mmio->eth->rx, hash);
}

void tf_eth_state(struct tf_saved *saved, struct tf_mmio *mmio)
{
    struct tf_eth *eth = mmio->eth;
    TF_SAVED_SPAN(saved, eth, control, rx);
    bool written = tf_saved_count(saved, eth->rx != NULL, 1);
    if (written && eth->rx == NULL)
        eth->rx = tf_eth_rx_create();
    if (written && eth->rx == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    else if (written)
        tf_eth_rx_state(saved, eth->rx);
}
