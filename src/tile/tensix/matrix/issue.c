/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "tile/tensix/data/format.h"

#define NO_STYLE 0xFFu

/* Indexed by data format (SrcAStyle of MVMUL.md). */
static const uint8_t styles[16] = {
    [0] = TF_STYLE_BF16,                                         /* FP32 */
    [1] = TF_STYLE_FP16,                                         /* FP16 */
    [2] = TF_STYLE_FP16,                                         /* BFP8a */
    [3] = TF_STYLE_FP16,                                         /* BFP4a */
    [4] = TF_STYLE_TF32,                                         /* TF32 */
    [5] = TF_STYLE_BF16,                                         /* BF16 */
    [6] = TF_STYLE_BF16,                                         /* BFP8 */
    [7] = TF_STYLE_BF16,                                         /* BFP4 */
    [8] = TF_STYLE_BF16,                                         /* INT32 */
    [9] = TF_STYLE_BF16,                                         /* INT16 */
    [10] = TF_STYLE_FP16,                                        /* FP8 */
    [11] = TF_STYLE_FP16,                                        /* BFP2a */
    [12] = NO_STYLE,      [13] = NO_STYLE, [14] = TF_STYLE_FP16, /* INT8 */
    [15] = TF_STYLE_BF16,                                        /* BFP2 */
};

bool tf_fpu_refuse(struct tf_tile *tile, unsigned thread, const char *why)
{
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s", why);
    return false;
}

unsigned tf_fpu_format(const struct tf_tile *tile, unsigned thread, unsigned side, unsigned implied)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_backend_config *config = tensix->config;
    if (TF_THREAD_CFG(config, thread, FP16A_FORCE_Enable))
        return TF_FORMAT_FP16;
    bool disabled = side == TF_SRC_A ? TF_THREAD_CFG(config, thread, DISABLE_IMPLIED_SRCA_FMT_Base)
                                     : TF_THREAD_CFG(config, thread, DISABLE_IMPLIED_SRCB_FMT_Base);
    return disabled ? tf_config_src_format(config, tf_config_bank(config, thread), side == TF_SRC_B)
                    : tensix->src->format[implied][tensix->src->matrix_bank[implied]];
}

bool tf_fpu_style(struct tf_tile *tile, unsigned thread, unsigned side, unsigned implied, enum tf_fpu_style *style)
{
    unsigned format = tf_fpu_format(tile, thread, side, implied) & 15;
    if (styles[format] == NO_STYLE) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "data format %u of Src%c does not exist", format,
                        side == TF_SRC_A ? 'A' : 'B');
        return false;
    }
    *style = (enum tf_fpu_style)styles[format];
    return true;
}

void tf_fpu_settle(struct tf_dst *dst, unsigned physical, bool wide, uint16_t identity)
{
    typedef uint16_t row __attribute__((vector_size(TF_DST_COLUMNS * sizeof(uint16_t))));
    if (!tf_dst_is_undefined(dst, physical))
        return;
    const row values = (row){0} + identity;
    memcpy(dst->bits[physical], &values, sizeof values);
    if (wide)
        memcpy(dst->bits[physical + TF_DST_LOW_ROWS], &values, sizeof values);
    tf_dst_define(dst, physical);
}

void tf_fpu_flip(struct tf_tile *tile, unsigned thread, uint32_t flip)
{
    const struct tf_backend_config *config = tile->tensix->config;
    if (flip & 1)
        tf_src_release(tile, thread, TF_SRC_A, !TF_THREAD_CFG(config, thread, CLR_DVALID_SrcA_Disable), true);
    if (flip & 2)
        tf_src_release(tile, thread, TF_SRC_B, !TF_THREAD_CFG(config, thread, CLR_DVALID_SrcB_Disable), true);
}

const struct tf_fpu_kernels *tf_fpu_kernels_of(unsigned edition, enum tf_vectors level)
{
    static const struct tf_fpu_kernels *const kernels[TF_EDITIONS][TF_VECTOR_LEVELS] = {
        [TF_EDITION_BLACKHOLE] = TF_VECTORS_TABLE(tf_fpu),
        [TF_EDITION_WORMHOLE] = TF_VECTORS_TABLE(tf_fpu_wormhole),
    };
    return kernels[edition][tf_vectors_resolve(level)];
}

void tf_fpu_destroy(struct tf_tile *tile)
{
    free(tile->tensix->fpu->kept);
    tile->tensix->fpu->kept = NULL;
}

bool tf_fpu_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_fpu_kernels *kernels = tf_fpu_kernels_of(tile->arch->units.edition, level);
    if (kernels == NULL)
        return false;
    tf_fpu_destroy(tile);
    tile->tensix->fpu->kernels = kernels;
    return true;
}
