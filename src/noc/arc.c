/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ARC tile as its firmware leaves it. Layout, telemetry tags and message codes as ttsim has them (tile.cpp,
 * data/bh/tile_regs.json), since user-mode drivers are tested against ttsim. arch.h has the values of the telemetry.
 */
#include <stdlib.h>
#include <string.h>

#include "noc/endpoints.h"

#define RESET_UNIT 0x30000u
#define SCRATCH (RESET_UNIT + 0x60)
#define MISC_CONTROL (RESET_UNIT + 0x100)
#define SCRATCH_RAM (RESET_UNIT + 0x400)
#define MESSAGE_FIFO 0xB0000u
#define MESSAGE_FIFO_BYTES 0x1000u

#define MISC_CONTROL_IRQ0 (1u << 16)

#define SCRATCHES 8u
#define SCRATCH_RAMS 16u
enum { RAM_BOOT_STATUS = 2, RAM_QUEUES = 11, RAM_TELEMETRY_VALUES = 12, RAM_TELEMETRY_TABLE = 13 };
#define BOOT_STATUS_READY 5u /* the core has started, and accepts messages */

#define TELEMETRY_TABLE 0x100u /* offsets in CSM */
#define TELEMETRY_VALUES 0x200u
#define QUEUE_CONTROL 0x300u
#define QUEUES 0x400u
#define QUEUE_COUNT 4u
#define QUEUE_ENTRIES 8u
#define QUEUE_HEADER_BYTES 32u
#define ENTRY_BYTES 32u

struct tf_arc {
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

struct tf_arc *tf_arc_create(const struct tf_arch *arch)
{
    const struct tf_telemetry *telemetry = arch->arc.telemetry;
    const unsigned count = arch->arc.telemetry_entries;
    struct tf_arc *arc = calloc(1, sizeof *arc);
    if (arc == NULL)
        return NULL;
    const uint32_t csm_first = arc->csm_first = (uint32_t)arch->space.arc_csm_first;
    put(arc, TELEMETRY_TABLE, 1);
    put(arc, TELEMETRY_TABLE + 4, count);
    for (unsigned i = 0; i < count; i++) {
        put(arc, TELEMETRY_TABLE + 8 + 4 * i, telemetry[i].tag | i << 16);
        put(arc, TELEMETRY_VALUES + 4 * i, telemetry[i].value);
    }
    put(arc, QUEUE_CONTROL, csm_first + QUEUES);
    put(arc, QUEUE_CONTROL + 4, QUEUE_ENTRIES | QUEUE_COUNT << 8);
    arc->scratch_ram[RAM_BOOT_STATUS] = BOOT_STATUS_READY;
    arc->scratch_ram[RAM_QUEUES] = csm_first + QUEUE_CONTROL;
    arc->scratch_ram[RAM_TELEMETRY_VALUES] = csm_first + TELEMETRY_VALUES;
    arc->scratch_ram[RAM_TELEMETRY_TABLE] = csm_first + TELEMETRY_TABLE;
    return arc;
}

uint8_t *tf_arc_csm(struct tf_arc *arc)
{
    return arc->csm;
}

/* The first word of the answer to a message: 0 for messages without a visible effect. */
static uint32_t answer(uint8_t code)
{
    enum { SET_ETH_DRAM_TRAINED_STATUS = 0x58, ERROR_REPLY = 0xFF };
    static const uint8_t without_effect[] = {0x11, 0x21, 0x51, 0x52, 0x53, 0x54, 0x56, 0x57, 0x90,
                                             0xA0, 0xA3, 0xB6, 0xB7, 0xBA, 0xBC, 0xC1, 0xC7};
    if (code == SET_ETH_DRAM_TRAINED_STATUS)
        return 1;
    return memchr(without_effect, code, sizeof without_effect) != NULL ? 0 : ERROR_REPLY;
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

/* Answer all queues. Clients may move them: words of CSM and of a scratch register say where they are. */
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
    if (offset >= SCRATCH_RAM && offset < SCRATCH_RAM + 4 * SCRATCH_RAMS)
        return &arc->scratch_ram[(offset - SCRATCH_RAM) / 4];
    return offset == MISC_CONTROL ? &arc->misc_control : NULL;
}

const char *tf_arc_load(const struct tf_arc *arc, uint32_t offset, uint32_t *value)
{
    const uint32_t *word = word_at(arc, offset);
    if (word == NULL)
        return "the ARC tile has no such register here";
    *value = *word;
    return NULL;
}

const char *tf_arc_store(struct tf_arc *arc, uint32_t offset, uint32_t value)
{
    if (offset >= MESSAGE_FIFO && offset < MESSAGE_FIFO + MESSAGE_FIFO_BYTES)
        return serve_all(arc);
    uint32_t *word = (uint32_t *)word_at(arc, offset);
    if (word == NULL)
        return "the ARC tile has no such register here";
    *word = value;
    if (offset != MISC_CONTROL || !(value & MISC_CONTROL_IRQ0))
        return NULL;
    *word = value & ~MISC_CONTROL_IRQ0;
    return serve_all(arc);
}

void tf_arc_hash(const struct tf_arc *arc, struct tf_hash *hash)
{
    tf_hash_bytes(hash, arc->scratch, sizeof arc->scratch);
    tf_hash_bytes(hash, arc->scratch_ram, sizeof arc->scratch_ram);
    tf_hash_u32(hash, arc->misc_control);
    tf_hash_memory(hash, arc->csm, sizeof arc->csm);
}
