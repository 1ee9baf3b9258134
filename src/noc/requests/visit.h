/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a node in a worker's visit: its waiting initiators issue. */
#ifndef NOC_REQUESTS_VISIT_H
#define NOC_REQUESTS_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "host/fetch.h"
#include "noc/noc.h"
#include "noc/requests/overlay.h"
#include "tile/run/tile.h"

/* Returns true while an initiator or a stream of the node waits for the next epoch. */
static inline bool tf_node_pending(const struct tf_node *node)
{
    return (node->queued[0] | node->queued[1]) != 0 || (node->tile != NULL && node->tile->streams_send);
}

/* Lines of the host's cache from a packet's start that a command reads: most of it. */
#define TF_NIU_SENT_LINES 5u

/*
 * Prefetches the memory that the next visit of a node touches first. All nodes of a chip are more than its nearest
 * cache holds. kept: the first answer that will land there; NULL: none. Rows `atomic1-inc-spread`, `copy1-256-awaited`
 * and `barrier-700` pay for it.
 */
static inline void tf_node_fetch(const struct tf_node *node, const struct tf_noc_request *kept)
{
    const struct tf_niu *niu = &node->niu[kept != NULL ? kept->noc : 0];
    if (node->tile == NULL)
        return;
    tf_tile_fetch(node->tile);
    tf_fetch_to_write(&node->sink);
    __builtin_prefetch(niu);
    tf_fetch_to_write(niu->counter);
    tf_fetch_to_write(&niu->counter[TF_MST_REQS_OUTSTANDING]);
    tf_fetch_to_write(&niu->rtz_source);
    if (kept != NULL)
        tf_fetch_to_write(node->l1 + kept->return_address);
    if (node->last_sent == NULL)
        return;
    tf_fetch_to_write(node->last_words);
    for (unsigned line = 0; line < TF_NIU_SENT_LINES; line++)
        __builtin_prefetch((const uint8_t *)node->last_sent + 64 * line);
}

/* Begin an epoch: waiting initiators issue. `sink` accepts these requests and the later ones of the tile's harts. NULL
   ends the epoch: initiators wait from then on. */
static inline void tf_node_epoch(struct tf_node *node, struct tf_noc_sink *sink)
{
    node->sink = sink;
    node->issued[0] = node->issued[1] = 0;
    if (__builtin_expect(sink != NULL && tf_node_pending(node), 0)) {
        tf_niu_begin_epoch(&node->niu[0]);
        tf_niu_begin_epoch(&node->niu[1]);
    }
}

#endif
