/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/vector/settled.h"

#include "tile/tensix/data/dst.h"
#include "tile/tensix/vector/macro.h"
#include "tile/state.h"

struct tf_dst *tf_dst(struct tf_tile *tile)
{
    struct tf_dst *dst = tf_dst_get(tile);
    tf_dst_settle(tile, tile->cycle);
    return dst;
}
