/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The NOC overlay's 64 streams while they are idle: registers that act as memory with atomic adds. Sources:
 * WormholeB0/NoC/Overlay/ AsGeneralUse.md (widths, side effects), README.md (which streams can do what),
 * LoadConfigurationFromL1.md; register numbers of Blackhole from its noc_overlay_parameters.h. Registers without a page
 * read 0 and accept writes; a family with numbers of its own has a list of registers, and no others. Starting a phase
 * is a fault, except in a family with stream_phases (phase.h).
 */
#include "tile/mmio/streams/stream.h"

#include <stdlib.h>

#include "tile/state.h"
#include "tile/mmio/streams/phase.h"
#include "tile/mmio/streams/phase_state.h"
#include "tile/mmio/streams/stream_page.h"
#include "host/saved.h"
#include "tile/riscv/hart/access_fault.h"

static enum tf_access no_memory(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return tf_mmio_fault(tile, from, TF_FAULT_HOST, address, "the host has no memory for a stream's registers");
}

/* The base of a register whose stores add a base and whose loads subtract it, or NO_SLOT. */
static enum slot base_of(unsigned index)
{
    switch (index) {
    case REMOTE_SRC_PHASE:
    case CURR_PHASE: return SLOT_CURR_PHASE_BASE;
    case PHASE_AUTO_CFG_PTR: return SLOT_PHASE_AUTO_CFG_PTR_BASE;
    default: return NO_SLOT;
    }
}

static uint32_t buffer_space(const struct tf_stream *stream)
{
    uint32_t size = tf_stream_page_get(stream, SLOT_BUF_SIZE), read = tf_stream_page_get(stream, SLOT_RD_PTR),
             write = tf_stream_page_get(stream, SLOT_WR_PTR);
    if (read == write || size == 0)
        return size;
    return (read % size + size - write % size) % size;
}

static unsigned destinations(const struct tf_tile *tile, unsigned number)
{
    return tf_stream_can(tile, number, MULTICAST) ? DESTINATIONS : 1;
}

/* DEBUG_STATUS + 2: bit 0, the L1 read complete FIFO is not full; bit 3, all destinations have space. */
static uint32_t debug_status(const struct tf_tile *tile, unsigned number, unsigned word)
{
    const struct tf_stream *stream = &tile->mmio.stream[number];
    if (word != 2)
        return 0;
    bool all = true;
    for (unsigned i = 0; i < destinations(tile, number); i++)
        all = all && tf_stream_space(stream, i) != 0;
    return (tf_stream_phase_reads_full(tile, number) ? 0 : 1) | (uint32_t)all << 3;
}

static enum tf_access no_stream(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "there is no such stream");
}

/* Load registers that are read-only, or whose loads differ from stores. All other registers of an idle stream read
   0. */
static uint32_t load_special(const struct tf_tile *tile, unsigned number, unsigned index)
{
    const struct tf_stream *stream = &tile->mmio.stream[number];
    switch (index) {
    case WAIT_STATUS: return 1; /* idle: it waits for software */
    case BUF_SPACE_AVAILABLE: return buffer_space(stream);
    case MSG_INFO_CAN_PUSH_NEW_MSG:
        return tf_stream_page_get(stream, SLOT_MSG_INFO_PTR) == tf_stream_page_get(stream, SLOT_MSG_INFO_WR_PTR);
    case GLOBAL_OFFSET_TABLE_RD ... GLOBAL_OFFSET_TABLE_RD + OFFSETS - 1:
        return stream->page != NULL ? stream->page->offset[index - GLOBAL_OFFSET_TABLE_RD] : 0;
    case SPACE_AVAILABLE ... SPACE_AVAILABLE + DESTINATIONS - 1:
        return index - SPACE_AVAILABLE < destinations(tile, number) ? tf_stream_space(stream, index - SPACE_AVAILABLE)
                                                                    : 0;
    case DEBUG_STATUS ... DEBUG_STATUS + 9: return debug_status(tile, number, index - DEBUG_STATUS);
    default: return 0;
    }
}

/* Find the stream's number and the register's index. Returns false if the tile has no such stream. */
static bool locate(const struct tf_tile *tile, uint32_t address, unsigned *number, unsigned *index)
{
    *number = address >> 12 & (TF_STREAMS - 1);
    *index = address >> 2 & 0x3FF;
    return *number < tile->arch->streams;
}

/* Find Blackhole's number of a register of the family, and the bits that it has. Returns false if it is not
   implemented. */
static bool find_register(const struct tf_tile *tile, unsigned *index, uint32_t *bits)
{
    return tf_overlay_find(tile->arch->stream_place, *index, index, bits);
}

static enum tf_access no_register(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                         "not implemented: no page of NoC/Overlay describes this register of the family's streams");
}

bool tf_stream_pops(const struct tf_tile *tile, uint32_t address)
{
    unsigned number, index;
    uint32_t bits;
    return locate(tile, address, &number, &index) && find_register(tile, &index, &bits) &&
           index == BLOB_NEXT_AUTO_CFG_DONE;
}

bool tf_stream_load_acts(const struct tf_tile *tile, uint32_t address)
{
    return address / TF_STREAM_BYTES == TF_STREAM_BASE / TF_STREAM_BYTES && tf_stream_pops(tile, address);
}

/* Find one of the registers in which circular buffers count. Returns false for another register. */
static inline bool load_counter(const struct tf_stream *stream, unsigned index, uint32_t *value)
{
    switch (index) {
    case REMOTE_DEST_BUF_START: *value = stream->dest_buf_start; return true;
    case REMOTE_DEST_BUF_SIZE: *value = stream->dest_buf_size; return true;
    case SPACE_AVAILABLE: *value = stream->space_available; return true;
    default: return false;
    }
}

static __attribute__((noinline)) enum tf_access load(struct tf_tile *tile, unsigned from, uint32_t address,
                                                     uint32_t *value, bool *pure)
{
    unsigned number, index;
    uint32_t bits;
    *value = 0;
    if (!locate(tile, address, &number, &index))
        return no_stream(tile, from, address);
    if (!find_register(tile, &index, &bits))
        return no_register(tile, from, address);
    if (index >= INDICES)
        return TF_ACCESS_OK;
    const struct tf_stream *stream = &tile->mmio.stream[number];
    if (tile->arch->stream_phases && tf_stream_phase_load(tile, number, index, value, pure))
        return TF_ACCESS_OK;
    if (load_counter(stream, index, value))
        return TF_ACCESS_OK;
    switch (index) {
    case PHASE_AUTO_CFG_PTR:
        *value = (stream->auto_cfg_ptr - tf_stream_page_get(stream, SLOT_PHASE_AUTO_CFG_PTR_BASE)) & WORDS_MASK;
        return TF_ACCESS_OK;
    case PHASE_AUTO_CFG_HEADER:
        /* the low 12 bits count the messages that remain in the phase; here they are those of the last store */
        *value = (tf_stream_page_get(stream, SLOT_PHASE_AUTO_CFG_HEADER) & ~0xFFFu) |
                 (tf_stream_page_get(stream, SLOT_PHASE_AUTO_CFG_HEADER) >> 12 & 0xFFF);
        return TF_ACCESS_OK;
    default: break;
    }
    enum slot slot = (enum slot)tf_stream_slot_of[index];
    if (slot == NO_SLOT) {
        *value = load_special(tile, number, index);
        return TF_ACCESS_OK;
    }
    *value = (tf_stream_page_get(stream, slot) - tf_stream_page_get(stream, base_of(index))) &
             tf_stream_slots[slot].mask;
    return TF_ACCESS_OK;
}

/* A family with Blackhole's register numbers and without phases has its counters in one place (row `reader-writer`). */
enum tf_access tf_stream_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    unsigned number, index;
    bool counts = tile->arch->stream_place == NULL && !tile->arch->stream_phases;
    if (counts && locate(tile, address, &number, &index) && load_counter(&tile->mmio.stream[number], index, value))
        return TF_ACCESS_OK;
    return load(tile, from, address, value, pure);
}

/* The access, for a phase that may act: its configuration is stored by tf_stream_store(). */
static struct acting acting(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number)
{
    return (struct acting){.tile = tile, .number = number, .from = from, .address = address, .store = tf_stream_store};
}

static enum tf_access store_dest_size(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number,
                                      uint32_t value)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    if (destinations(tile, number) > 1) {
        if (!tf_stream_keeps(stream))
            return no_memory(tile, from, address);
        for (unsigned i = 1; i < DESTINATIONS; i++)
            stream->page->space_available[i] = value & WORDS_MASK;
    }
    stream->dest_buf_size = value & WORDS_MASK;
    stream->space_available = value & WORDS_MASK;
    return stream->phase != NULL ? tf_stream_phase_counted(acting(tile, from, address, number)) : TF_ACCESS_OK;
}

/* A store of (j << 6) + i adds j to the space available at destination i, atomically. */
static enum tf_access store_update(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number,
                                   uint32_t value)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    unsigned destination = value & 0x3F;
    if (destination >= destinations(tile, number))
        return TF_ACCESS_OK; /* there is no register of destination 0 */
    if (destination != 0 && !tf_stream_keeps(stream))
        return no_memory(tile, from, address);
    tf_stream_add_space(stream, destination, value >> 6);
    return stream->phase != NULL ? tf_stream_phase_counted(acting(tile, from, address, number)) : TF_ACCESS_OK;
}

/* Bits 16:0 are the offset, bits 19:17 the entry; bit 20 clears the table. */
static void store_offset(struct tf_stream_page *page, uint32_t value)
{
    for (unsigned i = 0; i < OFFSETS && value >> 20 & 1; i++)
        page->offset[i] = 0;
    if (!(value >> 20 & 1))
        page->offset[value >> 17 & (OFFSETS - 1)] = value & WORDS_MASK;
}

static enum tf_access store_special(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number,
                                    unsigned index, uint32_t value)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    switch (index) {
    case SPACE_AVAILABLE_UPDATE: return store_update(tile, from, address, number, value);
    case GLOBAL_OFFSET_TABLE:
        if (!tf_stream_keeps(stream))
            return no_memory(tile, from, address);
        store_offset(stream->page, value);
        return TF_ACCESS_OK;
    case BLOB_AUTO_CFG_DONE ... BLOB_AUTO_CFG_DONE + 1:
    case SET_MSG_HEADER ... SET_MSG_HEADER + 3:
        return tile->arch->stream_phases ? tf_stream_phase_store(acting(tile, from, address, number), index, value)
                                         : TF_ACCESS_OK;
    case SOURCE_ENDPOINT_NEW_MSG_INFO:
    case NUM_MSGS_RECEIVED_INC:
    case RELOAD_PHASE_BLOB:
    case MULTI_MSG_CLEAR ... SRC_READY_UPDATE:
        if (tile->arch->stream_phases)
            return tf_stream_phase_store(acting(tile, from, address, number), index, value);
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "overlay streams do not run phases");
    default: return TF_ACCESS_OK; /* read-only, undocumented, or without effect on an idle stream */
    }
}

/* The effects of a store to a kept register on other registers. */
static void side_effects(struct tf_stream_page *page, unsigned index, uint32_t value)
{
    switch (index) {
    case BUF_START:
        page->word[SLOT_RD_PTR] = 0;
        page->word[SLOT_WR_PTR] = 0;
        break;
    case RD_PTR:
        page->word[SLOT_NEXT_RECEIVED_MSG_ADDR] = (page->word[SLOT_BUF_START] + page->word[SLOT_RD_PTR]) & WORDS_MASK;
        break;
    case PHASE_AUTO_CFG_HEADER:
        page->word[SLOT_CURR_PHASE] = (page->word[SLOT_CURR_PHASE] + (value & 0xFFF)) &
                                      tf_stream_slots[SLOT_CURR_PHASE].mask;
        break;
    default: break;
    }
}

static enum tf_access store_kept(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number, unsigned index,
                                 uint32_t value)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    enum slot slot = (enum slot)tf_stream_slot_of[index];
    if (!tf_stream_can(tile, number, tf_stream_slots[slot].streams) || index == NEXT_RECEIVED_MSG_ADDR)
        return TF_ACCESS_OK;
    if ((index == ONETIME_MISC_CFG && value & 1) || (index == MISC_CFG && (value & tile->arch->stream_starts) != 0))
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                             "overlay streams do not load their configuration from L1");
    if (!tf_stream_keeps(stream))
        return no_memory(tile, from, address);
    if (index == PHASE_AUTO_CFG_HEADER && tile->arch->stream_phases &&
        (tf_stream_page_get(stream, SLOT_MISC_CFG) & AUTO_CONFIG) != 0)
        stream->auto_cfg_ptr = (stream->auto_cfg_ptr + ((tf_stream_page_get(stream, slot) >> 24) + 1) * 4) & WORDS_MASK;
    stream->page->word[slot] = (value + tf_stream_page_get(stream, base_of(index))) & tf_stream_slots[slot].mask;
    side_effects(stream->page, index, value);
    if (tile->arch->stream_phases && index == MISC_CFG)
        return tf_stream_phase_configured(acting(tile, from, address, number));
    if (index == REMOTE_DEST_WR_PTR)
        tf_stream_phase_placed(stream);
    if (tile->arch->stream_phases && index == REMOTE_DEST_MSG_INFO_WR_PTR)
        return tf_stream_phase_counted(acting(tile, from, address, number));
    return TF_ACCESS_OK;
}

enum tf_access tf_stream_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned number, index;
    uint32_t bits;
    if (!locate(tile, address, &number, &index))
        return no_stream(tile, from, address);
    if (!find_register(tile, &index, &bits))
        return no_register(tile, from, address);
    value &= bits;
    if (index >= INDICES)
        return TF_ACCESS_OK;
    struct tf_stream *stream = &tile->mmio.stream[number];
    switch (index) {
    case REMOTE_DEST_BUF_START:
        stream->dest_buf_start = value & WORDS_MASK;
        if (stream->page != NULL)
            stream->page->word[SLOT_REMOTE_DEST_WR_PTR] = 0;
        tf_stream_phase_placed(stream);
        return TF_ACCESS_OK;
    case REMOTE_DEST_BUF_SIZE: return store_dest_size(tile, from, address, number, value);
    case PHASE_AUTO_CFG_PTR:
        stream->auto_cfg_ptr = (value + tf_stream_page_get(stream, SLOT_PHASE_AUTO_CFG_PTR_BASE)) & WORDS_MASK;
        return TF_ACCESS_OK;
    default: break;
    }
    if (tf_stream_slot_of[index] == NO_SLOT)
        return store_special(tile, from, address, number, index, value);
    return store_kept(tile, from, address, number, index, value);
}

void tf_stream_fini(struct tf_mmio *mmio)
{
    for (unsigned i = 0; i < TF_STREAMS; i++) {
        struct tf_stream *stream = &mmio->stream[i];
        if (stream->page == NULL && stream->phase == NULL) /* most streams: row `startup` */
            continue;
        free(stream->page);
        free(stream->phase);
        stream->page = NULL;
        stream->phase = NULL;
    }
}

static bool is_zero(const struct tf_stream_page *page)
{
    static const struct tf_stream_page zero;
    return __builtin_memcmp(page, &zero, sizeof zero) == 0;
}

/* A page of zeros has the hash of no page. */
void tf_stream_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    for (unsigned i = 0; i < TF_STREAMS; i++) {
        const struct tf_stream *stream = &mmio->stream[i];
        tf_hash_bytes(hash, stream, offsetof(struct tf_stream, page));
        tf_stream_phase_hash(stream, i, hash);
        if (stream->page == NULL || is_zero(stream->page))
            continue;
        tf_hash_u32(hash, i);
        tf_hash_bytes(hash, stream->page, sizeof *stream->page);
    }
    if ((mmio->blobs_done | mmio->next_blob) == 0)
        return;
    tf_hash_u64(hash, mmio->blobs_done);
    tf_hash_u32(hash, mmio->next_blob);
}

TF_SAVED_WHOLE(struct tf_stream, 32);

void tf_stream_state(struct tf_saved *saved, struct tf_mmio *mmio)
{
    for (unsigned i = 0; i < TF_STREAMS; i++) {
        struct tf_stream *stream = &mmio->stream[i];
        TF_SAVED_SPAN(saved, stream, dest_buf_start, page);
        bool paged = tf_saved_count(saved, stream->page != NULL, 1);
        if (paged && !tf_stream_keeps(stream))
            tf_saved_fail(saved, tf_saved_no_memory);
        else if (paged)
            tf_saved_bytes(saved, stream->page, sizeof *stream->page);
        tf_stream_phase_state(saved, stream);
    }
    TF_SAVED(saved, mmio->blobs_done);
    TF_SAVED(saved, mmio->next_blob);
    TF_SAVED(saved, mmio->stream_sends);
}
