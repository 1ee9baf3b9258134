/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/vector/kind.h"

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_tensix_may_occupy(word) || word >> 24 == TF_OP_MOP || word >> 24 == TF_OP_REPLAY)
        return TF_KIND_UNBATCHED;
    return tf_sfpu_kind(word);
}
