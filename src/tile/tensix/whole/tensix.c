/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/tensix.h"

#include <stdlib.h>

#include "host/zeroed.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/asleep.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/late.h"
#include "tile/tensix/scalar/thmem.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/packers.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/vector/vector.h"
#include "tile/tensix/whole/vectors.h"

/* The parts that tf_tensix_create() writes. Those of all tiles are adjacent: row `startup`. */
struct head {
    struct tf_tensix tensix;
    bool touched; /* tf_zeroed_touch() has been called for the body */
    struct tf_frontend frontend;
    struct tf_fpu fpu;
    struct tf_unpack unpack;
    struct tf_pack pack;
    struct tf_ttsync ttsync[TF_TENSIX_THREADS];
    struct tf_backend_config config;
};

/* The other parts, which stay untouched until the first push. SrcA and SrcB are large, so they come last. Each of their
   rows lies in one cache line of the host. */
struct body {
    struct tf_tensix_thread thread[TF_TENSIX_THREADS];
    struct tf_busy busy;
    struct tf_sync sync;
    struct tf_src_banks src;
    struct tf_thcon thcon;
    struct tf_adcs adcs;
    struct tf_rwc rwc[TF_TENSIX_THREADS];
    struct tf_tdma tdma;
    struct tf_packer packer[TF_PACKERS];
    struct tf_rounding rounding;
    struct tf_vector vector;
    _Alignas(64) struct tf_src src_data;
    struct tf_dst dst; /* of programs that have a use for it */
};

_Static_assert(offsetof(struct head, tensix) == 0, "head_of() relies on it");

static struct head *head_of(struct tf_tensix *tensix)
{
    return (struct head *)(void *)tensix;
}

static const struct tf_late_units late_units = {.move = tf_mover_finish,
                                                .request = tf_scalar_finish,
                                                .unpack = tf_unpack_finish};

static void connect_parts(struct head *head, struct body *body)
{
    head->tensix = (struct tf_tensix){
        .thread = body->thread,
        .frontend = &head->frontend,
        .sync = &body->sync,
        .ttsync = head->ttsync,
        .busy = &body->busy,
        .thcon = &body->thcon,
        .config = &head->config,
        .adcs = &body->adcs,
        .rwc = body->rwc,
        .src = &body->src,
        .src_data = &body->src_data,
        .dst_memory = &body->dst,
        .vector_memory = &body->vector,
        .rounding = &body->rounding,
        .unpack = &head->unpack,
        .fpu = &head->fpu,
        .pack = &head->pack,
        .packer = body->packer,
        .tdma = &body->tdma,
        .late = &late_units,
    };
}

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t tf_tensix_head_bytes(const struct tf_tile_arch *arch)
{
    return lines(sizeof(struct head)) + (arch->config != NULL ? lines(sizeof(struct tf_own_config)) : 0) +
           (arch->units.packers != 0 ? lines(sizeof(struct tf_four)) : 0);
}

size_t tf_tensix_body_bytes(void)
{
    return sizeof(struct body);
}

void tf_tensix_create(struct tf_tile *tile, void *at_head, void *at_body)
{
    struct head *head = at_head;
    uint8_t *more = (uint8_t *)at_head + lines(sizeof *head);
    connect_parts(head, at_body);
    if (tile->arch->config != NULL) {
        head->tensix.own_config = (struct tf_own_config *)(void *)more;
        more += lines(sizeof(struct tf_own_config));
    }
    if (tile->arch->units.packers != 0) {
        head->tensix.four = (struct tf_four *)(void *)more;
        head->tensix.pack = head->tensix.four->pack;
        head->tensix.busy_packers = &head->tensix.four->busy;
    }
    head->tensix.config->writes = 1;
    tile->tensix = &head->tensix;
    tf_config_fix(tile);
    tf_vectors_choose(tile, TF_VECTORS_BEST);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        tf_ttsync_init(&head->ttsync[t]);
}

void tf_tensix_destroy(struct tf_tile *tile)
{
    if (tile->tensix == NULL)
        return;
    tf_sfpu_destroy(tile);
    tf_fpu_destroy(tile);
    tf_trace_end(tile);
    tile->tensix = NULL;
}

void tf_tensix_delay(struct tf_tile *tile, uint32_t cycles)
{
    tile->tensix->delay_cycles = cycles;
}

static bool is_closed(const struct tf_tensix_thread *thread, bool from_b)
{
    return from_b ? thread->mid.count >= TF_MID_ENTRIES : thread->fifo.count > TF_FIFO_OPEN;
}

/* RESOURCEDECL acts in the stage of Auto TTSync, before the first FIFO. */
static enum tf_access declare(struct tf_tile *tile, unsigned t, uint32_t word, unsigned core)
{
    if (!tf_tensix_valid(word)) {
        tf_tile_fault(tile, core, TF_FAULT_UNDEFINED, word, 0, "RESOURCEDECL for Tensix T%u with reserved bits set", t);
        return TF_ACCESS_FAULT;
    }
    tf_ttsync_declare(&tile->tensix->ttsync[t], word);
    return TF_ACCESS_OK;
}

bool tf_tensix_of_family(struct tf_tile *tile, unsigned core, uint32_t *word)
{
    const char *name = tf_tensix_ops[*word >> 24].mnemonic, *family = tile->arch->family;
    switch (tf_family_word(tile->arch, word)) {
    case TF_WORD_RIGHT: return true;
    case TF_WORD_ABSENT:
        tf_tile_fault(tile, core, TF_FAULT_UNDEFINED, *word, 0, "the coprocessor of %s has no %s", family, name);
        break;
    case TF_WORD_UNSUPPORTED:
        tf_tile_fault(tile, core, TF_FAULT_UNIMPLEMENTED, *word, 0, "%s of %s is not implemented", name, family);
        break;
    case TF_WORD_RESERVED:
        tf_tile_fault(tile, core, TF_FAULT_UNDEFINED, *word, 0, "%s of %s with reserved bits set", name, family);
        break;
    case TF_WORD_MODE_UNSUPPORTED:
        tf_tile_fault(tile, core, TF_FAULT_UNIMPLEMENTED, *word, 0, "this mode of %s's %s is not implemented", family,
                      name);
        break;
    }
    return false;
}

/* A push through a debug register may come within a turn: a STOREREG of another thread may cause it. */
static inline void note_bus_push(struct tf_tensix *tensix, unsigned t)
{
    tensix->frontend->bus_pushed |= (uint8_t)(1u << t);
    tensix->events |= TF_CHANGE_PUSHED;
}

static enum tf_access push_one(struct tf_tile *tile, unsigned t, uint32_t word, bool from_b, unsigned core, uint32_t pc)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (tile->arch->opcode != NULL && !tf_tensix_of_family(tile, core, &word))
        return TF_ACCESS_FAULT;
    if (!from_b && word >> 24 == TF_OP_RESOURCEDECL)
        return declare(tile, t, word, core);
    bool tracked = !from_b && tf_ttsync_counts(tile->tensix, t);
    struct tf_push push = {
        .arrival = tile->cycle,
        .word = word,
        .pc = pc,
        .resources = tracked ? tf_ttsync_pushed(tile->tensix, t, word) : 0,
        .from_b = from_b,
        .kind = tracked ? TF_KIND_UNKNOWN : tf_kind_of(word),
    };
    if (from_b)
        note_bus_push(tile->tensix, t);
    tf_fifo_put(from_b ? &thread->mid : &thread->fifo, &push);
    return TF_ACCESS_OK;
}

/* Wake a coprocessor that is asleep. Until its first push most of its memory stays untouched. */
static __attribute__((noinline)) void wake(struct tf_tile *tile)
{
    struct head *head = head_of(tile->tensix);
    if (!head->touched)
        tf_zeroed_touch(tile->tensix->thread, offsetof(struct body, dst));
    head->touched = true;
    tf_tensix_wake(tile);
}

static inline void rouse(struct tf_tile *tile)
{
    if (tf_tensix_asleep(tile))
        wake(tile);
}

enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc)
{
    rouse(tile);
    if (is_closed(&tile->tensix->thread[thread], from_b))
        return TF_ACCESS_BLOCK;
    return push_one(tile, thread, word, from_b, core, pc);
}

bool tf_tensix_push_free(const struct tf_tile *tile, unsigned thread)
{
    return !is_closed(&tile->tensix->thread[thread], false) && !tf_ttsync_counts(tile->tensix, thread) &&
           !tf_mmio_push_lost(&tile->mmio, thread);
}

void tf_tensix_lose_pushes(struct tf_tile *tile, unsigned thread, uint64_t first)
{
    struct tf_fifo *fifo = &tile->tensix->thread[thread].fifo, *lost = &tile->tensix->thread[thread].lost;
    unsigned count = 0;
    for (; fifo->count != 0 && tf_fifo_last(fifo)->arrival >= first; fifo->count--, count++)
        tf_ttsync_passed(tile->tensix, thread, tf_fifo_last(fifo)->resources);
    for (lost->count = 0; lost->count < count; lost->count++)
        lost->entry[lost->count] = *tf_fifo_entry(fifo, fifo->count + lost->count);
}

void tf_tensix_keep_pushes(struct tf_tile *tile, unsigned thread, uint64_t first)
{
    struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    for (unsigned i = 0; i < at->lost.count; i++) {
        struct tf_push push = at->lost.entry[i];
        if (push.arrival < first)
            continue;
        rouse(tile);
        note_bus_push(tile->tensix, thread);
        push.kind = TF_KIND_UNKNOWN;
        push.resources = tf_ttsync_counts(tile->tensix, thread) ? tf_ttsync_pushed(tile->tensix, thread, push.word) : 0;
        tf_fifo_put(&at->fifo, &push);
    }
    at->lost.count = 0;
}

struct tf_fifo *tf_tensix_push_open(struct tf_tile *tile, unsigned core)
{
    unsigned t = core - TF_CORE_T0;
    struct tf_tensix *tensix = tile->tensix;
    if (t >= TF_TENSIX_THREADS || tensix == NULL || !tf_tensix_push_free(tile, t))
        return NULL;
    rouse(tile);
    return &tensix->thread[t].fifo;
}

bool tf_tensix_push_closed(const struct tf_tile *tile, unsigned core)
{
    unsigned t = core - TF_CORE_T0;
    return t < TF_TENSIX_THREADS && tile->tensix != NULL && is_closed(&tile->tensix->thread[t], false);
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

/* Abort an instruction that takes more than one cycle, and zero the configuration of the ThCon. */
static void reset_scalar(struct tf_tile *tile)
{
    struct tf_tensix *tensix = tile->tensix;
    if (tensix->frontend->scalar_holder != 0) {
        struct tf_tensix_thread *thread = &tensix->thread[tensix->frontend->scalar_holder - 1];
        thread->gate.full = false;
        tf_ttsync_passed(tensix, tensix->frontend->scalar_holder - 1u, thread->gate.resources);
        tensix->frontend->scalar_holder = 0;
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
    tensix->units_held = held & TF_RESET_UNITS;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if (tile->hart[TF_CORE_T0 + t].state == TF_CORE_RESET && !tf_tensix_asleep(tile))
            tf_frontend_discard(tile, t);
        if ((entering & TF_RESET_TTSYNC) != 0)
            tf_ttsync_init(&tensix->ttsync[t]);
    }
    if ((entering & TF_RESET_SCALAR) != 0)
        reset_scalar(tile);
    if ((entering & TF_RESET_TDMA) != 0)
        tf_tdma_reset(tensix->tdma);
    tf_src_reset(tile, entering);
    tf_packers_reset(tile, entering, leaving);
    tf_rounding_reset(tensix->rounding, leaving);
    tf_sfpu_reset(tile, entering, leaving);
    tf_dst_reset(tile, entering);
    tf_gate_reconsider(tile, TF_CHANGE_ALL);
}
