/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the packer for any host. */
#include <stdint.h>

typedef uint32_t four_words __attribute__((vector_size(16)));

static inline uint32_t largest_of_four(four_words x)
{
    uint32_t a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
    return a > b ? a : b;
}

#define TF_PACK_LANES 4
#define TF_PACK_LARGEST(x) largest_of_four(x)
#define TF_PACK_SET tf_pack_portable
#define TF_PACK_NAME "portable"
#include "tile/tensix/pack/kernels.h"
