/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the matrix unit: a coprocessor full of random data, and data of ISA pages by name. */
#ifndef TESTS_UNIT_TENSIX_FPU_H
#define TESTS_UNIT_TENSIX_FPU_H

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/units.h"

#define CFG_SET(bare, name, value) \
    fpu_set(&(bare)->tile.tensix->config->bank[0][TF_CFG_##name >> 16], TF_CFG_##name, value)
/* The rest of the word becomes zero. */
#define THREAD_SET(bare, name, value)                                     \
    ((bare)->tile.tensix->config->thread[0][TF_THREAD_CFG_##name >> 16] = \
         (uint16_t)((value) << (TF_THREAD_CFG_##name >> 8 & 0xFF)))

enum { FP32 = 0, FP16 = 1, BFP8A = 2, TF32 = 4, BF16 = 5, INT32 = 8, FP8 = 10, NONE = 12, INT8 = 14 };

static inline void fpu_set(uint32_t *word, uint32_t field, uint32_t value)
{
    uint32_t first = field >> 8 & 0xFF, width = field & 0xFF, mask = ((width == 32 ? 0 : 1u << width) - 1) << first;
    *word = (*word & ~mask) | (value << first & mask);
}

/* Both sides' formats are `format` by configuration, and not implied. */
static inline void fpu_format(struct bare *bare, unsigned a, unsigned b)
{
    THREAD_SET(bare, DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    THREAD_SET(bare, DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG0_SrcA, a);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG1_SrcB, b);
}

/* All banks are the matrix unit's, everything is zero. */
static inline struct bare *fpu_fresh(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    memset(tensix->src, 0, sizeof *tensix->src);
    for (unsigned i = 0; i < 4; i++)
        memset(tf_src_write(&bare->tile, 0, i / 2, i % 2, 0, TF_SRC_ROWS), 0, sizeof tensix->src_data->datum[0][0]);
    memset(tensix->src_data->unpack_row, 0, sizeof tensix->src_data->unpack_row);
    memset(tensix->config, 0, sizeof *tensix->config);
    memset(tensix->rwc, 0, TF_TENSIX_THREADS * sizeof *tensix->rwc);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    memset(dst, 0, sizeof *dst);
    for (unsigned i = 0; i < 4; i++)
        tensix->src->to_matrix[i / 2][i % 2] = true;
    return bare;
}

/* A datum of SrcA or SrcB. */
static inline uint32_t fpu_src(uint32_t sign, uint32_t exponent, uint32_t mantissa)
{
    return sign << 18 | mantissa << 8 | exponent;
}

/* To be read, or written at once. */
static inline uint32_t (*fpu_bank(struct bare *bare, unsigned side, unsigned bank))[TF_SRC_COLUMNS]
{
    return tf_src_write(&bare->tile, 0, side, bank, 0, TF_SRC_ROWS);
}

/* A row of SrcA or SrcB, in the bank that the matrix unit uses. */
static inline uint32_t *fpu_row(struct bare *bare, unsigned side, unsigned row)
{
    return fpu_bank(bare, side, bare->tile.tensix->src->matrix_bank[side])[row];
}

/* Random data whose exponents are close to `center`: all of them count in a sum. */
static inline uint32_t fpu_random_src(unsigned center, unsigned spread, uint32_t exponent_bits)
{
    uint32_t random = bare_random();
    uint32_t exponent = random >> 28 == 0 ? 0 : center + random % (2 * spread + 1) - spread;
    return fpu_src(random >> 27 & 1, exponent & exponent_bits, bare_random() & ((random >> 26 & 1) ? 0x3FF : 0x380));
}

#endif
