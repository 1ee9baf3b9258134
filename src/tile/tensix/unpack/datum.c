/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of single data, and the choice of kernels for whole rows. */
#include "tile/tensix/unpack/datum.h"

#include <stddef.h>
#include <stdint.h>

#define TF_VECTOR_LANES 1
#include "tile/tensix/unpack/convert.h"
#include "host/vectors.h"

bool tf_unpack_datum(enum tf_unpack_kind kind, uint32_t raw, uint8_t exponent, uint32_t *value)
{
    vu bad = {0};
    *value = convert(kind, (vu){raw}, exponent, &bad)[0];
    return bad[0] == 0;
}

uint16_t tf_unpack_narrow_datum(uint32_t datum, bool fp16)
{
    return (uint16_t)narrowed((vu){datum}, fp16)[0];
}

const struct tf_unpack_kernels *tf_unpack_kernels(enum tf_vectors level)
{
    static const struct tf_unpack_kernels *const kernels[] = TF_VECTORS_TABLE(tf_unpack);
    return kernels[tf_vectors_resolve(level)];
}
