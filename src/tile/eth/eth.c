/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices of an Ethernet tile: control registers of its cores, queues (send.c, receive.c), link registers.
 * While the tile's first core runs no other program, it shows the state and the answers of the tile's own firmware,
 * too. The tables of families and their sources are in tables.c. Blackhole's memory map is in
 * BlackholeA0/EthernetTile/BabyRISCV/README.md.
 */
#include "tile/eth/eth.h"
#include "tile/mmio/eth_tile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "host/saved.h"
#include "tile/eth/link_saved.h"
#include "tile/eth/parts.h"
#include "tile/eth/receive.h"
#include "tile/eth/rx.h"
#include "tile/eth/send.h"
#include "tile/eth/status.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/riscv/control/view.h"
#include "tile/mmio/reset.h"
#include "tile/eth/connect.h"
#include "tile/eth/word.h"

static const struct tf_eth_arch *arch_of(const struct tf_tile *tile)
{
    return tile->arch->eth;
}

static uint32_t words_of(const struct tf_eth_arch *arch)
{
    uint32_t words = 0;
    for (const struct tf_eth_range *range = arch->range; range->words != 0; range++)
        words += range->words;
    return words;
}

static const char *const no_register = "this register of an Ethernet tile is not implemented";

static bool is_classifier(const struct tf_eth_arch *arch, uint32_t address)
{
    return arch->classifier && address - TF_ETH_RX_FIRST < TF_ETH_RX_BYTES;
}

/* The words are not read at one time: a reader looks at the high one again. */
static bool load_timer(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    if (arch->timer == 0 || address - arch->timer >= 2 * sizeof *value)
        return false;
    *value = (uint32_t)(tile->cycle / arch->timer_cycles >> (address == arch->timer ? 0 : 32));
    *pure = false;
    return true;
}

static enum tf_access load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    const struct tf_eth *eth = tile->mmio.eth;
    const uint32_t *word = tf_eth_word(tile, address);
    if (is_classifier(arch, address)) {
        *value = eth->rx != NULL ? tf_eth_rx_load(eth->rx, address - TF_ETH_RX_FIRST) : 0;
        return TF_ACCESS_OK;
    }
    if (load_timer(tile, address, value, pure))
        return TF_ACCESS_OK;
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    if (!tf_eth_load_sending(tile, address, value, pure) && !tf_eth_load_receiving(tile, address, value, pure))
        *value = address == arch->difference ? *word ^ TF_ETH_EOP_GOOD_RESET : *word;
    return TF_ACCESS_OK;
}

static enum tf_access store_rx(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_eth *eth = tile->mmio.eth;
    if (eth->rx == NULL)
        eth->rx = tf_eth_rx_create();
    if (eth->rx == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_HOST, address,
                             "the host has no memory for the receive classifier's registers");
    tf_eth_rx_store(eth->rx, address - TF_ETH_RX_FIRST, value);
    return TF_ACCESS_OK;
}

/* InstructionRAM.md: fill the whole instruction RAM from L1, beginning at 16 times this number. */
static enum tf_access load_iram(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    uint32_t bytes = tile->arch->iram_bytes, place = tile->arch->l1_bytes;
    for (unsigned i = 0; i < 2; i++)
        if (*tf_eth_word(tile, arch->quiet[i].address) != arch->quiet[i].value)
            return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                                 "instruction RAM is loaded while the Ethernet link is on");
    if (value > (place - bytes) / 16)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "instruction RAM is loaded from beyond L1");
    if (tile->hart[tile->arch->iram_core].state != TF_CORE_RESET &&
        tile->hart[tile->arch->iram_core].pc - TF_IRAM_BASE < bytes)
        return tf_mmio_fault(tile, from, TF_FAULT_UNPREDICTABLE, address,
                             "instruction RAM is loaded while the core executes it");
    memcpy(tile->l1 + place, tile->l1 + 16 * value, bytes);
    tf_code_written(tile, place, bytes, TF_WROTE_MOVER);
    *tf_eth_word(tile, address) = value & ~1u; /* the transfer has finished */
    return TF_ACCESS_OK;
}

static enum tf_access store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    uint32_t *word = tf_eth_word(tile, address);
    if (is_classifier(arch, address))
        return store_rx(tile, from, address, value);
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    if (tf_eth_is_command(arch, address))
        return value != 0 ? tf_eth_send(tile, from, address, value) : TF_ACCESS_OK;
    if (address == arch->iram_load && address != 0)
        return load_iram(tile, from, address, value);
    if (address == arch->sum)
        value += *word;
    if (address == arch->difference)
        value ^= TF_ETH_EOP_GOOD_RESET;
    const uint32_t bits = tf_eth_receiving_bits(arch, address);
    *word = (*word & ~bits) | (value & bits);
    tf_eth_stored_receiving(tile, address);
    return TF_ACCESS_OK;
}

static uint32_t reset_pc(const struct tf_tile *tile, unsigned core)
{
    return *tf_eth_word(tile, arch_of(tile)->reset_pc[core]);
}

void tf_eth_set_reset_pc(struct tf_tile *tile, unsigned core, uint32_t pc)
{
    *tf_eth_word(tile, arch_of(tile)->reset_pc[core]) = pc;
}

static uint32_t reset_bits(const struct tf_tile *tile)
{
    return arch_of(tile)->soft_reset;
}

static bool is_spare(const struct tf_tile *tile, uint32_t offset)
{
    for (const uint16_t *spare = arch_of(tile)->spare; *spare != 0; spare++)
        if (*spare == offset)
            return true;
    return false;
}

static uint32_t word_of(const struct tf_tile *tile, uint32_t address)
{
    uint32_t value;
    memcpy(&value, tile->l1 + address, sizeof value);
    return value;
}

/* The firmware calls a program, which may return. */
static void call(struct tf_tile *tile, unsigned core, uint32_t pc)
{
    struct tf_hart *hart = &tile->hart[core];
    tf_hart_release(tile, hart, pc, tile->cycle);
    hart->local_zero = false;
    hart->x[1] = arch_of(tile)->return_to;
    hart->x[2] = arch_of(tile)->stack_top;
}

/*
 * The core's pc is its reset PC, which is 0 after power-on (EthernetTile/SoftReset.md). tt-metal leaves it so, and
 * stores a jump at 0. With nothing there, the core returns to its tile's firmware, and this file performs what is
 * visible of it.
 */
static bool starts(const struct tf_tile *tile, unsigned core)
{
    return reset_pc(tile, core) != 0 || word_of(tile, 0) != 0;
}

static void leave_reset(struct tf_tile *tile, unsigned core)
{
    if (arch_of(tile)->calls_at_reset)
        call(tile, core, reset_pc(tile, core));
    else
        tf_hart_release(tile, &tile->hart[core], reset_pc(tile, core), tile->cycle);
}

bool tf_eth_runs_firmware(const struct tf_tile *tile)
{
    struct tf_core_view view;
    if (tile->hart[0].state == TF_CORE_RESET)
        return !tf_debug_holds_firmware(tile);
    tf_hart_look((struct tf_tile *)tile, &tile->hart[0], &view);
    return view.pc - arch_of(tile)->return_to < arch_of(tile)->return_bytes;
}

static const struct tf_eth_calls calls = {
    .load = load,
    .store = store,
    .reset_pc = reset_pc,
    .starts = starts,
    .leave_reset = leave_reset,
    .reset_bits = reset_bits,
    .is_spare = is_spare,
};

bool tf_eth_create(struct tf_tile *tile)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    struct tf_eth *eth = calloc(1, sizeof *eth);
    if (eth == NULL)
        return false;
    for (const struct tf_eth_word *word = arch->left_behind; word->address != 0; word++)
        memcpy(tile->l1 + word->address, &word->value, 4);
    tile->mmio.eth = eth;
    tile->mmio.eth_calls = &calls;
    for (const struct tf_eth_word *word = arch->reset; word->address != 0; word++)
        *tf_eth_word(tile, word->address) = word->value;
    return true;
}

void tf_eth_destroy(struct tf_tile *tile)
{
    if (tile->mmio.eth == NULL)
        return;
    tf_eth_disconnect(tile);
    free(tile->mmio.eth->rx);
    free(tile->mmio.eth);
    tile->mmio.eth = NULL;
}

static void set_word(struct tf_tile *tile, uint32_t address, uint32_t value)
{
    memcpy(tile->l1 + address, &value, sizeof value);
    tf_tile_l1_written(tile, address, sizeof value);
}

bool tf_eth_read_acts(const struct tf_tile *tile, uint64_t address)
{
    const struct tf_eth_arch *arch = arch_of(tile);
    const bool beats = tile->mmio.eth->link != NULL || !arch->heartbeat.with_link;
    return beats && arch->heartbeat.address != 0 && address == arch->heartbeat.address;
}

void tf_eth_host_read(struct tf_tile *tile, uint64_t address)
{
    if (!tf_eth_read_acts(tile, address) || !tf_eth_runs_firmware(tile))
        return;
    const uint32_t signature = arch_of(tile)->heartbeat.signature;
    const uint32_t next = word_of(tile, (uint32_t)address) + 1;
    set_word(tile, (uint32_t)address, signature == 0 ? next : signature | (next & 0xFFFF));
}

#define GO_MESSAGE 0x590u
#define GO_SIGNAL 0xFF000000u
#define GO_SIGNAL_INIT 0x40000000u
#define MAILBOX 0x7D000u
#define MAILBOX_STRIDE 0x10u
#define MAILBOXES 4u
#define CALL 0xCA110000u
#define DONE 0xD0E50000u

/* Messages (eth_fw_api.h of tt-metal). All but RELEASE_CORE are about the link, which stays down, or the firmware. */
enum { LINK_STATUS_CHECK = 1, RELEASE_CORE = 2, PORT_REINIT_MACPCS = 6, PORT_ACTION = 9, DYNAMIC_NOC_INIT = 0xF };

static bool is_message(uint32_t type)
{
    return type == LINK_STATUS_CHECK || type == RELEASE_CORE || type == PORT_REINIT_MACPCS || type == PORT_ACTION ||
           type == DYNAMIC_NOC_INIT;
}

/*
 * Is there a message that the firmware answers? If core E0 runs a program, that calls service_eth_msg() of the
 * firmware from time to time. Such calls are not seen, and are taken for granted. No message restarts the program.
 */
static bool is_asked(const struct tf_tile *tile, uint32_t mailbox)
{
    const uint32_t message = word_of(tile, mailbox), type = message & 0xFFFF;
    return message - type == CALL && is_message(type) && (type != RELEASE_CORE || tf_eth_runs_firmware(tile));
}

static void answer(struct tf_tile *tile, uint32_t mailbox)
{
    if (!is_asked(tile, mailbox))
        return;
    const uint32_t type = word_of(tile, mailbox) & 0xFFFF;
    if (type == LINK_STATUS_CHECK)
        tf_eth_status_count(tile);
    if (type == RELEASE_CORE)
        call(tile, 0, word_of(tile, mailbox + 4));
    set_word(tile, mailbox, DONE | type);
    for (uint32_t argument = 4; argument < MAILBOX_STRIDE; argument += 4)
        set_word(tile, mailbox + argument, 0);
}

bool tf_eth_has_message(const struct tf_tile *tile)
{
    bool asked = false;
    if (arch_of(tile)->launch != TF_ETH_MAILBOX)
        return false;
    for (unsigned i = 0; i < MAILBOXES; i++)
        asked |= word_of(tile, MAILBOX + i * MAILBOX_STRIDE) >> 16 == CALL >> 16;
    for (unsigned i = 0; asked && i < MAILBOXES; i++)
        if (is_asked(tile, MAILBOX + i * MAILBOX_STRIDE))
            return true;
    return false;
}

void tf_eth_answer_messages(struct tf_tile *tile)
{
    for (unsigned i = 0; i < MAILBOXES; i++)
        answer(tile, MAILBOX + i * MAILBOX_STRIDE);
}

/* CallingIntoCustomerCode.md: the program clears the flag, and then returns. */
static void take_flag(struct tf_tile *tile, const struct tf_eth_arch *arch, uint64_t address, uint64_t bytes)
{
    if (address <= arch->flag && arch->flag - address < bytes && word_of(tile, arch->flag) != 0)
        call(tile, 0, arch->program);
}

void tf_eth_host_wrote(struct tf_tile *tile, uint64_t address, uint64_t bytes)
{
    uint64_t offset = address - MAILBOX;
    if (arch_of(tile)->launch == TF_ETH_FLAG && tf_eth_runs_firmware(tile))
        take_flag(tile, arch_of(tile), address, bytes);
    if (arch_of(tile)->launch == TF_ETH_FLAG || bytes != 4 || !tf_eth_runs_firmware(tile))
        return;
    if (address == GO_MESSAGE && (word_of(tile, GO_MESSAGE) & GO_SIGNAL) == GO_SIGNAL_INIT) {
        set_word(tile, GO_MESSAGE, word_of(tile, GO_MESSAGE) & ~GO_SIGNAL); /* the program has returned */
        return;
    }
    if (offset < MAILBOXES * MAILBOX_STRIDE && offset % MAILBOX_STRIDE == 0)
        answer(tile, (uint32_t)address);
}

void tf_eth_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    const struct tf_eth *eth = tile->mmio.eth;
    tf_hash_bytes(hash, eth->word, 4 * words_of(arch_of(tile)));
    if (eth->rx != NULL)
        tf_eth_rx_hash(eth->rx, hash);
    if (eth->link != NULL)
        tf_eth_link_hash(eth->link, hash);
}

void tf_eth_state(struct tf_saved *saved, struct tf_tile *tile)
{
    struct tf_eth *eth = tile->mmio.eth;
    TF_SAVED_SPAN(saved, eth, word, rx);
    bool written = tf_saved_count(saved, eth->rx != NULL, 1);
    if (written && eth->rx == NULL)
        eth->rx = tf_eth_rx_create();
    if (written && eth->rx == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    else if (written)
        tf_eth_rx_state(saved, eth->rx);
    const bool linked = tf_saved_count(saved, eth->link != NULL, 1);
    tf_saved_demand(saved, linked == (eth->link != NULL),
                    linked ? "its Ethernet tiles have links: it is a chip of a system"
                           : "its Ethernet tiles have no links");
    if (linked && saved->why == NULL)
        tf_eth_link_state(saved, eth->link, tile->arch->l1_bytes);
}
