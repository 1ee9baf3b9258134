/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/units.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/unpack/datum.h"

#include "tile/overlay.h"
#include "tile/tensix/data/adc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/registers.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/data/transfer.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack/move.h"
#include "tile/tensix/unpack/plan.h"
#include "tile/tensix/unpack_job.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/state.h"

#define NEGATIVE_INFINITY 0x7FFFFu

/* Unpack_Pop selects the form of UNPACR_NOP. The next bit selects the second form of the third and of the fourth
   one. */
enum { NOP_POP, NOP_CLEAR, NOP_NOTHING, NOP_POP_STREAM };

/* Src_ClrVal_Ctrl; the pages define no other values. */
enum { CLEAR_TO_ZERO, CLEAR_TO_NEGATIVE_INFINITY };

/* With this value, Clr_to1_fmt_Ctrl only sets data valid. */
#define FORMAT_SETS_VALID 3u

bool tf_unpack_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_unpack_kernels *kernels = tf_unpack_kernels(level);
    if (kernels == NULL)
        return false;
    tile->tensix->unpack->kernels = kernels;
    return true;
}

static bool clears(uint32_t word)
{
    return TF_FIELD(word, UNPACR_NOP, unpack_pop) == NOP_CLEAR &&
           TF_FIELD(word, UNPACR_NOP, clr_to1_fmt_ctrl) != FORMAT_SETS_VALID;
}

/* If other orders are explored: is the unpacker still busy with its last instruction? */
static bool is_delayed(const struct tf_tile *tile, unsigned side)
{
    return TF_HOOK(tile->explore) != NULL && tf_explored_unpacking(tile, side);
}

/* tf_stalls_UNPACR() if other orders are explored. */
static __attribute__((noinline)) bool waits_explored(const struct tf_tile *tile, unsigned side)
{
    return tf_src_unpack_waits(tile->tensix->src, side) || is_delayed(tile, side);
}

bool tf_stalls_UNPACR(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread;
    unsigned side = TF_FIELD(word, UNPACR, unpack_block_selection);
    if (TF_FIELD(word, UNPACR, search_cache_flush) || TF_FIELD(word, UNPACR, cfg_context_cnt_inc))
        return false;
    if (__builtin_expect(TF_HOOK(tile->explore) != NULL, 0))
        return waits_explored(tile, side);
    return tf_src_unpack_waits(tile->tensix->src, side);
}

bool tf_stalls_UNPACR_NOP(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread;
    const struct tf_src_banks *banks = tile->tensix->src;
    unsigned side = TF_FIELD(word, UNPACR_NOP, unpacker_select);
    bool like_unpacr = TF_FIELD(word, UNPACR_NOP, stall_clr_cntrl);
    return is_delayed(tile, side) ||
           (clears(word) && banks->to_matrix[side][like_unpacr ? banks->unpack_bank[side] : banks->matrix_bank[side]]);
}

/* Advances the context counter after a context. Returns false if the result is undefined; the fault is then
   recorded. */
static bool next_context(struct tf_tile *tile, unsigned thread, unsigned side, unsigned context)
{
    if (TF_UNPACK_CFG(tile, thread, side, REG2_Context_count_non_log2_en)) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "no page says what Context_count_non_log2_en does");
        return false;
    }
    unsigned next = (context + 1) & 7;
    if (next >= tf_unpack_contexts(TF_UNPACK_CFG(tile, thread, side, REG2_Context_count)))
        next = 0;
    tile->tensix->config->unpack_context[thread][side] = (uint8_t)next;
    return true;
}

static void move_counters(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t mode)
{
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if (t != job->thread && t != job->adc)
            continue;
        struct tf_adc_channel *channel = tile->tensix->adcs->of[t][job->side].channel;
        tf_adc_add(&channel[0], TF_ADC_Z, mode & 3);
        tf_adc_add(&channel[0], TF_ADC_Y, mode >> 2 & 3);
        tf_adc_add(&channel[1], TF_ADC_Z, mode >> 4 & 3);
        tf_adc_add(&channel[1], TF_ADC_Y, mode >> 6 & 3);
    }
}

/* Hand the bank over to the matrix unit, with its format. */
static void give(struct tf_tile *tile, unsigned thread, unsigned side, unsigned format)
{
    struct tf_src_banks *banks = tile->tensix->src;
    banks->format[side][banks->unpack_bank[side]] = (uint8_t)format;
    tf_src_give(tile, thread, side);
}

/* Move SrcRow to the next 16 rows (Unpack_Src_Reg_Set_Upd). */
static void next_rows(struct tf_tile *tile, unsigned thread, unsigned side)
{
    uint8_t *row = &tile->tensix->src_data->unpack_row[side][thread];
    *row = (uint8_t)((*row + 16 + tf_src_base(tile->tensix->config, thread, side)) % TF_SRC_ROWS);
}

static void end(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t word)
{
    if (TF_FIELD(word, UNPACR, set_dat_valid))
        give(tile, job->thread, job->side, job->out_format);
    else if (TF_UNPACK_CFG(tile, job->thread, job->side, REG2_Unpack_Src_Reg_Set_Upd))
        next_rows(tile, job->thread, job->side);
}

bool tf_unpack_finish(struct tf_tile *tile, struct tf_unpack_job *job, uint32_t word)
{
    if (!tf_unpack_move(tile, job))
        return false;
    end(tile, job, word);
    return true;
}

static void unpack(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_unpack_job job;
    if (TF_FIELD(word, UNPACR, srcb_bcast)) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "no page says what srcb_bcast does");
        return;
    }
    if (!tf_unpack_plan(tile, thread, word, &job))
        return;
    if (TF_HOOK(tile->timing) != NULL)
        tf_timed_unpacks(tile, &job);
    bool late = TF_HOOK(tile->explore) != NULL && tf_explored_unpacks(tile, &job, word);
    if (!late && !tf_unpack_move(tile, &job))
        return;
    if (TF_FIELD(word, UNPACR, ovrd_thread_id) && TF_FIELD(word, UNPACR, auto_inc_context_id) &&
        !next_context(tile, thread, job.side, job.context))
        return;
    move_counters(tile, &job, TF_FIELD(word, UNPACR, addr_mode));
    if (!late)
        end(tile, &job, word);
}

/* The cache that UNPACR_FlushCache.md empties is never stale here. */
void tf_exec_UNPACR(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned side = TF_FIELD(word, UNPACR, unpack_block_selection);
    if (TF_FIELD(word, UNPACR, search_cache_flush))
        return;
    if (TF_FIELD(word, UNPACR, cfg_context_cnt_inc))
        next_context(tile, thread, side, tile->tensix->config->unpack_context[thread][side]);
    else
        unpack(tile, thread, word);
}

static void clear_bank(struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank, uint32_t value)
{
    uint32_t(*rows)[TF_SRC_COLUMNS] = tf_src_write(tile, thread, side, bank, 0, TF_SRC_ROWS);
    uint32_t held = tf_src_columns_held(tile->tensix, side);
    for (unsigned row = 0; row < TF_SRC_ROWS; row++)
        for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
            if ((held >> column & 1) == 0)
                rows[row][column] = value;
}

/* UNPACR_NOP_ZEROSRC.md, and what Blackhole adds: other values, and a hand-over of the bank at the end. */
static void clear(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned side = TF_FIELD(word, UNPACR_NOP, unpacker_select);
    unsigned to = TF_FIELD(word, UNPACR_NOP, src_clr_val_ctrl);
    bool sets_valid = TF_FIELD(word, UNPACR_NOP, clr_to1_fmt_ctrl) == FORMAT_SETS_VALID;
    if (!sets_valid) {
        if (to > CLEAR_TO_NEGATIVE_INFINITY) {
            tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "no page gives the value that Src is cleared to");
            return;
        }
        uint32_t value = to == CLEAR_TO_NEGATIVE_INFINITY && side == TF_SRC_A ? NEGATIVE_INFINITY : 0;
        unsigned own = tile->tensix->src->unpack_bank[side];
        clear_bank(tile, thread, side, own, value);
        if (TF_FIELD(word, UNPACR_NOP, bank_clr_ctrl))
            clear_bank(tile, thread, side, own ^ 1, value);
    }
    if (sets_valid || TF_FIELD(word, UNPACR_NOP, set_dvalid))
        give(tile, thread, side, TF_UNPACK_CFG(tile, thread, side, REG2_Out_data_format));
}

/* UNPACR_NOP_OverlayClear.md */
static void clear_message(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t count)
{
    const struct tf_backend_config *config = tile->tensix->config;
    uint32_t stream = TF_FIELD(word, UNPACR_NOP, stream_id);
    if (count == 0)
        stream = TF_FIELD(word, UNPACR_NOP, unpacker_select)
                     ? TF_THREAD_CFG(config, thread, NOC_OVERLAY_MSG_CLEAR_StreamId_1)
                     : TF_THREAD_CFG(config, thread, NOC_OVERLAY_MSG_CLEAR_StreamId_0);
    tf_register_store(tile, thread, tf_overlay_address(tile->arch->stream_place, stream, TF_OVERLAY_MSG_DATA_CLEAR), 1);
}

/*
 * SetRegBase. TDMA-RISC.md does not describe how RISCV_TDMA_REG_CLK_GATE_EN sets it. The layout here is that of the
 * packers' fields in RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS: their size and place equal those of its upper 24 bits.
 */
static uint32_t set_reg_base(const struct tf_tile *tile, unsigned select)
{
    return tf_tdma_set_reg_base(tile->tensix->tdma->unpack_reg_addr >> 8, select);
}

/* UNPACR_NOP_SETREG.md */
static void set_register(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *sum = &tile->tensix->unpack->set_reg_acc[TF_FIELD(word, UNPACR_NOP, unpacker_select)];
    uint32_t address = TF_REGISTERS_BASE + set_reg_base(tile, TF_FIELD(word, UNPACR_NOP, addr_sel)) +
                       (TF_FIELD(word, UNPACR_NOP, stream_id) << 12);
    uint32_t value = word >> 4 & 0x7FF;
    bool accumulate = word >> 3 & 1;
    if (accumulate) {
        *sum = value != 0 ? (*sum + value) & 0x1FFFF : 0;
        if (value == 0)
            return;
        value = *sum;
    }
    tf_register_store(tile, thread, address, value);
}

void tf_exec_UNPACR_NOP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    bool second_form = TF_FIELD(word, UNPACR_NOP, src_clr_val_ctrl) & 1;
    switch (TF_FIELD(word, UNPACR_NOP, unpack_pop)) {
    case NOP_POP:
        if (second_form)
            set_register(tile, thread, word);
        else
            clear_message(tile, thread, word, 0);
        break;
    case NOP_CLEAR: clear(tile, thread, word); break;
    case NOP_NOTHING: break;
    default:
        if (second_form)
            tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0,
                            "the form releases a bank on Wormhole; no page describes Blackhole's form for streams");
        else
            clear_message(tile, thread, word, word >> 4 & 0x7FF);
    }
}
