/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ARC tile as its firmware leaves it. Layout, telemetry tags and message codes are those of ttsim (tile.cpp,
 * data/bh/tile_regs.json, data/wh/tile_regs.json). User-mode drivers are tested against ttsim. arch.h has the values of
 * the telemetry. Blackhole takes messages in queues. Wormhole takes a message in scratch registers, which also hold its
 * answer (tt-umd, wormhole_arc_messenger.cpp).
 */
#include <stdlib.h>
#include <string.h>

#include "noc/nodes/arc.h"
#include "host/saved.h"
#include "noc/nodes/pcie.h"
#include "tile/arch.h"
#include "tile/hash.h"

#define RESET_UNIT 0x30000u
#define SCRATCH (RESET_UNIT + 0x60)
#define REFCLK_LOW (RESET_UNIT + 0xE0) /* ResetUnit.md: 64 bits at 27 MHz */
#define REFCLK_HIGH (RESET_UNIT + 0xE4)
#define REFCLK_MHZ 27u
#define AICLK_MHZ 1000u /* a cycle of the chip is one of this clock */
#define MISC_CONTROL (RESET_UNIT + 0x100)
#define SCRATCH_RAM (RESET_UNIT + 0x400)
#define NODE_ID_X (RESET_UNIT + 0x1D0) /* Wormhole's firmware keeps addresses of telemetry in these two */
#define NODE_ID_Y (RESET_UNIT + 0x1D4)
#define QUEUES_AT (RESET_UNIT + 0x1D8) /* here firmware says that there are no message queues */
#define MESSAGE_FIFO 0xB0000u
#define MESSAGE_FIFO_BYTES 0x1000u

#define MISC_CONTROL_IRQ0 (1u << 16)

#define SCRATCHES 8u
#define SCRATCH_RAMS 16u
enum { RAM_BOOT_STATUS = 2, RAM_QUEUES = 11, RAM_TELEMETRY_VALUES = 12, RAM_TELEMETRY_TABLE = 13 };
#define BOOT_STATUS_READY 5u /* the core has started, and accepts messages */

#define MAILBOX 0x783C4u       /* of Wormhole: operands of messages; tt-umd's wormhole_implementation.hpp */
#define TELEMETRY_TABLE 0x100u /* offsets in CSM */
#define QUEUE_CONTROL 0x300u
#define QUEUES 0x400u
#define QUEUE_COUNT 4u
#define QUEUE_ENTRIES 8u
#define QUEUE_HEADER_BYTES 32u
#define ENTRY_BYTES 32u

struct tf_arc {
    const struct tf_arch *arch;
    struct tf_pcie *pcie; /* set by tf_arc_reach() */
    uint64_t cycle;       /* cycle of the access */
    uint32_t csm_first;
    uint32_t scratch[SCRATCHES];
    uint32_t scratch_ram[SCRATCH_RAMS];
    uint32_t misc_control;
    uint8_t csm[TF_ARC_CSM_BYTES];
};

static uint32_t get(const struct tf_arc *arc, uint32_t at)
{
    uint32_t value;
    memcpy(&value, arc->csm + at, sizeof value);
    return value;
}

static void put(struct tf_arc *arc, uint32_t at, uint32_t value)
{
    memcpy(arc->csm + at, &value, sizeof value);
}

/* Add a field of telemetry to its word in the older layout. */
static void put_older(struct tf_arc *arc, const struct tf_older_telemetry *older)
{
    uint64_t value = older->value;
    for (unsigned i = 0; older->tag != 0 && i < arc->arch->arc.telemetry_entries; i++)
        if (arc->arch->arc.telemetry[i].tag == older->tag)
            value = arc->arch->arc.telemetry[i].value;
    value = value >> older->from & ((1ull << older->bits) - 1);
    put(arc, 4u * older->word, get(arc, 4u * older->word) | (uint32_t)value << older->to);
}

struct tf_arc *tf_arc_create(const struct tf_arch *arch)
{
    const struct tf_telemetry *telemetry = arch->arc.telemetry;
    const unsigned count = arch->arc.telemetry_entries;
    struct tf_arc *arc = calloc(1, sizeof *arc);
    if (arc == NULL)
        return NULL;
    const uint32_t csm_first = arc->csm_first = (uint32_t)arch->space.arc_csm_first;
    arc->arch = arch;
    arc->scratch[0] = arch->arc.post_code;
    put(arc, TELEMETRY_TABLE, 1);
    put(arc, TELEMETRY_TABLE + 4, count);
    for (unsigned i = 0; i < count; i++) {
        put(arc, TELEMETRY_TABLE + 8 + 4 * i, telemetry[i].tag | i << 16);
        put(arc, TF_ARC_TELEMETRY_VALUES + 4 * i, telemetry[i].value);
    }
    for (unsigned i = 0; i < arch->arc.older_entries; i++)
        put_older(arc, &arch->arc.older[i]);
    if (arch->arc.messages_in_scratch)
        return arc;
    put(arc, QUEUE_CONTROL, csm_first + QUEUES);
    put(arc, QUEUE_CONTROL + 4, QUEUE_ENTRIES | QUEUE_COUNT << 8);
    arc->scratch_ram[RAM_BOOT_STATUS] = BOOT_STATUS_READY;
    arc->scratch_ram[RAM_QUEUES] = csm_first + QUEUE_CONTROL;
    arc->scratch_ram[RAM_TELEMETRY_VALUES] = csm_first + TF_ARC_TELEMETRY_VALUES;
    arc->scratch_ram[RAM_TELEMETRY_TABLE] = csm_first + TELEMETRY_TABLE;
    return arc;
}

void tf_arc_at(struct tf_arc *arc, uint64_t cycle)
{
    arc->cycle = cycle;
}

void tf_arc_reach(struct tf_arc *arc, struct tf_pcie *pcie)
{
    arc->pcie = pcie;
}

uint8_t *tf_arc_csm(struct tf_arc *arc)
{
    return arc->csm;
}

enum { GET_HARVESTING = 0x57, SET_ETH_DRAM_TRAINED_STATUS = 0x58, ONLY_IN_QUEUES = 0xC7 };

/* Does a message have no visible effect? In scratch registers, GET_HARVESTING has an effect. */
static bool is_without_effect(uint8_t code, bool in_scratch)
{
    static const uint8_t codes[] = {0x11, 0x21, 0x51, 0x52, 0x53, 0x54, 0x56, GET_HARVESTING, 0x90,
                                    0xA0, 0xA3, 0xB6, 0xB7, 0xBA, 0xBC, 0xC1, ONLY_IN_QUEUES};
    return memchr(codes, code, sizeof codes) != NULL &&
           !(in_scratch && (code == GET_HARVESTING || code == ONLY_IN_QUEUES));
}

/* The first word of the answer to a message in a queue. */
static uint32_t answer(uint8_t code)
{
    enum { ERROR_REPLY = 0xFF };
    if (code == SET_ETH_DRAM_TRAINED_STATUS)
        return 1;
    return is_without_effect(code, false) ? 0 : ERROR_REPLY;
}

/* Rows of Tensix tiles that are fused off, in the order of the die. */
static uint32_t harvested_rows(const struct tf_arch *arch)
{
    uint32_t mask = 0;
    for (unsigned i = 0; arch->fuse != NULL && i < arch->fuse->rows; i++)
        mask |= (arch->board.rows_off >> arch->fuse->row[i] & 1) << i;
    return mask;
}

/* tt-umd, WormholeTTDevice::configure_iatu_region(): the mailbox has region, target and size; the base follows. */
static bool set_iatu_region(const struct tf_arc *arc)
{
    uint32_t region = get(arc, MAILBOX), bytes = get(arc, MAILBOX + 12);
    uint64_t target = get(arc, MAILBOX + 4) | (uint64_t)get(arc, MAILBOX + 8) << 32;
    return arc->pcie != NULL && tf_pcie_set_region(arc->pcie, region, bytes, target);
}

/* Answer the message in the scratch registers. The firmware answers an unknown message with all ones. */
static void serve_scratch(struct tf_arc *arc)
{
    enum { RESULT = 3, STATUS = 5 };
    enum { GET_SMBUS_TELEMETRY_ADDR = 0x2C, GET_AICLK = 0x34, SETUP_IATU_FOR_PEER_TO_PEER = 0x97 };
    uint8_t code = (uint8_t)arc->scratch[STATUS];
    switch (code) {
    case GET_SMBUS_TELEMETRY_ADDR: arc->scratch[RESULT] = 0; break; /* from the start of CSM */
    case GET_AICLK: arc->scratch[RESULT] = AICLK_MHZ; break;
    case GET_HARVESTING: arc->scratch[RESULT] = harvested_rows(arc->arch); break;
    case SET_ETH_DRAM_TRAINED_STATUS: arc->scratch[RESULT] = 1; break;
    default:
        if (!is_without_effect(code, true) && (code != SETUP_IATU_FOR_PEER_TO_PEER || !set_iatu_region(arc))) {
            arc->scratch[STATUS] = UINT32_MAX;
            return;
        }
    }
    arc->scratch[STATUS] = code; /* bits 31:16: exit code 0 */
}

/* Answer the requests in a queue. A queue is a header, a ring of requests and a ring of responses. */
static const char *serve(struct tf_arc *arc, uint32_t queue, uint32_t entries)
{
    uint32_t written = get(arc, queue), taken = get(arc, queue + 0x10), answered = get(arc, queue + 0x14);
    uint32_t waiting = (written - taken) % (2 * entries);
    if (waiting > entries)
        return "the pointers of an ARC message queue exceed its size";
    uint32_t requests = queue + QUEUE_HEADER_BYTES, responses = requests + entries * ENTRY_BYTES;
    for (; waiting > 0; waiting--) {
        uint32_t code = get(arc, requests + taken % entries * ENTRY_BYTES) & 0xFF;
        uint32_t response = responses + answered % entries * ENTRY_BYTES;
        memset(arc->csm + response, 0, ENTRY_BYTES);
        put(arc, response, answer((uint8_t)code));
        taken = (taken + 1) % (2 * entries);
        answered = (answered + 1) % (2 * entries);
    }
    put(arc, queue + 0x10, taken);
    put(arc, queue + 0x14, answered);
    return NULL;
}

/* Answer all queues. Clients may move them: words of CSM and a scratch register say where they are. */
static const char *serve_all(struct tf_arc *arc)
{
    uint32_t control = arc->scratch_ram[RAM_QUEUES] - arc->csm_first;
    if (control > TF_ARC_CSM_BYTES - 8)
        return "the control block of the ARC message queues lies outside CSM";
    uint32_t first = get(arc, control) - arc->csm_first, entries = get(arc, control + 4) & 0xFF;
    uint32_t stride = QUEUE_HEADER_BYTES + 2 * entries * ENTRY_BYTES;
    if (entries == 0 || first > TF_ARC_CSM_BYTES || QUEUE_COUNT * stride > TF_ARC_CSM_BYTES - first)
        return "the ARC message queues lie outside CSM";
    const char *why = NULL;
    for (uint32_t i = 0; i < QUEUE_COUNT && why == NULL; i++)
        why = serve(arc, first + i * stride, entries);
    return why;
}

static const uint32_t *word_at(const struct tf_arc *arc, uint32_t offset)
{
    if (offset >= SCRATCH && offset < SCRATCH + 4 * SCRATCHES)
        return &arc->scratch[(offset - SCRATCH) / 4];
    if (!arc->arch->arc.messages_in_scratch && offset >= SCRATCH_RAM && offset < SCRATCH_RAM + 4 * SCRATCH_RAMS)
        return &arc->scratch_ram[(offset - SCRATCH_RAM) / 4];
    return offset == MISC_CONTROL ? &arc->misc_control : NULL;
}

/* Registers of Wormhole: its clock, and those that hold addresses which firmware reports. Returns false if there is no
   such register. */
static bool read_only(const struct tf_arc *arc, uint32_t offset, uint32_t *value)
{
    const uint64_t refclk = arc->cycle * REFCLK_MHZ / AICLK_MHZ;
    switch (offset) {
    case NODE_ID_X: *value = arc->csm_first + TELEMETRY_TABLE; break;
    case NODE_ID_Y: *value = arc->csm_first + TF_ARC_TELEMETRY_VALUES; break;
    case QUEUES_AT: *value = 0; break;
    case REFCLK_LOW: *value = (uint32_t)refclk; break;
    case REFCLK_HIGH: *value = (uint32_t)(refclk >> 32); break;
    default: return false;
    }
    return arc->arch->arc.messages_in_scratch;
}

static const char *const no_register = "the ARC tile has no register at this address";

const char *tf_arc_load(const struct tf_arc *arc, uint32_t offset, uint32_t *value)
{
    const uint32_t *word = word_at(arc, offset);
    if (word != NULL)
        *value = *word;
    else if (!read_only(arc, offset, value))
        return no_register;
    return NULL;
}

const char *tf_arc_store(struct tf_arc *arc, uint32_t offset, uint32_t value)
{
    bool in_scratch = arc->arch->arc.messages_in_scratch;
    if (!in_scratch && offset >= MESSAGE_FIFO && offset < MESSAGE_FIFO + MESSAGE_FIFO_BYTES)
        return serve_all(arc);
    uint32_t *word = (uint32_t *)word_at(arc, offset);
    if (word == NULL)
        return no_register;
    *word = value;
    if (offset != MISC_CONTROL || !(value & MISC_CONTROL_IRQ0))
        return NULL;
    *word = value & ~MISC_CONTROL_IRQ0;
    if (!in_scratch)
        return serve_all(arc);
    serve_scratch(arc);
    return NULL;
}

void tf_arc_hash(const struct tf_arc *arc, struct tf_hash *hash)
{
    tf_hash_bytes(hash, arc->scratch, sizeof arc->scratch);
    tf_hash_bytes(hash, arc->scratch_ram, sizeof arc->scratch_ram);
    tf_hash_u32(hash, arc->misc_control);
    tf_hash_memory(hash, arc->csm, sizeof arc->csm);
}

void tf_arc_state(struct tf_saved *saved, struct tf_arc *arc)
{
    TF_SAVED_SPAN(saved, arc, scratch, csm);
    tf_saved_memory(saved, arc->csm, sizeof arc->csm);
}
