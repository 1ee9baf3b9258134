/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/status.h"

#include "tile/state.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

/* Bits of tt_cfg_qstatus and tt_cfg_bstatus (BabyRISCV/CSRs.md). */
enum {
    STATUS_REPLAY = 1 << 0,
    STATUS_MOP = 1 << 1,
    STATUS_SCALAR = 1 << 2,
    STATUS_MOVER = 1 << 3,
    STATUS_UNPACK = 1 << 4,
    STATUS_PACK = 1 << 5,
    STATUS_CONFIG = 1 << 6,
    STATUS_SYNC = 1 << 7,
    STATUS_TDMA = 1 << 8, /* miscellaneous, mover, scalar, pack or unpack */
    STATUS_VECTOR = 1 << 9,
    STATUS_MATRIX = 1 << 10,
};

static uint32_t status_of_word(uint32_t word)
{
    static const uint16_t of_unit[TF_UNITS] = {
        [TF_UNIT_SYNC] = STATUS_SYNC,     [TF_UNIT_UNPACK] = STATUS_UNPACK | STATUS_TDMA,
        [TF_UNIT_MATRIX] = STATUS_MATRIX, [TF_UNIT_PACK] = STATUS_PACK | STATUS_TDMA,
        [TF_UNIT_VECTOR] = STATUS_VECTOR, [TF_UNIT_SCALAR] = STATUS_SCALAR | STATUS_TDMA,
        [TF_UNIT_CONFIG] = STATUS_CONFIG, [TF_UNIT_MOVER] = STATUS_MOVER | STATUS_TDMA,
        [TF_UNIT_MISC] = STATUS_TDMA,
    };
    switch (word >> 24) {
    case TF_OP_MOP: return STATUS_MOP;
    case TF_OP_REPLAY:
        return TF_FIELD(word, REPLAY, load_mode) && !TF_FIELD(word, REPLAY, execute_while_loading) ? 0 : STATUS_REPLAY;
    default: return of_unit[tf_tensix_ops[word >> 24].unit];
    }
}

/* Counts entries that have arrived before cycle `before`. */
static uint32_t status_of_fifo(const struct tf_fifo *fifo, uint64_t before)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < fifo->count; i++) {
        const struct tf_push *push = &fifo->entry[(fifo->first + i) % TF_FIFO_ENTRIES];
        if (push->arrival < before)
            status |= status_of_word(push->word);
    }
    return status;
}

static uint32_t status_of_pipelines(const struct tf_tensix *tensix, unsigned t, uint64_t cycle)
{
    static const uint16_t of_kind[TF_BUSY_KINDS] = {
        [TF_BUSY_SCALAR] = STATUS_SCALAR | STATUS_TDMA,
        [TF_BUSY_UNPACK_0] = STATUS_UNPACK | STATUS_TDMA,
        [TF_BUSY_UNPACK_1] = STATUS_UNPACK | STATUS_TDMA,
        [TF_BUSY_PACK] = STATUS_PACK | STATUS_TDMA,
        [TF_BUSY_MATRIX] = STATUS_MATRIX,
        [TF_BUSY_MOVER] = STATUS_MOVER | STATUS_TDMA,
        [TF_BUSY_VECTOR] = STATUS_VECTOR,
        [TF_BUSY_CONFIG] = STATUS_CONFIG,
    };
    uint32_t status = 0;
    for (unsigned kind = 0; kind < TF_BUSY_KINDS; kind++)
        if (tensix->busy->until[kind][t] > cycle)
            status |= of_kind[kind];
    return status;
}

/* The view of `core`. Another core may be ahead of it. */
static uint32_t status_of_thread(const struct tf_tile *tile, unsigned t, unsigned core, bool busy)
{
    uint64_t before = tile->cycle + (TF_CORE_T0 + t <= core);
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    uint32_t status = status_of_fifo(&thread->fifo, before) | status_of_fifo(&thread->mid, UINT64_MAX);
    if (thread->mop.remaining != 0)
        status |= STATUS_MOP;
    if (thread->replay.play_left != 0)
        status |= STATUS_REPLAY;
    if (thread->gate.full)
        status |= status_of_word(thread->gate.word);
    if (busy)
        status |= status_of_pipelines(tile->tensix, t, tile->cycle);
    return status;
}

uint32_t tf_tensix_status(const struct tf_tile *tile, unsigned core, bool busy)
{
    uint32_t status[TF_TENSIX_THREADS], all = 0;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        all |= status[t] = status_of_thread(tile, t, core, busy);
    uint32_t own = core >= TF_CORE_T0 && core <= TF_CORE_T2 ? status[core - TF_CORE_T0] : all;
    return own | all << (busy ? 11 : 13);
}
