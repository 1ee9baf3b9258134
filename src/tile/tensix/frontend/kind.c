/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/frontend/fifo.h"

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_fifo_held_by(word) != 0)
        return TF_KIND_UNBATCHED;
    uint8_t kind = tf_fpu_kind(word);
    return kind != TF_KIND_OTHER ? kind : tf_sfpu_kind(word);
}
