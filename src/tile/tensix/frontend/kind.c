/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/matrix/run.h"

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_fifo_held_by(word) != 0)
        return TF_KIND_UNBATCHED;
    if (tf_fpu_batches(word))
        return TF_KIND_MATRIX;
    enum tf_vector_kind kind = tf_sfpu_kind(word);
    return kind != TF_VECTOR_KINDS ? (uint8_t)(TF_KIND_VECTOR + kind) : TF_KIND_OTHER;
}
