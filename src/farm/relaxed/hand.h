/* SPDX-License-Identifier: Apache-2.0 */
/* What is left to the owner of a site to perform (R2, R6, R7, R10). */
#ifndef FARM_RELAXED_HAND_H
#define FARM_RELAXED_HAND_H

#include "farm/chip/chip.h"
#include "host/mutant.h"

/* Let the owner of a site perform something, which is no request of a tile. Any worker. */
void tf_relaxed_hand(struct tf_relaxed *relaxed, struct tf_inbound *inbound, struct tf_site *site);

/* Hand a copy of a request and its data to the owner of a node. Sets sink.out_of_memory if the host has no memory. */
void tf_relaxed_hand_request(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node);

/* Hand a response to the owner of a site, which lands it or hands it on. Until then later requests of the node `source`
   to the site wait; TF_NO_NODE: none wait. */
void tf_relaxed_hand_response(struct tf_worker *worker, const struct tf_noc_response *response, unsigned site,
                              uint16_t source);

/* Hold back later requests of a tile to a site until the site's owner has dropped its decoded code (R7). */
void tf_relaxed_hand_barrier(struct tf_worker *worker, const struct tf_noc_request *request, unsigned site);

/* Must a request to a site be handed over because an earlier one of its source was (R2)? By the owner of the source. */
static inline bool tf_relaxed_is_held(const struct tf_site *source, unsigned site)
{
    if (TF_MUTANT(OVERTAKING) || TF_MUTANT(DEFERRED_WRITE))
        return false;
    return atomic_load_explicit(&source->relaxed.held, memory_order_acquire) != 0 &&
           (source->relaxed.held_at == site || source->relaxed.held_at == TF_NO_NODE);
}

#endif
