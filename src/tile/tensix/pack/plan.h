/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_TENSIX_PACK_PLAN_H
#define TILE_TENSIX_PACK_PLAN_H

#include "tile/tensix/config/state.h"
#include "tile/tensix/pack/rows.h"

/* tf_pack_plan() after a write to Config, or with other words. */
void tf_pack_plan_make(struct tf_pack_plan *plan, const uint32_t *word, uint64_t writes);

/* The plan for words of configuration; made anew if one of them has changed. Inline for rows pack-*. */
static inline const struct tf_pack_plan *tf_pack_plan(struct tf_pack_plan *plan, const uint32_t *word, uint64_t writes)
{
    if (__builtin_expect(!plan->valid || plan->writes != writes || plan->word != word, 0))
        tf_pack_plan_make(plan, word, writes);
    return plan;
}

/* The mask of packed columns of a row, by its position in the tile and the plane. */
uint32_t tf_pack_edge_mask(const struct tf_pack_plan *plan, unsigned y, unsigned z);

#endif
