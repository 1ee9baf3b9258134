/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a NOC interface unit; niu_state.h has its state. */
#ifndef NOC_NIU_H
#define NOC_NIU_H

#include <stdbool.h>
#include <stdint.h>

#include "host/fetch.h"
#include "noc/noc.h"
#include "tile/access.h"
#include "tile/arch.h"
#include "tile/hash.h"
#include "tile/run/tile.h"

/* NOC_CMD_CTRL of an initiator. */
static inline uint32_t *tf_niu_cmd_ctrl(struct tf_niu *niu, unsigned initiator)
{
    return &niu->initiator[initiator][niu->cmd_ctrl];
}

/* The words of an initiator in Blackhole's order (enum tf_niu_word): its own, or `words`, which is filled. */
const uint32_t *tf_niu_words(const struct tf_niu *niu, unsigned initiator, uint32_t words[TF_NIU_INITIATOR_WORDS]);

/* The functions of the tile's port (tile/port.h). offset: below 0x10000, a multiple of 4. */
enum tf_access tf_niu_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);
enum tf_access tf_niu_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

#define TF_NIU_NO_REGISTER UINT32_MAX

/* Blackhole's offset of the register that a family has at `offset`; TF_NIU_NO_REGISTER: there is none. layout: NULL for
   Blackhole's. */
uint32_t tf_niu_layout_common(const struct tf_niu_arch *layout, uint32_t offset);

/* The other way, for a register outside the initiators: its offset in the family's layout. */
uint32_t tf_niu_layout_own(const struct tf_niu_arch *layout, uint32_t common);

/* tf_niu_load() and tf_niu_store() for a family with a layout of its own (niu_layout.c). */
enum tf_access tf_niu_layout_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);
enum tf_access tf_niu_layout_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

/* The two functions for the NIUs of a family, without their NIUs. */
static inline struct tf_noc_port tf_niu_port(const struct tf_niu_arch *layout)
{
    if (layout == NULL)
        return (struct tf_noc_port){.load = tf_niu_load, .store = tf_niu_store};
    return (struct tf_noc_port){.load = tf_niu_layout_load, .store = tf_niu_layout_store};
}

struct tf_tile;

/* The words of an initiator that keep stored values and do nothing else, as bits by offset / 4. */
uint16_t tf_niu_layout_kept(const struct tf_niu_arch *layout);

/* Enter the fast words of a NIU of that family into a map; see tf_port_register(). */
void tf_niu_layout_fast(const struct tf_niu *niu, const struct tf_niu_arch *layout, unsigned noc,
                        const struct tf_fast *fast, struct tf_fast_map *map);

/* Waiting initiators of a NIU issue, oldest first, up to the epoch's bound. */
void tf_niu_issue_queued(struct tf_niu *niu);

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
        tf_niu_issue_queued(&node->niu[0]);
        tf_niu_issue_queued(&node->niu[1]);
    }
}

/* The source of a long write has been captured: its SENT and OUTGOING counters move. Thread: the source tile's
   worker. */
void tf_niu_captured(struct tf_niu *niu, const struct tf_noc_request *request);

void tf_niu_hash(const struct tf_niu *niu, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_niu_state(struct tf_saved *saved, struct tf_niu *niu);

#endif
