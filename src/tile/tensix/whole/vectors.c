/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/whole/vectors.h"

#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/vector/vector.h"

bool tf_vectors_choose(struct tf_tile *tile, enum tf_vectors level)
{
    if (!tf_vectors_exist(level))
        return false;
    tile->tensix->vectors = level;
    if (tile->tensix->vector != NULL)
        tf_sfpu_choose(tile, level);
    return tf_fpu_choose(tile, level) && tf_unpack_choose(tile, level) && tf_pack_choose(tile, level);
}
