/* SPDX-License-Identifier: Apache-2.0 */
/* MVMUL, DOTPV, GAPOOL, GMPOOL, ELWMUL, ELWADD, ELWSUB, and the legacy instructions. */
#include "tile/tensix/matrix/math.h"

#include <stdlib.h>
#include <string.h>

#include "host/hostile.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/matrix/scratch.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/batch.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/pieces.h"

/* The operands of an instruction. */
struct shape {
    uint8_t a_mask, b_mask; /* masks for the row counters of SrcA and SrcB */
    uint16_t dst_mask;      /* mask for a row of Dst, which aligns it */
    uint8_t a_rows;
    uint8_t rows, step; /* rows of Dst: 4, 8, or four rows that are two apart */
    uint8_t b_step;     /* step between rows of SrcB; 0 if one row serves all */
    bool broadcast_column;
    bool any_exponent; /* accepts data of an FP16 format whose exponents are not FP16's */
    uint16_t identity; /* value of undefined rows of Dst */
};

/*
 * All configuration words that decide formats and places of operands: of the thread, of its bank, and of the tile.
 * Words are compared whole, even if only one field has an effect.
 */
#define SETTINGS(X)                                                              \
    X(format, COMMON(ALU_FORMAT_SPEC_REG_SrcA_val))                              \
    X(alu, COMMON(ALU_FORMAT_SPEC_REG0_SrcA))                                    \
    X(denormals, COMMON(ALU_ACC_CTRL_Zero_Flag_disabled_src))                    \
    X(explicit_a, OWN(DISABLE_IMPLIED_SRCA_FMT_Base))                            \
    X(explicit_b, OWN(DISABLE_IMPLIED_SRCB_FMT_Base))                            \
    X(phase, OWN(FIDELITY_BASE_Phase))                                           \
    X(force, OWN(FP16A_FORCE_Enable))                                            \
    X(format_a, tensix->src->format[0][tensix->src->matrix_bank[0]])             \
    X(format_b, tensix->src->format[1][tensix->src->matrix_bank[1]])             \
    X(access, tensix->config->bank[0][TF_CFG_DEST_ACCESS_CFG_remap_addrs >> 16]) \
    X(debug, tile->mmio.debug.word[TF_DST_DEBUG_FEATURE_DISABLE / 4])
#define OWN(name) (words.own[TF_THREAD_CFG_##name >> 16])
#define COMMON(name) (words.common[TF_CFG_##name >> 16])

/* All members have 32 bits, because compilers compare narrower members through memory. */
struct settings {
#define X(name, word) uint32_t name;
    SETTINGS(X)
#undef X
};

/* An instruction's operands, with their configuration. */
struct operation {
    struct tf_fpu_job job;
    const struct shape *shape;
    /* Keys of operands that passed the FP16 check for an instruction of shape fp16_shape. */
    uint64_t fp16_a, fp16_b;
    const struct shape *fp16_shape;
    /* Derived from the settings; valid if `configured`. */
    bool configured;
    struct settings settings;
    const struct tf_fpu_kernels *kernels;
    void (*multiply)(const struct tf_fpu_job *job); /* from `kernels`, for the style */
    enum tf_fpu_style style_a, style_b;
    struct tf_dst_map map;
    bool wide, identity_map; /* identity_map: no field of the map is set */
    uint8_t first_phase;     /* FIDELITY_BASE_Phase */
    uint8_t how_a, how_b;    /* how to make the operands' keys for phase 0 */
    uint16_t next_group;     /* distance of the two groups of four rows in eight aligned rows of Dst */
};

/* Host state that is kept from one instruction to the next. */
struct tf_fpu_kept {
    _Alignas(64) struct operation operation;
};

/* Finds the styles in which SrcA and SrcB are read. Returns false after a fault. */
static bool find_styles(struct tf_tile *tile, unsigned thread, unsigned bank, enum tf_fpu_style *a,
                        enum tf_fpu_style *b)
{
    const struct tf_backend_config *config = tile->tensix->config;
    if (TF_CFG(config, bank, ALU_ACC_CTRL_INT8_math_enabled) && !TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable))
        *a = *b = TF_STYLE_INT8;
    else if (!tf_fpu_style(tile, thread, TF_SRC_A, TF_SRC_A, a) || !tf_fpu_style(tile, thread, TF_SRC_B, TF_SRC_B, b))
        return false;
    /* SrcB is read in SrcA's style, except for the width of its mantissa. */
    if (*a == TF_STYLE_FP16 || *b == TF_STYLE_FP16)
        *b = *a;
    return true;
}

typedef uint32_t four_data __attribute__((vector_size(16), aligned(4)));

/* OR together the bits of all data of some rows. */
static four_data bits_of_row(const uint32_t *row)
{
    const four_data *data = (const four_data *)(const void *)row;
    return data[0] | data[1] | data[2] | data[3];
}

/* Are the upper bits of the exponent 0 in all data of some rows, or in their columns 0? */
static bool are_fp16(const uint32_t (*row)[TF_SRC_COLUMNS], unsigned rows, unsigned step, bool first_column)
{
    four_data used = {0};
    for (unsigned i = 0; i < rows; i++, row += step)
        used |= first_column ? (four_data){row[0][0]} : bits_of_row(row[0]);
    return ((used[0] | used[1] | used[2] | used[3]) & 0xE0) == 0;
}

/* FP16 leaves three bits of the exponent zero (SrcASrcB.md). No source says what happens to data with other values
   there. */
static __attribute__((noinline)) bool is_fp16(struct operation *operation, const struct shape *shape)
{
    const struct tf_fpu_job *job = &operation->job;
    const bool same_shape = operation->fp16_shape == shape;
    if (!(same_shape && operation->fp16_a == job->key_a) && !are_fp16(job->a, shape->a_rows, 1, false))
        return false;
    if (!(same_shape && operation->fp16_b == job->key_b && job->key_b != 0) &&
        !are_fp16(job->b, shape->rows, shape->b_step, shape->broadcast_column))
        return false;
    operation->fp16_a = job->key_a;
    operation->fp16_b = job->key_b;
    operation->fp16_shape = shape;
    return true;
}

/* The thread's words of configuration. */
struct words {
    const uint16_t *own;
    const uint32_t *common;
};

static inline struct words words_of(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return (struct words){config->thread[thread], config->bank[tf_config_bank(config, thread)]};
}

static struct settings settings_of(const struct tf_tile *tile, struct words words)
{
    const struct tf_tensix *tensix = tile->tensix;
    return (struct settings)
    {
#define X(name, word) .name = word,
        SETTINGS(X)
#undef X
    };
}

static inline bool is_configured(const struct operation *operation, const struct tf_tile *tile, struct words words)
{
    const struct tf_tensix *tensix = tile->tensix;
#define X(name, word) &&operation->settings.name == (word)
    return operation->configured SETTINGS(X);
#undef X
}

TF_ALWAYS_INLINE unsigned physical_row(const struct operation *operation, unsigned row)
{
    const struct tf_dst_map identity = {.remap_addrs = false};
    if (operation->identity_map)
        return tf_dst_row(identity, row, operation->wide);
    return tf_dst_row(operation->map, row, operation->wide);
}

/* Computes the members that depend only on the settings. Returns false after a fault. */
static __attribute__((noinline)) bool configure(struct tf_tile *tile, unsigned thread, struct operation *operation)
{
    const struct tf_backend_config *config = tile->tensix->config;
    struct tf_fpu_job *job = &operation->job;
    const unsigned bank = tf_config_bank(config, thread);
    operation->configured = false;
    if (!find_styles(tile, thread, bank, &operation->style_a, &operation->style_b))
        return false;
    const enum tf_fpu_style style_a = operation->style_a;
    operation->wide = tf_fpu_wide(tile, thread);
    operation->map = tf_dst_map(tile);
    operation->identity_map = !operation->map.remap_addrs && !operation->map.swizzle_32b && !operation->map.high_halves;
    operation->next_group = (uint16_t)physical_row(operation, 4);
    operation->first_phase = (uint8_t)TF_THREAD_CFG(config, thread, FIDELITY_BASE_Phase);
    operation->kernels = tile->tensix->fpu->kernels;
    job->generators = NULL;
    /* Stochastic rounding applies to sums that are rounded when written: floating-point sums to 16 bits. */
    if (TF_CFG(config, bank, ALU_ROUNDING_MODE_Fpu_srnd_en) && !operation->wide) {
        operation->kernels = &tf_fpu_stochastic;
        job->generators = (const uint32_t(*)[TF_SRC_COLUMNS])tile->tensix->rounding->matrix;
    }
    operation->multiply = style_a == TF_STYLE_INT8 ? operation->kernels->multiply_int : operation->kernels->multiply;
    job->exponent_8b = style_a == TF_STYLE_BF16 || style_a == TF_STYLE_TF32;
    job->accumulator = operation->wide ? TF_ACC_FP32 : job->exponent_8b ? TF_ACC_BF16 : TF_ACC_FP16;
    job->mask_a = tf_fpu_mask(style_a);
    job->mask_b = tf_fpu_mask(operation->style_b);
    job->keep_b_denormals = tf_fpu_keeps_denormals(tile, thread);
    operation->how_a = (uint8_t)(style_a << 1);
    operation->how_b = (uint8_t)(job->keep_b_denormals << 3 | operation->style_b << 1);
    operation->settings = settings_of(tile, words_of(tile, thread));
    operation->configured = true;
    return true;
}

/* Allocated on first use. NULL means that the host has no memory, which only costs time. Rows `matmul-*` pay for it
   (9 % of the instructions of `matmul`). */
static struct tf_fpu_kept *kept_of(struct tf_tile *tile)
{
    struct tf_fpu *fpu = tile->tensix->fpu;
    if (TF_HOSTILE)
        return NULL;
    if (fpu->kept == NULL) {
        fpu->kept = aligned_alloc(64, sizeof *fpu->kept);
        if (fpu->kept != NULL)
            memset(&fpu->kept->operation, 0, sizeof fpu->kept->operation);
    }
    return fpu->kept;
}

/*
 * The operation for the present configuration. If that has not changed, it is the previous operation. `own` is used if
 * the host has no memory. Returns NULL after a fault.
 */
static inline struct operation *configured(struct tf_tile *tile, unsigned thread, struct words words,
                                           struct operation *own)
{
    struct tf_fpu_kept *kept = kept_of(tile);
    struct operation *operation = kept != NULL ? &kept->operation : own;
    if (kept == NULL)
        *own = (struct operation){.configured = false};
    operation->job.memory = tf_scratch_fpu(tile);
    return is_configured(operation, tile, words) || configure(tile, thread, operation) ? operation : NULL;
}

static __attribute__((noinline)) void take_shape(const struct shape *shape, struct operation *operation)
{
    struct tf_fpu_job *job = &operation->job;
    operation->shape = shape;
    job->rows = shape->rows;
    job->pairs = shape->step == 1;
    job->b_step = shape->b_step;
    job->broadcast_column = shape->broadcast_column;
}

/* Row 0 of SrcA, SrcB and Dst each, and their keys in phase 0. They are constant while the thread's configuration and
   banks are. */
struct origins {
    const uint32_t (*a)[TF_SRC_COLUMNS], (*b)[TF_SRC_COLUMNS];
    uint64_t key_a, key_b;
    unsigned dst; /* in the numbers that the thread's instructions use */
};

static inline struct origins origins_of(const struct tf_tile *tile, struct words words,
                                        const struct operation *operation)
{
    const struct tf_tensix *const tensix = tile->tensix;
    const unsigned a_bank = tensix->src->matrix_bank[TF_SRC_A], b_bank = tensix->src->matrix_bank[TF_SRC_B];
    return (struct origins){
        .a = tf_fpu_src(tile, TF_SRC_A),
        .b = tf_fpu_src(tile, TF_SRC_B),
        .key_a = tf_fpu_key(tensix->src_writes[TF_SRC_A][a_bank], a_bank, operation->how_a),
        .key_b = tf_fpu_key(tensix->src_writes[TF_SRC_B][b_bank], b_bank, operation->how_b),
        .dst = tf_config_dst_base(words.own, words.common),
    };
}

/*
 * Sets rows of SrcA and SrcB, and the fidelity phase. If one row of SrcB serves all, it has no key. Returns NULL, or
 * the reason why the operands are invalid; that is a fault.
 */
TF_ALWAYS_INLINE const char *take_src(struct tf_fpu *fpu, const struct tf_rwc *rwc, const struct origins *origins,
                                      const struct shape *shape, struct operation *operation)
{
    struct tf_fpu_job *job = &operation->job;
    const unsigned a_row = rwc->srca & shape->a_mask, b_row = rwc->srcb & shape->b_mask;
    const unsigned phase = (rwc->fidelity + operation->first_phase) & 3;
    fpu->srca_row = rwc->srca;
    job->a = origins->a + a_row;
    job->b = origins->b + b_row;
    job->phase = phase;
    job->key_a = tf_fpu_key_at(origins->key_a, a_row, phase & 1);
    job->key_b = shape->b_step == 0 ? 0 : tf_fpu_key_at(origins->key_b, b_row, phase >> 1);
    if (a_row + shape->a_rows > TF_SRC_ROWS)
        return "16 rows of SrcA from row 56";
    if (operation->style_a == TF_STYLE_FP16 && !shape->any_exponent && !is_fp16(operation, shape))
        return "data in an FP16 format have an exponent of more than five bits";
    return NULL;
}

static __attribute__((noinline)) void settle_rows(struct tf_dst *dst, const struct operation *operation,
                                                  unsigned physical, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        tf_fpu_settle(dst, physical + i, operation->wide, operation->shape->identity);
}

/* Takes four or eight rows of Dst that are adjacent and aligned. */
static inline __attribute__((always_inline)) void take_adjacent(struct tf_dst *dst, struct operation *operation,
                                                                unsigned first, unsigned count, unsigned physical)
{
    typedef uint16_t eight __attribute__((vector_size(16)));
    const eight at = (eight){0, 1, 2, 3, 4, 5, 6, 7} + (uint16_t)physical;
    if ((dst->undefined[physical / 64] >> physical % 64 & ((1u << count) - 1)) != 0)
        settle_rows(dst, operation, physical, count);
    memcpy(&operation->job.at[first], &at, count * sizeof at[0]);
}

/* Takes rows of Dst from the instruction's row on. All of these instructions have MVMUL's field. */
static inline __attribute__((always_inline)) void take_dst(struct tf_dst *dst, const struct tf_rwc *rwc, uint32_t word,
                                                           const struct origins *origins, const struct shape *shape,
                                                           struct operation *operation)
{
    const unsigned row = (TF_FIELD(word, MVMUL, dst) + rwc->dst + origins->dst) & shape->dst_mask;
    operation->job.dst = dst->bits;
    const unsigned physical = physical_row(operation, row);
    if (shape->step == 1 && shape->rows == 8 && operation->next_group == 4 && physical % 8 == 0) {
        take_adjacent(dst, operation, 0, 8, physical);
    } else if (shape->step == 1) { /* groups of four are adjacent in any map (dst.h) */
        take_adjacent(dst, operation, 0, 4, physical);
        if (shape->rows == 8)
            take_adjacent(dst, operation, 4, 4, physical ^ operation->next_group);
    } else {
        for (unsigned i = 0; i < shape->rows; i++) {
            operation->job.at[i] = (uint16_t)physical_row(operation, row + i * shape->step);
            tf_fpu_settle(dst, operation->job.at[i], operation->wide, shape->identity);
        }
    }
}
#undef OWN
#undef COMMON

/* Returns NULL after a fault. */
static __attribute__((noinline)) struct operation *prepare(struct tf_tile *tile, unsigned thread, uint32_t word,
                                                           const struct shape *shape, struct operation *own)
{
    const struct words words = words_of(tile, thread);
    struct operation *operation = configured(tile, thread, words, own);
    if (operation == NULL)
        return NULL;
    if (operation->shape != shape)
        take_shape(shape, operation);
    /* The instruction reads the counter of Dst before instructions of SFPLOADMACRO change it. */
    const struct tf_rwc rwc = tile->tensix->rwc[thread];
    const struct origins origins = origins_of(tile, words, operation);
    const char *why = take_src(tile->tensix->fpu, &rwc, &origins, shape, operation);
    if (why != NULL) {
        tf_fpu_refuse(tile, thread, why);
        return NULL;
    }
    struct tf_dst *dst = tf_fpu_dst(tile);
    take_dst(dst, &rwc, word, &origins, shape, operation);
    return operation;
}

/* Each written datum has used a random number. */
static void end_rounding(struct tf_tile *tile, const struct operation *operation)
{
    if (operation->job.generators != NULL)
        tf_rounding_advance(tile->tensix->rounding, operation->job.rows);
}

/* The columns of SrcB in which some datum is not 0, as bits. Often the first row already has all columns. Row
   `check-matmul`. */
static unsigned columns_used(const uint32_t (*row)[TF_SRC_COLUMNS], unsigned rows)
{
    unsigned used = 0;
    for (unsigned i = 0; i < rows && used != (1u << TF_SRC_COLUMNS) - 1; i++)
        for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
            used |= (unsigned)(row[i][column] != 0) << column;
    return used;
}

/* The rows from which the matrix unit computes a result row. */
struct origin {
    unsigned joined; /* rows of SrcA whose columns of SrcB are not 0; 0: only the row with the result's number */
    unsigned b_rows; /* number of rows of SrcB that the instruction reads; 0 if its shape says so */
    bool dst;        /* the result is added to the row of Dst */
};

static unsigned rows_of_b(const struct shape *shape)
{
    return shape->b_step == 0 ? 1 : shape->rows;
}

/* Report rows of SrcA and SrcB to a race checker. */
static void tell_src(const struct tf_tile *tile, unsigned thread, const struct operation *operation,
                     struct origin origin)
{
    const struct tf_fpu_job *job = &operation->job;
    const unsigned a = (unsigned)(job->a - tf_fpu_src(tile, TF_SRC_A));
    const unsigned b_rows = origin.b_rows != 0 ? origin.b_rows : rows_of_b(operation->shape);
    tf_fpu_report(tile, thread, TF_SRC_A, a, operation->shape->a_rows, TF_CHECK_READS);
    tf_fpu_report(tile, thread, TF_SRC_B, (unsigned)(job->b - tf_fpu_src(tile, TF_SRC_B)), b_rows, TF_CHECK_READS);
    unsigned needed = origin.joined == 0 ? 0 : columns_used(job->b, b_rows) & ((1u << origin.joined) - 1);
    while (needed != 0) {
        const unsigned first = (unsigned)__builtin_ctz(needed), count = (unsigned)__builtin_ctz(~(needed >> first));
        tf_fpu_report(tile, thread, TF_SRC_A, a + first, count, TF_CHECK_NEEDS);
        needed &= ~0u << (first + count);
    }
}

/* Report rows of Dst to a race checker. Consecutive rows are reported together. */
static void tell_dst(const struct tf_tile *tile, unsigned thread, const struct operation *operation,
                     enum tf_check_use use)
{
    const struct tf_fpu_job *job = &operation->job;
    const unsigned step = job->pairs ? 4 : 1; /* see take_adjacent() */
    for (unsigned i = 0, rows; i < job->rows; i += rows) {
        for (rows = step; i + rows < job->rows && job->at[i + rows] == job->at[i] + rows; rows += step)
            continue;
        tf_report_rows(tile, thread, TF_CHECK_DST, job->at[i], rows, use);
    }
}

/* tell() for tiles with a race checker. */
static __attribute__((noinline)) void tell_checker(const struct tf_tile *tile, unsigned thread,
                                                   const struct operation *operation, struct origin origin)
{
    tell_src(tile, thread, operation, origin);
    tell_dst(tile, thread, operation, origin.dst ? TF_CHECK_CHANGES : TF_CHECK_WRITES);
}

/* Report an instruction's operands to a race checker. */
static inline void tell(const struct tf_tile *tile, unsigned thread, const struct operation *operation,
                        struct origin origin)
{
    if (__builtin_expect(tf_reports_all(tile), 0))
        tell_checker(tile, thread, operation, origin);
}

static void end(struct tf_tile *tile, unsigned thread, uint32_t flip, unsigned modifier)
{
    if (flip != 0)
        tf_fpu_flip(tile, thread, flip);
    tf_rwc_modify(tile, thread, modifier, true);
}

/* MVMUL.md and pages of similar instructions. */
static void multiply(struct tf_tile *tile, unsigned thread, uint32_t word, const struct shape *shape, unsigned modifier)
{
    struct operation own, *operation = prepare(tile, thread, word, shape, &own);
    if (operation == NULL)
        return;
    tell(tile, thread, operation, (struct origin){operation->shape->a_rows, 0, true});
    operation->multiply(&operation->job);
    end_rounding(tile, operation);
    end(tile, thread, TF_FIELD(word, MVMUL, clear_dvalid), modifier);
}

/* A broadcast covers rows 0, 2, 4 and 6. All seven rows decide the alignment. */
/* clang-format off */
static const struct shape eight_rows = {.a_mask = 0x38, .b_mask = 0x38, .dst_mask = 0x3F8, .a_rows = 16, .rows = 8,
                                        .step = 1, .b_step = 1},
                          seven_rows = {.a_mask = 0x38, .b_mask = 0x3F, .dst_mask = 0x400 - 7, .a_rows = 16, .rows = 4,
                                        .step = 2, .b_step = 0},
                          four_rows = {.a_mask = 0x38, .b_mask = 0x38, .dst_mask = 0x3FC, .a_rows = 16, .rows = 4,
                                       .step = 1, .b_step = 1};

/* clang-format on */

static inline const struct shape *shape_of_mvmul(uint32_t word)
{
    return TF_FIELD(word, MVMUL, instr_mod19) ? &seven_rows : &eight_rows;
}

void tf_exec_MVMUL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    multiply(tile, thread, word, shape_of_mvmul(word), TF_FIELD(word, MVMUL, addr_mode));
}

/* Values that are constant during a batch of MVMULs. */
struct batch {
    struct tf_tile *tile;
    struct tf_fpu *fpu;
    struct tf_rwc *rwc;
    const uint16_t *modifiers; /* ThreadConfig */
    struct tf_dst *dst;
    struct operation *operation;
    struct origins origins;
};

/* Multiply with a constant `shape`. Returns false if the instruction faults; nothing was done then. */
TF_ALWAYS_INLINE bool multiply_by(const struct batch *batch, uint32_t word, const struct shape *shape)
{
    struct operation *operation = batch->operation;
    if (operation->shape != shape)
        take_shape(shape, operation);
    if (take_src(batch->fpu, batch->rwc, &batch->origins, shape, operation) != NULL)
        return false;
    take_dst(batch->dst, batch->rwc, word, &batch->origins, shape, operation);
    operation->multiply(&operation->job);
    end_rounding(batch->tile, operation);
    tf_rwc_modify_by(batch->rwc, batch->modifiers, TF_FIELD(word, MVMUL, addr_mode), true);
    return true;
}

static __attribute__((noinline)) bool multiply_seven(const struct batch *batch, uint32_t word)
{
    return multiply_by(batch, word, &seven_rows);
}

static __attribute__((noinline)) bool multiply_eight(const struct batch *batch, uint32_t word)
{
    return multiply_by(batch, word, &eight_rows);
}

static inline bool multiply_next(const struct batch *batch, uint32_t word)
{
    return shape_of_mvmul(word) == &eight_rows ? multiply_eight(batch, word) : multiply_seven(batch, word);
}

TF_ALWAYS_INLINE bool one(void *of, struct tf_tensix_thread *thread, uint32_t word, uint8_t kind, uint32_t pc)
{
    (void)thread, (void)pc;
    return kind == TF_KIND_MATRIX && multiply_next(of, word);
}

TF_ALWAYS_INLINE uint32_t play(void *of, struct tf_tensix_thread *thread, uint32_t first, uint32_t count)
{
    struct tf_replay *replay = &thread->replay;
    uint32_t done = 0;
    for (uint32_t at = first; done < count; done++, at++)
        if (tf_kind_at(&replay->kind[at], replay->buffer[at]) != TF_KIND_MATRIX ||
            !multiply_next(of, replay->buffer[at]))
            break;
    return done;
}

TF_ALWAYS_INLINE uint32_t pass_fifo(void *of, struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline)
{
    struct tf_fifo *fifo = &thread->fifo;
    const uint64_t cycle = thread->cycle;
    const uint32_t ready = tf_batch_arrived(fifo, cycle, deadline);
    uint32_t done = 0;
    (void)limit; /* equal to the deadline */
    for (; done < ready; done++) {
        struct tf_push *push = &fifo->entry[(fifo->first + done) % TF_FIFO_ENTRIES];
        if (push->resources != 0 || tf_kind_at(&push->kind, push->word) != TF_KIND_MATRIX ||
            !multiply_next(of, push->word))
            break;
    }
    if (done != 0)
        tf_batch_passed_fifo(thread, done, tf_batch_passes_at(fifo, done - 1, cycle) + 1);
    return done;
}

bool tf_fpu_run(struct tf_tile *tile, unsigned t, uint64_t limit)
{
    static const struct tf_batch_unit unit = {.one = one, .play = play, .pass_fifo = pass_fifo};
    struct tf_tensix *tensix = tile->tensix;
    const struct words words = words_of(tile, t);
    struct tf_fpu_kept *kept = tensix->fpu->kept;
    if (kept == NULL || tensix->dst == NULL || (tensix->vector != NULL && tensix->vector->scheduled) ||
        tensix->delay_cycles != 0 || !is_configured(&kept->operation, tile, words))
        return false;
    kept->operation.job.memory = tf_scratch_fpu(tile);
    struct batch batch = {
        .tile = tile,
        .fpu = tensix->fpu,
        .rwc = &tensix->rwc[t],
        .modifiers = words.own,
        .dst = tensix->dst,
        .operation = &kept->operation,
        .origins = origins_of(tile, words, &kept->operation),
    };
    uint32_t done = tf_batch_pass(&unit, &batch, &tensix->thread[t], limit, limit);
    tensix->frontend->passed += done;
    if (done != 0)
        tile->cycle = tensix->thread[t].cycle - 1;
    return done != 0;
}

void tf_exec_DOTPV(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, DOTPV, instr_mod19) != 0 || TF_FIELD(word, DOTPV, dest_accum_en))
        tf_fpu_refuse(tile, thread, "DOTPV has no modes");
    else
        multiply(tile, thread, word, &eight_rows, TF_FIELD(word, DOTPV, addr_mode));
}

/* GAPOOL ignores other values of instr_mod19. The page has 0; software uses 1. */
void tf_exec_GAPOOL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, GAPOOL, max_pool_index_en))
        tf_fpu_refuse(tile, thread, "GAPOOL has no index");
    else
        multiply(tile, thread, word, &four_rows, TF_FIELD(word, GAPOOL, pool_addr_mode));
}

/* Data types of GMPOOL.md. */
static struct tf_fpu_pool pool_of(const struct operation *operation, bool arg_max)
{
    struct tf_fpu_pool pool = {.source = operation->style_a, .wide = operation->wide, .arg_max = arg_max};
    switch (operation->style_a) {
    case TF_STYLE_INT8: pool.dst = TF_STYLE_INT8; break;
    case TF_STYLE_TF32: pool.dst = arg_max ? TF_STYLE_INT8 : operation->wide ? TF_STYLE_TF32 : TF_STYLE_BF16; break;
    default: pool.dst = operation->wide && !arg_max ? TF_STYLE_TF32 : operation->style_a; break;
    }
    return pool;
}

void tf_exec_GMPOOL(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (!TF_FIELD(word, GMPOOL, instr_mod19)) {
        tf_fpu_refuse(tile, thread, "GMPOOL has no mode 0");
        return;
    }
    /* Undefined rows read as minus infinity. */
    static const struct shape shape = {.a_mask = 0x30,
                                       .b_mask = 0x38,
                                       .dst_mask = 0x3FC,
                                       .a_rows = 16,
                                       .rows = 4,
                                       .step = 1,
                                       .b_step = 1,
                                       .any_exponent = true,
                                       .identity = 0xFFFF};
    struct operation own, *operation = prepare(tile, thread, word, &shape, &own);
    if (operation == NULL)
        return;
    struct tf_fpu_pool pool = pool_of(operation, TF_FIELD(word, GMPOOL, max_pool_index_en));
    /* An index alone selects one of the first eight rows. */
    const unsigned joined = pool.arg_max && pool.dst == TF_STYLE_INT8 ? 8 : shape.a_rows;
    tell(tile, thread, operation, (struct origin){joined, 1, true});
    operation->kernels->pool(&operation->job, &pool); /* rounding does not apply */
    end(tile, thread, TF_FIELD(word, GMPOOL, clear_dvalid), TF_FIELD(word, GMPOOL, pool_addr_mode));
}

/* By instr_mod19: column 0 of SrcB for all columns, one row of SrcB for all rows. */
/* clang-format off */
#define ELEMENTWISE(column, row)                                                                              \
    {.a_mask = 0x38, .b_mask = (row) ? 0x3F : 0x38, .dst_mask = 0x3F8, .a_rows = 8, .rows = 8, .step = 1,     \
     .b_step = !(row), .broadcast_column = column}
/* clang-format on */
static const struct shape elementwise_shapes[4] = {ELEMENTWISE(false, false), ELEMENTWISE(true, false),
                                                   ELEMENTWISE(false, true), ELEMENTWISE(true, true)};
#undef ELEMENTWISE

/* The three elementwise instructions have the same fields. */
static void elementwise(struct tf_tile *tile, unsigned thread, uint32_t word, bool is_multiply, bool subtract)
{
    const struct shape *shape = &elementwise_shapes[TF_FIELD(word, ELWADD, instr_mod19)];
    struct operation own, *operation = prepare(tile, thread, word, shape, &own);
    if (operation == NULL)
        return;
    struct tf_fpu_job *job = &operation->job;
    job->subtract = subtract;
    job->accumulate = TF_FIELD(word, ELWADD, dest_accum_en); /* ELWMUL always does */
    tell(tile, thread, operation, (struct origin){0, 0, is_multiply || job->accumulate});
    if (operation->style_a == TF_STYLE_INT8)
        operation->kernels->elementwise_int(job, is_multiply);
    else if (is_multiply)
        operation->kernels->elementwise_multiply(job);
    else
        operation->kernels->elementwise_add(job);
    end_rounding(tile, operation);
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

/* MatrixUnit.md, "Legacy instructions": software has no use for their remaining effects. */
#define X(name)                                                               \
    void tf_exec_##name(struct tf_tile *tile, unsigned thread, uint32_t word) \
    {                                                                         \
        (void)word;                                                           \
        tf_fpu_refuse(tile, thread, "the hardware no longer has " #name);     \
    }
TF_FPU_DROPPED(X)
#undef X
