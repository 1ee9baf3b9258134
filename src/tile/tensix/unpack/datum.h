/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of single data, and the choice of kernels for whole rows. */
#ifndef TILE_TENSIX_UNPACK_DATUM_H
#define TILE_TENSIX_UNPACK_DATUM_H

#include "tilefarm/tilefarm_base.h"

struct tf_unpack_kernels;

/* The kernels of a vector level. Returns NULL if the host lacks the level. */
const struct tf_unpack_kernels *tf_unpack_kernels(enum tf_vectors level);

#endif
