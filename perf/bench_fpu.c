/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of an instruction of the matrix unit, in ns. First its arithmetic at each vector level, with no operand kept
 * from the instruction before. Then the function alone at the best level, and from a MOP of a T core, in turns of the
 * tile.
 *
 *     bench_fpu [WORD_OF_A_NAME]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "parts.h"
#include "random.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/interp/instances.h"
#include "tile/tensix/matrix/scratch.h"
#include "tile/run/slice.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define CODE 0x1000u
#define SAMPLES 7u
#define SAMPLE_S 0.01

#define W(op) ((uint32_t)TF_OP_##op << 24)
#define V(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))
#define TTINSN(word) ((word) << 2 | (word) >> 30)
#define JUMP_BACK_1 0xFFDFF06Fu

enum { FP16 = 1, TF32 = 4, BF16 = 5, INT8 = 14 };

struct row {
    const char *name;
    uint32_t word;
    uint8_t format, phase;
    bool wide;
    bool zeros; /* a quarter of all data */
};

#define ACCUMULATE V(ELWADD, dest_accum_en, 1)
#define COLUMN_0 V(ELWADD, instr_mod19, 1)
#define EIGHT_A V(MOVA2D, instr_mod, 2)

static const struct row rows[] = {
    {.name = "MVMUL bf16", .word = W(MVMUL), .format = BF16},
    {.name = "MVMUL bf16 phase 1", .word = W(MVMUL), .format = BF16, .phase = 1},
    {.name = "MVMUL bf16 phase 2", .word = W(MVMUL), .format = BF16, .phase = 2},
    {.name = "MVMUL bf16 phase 3", .word = W(MVMUL), .format = BF16, .phase = 3},
    {.name = "MVMUL bf16 onto fp32", .word = W(MVMUL), .format = BF16, .wide = true},
    {.name = "MVMUL bf16 with zeros", .word = W(MVMUL), .format = BF16, .zeros = true},
    {.name = "MVMUL tf32 onto fp32", .word = W(MVMUL), .format = TF32, .wide = true},
    {.name = "MVMUL fp16", .word = W(MVMUL), .format = FP16},
    {.name = "MVMUL int8", .word = W(MVMUL), .format = INT8, .wide = true},
    {.name = "GAPOOL bf16", .word = W(GAPOOL), .format = BF16},
    {.name = "GMPOOL bf16", .word = W(GMPOOL) | V(GMPOOL, instr_mod19, 1), .format = BF16},
    {.name = "ELWADD bf16", .word = W(ELWADD), .format = BF16},
    {.name = "ELWADD bf16 accumulated", .word = W(ELWADD) | ACCUMULATE, .format = BF16},
    {.name = "ELWADD bf16 onto fp32", .word = W(ELWADD) | ACCUMULATE, .format = BF16, .wide = true},
    {.name = "ELWADD fp16", .word = W(ELWADD), .format = FP16},
    {.name = "ELWADD int8", .word = W(ELWADD), .format = INT8, .wide = true},
    {.name = "ELWSUB bf16 column", .word = W(ELWSUB) | COLUMN_0, .format = BF16},
    {.name = "ELWMUL bf16", .word = W(ELWMUL), .format = BF16},
    {.name = "ELWMUL bf16 phase 3", .word = W(ELWMUL), .format = BF16, .phase = 3},
    {.name = "ELWMUL tf32 onto fp32", .word = W(ELWMUL), .format = TF32, .wide = true},
    {.name = "MOVA2D bf16, 8 rows", .word = W(MOVA2D) | EIGHT_A, .format = BF16},
    {.name = "MOVA2D tf32, 8 rows", .word = W(MOVA2D) | EIGHT_A, .format = TF32, .wide = true},
    {.name = "MOVB2D bf16, row to 8", .word = W(MOVB2D) | V(MOVB2D, movb2d_instr_mod, 2), .format = BF16},
    {.name = "MOVD2A bf16, 4 rows", .word = W(MOVD2A) | V(MOVD2A, instr_mod, 2), .format = BF16},
    {.name = "MOVB2A, 4 rows", .word = W(MOVB2A) | V(MOVB2A, instr_mod, 2), .format = BF16},
    {.name = "TRNSPSRCB", .word = W(TRNSPSRCB), .format = BF16},
    {.name = "ZEROACC, 16 rows", .word = W(ZEROACC) | V(ZEROACC, clear_mode, 1), .format = BF16},
};

static void set(uint32_t *word, uint32_t field, uint32_t value)
{
    *word |= value << (field >> 8 & 0xFF);
}
#define SET(config, name, value) set(&(config)->bank[0][TF_CFG_##name >> 16], TF_CFG_##name, value)

/* Around one, so that nothing becomes too large or too small for long. */
static uint32_t random_datum(const struct row *row, uint64_t *seed)
{
    uint32_t random = test_random(seed), one = row->format == FP16 ? 15 : 127, mantissa = random >> 8 & 0x3FF;
    if (row->format == BF16)
        mantissa &= 0x3F8;
    if (row->format == INT8)
        mantissa &= 0x7F;
    if (row->zeros && (random & 0x18) == 0)
        return 0;
    return (random >> 31 << 18) | mantissa << 8 | (one - 2 + random % 4);
}

static void prepare(struct tf_tile *tile, const struct row *row, struct tf_code_cache *cache)
{
    const struct tf_tile_rules rules = {.parking = true};
    uint8_t *l1 = must(calloc(1, TF_L1_BYTES_MAX));
    void *pages = must(tf_zeroed_take(tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX])));
    if (!tf_tile_init(tile, &tf_arch_blackhole.tile[TF_TILE_TENSIX], (struct tf_coord){1, 2}, 0, l1,
                      tf_tile_memory_in(&tf_arch_blackhole.tile[TF_TILE_TENSIX], pages), cache, &rules))
        must(NULL);
    struct tf_tensix *tensix = tile->tensix;
    uint64_t seed = 1;
    for (unsigned i = 0; i < 2 * 2 * TF_SRC_ROWS * TF_SRC_COLUMNS; i++)
        (&tensix->src_data->datum[0][0][0][0])[i] = random_datum(row, &seed);
    for (unsigned i = 0; i < 4; i++) {
        tensix->src->to_matrix[i / 2][i % 2] = true;
        tensix->src->format[i / 2][i % 2] = row->format;
    }
    if (row->wide)
        SET(tensix->config, ALU_ACC_CTRL_Fp32_enabled, 1);
    if (row->format == INT8)
        SET(tensix->config, ALU_ACC_CTRL_INT8_math_enabled, 1);
    tensix->rwc[0].fidelity = row->phase;
    static const uint32_t loop[TF_MOP_CFG_WORDS] = {127, 127, W(NOP), W(NOP), W(NOP), 0, W(NOP), 0, 0};
    memcpy(tensix->thread[0].mop.config, loop, sizeof loop);
    tensix->thread[0].mop.config[5] = tensix->thread[0].mop.config[7] = tensix->thread[0].mop.config[8] = row->word;
    const uint32_t code[] = {TTINSN(W(MOP) | 1u << 23), JUMP_BACK_1};
    memcpy(l1 + CODE, code, sizeof code);
    tf_hart_release(tile, &tile->hart[TF_CORE_T0], CODE, 0);
    tf_scratch_lend(tf_scratch_create(), tile);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The timed work. Returns its number of instructions. */
typedef uint64_t (*step_fn)(struct tf_tile *tile, const struct row *row, const void *what);

/* Integer sums must not saturate. */
static void begin_step(struct tf_tile *tile, const struct row *row)
{
    if (row->format == INT8)
        memset(must(tf_dst_get(tile)), 0, sizeof tile->tensix->dst->bits[0] * 2 * TF_FPU_ROWS);
}

static double ns_of(struct tf_tile *tile, const struct row *row, step_fn step, const void *what)
{
    double sample[SAMPLES];
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t count = 0;
        double begin = cpu_s(), end = begin;
        for (; end - begin < SAMPLE_S; end = cpu_s()) {
            begin_step(tile, row);
            count += step(tile, row, what);
        }
        sample[i] = (end - begin) * 1e9 / (double)count;
    }
    qsort(sample, SAMPLES, sizeof sample[0], compare);
    return sample[SAMPLES / 2];
}

/* The arithmetic of the instruction, without its preparation. */
static uint64_t step_kernel(struct tf_tile *tile, const struct row *row, const void *what)
{
    const struct tf_fpu_kernels *kernels = what;
    struct tf_tensix *tensix = tile->tensix;
    struct tf_dst *dst = must(tf_dst_get(tile));
    bool fp16 = row->format == FP16, is_int = row->format == INT8;
    enum tf_fpu_style style = fp16 ? TF_STYLE_FP16 : row->format == BF16 ? TF_STYLE_BF16 : TF_STYLE_TF32;
    struct tf_fpu_job job = {.a = (const uint32_t(*)[TF_SRC_COLUMNS])tensix->src_data->datum[0][0],
                             .b = (const uint32_t(*)[TF_SRC_COLUMNS])tensix->src_data->datum[1][0],
                             .b_step = 1,
                             .dst = dst->bits,
                             .rows = row->word >> 24 == TF_OP_GAPOOL ? 4 : 8,
                             .pairs = true,
                             .accumulator = row->wide ? TF_ACC_FP32
                                            : fp16    ? TF_ACC_FP16
                                                      : TF_ACC_BF16,
                             .exponent_8b = !fp16,
                             .phase = row->phase,
                             .mask_a = tf_fpu_mask(style),
                             .mask_b = tf_fpu_mask(style),
                             .accumulate = row->word & ACCUMULATE};
    for (unsigned i = 0; i < TF_FPU_ROWS; i++)
        job.at[i] = (uint16_t)i;
    const struct tf_fpu_pool pool = {style, style, false, false};
    for (unsigned i = 0; i < 1000; i++) {
        switch (row->word >> 24) {
        case TF_OP_MVMUL:
        case TF_OP_GAPOOL: (is_int ? kernels->multiply_int : kernels->multiply)(&job); break;
        case TF_OP_GMPOOL: kernels->pool(&job, &pool); break;
        case TF_OP_ELWMUL: kernels->elementwise_multiply(&job); break;
        case TF_OP_ELWADD:
        case TF_OP_ELWSUB:
            if (is_int)
                kernels->elementwise_int(&job, false);
            else
                kernels->elementwise_add(&job);
            break;
        default: return 0;
        }
    }
    return 1000;
}

static uint64_t step_call(struct tf_tile *tile, const struct row *row, const void *what)
{
    (void)what;
    for (unsigned i = 0; i < 1000; i++)
        tf_tensix_dispatch[row->word >> 24](tile, 0, row->word);
    return 1000;
}

static uint64_t step_issue(struct tf_tile *tile, const struct row *row, const void *what)
{
    (void)row, (void)what;
    const struct tf_schedule schedule = {.tick_cycles = 1024, .slice_ticks = 1};
    uint64_t before = tile->tensix->frontend->passed;
    tf_tile_run(tile, &schedule, tile->slice.tick + 4);
    return tile->tensix->frontend->passed - before;
}

static bool has_kernel(uint32_t word)
{
    uint32_t op = word >> 24;
    return op == TF_OP_MVMUL || op == TF_OP_GAPOOL || op == TF_OP_GMPOOL || op == TF_OP_ELWMUL || op == TF_OP_ELWADD ||
           op == TF_OP_ELWSUB;
}

static void measure(const struct row *row)
{
    struct tf_code_cache *cache = must(tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances));
    struct tf_tile *tile = zeroed_lines(sizeof *tile);
    prepare(tile, row, cache);
    printf("%-26s", row->name);
    for (unsigned level = TF_VECTORS_PORTABLE; level < TF_VECTOR_LEVELS; level++) {
        const struct tf_fpu_kernels *kernels = tf_fpu_kernels_of(TF_EDITION_BLACKHOLE, (enum tf_vectors)level);
        if (kernels == NULL || !has_kernel(row->word))
            printf(" %9s", "-");
        else
            printf(" %9.1f", ns_of(tile, row, step_kernel, kernels));
    }
    printf(" %9.1f", ns_of(tile, row, step_call, NULL));
    printf(" %9.1f%s\n", ns_of(tile, row, step_issue, NULL), tile->faults.count != 0 ? "  FAULTS" : "");
    if (tile->faults.count != 0)
        printf("%s\n", tile->faults.entry[0].text);
    fflush(stdout);
    free(tile->l1);
    tf_scratch_destroy(tile->scratch);
    tf_tile_fini(tile);
    tf_zeroed_give(tile->memory, tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX]));
    free(tile);
    tf_code_cache_destroy(cache);
}

int main(int argc, char **argv)
{
    printf("%-26s %9s %9s %9s %9s %9s  ns\n", "", "portable", "AVX2", "AVX-512", "called", "issued");
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (argc < 2 || strstr(rows[i].name, argv[1]) != NULL)
            measure(&rows[i]);
    return 0;
}
