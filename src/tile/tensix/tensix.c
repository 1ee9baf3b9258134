/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/tensix.h"

#include "host/zeroed.h"
#include "tile/mmio/parts.h"
#include "tile/tensix/debug/trace.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vectors.h"

bool tf_tensix_create(struct tf_tile *tile)
{
    tile->tensix = tf_zeroed_take(sizeof *tile->tensix);
    if (tile->tensix == NULL)
        return false;
    tile->tensix->asleep = true;
    tf_vectors_choose(tile, TF_VECTORS_BEST);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        tf_ttsync_init(&tile->tensix->thread[t].ttsync);
    return true;
}

void tf_tensix_destroy(struct tf_tile *tile)
{
    if (tile->tensix == NULL)
        return;
    tf_sfpu_destroy(tile);
    tf_dst_destroy(tile);
    tf_fpu_destroy(tile);
    tf_trace_end(tile);
    tf_zeroed_give(tile->tensix, sizeof *tile->tensix);
    tile->tensix = NULL;
}

void tf_tensix_delay(struct tf_tile *tile, uint32_t cycles)
{
    tf_tensix_wake(tile->tensix);
    tile->tensix->delay_cycles = cycles;
}

static bool is_closed(const struct tf_tensix_thread *thread, bool from_b)
{
    return from_b ? thread->mid.count >= TF_MID_ENTRIES : thread->fifo.count > TF_FIFO_OPEN;
}

static bool is_tracked(const struct tf_tensix *tensix, unsigned t)
{
    return (tensix->config.thread[t][TF_THREAD_CFG_TRISC_SYNC] & TF_TRISC_SYNC_TRACK_INSTRUCTIONS) != 0;
}

/* RESOURCEDECL acts where Auto TTSync sits, before the first FIFO. */
static enum tf_access declare(struct tf_tile *tile, unsigned t, uint32_t word, unsigned core)
{
    if (!tf_tensix_valid(word)) {
        tf_tile_fault(tile, core, TF_FAULT_UNDEFINED, word, 0, "RESOURCEDECL for Tensix T%u with reserved bits set", t);
        return TF_ACCESS_FAULT;
    }
    tf_ttsync_declare(&tile->tensix->thread[t].ttsync, word);
    return TF_ACCESS_OK;
}

enum tf_access tf_tensix_lacks(struct tf_tile *tile, unsigned core, uint32_t word)
{
    tf_tile_fault(tile, core, TF_FAULT_UNDEFINED, word, 0, "the coprocessor of %s has no %s", tile->arch->family,
                  tf_tensix_ops[word >> 24].mnemonic);
    return TF_ACCESS_FAULT;
}

static enum tf_access push_one(struct tf_tile *tile, unsigned t, uint32_t word, bool from_b, unsigned core, uint32_t pc)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (tile->arch->lacks != NULL && tile->arch->lacks[word >> 24])
        return tf_tensix_lacks(tile, core, word);
    if (!from_b && word >> 24 == TF_OP_RESOURCEDECL)
        return declare(tile, t, word, core);
    bool tracked = !from_b && is_tracked(tile->tensix, t);
    struct tf_push push = {
        .arrival = tile->now,
        .word = word,
        .pc = pc,
        .resources = tracked ? tf_ttsync_pushed(tile->tensix, t, word) : 0,
        .from_b = from_b,
    };
    if (from_b) /* through a debug register it may be in the middle of a turn */
        tile->tensix->occupants |= (uint8_t)(1u << t);
    tf_fifo_put(from_b ? &thread->mid : &thread->fifo, &push);
    return TF_ACCESS_OK;
}

/* Wake a coprocessor for its first push. Until then most of its memory stays untouched. */
static inline void rouse(struct tf_tensix *tensix)
{
    if (!tensix->asleep)
        return;
    if (!tensix->touched)
        tf_zeroed_touch(tensix, sizeof *tensix);
    tensix->touched = true;
    tf_tensix_wake(tensix);
}

enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc)
{
    rouse(tile->tensix);
    if (is_closed(&tile->tensix->thread[thread], from_b))
        return TF_ACCESS_BLOCK;
    return push_one(tile, thread, word, from_b, core, pc);
}

bool tf_tensix_push_free(const struct tf_tile *tile, unsigned thread)
{
    return !is_closed(&tile->tensix->thread[thread], false) && !is_tracked(tile->tensix, thread);
}

struct tf_fifo *tf_tensix_push_open(struct tf_tile *tile, unsigned core)
{
    unsigned t = core - TF_CORE_T0;
    struct tf_tensix *tensix = tile->tensix;
    if (t >= TF_TENSIX_THREADS || tensix == NULL || tensix->asleep || !tf_tensix_push_free(tile, t) ||
        tf_mmio_push_lost(&tile->mmio, t) || tile->arch->lacks != NULL)
        return NULL;
    return &tensix->thread[t].fifo;
}

bool tf_tensix_push_would_block(const struct tf_tile *tile, unsigned thread, bool from_b)
{
    return is_closed(&tile->tensix->thread[thread], from_b);
}

bool tf_tensix_push_full(const struct tf_tile *tile, unsigned thread)
{
    return is_closed(&tile->tensix->thread[thread], true);
}

bool tf_tensix_push_empty(const struct tf_tile *tile, unsigned thread)
{
    return tile->tensix->thread[thread].mid.count == 0;
}

/* Bits of RISCV_DEBUG_REG_SOFT_RESET_0 (SoftReset.md). */
enum {
    RESET_UNITS = 0x7FF, /* the units; what they do while held is the gate's business */
    RESET_TDMA = 1 << 8,
    RESET_SCALAR = 1 << 9,
    RESET_TTSYNC = 1 << 23,
};

/* An instruction that takes more than one cycle is aborted, and configuration beside it zeroed. */
static void reset_scalar(struct tf_tile *tile)
{
    struct tf_tensix *tensix = tile->tensix;
    if (tensix->scalar_holder != 0) {
        struct tf_tensix_thread *thread = &tensix->thread[tensix->scalar_holder - 1];
        thread->gate.full = false;
        tf_ttsync_passed(tensix, tensix->scalar_holder - 1u, thread->gate.resources);
        tensix->scalar_holder = 0;
    }
    tf_config_reset_thcon(tile);
}

void tf_tensix_reset(struct tf_tile *tile)
{
    struct tf_tensix *tensix = tile->tensix;
    uint32_t held = tile->mmio.debug.soft_reset;
    uint32_t entering = held & ~tensix->soft_reset;
    uint32_t leaving = tensix->soft_reset & ~held;
    tensix->soft_reset = held;
    tensix->units_held = held & RESET_UNITS;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if (tile->hart[TF_CORE_T0 + t].state == TF_CORE_RESET)
            tf_frontend_discard(tile, t);
        if ((entering & RESET_TTSYNC) != 0)
            tf_ttsync_init(&tensix->thread[t].ttsync);
    }
    if ((entering & RESET_SCALAR) != 0)
        reset_scalar(tile);
    if ((entering & RESET_TDMA) != 0)
        tf_tdma_reset(&tensix->tdma);
    tf_src_reset(tile, entering);
    tf_packers_reset(tile, entering, leaving);
    tf_rounding_reset(&tensix->rounding, leaving);
    tf_sfpu_reset(tile, entering, leaving);
    tf_dst_reset(tile, entering);
    tf_gate_reconsider(tile);
}
