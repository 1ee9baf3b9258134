/* SPDX-License-Identifier: Apache-2.0 */
/* MVMUL, DOTPV, GAPOOL, GMPOOL, ELWMUL, ELWADD, ELWSUB, and the instructions that are no more. */
#include <stdlib.h>
#include <string.h>

#include "tile/tensix/fpu_issue.h"
#include "tile/tensix/fpu_pieces.h"
#include "tile/tensix/isa.h"

/* What an instruction's operands are. */
struct shape {
    uint8_t a_mask, b_mask; /* of the counters of rows of SrcA and SrcB */
    uint16_t dst_mask;      /* of a row of Dst: an aligned one */
    uint8_t a_rows;
    uint8_t rows, step;     /* of Dst: 4 or 8 rows, or each second one of 4 */
    uint8_t b_step;         /* 0: one row of SrcB for all */
    bool broadcast_column;
    bool any_exponent;      /* also data that are FP16 by format and no FP16 */
    uint16_t identity;      /* of undefined rows of Dst */
};

/* An instruction's operands and what the configuration says of them. */
struct operation {
    struct tf_fpu_job job;
    const struct tf_fpu_isa *isa;
    enum tf_fpu_style style_a, style_b;
    bool wide;
};

static bool refuse(struct tf_tile *tile, unsigned thread, const char *why)
{
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s", why);
    return false;
}

/* Fpu_srnd_en concerns sums that are rounded as they are written: those of numbers onto 16 bits. */
static void round_stochastically(struct tf_tile *tile, struct operation *operation)
{
    operation->isa = &tf_fpu_stochastic;
    operation->job.generators = (const uint32_t(*)[TF_SRC_COLUMNS])tile->tensix->rounding.matrix;
}

/* In which styles SrcA and SrcB are read. False: fault. */
static bool find_styles(struct tf_tile *tile, unsigned thread, unsigned bank, enum tf_fpu_style *a,
                        enum tf_fpu_style *b)
{
    const struct tf_backend_config *config = &tile->tensix->config;
    if (TF_CFG(config, bank, ALU_ACC_CTRL_INT8_math_enabled) && !TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable))
        *a = *b = TF_STYLE_INT8;
    else if (!tf_fpu_style(tile, thread, TF_SRC_A, TF_SRC_A, a) || !tf_fpu_style(tile, thread, TF_SRC_B, TF_SRC_B, b))
        return false;
    /* SrcA's style is that of SrcB as well, but for how much of the mantissa there is. */
    if (*a == TF_STYLE_FP16 || *b == TF_STYLE_FP16)
        *b = *a;
    return true;
}

typedef uint32_t four_data __attribute__((vector_size(16), aligned(4)));

/* The bits that are used by any datum of some rows. */
static four_data bits_of_row(const uint32_t *row)
{
    const four_data *data = (const four_data *)(const void *)row;
    return data[0] | data[1] | data[2] | data[3];
}

/* FP16 leaves three bits of exponent zero (SrcASrcB.md); nothing says what else would be, of the data that count. */
static __attribute__((noinline)) bool is_fp16(const struct tf_fpu_job *job, const struct shape *shape)
{
    four_data used = {0};
    for (unsigned i = 0; i < shape->a_rows; i++)
        used |= bits_of_row(job->a[i]);
    for (unsigned i = 0; i < shape->rows; i++) {
        const uint32_t *b = job->b[i * shape->b_step];
        used |= shape->broadcast_column ? (four_data){b[0]} : bits_of_row(b);
    }
    return ((used[0] | used[1] | used[2] | used[3]) & 0xE0) == 0;
}

/*
 * Formats, rows of SrcA and SrcB, fidelity phase. False: fault. First what is read, then what is written: compilers
 * cannot know that the one is not the other.
 */
static bool begin(struct tf_tile *tile, unsigned thread, const struct shape *shape, struct operation *operation)
{
    struct tf_tensix *const tensix = tile->tensix;
    const struct tf_backend_config *config = &tensix->config;
    const struct tf_rwc *rwc = &tensix->rwc[thread];
    struct tf_fpu_job *job = &operation->job;
    enum tf_fpu_style style_a, style_b;
    const unsigned bank = tf_config_bank(config, thread);
    if (!find_styles(tile, thread, bank, &style_a, &style_b))
        return false;
    const bool wide = tf_fpu_wide(tile, thread), keep = tf_fpu_keeps_denormals(tile, thread);
    const bool stochastic = TF_CFG(config, bank, ALU_ROUNDING_MODE_Fpu_srnd_en) && !wide;
    const bool exponent_8b = style_a == TF_STYLE_BF16 || style_a == TF_STYLE_TF32;
    const unsigned phase = (rwc->fidelity + TF_THREAD_CFG(config, thread, FIDELITY_BASE_Phase)) & 3;
    const unsigned a_row = rwc->srca & shape->a_mask, b_row = rwc->srcb & shape->b_mask;
    const uint32_t(*a)[TF_SRC_COLUMNS] = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_A);
    const uint32_t(*b)[TF_SRC_COLUMNS] = (const uint32_t(*)[TF_SRC_COLUMNS])tf_fpu_src(tile, TF_SRC_B);
    tensix->fpu.srca_row = rwc->srca;
    operation->isa = tf_fpu_isa_of(tile);
    operation->wide = wide;
    operation->style_a = style_a;
    operation->style_b = style_b;
    job->a = a + a_row;
    job->b = b + b_row;
    job->b_step = shape->b_step;
    job->exponent_8b = exponent_8b;
    job->accumulator = wide ? TF_ACC_FP32 : exponent_8b ? TF_ACC_BF16 : TF_ACC_FP16;
    job->mask_a = tf_fpu_mask(style_a);
    job->mask_b = tf_fpu_mask(style_b);
    job->phase = phase;
    job->keep_b_denormals = keep;
    job->memory = NULL;
    job->generators = NULL;
    job->broadcast_column = shape->broadcast_column;
    job->subtract = job->accumulate = false;
    if (stochastic)
        round_stochastically(tile, operation);
    if (a_row + shape->a_rows > TF_SRC_ROWS)
        return refuse(tile, thread, "16 rows of SrcA from row 56");
    return true;
}

/* Rows of Dst, of which aligned groups of four lie together, whatever the map (dst.h). */
static void take_groups(struct tf_dst *dst, struct tf_dst_map map, struct operation *operation, unsigned row,
                        const struct shape *shape)
{
    typedef uint16_t four_rows __attribute__((vector_size(8)));
    const bool wide = operation->wide;
    const unsigned count = shape->rows;
    for (unsigned first = 0; first < count; first += 4, row += 4) {
        const unsigned physical = wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
        if ((dst->undefined[physical / 64] >> physical % 64 & 15) != 0)
            for (unsigned i = 0; i < 4; i++)
                tf_fpu_settle(dst, map, wide, row + i, shape->identity);
        const four_rows at = (four_rows){0, 1, 2, 3} + (uint16_t)physical;
        memcpy(&operation->job.at[first], &at, sizeof at);
    }
}

/* Rows of Dst from the one that the instruction names on. */
static bool take_dst(struct tf_tile *tile, unsigned thread, uint32_t word, const struct shape *shape,
                     struct operation *operation)
{
    /* All of these instructions have the field. The counter is what it was before instructions of SFPLOADMACRO. */
    const unsigned row = tf_fpu_dst_row(tile, thread, TF_FIELD(word, MVMUL, dst)) & shape->dst_mask;
    struct tf_dst *dst = tf_dst(tile, thread);
    if (dst == NULL)
        return false;
    const struct tf_dst_map map = tf_dst_map(tile);
    operation->job.rows = shape->rows;
    operation->job.dst = dst->bits;
    if (shape->step == 1)
        take_groups(dst, map, operation, row, shape);
    else
        for (unsigned i = 0; i < shape->rows; i++)
            operation->job.at[i] =
                (uint16_t)tf_fpu_settle(dst, map, operation->wide, row + i * shape->step, shape->identity);
    return true;
}

/* False: fault. */
static bool prepare(struct tf_tile *tile, unsigned thread, uint32_t word, const struct shape *shape,
                    struct operation *operation)
{
    if (!begin(tile, thread, shape, operation))
        return false;
    if (operation->style_a == TF_STYLE_FP16 && !shape->any_exponent && !is_fp16(&operation->job, shape))
        return refuse(tile, thread, "data that are FP16 by format have an exponent of more than five bits");
    return take_dst(tile, thread, word, shape, operation);
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

/* MVMUL.md and what is like it. */
static void multiply(struct tf_tile *tile, unsigned thread, uint32_t word, const struct shape *shape,
                     unsigned modifier)
{
    struct operation operation;
    if (!prepare(tile, thread, word, shape, &operation))
        return;
    operation.job.memory = memory_of(tile);
    if (operation.style_a == TF_STYLE_INT8)
        operation.isa->multiply_int(&operation.job);
    else
        operation.isa->multiply(&operation.job);
    end_rounding(tile, &operation);
    end(tile, thread, TF_FIELD(word, MVMUL, clear_dvalid), modifier);
}

/* A broadcast is to seven rows, every other one of which is left out; the alignment follows from the seven. */
static const struct shape eight_rows = {.a_mask = 0x38, .b_mask = 0x38, .dst_mask = 0x3F8, .a_rows = 16, .rows = 8,
                                        .step = 1, .b_step = 1},
                          seven_rows = {.a_mask = 0x38, .b_mask = 0x3F, .dst_mask = 0x400 - 7, .a_rows = 16, .rows = 4,
                                        .step = 2, .b_step = 0},
                          four_rows = {.a_mask = 0x38, .b_mask = 0x38, .dst_mask = 0x3FC, .a_rows = 16, .rows = 4,
                                       .step = 1, .b_step = 1};

void tf_exec_MVMUL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    multiply(tile, thread, word, TF_FIELD(word, MVMUL, instr_mod19) ? &seven_rows : &eight_rows,
             TF_FIELD(word, MVMUL, addr_mode));
}

void tf_exec_DOTPV(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, DOTPV, instr_mod19) != 0 || TF_FIELD(word, DOTPV, dest_accum_en))
        refuse(tile, thread, "DOTPV has no modes");
    else
        multiply(tile, thread, word, &eight_rows, TF_FIELD(word, DOTPV, addr_mode));
}

/* What else instr_mod19 is, is without meaning to GAPOOL: the page has 0, software 1. */
void tf_exec_GAPOOL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, GAPOOL, max_pool_index_en))
        refuse(tile, thread, "GAPOOL has no index");
    else
        multiply(tile, thread, word, &four_rows, TF_FIELD(word, GAPOOL, pool_addr_mode));
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
    /* Undefined rows read as minus infinity. */
    static const struct shape shape = {.a_mask = 0x30, .b_mask = 0x38, .dst_mask = 0x3FC, .a_rows = 16, .rows = 4,
                                       .step = 1, .b_step = 1, .any_exponent = true, .identity = 0xFFFF};
    if (!prepare(tile, thread, word, &shape, &operation))
        return;
    struct tf_fpu_pool pool = pool_of(&operation, TF_FIELD(word, GMPOOL, max_pool_index_en));
    operation.isa->pool(&operation.job, &pool); /* which rounds nothing */
    end(tile, thread, TF_FIELD(word, GMPOOL, clear_dvalid), TF_FIELD(word, GMPOOL, pool_addr_mode));
}

/* By instr_mod19: column 0 of SrcB for all columns, one row of SrcB for all rows. */
#define ELEMENTWISE(column, row)                                                                              \
    {.a_mask = 0x38, .b_mask = (row) ? 0x3F : 0x38, .dst_mask = 0x3F8, .a_rows = 8, .rows = 8, .step = 1,     \
     .b_step = !(row), .broadcast_column = column}
static const struct shape elementwise_shapes[4] = {ELEMENTWISE(false, false), ELEMENTWISE(true, false),
                                                   ELEMENTWISE(false, true), ELEMENTWISE(true, true)};
#undef ELEMENTWISE

/* The three elementwise instructions have the same fields. */
static void elementwise(struct tf_tile *tile, unsigned thread, uint32_t word, bool is_multiply, bool subtract)
{
    struct operation operation;
    struct tf_fpu_job *job = &operation.job;
    if (!prepare(tile, thread, word, &elementwise_shapes[TF_FIELD(word, ELWADD, instr_mod19)], &operation))
        return;
    job->subtract = subtract;
    job->accumulate = TF_FIELD(word, ELWADD, dest_accum_en); /* ELWMUL always does */
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
