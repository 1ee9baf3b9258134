/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/whole/fill.h"

#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/vector/vector.h"

#define SRC_BITS 19u
#define LREGS_GENERAL 8u

/* Operands that the matrix unit derived from the banks become invalid. */
static void fill_src(struct tf_tensix *tensix, uint32_t (*next)(void *source), void *source)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned bank = 0; bank < 2; bank++) {
            tensix->src_writes[side][bank]++;
            for (unsigned i = 0; i < TF_SRC_ROWS * TF_SRC_COLUMNS; i++)
                tensix->src_data->datum[side][bank][i / TF_SRC_COLUMNS][i % TF_SRC_COLUMNS] = next(source) &
                                                                                              ((1u << SRC_BITS) - 1);
        }
}

void tf_tensix_fill(struct tf_tile *tile, uint32_t (*next)(void *source), void *source)
{
    struct tf_tensix *tensix = tile->tensix;
    if (tensix == NULL)
        return;
    for (unsigned i = 0; i < TF_TENSIX_THREADS * TF_GPRS; i++)
        tensix->thcon->gpr[i / TF_GPRS][i % TF_GPRS] = next(source);
    for (unsigned i = 0; i < TF_DST_ROWS * TF_DST_COLUMNS; i++)
        tf_dst_get(tile)->bits[i / TF_DST_COLUMNS][i % TF_DST_COLUMNS] = (uint16_t)next(source);
    fill_src(tensix, next, source);
    struct tf_vector *vector = tf_sfpu_get(tile);
    for (unsigned i = 0; i < LREGS_GENERAL * TF_LANES; i++)
        vector->lreg[i / TF_LANES][i % TF_LANES] = next(source);
}
