/* SPDX-License-Identifier: Apache-2.0 */
/* MVMUL, DOTPV, GAPOOL, GMPOOL, ELWMUL, ELWADD, ELWSUB, and the instructions that are no more. */
#include <stdlib.h>

#include "tile/tensix/fpu_issue.h"
#include "tile/tensix/fpu_pieces.h"
#include "tile/tensix/isa.h"

/* An instruction's operands and what the configuration says of them. */
struct operation {
    struct tf_fpu_job job;
    const struct tf_fpu_isa *isa;
    enum tf_fpu_style style_a, style_b;
    bool wide;
    unsigned a_row, b_row;
};

static bool refuse(struct tf_tile *tile, unsigned thread, const char *why)
{
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s", why);
    return false;
}

/* Fpu_srnd_en concerns sums that are rounded as they are written: those of numbers onto 16 bits. */
static void choose_rounding(struct tf_tile *tile, unsigned thread, struct operation *operation)
{
    struct tf_tensix *tensix = tile->tensix;
    operation->isa = tf_fpu_isa_of(tile);
    operation->job.generators = NULL;
    if (TF_CFG(&tensix->config, tf_config_bank(&tensix->config, thread), ALU_ROUNDING_MODE_Fpu_srnd_en) &&
        !operation->wide) {
        operation->isa = &tf_fpu_stochastic;
        operation->job.generators = (const uint32_t(*)[TF_SRC_COLUMNS])tensix->rounding.matrix;
    }
}

/* Formats, rows of SrcA and SrcB, fidelity phase. False: fault. */
static bool begin(struct tf_tile *tile, unsigned thread, unsigned b_mask, struct operation *operation)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct tf_backend_config *config = &tensix->config;
    const struct tf_rwc *rwc = &tensix->rwc[thread];
    struct tf_fpu_job *job = &operation->job;
    operation->wide = tf_fpu_wide(tile, thread);
    if (TF_CFG(config, tf_config_bank(config, thread), ALU_ACC_CTRL_INT8_math_enabled) &&
        !TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable))
        operation->style_a = operation->style_b = TF_STYLE_INT8;
    else if (!tf_fpu_style(tile, thread, TF_SRC_A, TF_SRC_A, &operation->style_a) ||
             !tf_fpu_style(tile, thread, TF_SRC_B, TF_SRC_B, &operation->style_b))
        return false;
    /* SrcA's style is that of SrcB as well, but for how much of the mantissa there is. */
    if (operation->style_a == TF_STYLE_FP16 || operation->style_b == TF_STYLE_FP16)
        operation->style_b = operation->style_a;
    operation->a_row = rwc->srca & 0x38;
    operation->b_row = rwc->srcb & b_mask;
    tensix->fpu.srca_row = rwc->srca;
    job->exponent_8b = operation->style_a == TF_STYLE_BF16 || operation->style_a == TF_STYLE_TF32;
    job->accumulator = operation->wide ? TF_ACC_FP32 : job->exponent_8b ? TF_ACC_BF16 : TF_ACC_FP16;
    job->mask_a = tf_fpu_mask(operation->style_a);
    job->mask_b = tf_fpu_mask(operation->style_b);
    job->phase = (rwc->fidelity + TF_THREAD_CFG(config, thread, FIDELITY_BASE_Phase)) & 3;
    job->keep_b_denormals = tf_fpu_keeps_denormals(tile, thread);
    job->memory = NULL;
    job->broadcast_column = job->subtract = job->accumulate = false;
    choose_rounding(tile, thread, operation);
    return true;
}

/* Rows of Dst from `row` on, of which aligned groups of four lie together, whatever the map (dst.h). */
static void take_group(struct tf_dst *dst, struct tf_dst_map map, struct operation *operation, unsigned first,
                       unsigned row, uint16_t identity)
{
    unsigned physical = operation->wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
    if ((dst->undefined[physical / 64] >> physical % 64 & 15) != 0)
        for (unsigned i = 0; i < 4; i++)
            tf_fpu_settle(dst, map, operation->wide, row + i, identity);
    for (unsigned i = 0; i < 4; i++)
        operation->job.at[first + i] = (uint16_t)(physical + i);
}

/* `count` rows of Dst: 4 or 8 from an aligned one on, or each second one (`step`). */
static bool take_dst(struct tf_tile *tile, unsigned thread, struct operation *operation, unsigned row, unsigned count,
                     unsigned step, uint16_t identity)
{
    struct tf_dst *dst = tf_dst(tile, thread);
    if (dst == NULL)
        return false;
    struct tf_dst_map map = tf_dst_map(tile);
    operation->job.rows = count;
    operation->job.dst = dst->bits;
    if (step == 1) {
        for (unsigned i = 0; i < count; i += 4)
            take_group(dst, map, operation, i, row + i, identity);
        return true;
    }
    for (unsigned i = 0; i < count; i++)
        operation->job.at[i] = (uint16_t)tf_fpu_settle(dst, map, operation->wide, row + i * step, identity);
    return true;
}

typedef uint32_t four_data __attribute__((vector_size(16), aligned(4)));

/* The bits that are used by any datum of some rows. */
static four_data bits_of_row(const uint32_t *row)
{
    const four_data *data = (const four_data *)(const void *)row;
    return data[0] | data[1] | data[2] | data[3];
}

/*
 * Rows of SrcA and SrcB. FP16 leaves three bits of exponent zero (SrcASrcB.md); nothing says what else would be, of
 * the data that count.
 */
static bool take_src(struct tf_tile *tile, unsigned thread, struct operation *operation, unsigned a_rows,
                     unsigned b_rows, bool broadcast_row)
{
    struct tf_fpu_job *job = &operation->job;
    job->a = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_A) + operation->a_row;
    job->b = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_B) + operation->b_row;
    job->b_step = broadcast_row ? 0 : 1;
    if (operation->style_a != TF_STYLE_FP16)
        return true;
    four_data used = {0};
    for (unsigned i = 0; i < a_rows; i++)
        used |= bits_of_row(job->a[i]);
    for (unsigned i = 0; i < b_rows; i++)
        used |= job->broadcast_column ? (four_data){job->b[i * job->b_step][0]} : bits_of_row(job->b[i * job->b_step]);
    return ((used[0] | used[1] | used[2] | used[3]) & 0xE0) == 0 ||
           refuse(tile, thread, "data that are FP16 by format have an exponent of more than five bits");
}

/* Each datum that was written has taken a number. */
static void end_rounding(struct tf_tile *tile, const struct operation *operation)
{
    if (operation->job.generators != NULL)
        tf_rounding_advance(&tile->tensix->rounding, operation->job.rows);
}

static void end(struct tf_tile *tile, unsigned thread, uint32_t flip, unsigned modifier)
{
    if (flip != 0)
        tf_fpu_flip(tile, thread, flip);
    tf_rwc_modify(tile, thread, modifier, true);
}

/* Made when it is first used. NULL: no memory, which nothing but time depends on. */
static struct tf_fpu_memory *memory_of(struct tf_tile *tile)
{
    struct tf_fpu *fpu = &tile->tensix->fpu;
    if (fpu->memory == NULL) {
        fpu->memory = aligned_alloc(64, sizeof *fpu->memory);
        if (fpu->memory != NULL)
            fpu->memory->width = 0;
    }
    return fpu->memory;
}

void tf_fpu_destroy(struct tf_tile *tile)
{
    free(tile->tensix->fpu.memory);
    tile->tensix->fpu.memory = NULL;
}

/* MVMUL.md and what is like it. `dst_row` is aligned. */
static void multiply(struct tf_tile *tile, unsigned thread, struct operation *operation, unsigned dst_row,
                     unsigned rows, bool broadcast)
{
    if (operation->a_row + TF_SRC_COLUMNS > TF_SRC_ROWS) {
        refuse(tile, thread, "16 rows of SrcA from row 56");
        return;
    }
    if (!take_src(tile, thread, operation, TF_SRC_COLUMNS, rows, broadcast) ||
        !take_dst(tile, thread, operation, dst_row, rows, broadcast ? 2 : 1, 0))
        return;
    operation->job.memory = memory_of(tile);
    if (operation->style_a == TF_STYLE_INT8)
        operation->isa->multiply_int(&operation->job);
    else
        operation->isa->multiply(&operation->job);
    end_rounding(tile, operation);
}

void tf_exec_MVMUL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    bool broadcast = TF_FIELD(word, MVMUL, instr_mod19);
    struct operation operation;
    if (!begin(tile, thread, broadcast ? 0x3F : 0x38, &operation))
        return;
    /* A broadcast is to seven rows, every other one of which is left out; the alignment follows from the seven. */
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, MVMUL, dst)) & (broadcast ? 0x400 - 7 : 0x3F8);
    multiply(tile, thread, &operation, row, broadcast ? 4 : 8, broadcast);
    if (!tile->tensix->thread[thread].faulted)
        end(tile, thread, TF_FIELD(word, MVMUL, clear_dvalid), TF_FIELD(word, MVMUL, addr_mode));
}

void tf_exec_DOTPV(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operation operation;
    if (TF_FIELD(word, DOTPV, instr_mod19) != 0 || TF_FIELD(word, DOTPV, dest_accum_en)) {
        refuse(tile, thread, "DOTPV has no modes");
        return;
    }
    if (!begin(tile, thread, 0x38, &operation))
        return;
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, DOTPV, dst)) & 0x3F8;
    multiply(tile, thread, &operation, row, 8, false);
    if (!tile->tensix->thread[thread].faulted)
        end(tile, thread, TF_FIELD(word, DOTPV, clear_dvalid), TF_FIELD(word, DOTPV, addr_mode));
}

/* What else instr_mod19 is, is without meaning to GAPOOL: the page has 0, software 1. */
void tf_exec_GAPOOL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operation operation;
    if (TF_FIELD(word, GAPOOL, max_pool_index_en)) {
        refuse(tile, thread, "GAPOOL has no index");
        return;
    }
    if (!begin(tile, thread, 0x38, &operation))
        return;
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, GAPOOL, dst)) & 0x3FC;
    multiply(tile, thread, &operation, row, 4, false);
    if (!tile->tensix->thread[thread].faulted)
        end(tile, thread, TF_FIELD(word, GAPOOL, clear_dvalid), TF_FIELD(word, GAPOOL, pool_addr_mode));
}

/* Data types of GMPOOL.md. */
static struct tf_fpu_pool pool_of(const struct operation *operation, bool arg_max)
{
    struct tf_fpu_pool pool = {.source = operation->style_a, .wide = operation->wide, .arg_max = arg_max};
    switch (operation->style_a) {
    case TF_STYLE_INT8:
        pool.dst = TF_STYLE_INT8;
        break;
    case TF_STYLE_TF32:
        pool.dst = arg_max ? TF_STYLE_INT8 : operation->wide ? TF_STYLE_TF32 : TF_STYLE_BF16;
        break;
    default:
        pool.dst = operation->wide && !arg_max ? TF_STYLE_TF32 : operation->style_a;
        break;
    }
    return pool;
}

void tf_exec_GMPOOL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operation operation;
    if (!TF_FIELD(word, GMPOOL, instr_mod19)) {
        refuse(tile, thread, "GMPOOL has no mode 0");
        return;
    }
    if (!begin(tile, thread, 0x38, &operation))
        return;
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, GMPOOL, dst)) & 0x3FC;
    operation.a_row &= 0x30;
    operation.job.a = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_A) + operation.a_row;
    operation.job.b = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_B) + operation.b_row;
    operation.job.b_step = 1;
    /* Undefined rows read as minus infinity. */
    if (!take_dst(tile, thread, &operation, row, 4, 1, 0xFFFF))
        return;
    struct tf_fpu_pool pool = pool_of(&operation, TF_FIELD(word, GMPOOL, max_pool_index_en));
    operation.isa->pool(&operation.job, &pool); /* which rounds nothing */
    end(tile, thread, TF_FIELD(word, GMPOOL, clear_dvalid), TF_FIELD(word, GMPOOL, pool_addr_mode));
}

/* The three elementwise instructions have the same fields. */
static void elementwise(struct tf_tile *tile, unsigned thread, uint32_t word, bool is_multiply, bool subtract)
{
    bool broadcast_row = TF_FIELD(word, ELWADD, instr_mod19) >> 1;
    struct operation operation;
    struct tf_fpu_job *job = &operation.job;
    if (!begin(tile, thread, broadcast_row ? 0x3F : 0x38, &operation))
        return;
    job->broadcast_column = TF_FIELD(word, ELWADD, instr_mod19) & 1;
    job->subtract = subtract;
    job->accumulate = TF_FIELD(word, ELWADD, dest_accum_en); /* ELWMUL always does */
    unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, ELWADD, dst)) & 0x3F8;
    if (!take_src(tile, thread, &operation, TF_FPU_ROWS, TF_FPU_ROWS, broadcast_row) ||
        !take_dst(tile, thread, &operation, row, TF_FPU_ROWS, 1, 0))
        return;
    if (operation.style_a == TF_STYLE_INT8)
        operation.isa->elementwise_int(job, is_multiply);
    else if (is_multiply)
        operation.isa->elementwise_multiply(job);
    else
        operation.isa->elementwise_add(job);
    end_rounding(tile, &operation);
    end(tile, thread, TF_FIELD(word, ELWADD, clear_dvalid), TF_FIELD(word, ELWADD, addr_mode));
}

void tf_exec_ELWMUL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    elementwise(tile, thread, word, true, false);
}

void tf_exec_ELWADD(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    elementwise(tile, thread, word, false, false);
}

void tf_exec_ELWSUB(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    elementwise(tile, thread, word, false, true);
}

/* MatrixUnit.md, "Legacy instructions": software has no use for what little they still do. */
#define X(name)                                                                             \
    void tf_exec_##name(struct tf_tile *tile, unsigned thread, uint32_t word)               \
    {                                                                                       \
        (void)word;                                                                         \
        refuse(tile, thread, "the hardware has dropped what " #name " did");                \
    }
TF_FPU_DROPPED(X)
#undef X
