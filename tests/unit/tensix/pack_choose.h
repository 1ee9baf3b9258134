/* SPDX-License-Identifier: Apache-2.0 */
/* The packer in each of its forms: choice 0 converts each datum by itself, others are vector levels. */
#ifndef UNIT_TENSIX_PACK_CHOOSE_H
#define UNIT_TENSIX_PACK_CHOOSE_H

#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/state.h"

#define PACK_BY_DATUM 0u
#define PACK_CHOICES TF_VECTOR_LEVELS

static inline bool pack_choose(struct tf_tile *tile, unsigned choice)
{
    if (choice != PACK_BY_DATUM)
        return tf_pack_choose(tile, (enum tf_vectors)choice);
    static const struct tf_pack_kernels none = {.name = "datum by datum"};
    tile->tensix->pack->kernels = &none;
    return true;
}

#endif
