/* SPDX-License-Identifier: Apache-2.0 */
/* ZEROACC (WormholeB0 ZEROACC.md; offsets within the thread's part of Dst are ttsim's for Blackhole). */
#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/data/rwc.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/settled.h"

enum { ONE_ROW, SIXTEEN_ROWS, HALF_OF_DST };

static void mark_one_row(struct tf_tile *tile, unsigned thread, struct tf_dst *dst, unsigned row)
{
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned bank = tf_config_bank(config, thread);
    struct tf_dst_map map = tf_dst_map(tile);
    bool wide = TF_CFG(config, bank, ALU_ACC_CTRL_Fp32_enabled) || TF_CFG(config, bank, ALU_ACC_CTRL_INT8_math_enabled);
    const unsigned physical = tf_dst_row(map, row, wide);
    tf_report_rows(tile, thread, TF_CHECK_DST, physical, 1, TF_CHECK_WRITES);
    tf_dst_undefine(dst, physical);
}

/* A block beyond Dst has no rows. Software names such a block to apply only the address modifier. */
static void mark_sixteen_rows(struct tf_tile *tile, unsigned thread, struct tf_dst *dst, unsigned block, unsigned base,
                              uint32_t word)
{
    bool wide = TF_FIELD(word, ZEROACC, use_32_bit_mode);
    struct tf_dst_map map = tf_dst_map(tile);
    block &= 0xFF;
    if (!TF_CFG(tile->tensix->config, 0, DEST_ACCESS_CFG_zeroacc_absolute_tile_mode) &&
        (base & (wide ? 0x300 : 0x200)) != 0)
        block += wide ? 16 : 32;
    if (block >= (wide ? 32 : 64))
        return;
    const bool revert = TF_FIELD(word, ZEROACC, clear_zero_flags), reports = tf_reports_all(tile) && !revert;
    for (unsigned row = block * 16; row < block * 16 + 16; row++) {
        unsigned physical = tf_dst_row(map, row, wide);
        if (reports)
            tf_report_rows(tile, thread, TF_CHECK_DST, physical, 1, TF_CHECK_WRITES);
        if (revert)
            tf_dst_define(dst, physical);
        else
            tf_dst_undefine(dst, physical);
    }
}

/* A revert is no write: what the rows held before counts again. */
static void mark_many(struct tf_tile *tile, unsigned thread, struct tf_dst *dst, unsigned first, unsigned count,
                      bool revert)
{
    if (!revert)
        tf_report_rows(tile, thread, TF_CHECK_DST, first, count, TF_CHECK_WRITES);
    memset(&dst->undefined[first / 64], revert ? 0 : 0xFF, count / 8);
}

/*
 * Software uses the revert of 16 rows of 32 bits to work around a hardware defect, and ttsim has it. The page describes
 * the other reverts, and calls them undefined.
 */
static bool may_revert(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned mode = TF_FIELD(word, ZEROACC, clear_mode);
    if (mode == SIXTEEN_ROWS && TF_FIELD(word, ZEROACC, use_32_bit_mode))
        return true;
    if (tile->mode.as_silicon)
        tf_tile_hazard_at(tile, TF_CORE_T0 + thread, tile->tensix->thread[thread].gate.pc, tile->cycle,
                          TF_FAULT_UNDEFINED, word, "ZEROACC reverts in mode %u", mode);
    else
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "Revert in mode %u", mode);
    return tile->mode.as_silicon;
}

void tf_exec_ZEROACC(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (tile->tensix->soft_reset & TF_RESET_DST)
        return;
    struct tf_dst *dst = tf_dst(tile);
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned mode = TF_FIELD(word, ZEROACC, clear_mode);
    unsigned where = TF_FIELD(word, ZEROACC, where);
    unsigned base = tf_config_dst_base(config->thread[thread], config->bank[tf_config_bank(config, thread)]) +
                    tile->tensix->rwc[thread].dst;
    bool revert = TF_FIELD(word, ZEROACC, clear_zero_flags) && mode != ONE_ROW;
    if (revert && !may_revert(tile, thread, word))
        return;
    if (mode == ONE_ROW)
        mark_one_row(tile, thread, dst, where + base);
    else if (mode == SIXTEEN_ROWS)
        mark_sixteen_rows(tile, thread, dst, where, base, word);
    else if (mode == HALF_OF_DST)
        mark_many(tile, thread, dst, (where & 1) * TF_DST_ROWS / 2, TF_DST_ROWS / 2, revert);
    else
        mark_many(tile, thread, dst, 0, TF_DST_ROWS, revert);
    if (mode <= SIXTEEN_ROWS)
        tf_rwc_modify(tile, thread, TF_FIELD(word, ZEROACC, addr_mode), true);
}
