/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/frontend/fifo.h"

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_fifo_held_by(word) != 0)
        return TF_KIND_UNBATCHED;
    enum tf_vector_kind kind = tf_sfpu_kind(word);
    return kind != TF_VECTOR_KINDS ? (uint8_t)(TF_KIND_VECTOR + kind) : TF_KIND_OTHER;
}
