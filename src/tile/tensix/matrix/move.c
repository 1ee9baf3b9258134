/* SPDX-License-Identifier: Apache-2.0 */
/* Moves between Dst, SrcA and SrcB, and instructions that change SrcA or SrcB in place. */
#include <string.h>

#include "tile/tensix/data/format.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/vector/settled.h"

/* BLOCK_DEST_MOV (SFPCONFIG.md): one bit for each column that moves do not write. */
static uint32_t blocked_columns(const struct tf_tile *tile)
{
    const struct tf_vector *vector = tile->tensix->vector;
    uint32_t blocked = 0;
    if (vector != NULL)
        for (unsigned i = 0; i < TF_LANE_COLUMNS; i++)
            blocked |= (vector->lane_config[i] / TF_LANE_BLOCK_DEST_MOV & 3) << 2 * i;
    return blocked;
}

/* MOVA2D, MOVB2D: from a row of SrcA or SrcB to a row of Dst. */
struct to_dst {
    struct tf_fpu_to_dst how;
    const struct tf_fpu_kernels *kernels;
    struct tf_dst *dst;
    struct tf_dst_map map;
    uint32_t blocked;
    const struct tf_tile *tile;
    unsigned thread;
};

static void put_row(uint16_t *row, const uint16_t *values, uint32_t blocked)
{
    for (unsigned column = 0; column < TF_DST_COLUMNS; column++)
        if (!(blocked >> column & 1))
            row[column] = values[column];
}

static void row_to_dst(const struct to_dst *move, const uint32_t *from, unsigned row)
{
    bool both = move->how.style == TF_STYLE_TF32, wide = both || move->how.low;
    unsigned physical = tf_dst_row(move->map, row, wide);
    tf_fpu_settle(move->dst, physical, wide, 0);
    tf_report_rows(move->tile, move->thread, TF_CHECK_DST, physical, 1, TF_CHECK_WRITES);
    uint16_t *high = move->dst->bits[physical], *low = move->dst->bits[physical + (wide ? TF_DST_LOW_ROWS : 0)];
    uint16_t *to = move->how.low && !both ? low : high;
    if (move->blocked == 0) {
        move->kernels->to_dst(&move->how, from, to, low);
        return;
    }
    _Alignas(64) uint16_t values[TF_DST_COLUMNS], rest[TF_DST_COLUMNS];
    move->kernels->to_dst(&move->how, from, values, rest);
    put_row(to, values, move->blocked);
    if (both)
        put_row(low, rest, move->blocked);
}

/*
 * The bits of a datum that enter the conversion. MOVB2D.md of Wormhole cuts nothing. The reference, ttsim, cuts data of
 * SrcB by SrcBFmt, for any SrcAFmt. It treats only FP16 as a format with five bits of exponent, so FP8 data beside FP16
 * keep seven bits of mantissa. Where ttsim refuses SrcAFmt, the page decides.
 */
static uint32_t source_mask(const struct tf_tile *tile, unsigned thread, unsigned side, enum tf_fpu_style style)
{
    if (side == TF_SRC_A || (style == TF_STYLE_FP16 && tf_fpu_format(tile, thread, TF_SRC_A, side) != TF_FORMAT_FP16))
        return TF_FPU_DATUM;
    unsigned format = tf_fpu_format(tile, thread, TF_SRC_B, side);
    return tf_fpu_mask(format == TF_FORMAT_FP16   ? TF_STYLE_FP16
                       : format == TF_FORMAT_TF32 ? TF_STYLE_TF32
                                                  : TF_STYLE_BF16);
}

/*
 * Blackhole with Fp32_enabled writes 32 bits in any format, as if SrcAFmt were TF32: silicon does (issues 449 and
 * 1680 of tt-llk), and so says a later edition of MOVA2D.md than the one at hand. A move of low halves keeps its
 * format.
 */
static bool writes_all_bits(const struct tf_tile *tile, unsigned thread, bool low)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return !low && !tile->arch->units.moves_by_format && !TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable) &&
           TF_CFG(config, tf_config_bank(config, thread), ALU_ACC_CTRL_Fp32_enabled);
}

/* An erratum of Blackhole, which the vendor's simulator also refuses (TEN-4245). Wormhole: MOVA2D.md defines it. */
static bool loses_low_halves(const struct tf_tile *tile, unsigned thread, unsigned side, bool low)
{
    return low && !tile->arch->units.moves_by_format && tf_fpu_format(tile, thread, TF_SRC_A, side) == TF_FORMAT_TF32;
}

/* SrcAFmt decides, also for data from SrcB. The implied format is that of SrcB's own bank. */
static bool begin_to_dst(struct tf_tile *tile, unsigned thread, unsigned side, struct to_dst *move)
{
    if (!tf_fpu_style(tile, thread, TF_SRC_A, side, &move->how.style))
        return false;
    if (loses_low_halves(tile, thread, side, move->how.low))
        return tf_fpu_refuse(tile, thread, "dest_32b_lo while SrcA has TF32 corrupts data on Blackhole (TEN-4245)");
    if (writes_all_bits(tile, thread, move->how.low))
        move->how.style = TF_STYLE_TF32;
    move->kernels = tile->tensix->fpu->kernels;
    move->how.mask = source_mask(tile, thread, side, move->how.style);
    move->tile = tile;
    move->thread = thread;
    move->dst = tf_dst(tile);
    move->map = tf_dst_map(tile);
    move->blocked = blocked_columns(tile);
    move->how.keep_denormals = tf_fpu_keeps_denormals(tile, thread);
    return true;
}

void tf_exec_MOVA2D(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct to_dst move = {.how.low = TF_FIELD(word, MOVA2D, dest_32b_lo)};
    if (!begin_to_dst(tile, thread, TF_SRC_A, &move))
        return;
    unsigned dst = tf_fpu_dst_row(tile, thread, TF_FIELD(word, MOVA2D, dst)), rows = 1;
    unsigned src = (TF_FIELD(word, MOVA2D, src) + tile->tensix->rwc[thread].srca) & 0x3F;
    if (TF_FIELD(word, MOVA2D, instr_mod) & 2) {
        dst &= 0x3F8;
        src &= 0x38;
        rows = 8;
    }
    tile->tensix->fpu->srca_row = (uint8_t)src;
    tf_fpu_report(tile, thread, TF_SRC_A, src, rows, TF_CHECK_READS);
    for (unsigned i = 0; i < rows; i++)
        row_to_dst(&move, tf_fpu_src(tile, TF_SRC_A)[src + i], dst + i);
    tf_rwc_modify(tile, thread, TF_FIELD(word, MOVA2D, addr_mode), true);
}

void tf_exec_MOVDBGA2D(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    tf_exec_MOVA2D(tile, thread, word);
}

enum { B2D_COLUMN_0 = 1, B2D_ONE_ROW_TO_8 = 2, B2D_FOUR_ROWS = 4 };

void tf_exec_MOVB2D(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned mode = TF_FIELD(word, MOVB2D, movb2d_instr_mod);
    struct to_dst move = {
        .how.low = TF_FIELD(word, MOVB2D, dest_32b_lo),
        .how.broadcast_column = mode & B2D_COLUMN_0,
    };
    if (!begin_to_dst(tile, thread, TF_SRC_B, &move))
        return;
    unsigned dst = tf_fpu_dst_row(tile, thread, TF_FIELD(word, MOVB2D, dst)), rows = 1, step = 1;
    unsigned src = (TF_FIELD(word, MOVB2D, src) + tile->tensix->rwc[thread].srcb) & 0x3F;
    if (mode & B2D_ONE_ROW_TO_8) {
        dst &= 0x3F8;
        rows = 8;
        step = 0;
    } else if (mode & B2D_FOUR_ROWS) {
        dst &= 0x3FC;
        src &= 0x3C;
        rows = 4;
    }
    tile->tensix->fpu->srca_row = tile->tensix->rwc[thread].srca;
    tf_fpu_report(tile, thread, TF_SRC_B, src, step == 0 ? 1 : rows, TF_CHECK_READS);
    for (unsigned i = 0; i < rows; i++)
        row_to_dst(&move, tf_fpu_src(tile, TF_SRC_B)[src + i * step], dst + i);
    tf_rwc_modify(tile, thread, TF_FIELD(word, MOVB2D, addr_mode), true);
}

/* MOVB2D that does not wait for SrcB (assembly.yaml of tt_llk_blackhole). */
void tf_exec_MOVDBGB2D(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    tf_exec_MOVB2D(tile, thread, word);
}

/* MOVD2A, MOVD2B */

/* Marked rows read as zero. */
static void row_from_dst(const struct tf_fpu_kernels *kernels, const struct tf_dst *dst, unsigned physical, bool wide,
                         bool low, enum tf_fpu_style style, uint32_t blocked, uint32_t *to)
{
    static const _Alignas(64) uint16_t nothing[TF_DST_COLUMNS];
    bool undefined = tf_dst_is_undefined(dst, physical);
    const uint16_t *high_half = undefined ? nothing : dst->bits[physical];
    const uint16_t *low_half = undefined || !wide ? nothing : dst->bits[physical + TF_DST_LOW_ROWS];
    if (blocked == 0) {
        kernels->from_dst(style, low, high_half, low_half, to);
        return;
    }
    uint32_t row[TF_SRC_COLUMNS];
    kernels->from_dst(style, low, high_half, low_half, row);
    for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
        if (!(blocked >> column & 1))
            to[column] = row[column];
}

/* Both instructions have the same fields. SrcAFmt decides, also for data to SrcB. */
static void from_dst(struct tf_tile *tile, unsigned thread, uint32_t word, unsigned side)
{
    enum tf_fpu_style style;
    bool wide = tf_fpu_wide(tile, thread), low = TF_FIELD(word, MOVD2A, dest_32b_lo);
    if (!tf_fpu_style(tile, thread, TF_SRC_A, side, &style))
        return;
    if (!wide && (low || style == TF_STYLE_TF32)) {
        tf_fpu_refuse(tile, thread, "Dst has 16 bits, and the instruction needs 32");
        return;
    }
    const struct tf_dst *dst = tf_dst(tile);
    const struct tf_rwc *rwc = &tile->tensix->rwc[thread];
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, MOVD2A, dst)), rows = 1;
    unsigned src = (TF_FIELD(word, MOVD2A, src) + (side == TF_SRC_A ? rwc->srca : rwc->srcb)) & 0x3F;
    if (TF_FIELD(word, MOVD2A, instr_mod) & 2) {
        row &= 0x3FC;
        src &= 0x3C;
        rows = 4;
    }
    tile->tensix->fpu->srca_row = side == TF_SRC_A ? (uint8_t)src : rwc->srca;
    struct tf_dst_map map = tf_dst_map(tile);
    uint32_t blocked = blocked_columns(tile);
    const struct tf_fpu_kernels *kernels = tile->tensix->fpu->kernels;
    uint32_t(*to)[TF_SRC_COLUMNS] = tf_fpu_src_write(tile, thread, side, src, rows) + src;
    for (unsigned i = 0; i < rows; i++) {
        unsigned physical = tf_dst_row(map, row + i, wide);
        tf_report_rows(tile, thread, TF_CHECK_DST, physical, 1, TF_CHECK_READS);
        row_from_dst(kernels, dst, physical, wide, low, style, blocked, to[i]);
    }
    tf_rwc_modify(tile, thread, TF_FIELD(word, MOVD2A, addr_mode), true);
}

void tf_exec_MOVD2A(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    from_dst(tile, thread, word, TF_SRC_A);
}

void tf_exec_MOVD2B(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    from_dst(tile, thread, word, TF_SRC_B);
}

/* SrcA and SrcB */

void tf_exec_MOVB2A(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_rwc *rwc = &tile->tensix->rwc[thread];
    unsigned to = (TF_FIELD(word, MOVB2A, srca) + rwc->srca) & 0x3F, rows = 1;
    unsigned from = (TF_FIELD(word, MOVB2A, srcb) + rwc->srcb) & 0x3F;
    if (TF_FIELD(word, MOVB2A, instr_mod) & 2) {
        to &= 0x3C;
        from &= 0x3C;
        rows = 4;
    }
    tile->tensix->fpu->srca_row = (uint8_t)to;
    tf_fpu_report(tile, thread, TF_SRC_B, from, rows, TF_CHECK_READS);
    bool keep = tf_fpu_keeps_denormals(tile, thread);
    uint32_t blocked = blocked_columns(tile);
    const uint32_t(*b)[TF_SRC_COLUMNS] = tf_fpu_src(tile, TF_SRC_B) + from;
    uint32_t(*a)[TF_SRC_COLUMNS] = tf_fpu_src_write(tile, thread, TF_SRC_A, to, rows) + to;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned column = 0; column < TF_SRC_COLUMNS; column++) {
            uint32_t datum = b[i][column];
            if (!(blocked >> column & 1))
                a[i][column] = keep || (datum & 0xFF) != 0 ? datum : 0;
        }
    }
    tf_rwc_modify(tile, thread, TF_FIELD(word, MOVB2A, addr_mode), true);
}

void tf_exec_TRNSPSRCB(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)word;
    tf_fpu_report(tile, thread, TF_SRC_B, 16, TF_SRC_COLUMNS, TF_CHECK_READS);
    uint32_t(*rows)[TF_SRC_COLUMNS] = tf_fpu_src_write(tile, thread, TF_SRC_B, 16, TF_SRC_COLUMNS) + 16;
    for (unsigned i = 0; i < TF_SRC_COLUMNS; i++) {
        for (unsigned j = 0; j < i; j++) {
            uint32_t datum = rows[i][j];
            rows[i][j] = rows[j][i];
            rows[j][i] = datum;
        }
    }
}

enum { DIRECTION_RIGHT = 2, DIRECTION_LEFT = 3 };

void tf_exec_SHIFTXA(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned direction = TF_FIELD(word, SHIFTXA, shift_mode);
    if (TF_FIELD(word, SHIFTXA, log2_amount2) || direction < DIRECTION_RIGHT) {
        tf_fpu_refuse(tile, thread, "SHIFTXA has only the directions 2 and 3");
        return;
    }
    unsigned from = tile->tensix->fpu->srca_row & 0x30;
    tf_fpu_report(tile, thread, TF_SRC_A, from, 16, TF_CHECK_READS);
    uint32_t(*rows)[TF_SRC_COLUMNS] = tf_fpu_src_write(tile, thread, TF_SRC_A, 0, 16);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t shifted[TF_SRC_COLUMNS] = {0};
        if (direction == DIRECTION_RIGHT)
            memcpy(shifted + 1, rows[from + i], sizeof shifted - sizeof shifted[0]);
        else
            memcpy(shifted, rows[from + i] + 1, sizeof shifted - sizeof shifted[0]);
        memcpy(rows[i], shifted, sizeof shifted);
    }
}

void tf_exec_SHIFTXB(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned index = (TF_FIELD(word, SHIFTXB, shift_row) + tile->tensix->rwc[thread].srcb) & 0x3F;
    tf_fpu_report(tile, thread, TF_SRC_B, index, 1, TF_CHECK_READS);
    uint32_t *row = tf_fpu_src_write(tile, thread, TF_SRC_B, index, 1)[index];
    uint32_t first = row[0];
    memmove(row, row + 1, (TF_SRC_COLUMNS - 1) * sizeof row[0]);
    row[TF_SRC_COLUMNS - 1] = TF_FIELD(word, SHIFTXB, rot_shift) ? 0 : first;
    tf_rwc_modify(tile, thread, TF_FIELD(word, SHIFTXB, addr_mode), true);
}

void tf_exec_ZEROSRC(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_src_banks *banks = tile->tensix->src;
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
        if ((TF_FIELD(word, ZEROSRC, src_mask) >> side & 1) == 0)
            continue;
        unsigned bank = TF_FIELD(word, ZEROSRC, write_mode) ? banks->matrix_bank[side] : banks->unpack_bank[side];
        uint32_t value = side == TF_SRC_A && TF_FIELD(word, ZEROSRC, zero_val) ? TF_FPU_DATUM : 0;
        for (unsigned i = 0; i < 2; i++) {
            if (i != bank && !TF_FIELD(word, ZEROSRC, bank_mask))
                continue;
            uint32_t(*rows)[TF_SRC_COLUMNS] = tf_src_write(tile, thread, side, i, 0, TF_SRC_ROWS);
            for (unsigned row = 0; row < TF_SRC_ROWS; row++)
                for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
                    rows[row][column] = value;
        }
    }
}
