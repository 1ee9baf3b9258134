/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/vector/kind.h"

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_fifo_held_by(word) != 0)
        return TF_KIND_UNBATCHED;
    return tf_sfpu_kind(word);
}
