/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the unpackers for any host. */
#include <stdint.h>
#include <string.h>

typedef uint8_t four_bytes __attribute__((vector_size(4)));
typedef uint32_t four_words __attribute__((vector_size(16)));

static inline four_words load_bytes(const uint8_t *from)
{
    four_bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, four_words);
}

#define TF_UNPACK_WIDTH 4
#define TF_UNPACK_BYTES(from) load_bytes(from)
#define TF_UNPACK_SET tf_unpack_portable
#define TF_UNPACK_NAME "portable"
#include "tile/tensix/unpack/kernels.h"
