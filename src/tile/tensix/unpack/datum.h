/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of single data, and the choice of kernels for whole rows. */
#ifndef TILE_TENSIX_UNPACK_DATUM_H
#define TILE_TENSIX_UNPACK_DATUM_H

#include "tile/tensix/unpack/rows.h"
#include "tilefarm/tilefarm_base.h"

/* The kernels of a vector level. Returns NULL if the host lacks the level. */
const struct tf_unpack_kernels *tf_unpack_kernels(enum tf_vectors level);

/* Converts one datum, in the low bits of `raw`. Returns false as tf_unpack_convert does. */
bool tf_unpack_datum(enum tf_unpack_kind kind, uint32_t raw, uint8_t exponent, uint32_t *value);

/* As tf_unpack_narrow, for one datum. */
uint16_t tf_unpack_narrow_datum(uint32_t datum, bool fp16);

#endif
