/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of the matrix unit's instructions: data formats, rows, banks. */
#ifndef TILE_TENSIX_MATRIX_ISSUE_H
#define TILE_TENSIX_MATRIX_ISSUE_H

#include "host/vectors.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/data/rwc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/vector/settled.h"
#include "tile/tensix/state.h"

/* A fault of the thread with a reason. Returns false. */
bool tf_fpu_refuse(struct tf_tile *tile, unsigned thread, const char *why);

/*
 * The data format of one side. It is the configured one, or (new in Blackhole) the one that the unpacker left with the
 * bank of side `implied`. It is FP16 where the configuration forces that.
 */
unsigned tf_fpu_format(const struct tf_tile *tile, unsigned thread, unsigned side, unsigned implied);

/* The style in which data of a format are read. Returns false after recording a fault, if the format has none. */
bool tf_fpu_style(struct tf_tile *tile, unsigned thread, unsigned side, unsigned implied, enum tf_fpu_style *style);

/* Is Dst used as 32 bits wide? */
static inline bool tf_fpu_wide(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned bank = tf_config_bank(config, thread);
    return !TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable) &&
           (TF_CFG(config, bank, ALU_ACC_CTRL_Fp32_enabled) || TF_CFG(config, bank, ALU_ACC_CTRL_INT8_math_enabled));
}

/* ALU_ACC_CTRL_Zero_Flag_disabled_src: data with an exponent of zero are not flushed. */
static inline bool tf_fpu_keeps_denormals(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return TF_CFG(config, tf_config_bank(config, thread), ALU_ACC_CTRL_Zero_Flag_disabled_src);
}

/* tf_dst(), inline where Dst exists and nothing is scheduled. */
static inline struct tf_dst *tf_fpu_dst(struct tf_tile *tile)
{
    const struct tf_tensix *tensix = tile->tensix;
    bool settled = tensix->dst != NULL && (tensix->vector == NULL || !tensix->vector->scheduled);
    return settled ? tensix->dst : tf_dst(tile);
}

/* DstRow of an instruction that names `row`, with words of ThreadConfig, and of Config. */
static inline unsigned tf_fpu_dst_row_by(const struct tf_rwc *rwc, const uint16_t *own, const uint32_t *common,
                                         unsigned row)
{
    return (row + rwc->dst + tf_config_dst_base(own, common)) & (TF_DST_ROWS - 1);
}

static inline unsigned tf_fpu_dst_row(const struct tf_tile *tile, unsigned thread, unsigned row)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return tf_fpu_dst_row_by(&tile->tensix->rwc[thread], config->thread[thread],
                             config->bank[tf_config_bank(config, thread)], row);
}

/* Rows of the matrix unit's bank: to be read, and to be written (tf_src_write()). */
static inline const uint32_t (*tf_fpu_src(const struct tf_tile *tile, unsigned side))[TF_SRC_COLUMNS]
{
    const struct tf_tensix *tensix = tile->tensix;
    return (const uint32_t(*)[TF_SRC_COLUMNS])tensix->src_data->datum[side][tensix->src->matrix_bank[side]];
}

static inline uint32_t (*tf_fpu_src_write(struct tf_tile *tile, unsigned thread, unsigned side, unsigned row,
                                          unsigned count))[TF_SRC_COLUMNS]
{
    return tf_src_write(tile, thread, side, tile->tensix->src->matrix_bank[side], row, count);
}

/* Report that an instruction reads rows of the matrix unit's bank. */
static inline void tf_fpu_report(const struct tf_tile *tile, unsigned thread, unsigned side, unsigned row,
                                 unsigned count, enum tf_check_use use)
{
    tf_src_report(tile, thread, side, tile->tensix->src->matrix_bank[side], row, count, use);
}

/*
 * Clears the undefined mark of a physical row of Dst (of 16-bit data, or of high halves if `wide`). If the row was
 * marked, its data become `identity`: 0 or all bits set.
 */
void tf_fpu_settle(struct tf_dst *dst, unsigned physical, bool wide, uint16_t identity);

/* FlipSrcA, FlipSrcB. */
void tf_fpu_flip(struct tf_tile *tile, unsigned thread, uint32_t flip);

/* The kernels of a vector level, of a family's edition (enum tf_edition). Returns NULL if the host lacks the level. */
const struct tf_fpu_kernels *tf_fpu_kernels_of(unsigned edition, enum tf_vectors level);

/* From now on the tile's matrix unit uses the kernels of the level. Returns false if the host lacks the level. */
bool tf_fpu_choose(struct tf_tile *tile, enum tf_vectors level);

/* Frees the memory that instructions have allocated. */
void tf_fpu_destroy(struct tf_tile *tile);

#endif
