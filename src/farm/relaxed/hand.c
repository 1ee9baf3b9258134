/* SPDX-License-Identifier: Apache-2.0 */
/* What other workers hand to the owner of a site (R2, R6, R7, R10). */
#include "farm/relaxed/hand.h"

#include <stdlib.h>
#include <string.h>

#include "farm/relaxed/wake.h"

/* Hold back later requests of a tile to a site. Called by the owner of the tile. */
static void hold_back(struct tf_site *source, unsigned site)
{
    if (atomic_fetch_add_explicit(&source->relaxed.held, 1, memory_order_acquire) == 0)
        source->relaxed.held_at = (uint16_t)site;
    else if (source->relaxed.held_at != site)
        source->relaxed.held_at = TF_NO_NODE;
}

void tf_relaxed_hand(struct tf_relaxed *relaxed, struct tf_inbound *inbound, struct tf_site *site)
{
    TF_PAUSE(HAND)
    tf_queue_put(&site->relaxed.handed, &inbound->entry);
    tf_relaxed_wake(relaxed, site);
}

static void hand(struct tf_worker *worker, struct tf_inbound *inbound, unsigned site)
{
    if (inbound->source != TF_NO_NODE)
        hold_back(&worker->chip->site[inbound->source], site);
    tf_relaxed_hand(worker->chip->relaxed, inbound, &worker->chip->site[site]);
}

static struct tf_inbound *inbound_of(struct tf_worker *worker, size_t more_bytes)
{
    struct tf_inbound *inbound = malloc(sizeof *inbound + more_bytes);
    if (inbound == NULL)
        worker->sink.out_of_memory = true;
    return inbound;
}

void tf_relaxed_hand_request(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node)
{
    bool carries = request->kind != TF_NOC_ATOMIC && request->data != NULL;
    size_t payload = carries ? request->length : 0;
    struct tf_inbound *inbound = inbound_of(worker, sizeof *request + payload);
    if (inbound == NULL)
        return;
    struct tf_noc_request *copy = (struct tf_noc_request *)(inbound + 1);
    *copy = *request;
    if (carries) {
        tf_shared_get(copy->carried, request->data, payload);
        copy->data = copy->carried;
    }
    *inbound = (struct tf_inbound){.request = copy, .node = (uint16_t)node, .source = request->source};
    hand(worker, inbound, tf_site_of(worker->chip->fabric, node));
}

void tf_relaxed_hand_response(struct tf_worker *worker, const struct tf_noc_response *response, unsigned site,
                              uint16_t source)
{
    struct tf_inbound *inbound = inbound_of(worker, sizeof *response->request + sizeof *response + response->length);
    if (inbound == NULL)
        return;
    struct tf_noc_request *request = (struct tf_noc_request *)(inbound + 1);
    struct tf_noc_response *copy = (struct tf_noc_response *)(request + 1);
    *request = *response->request;
    *copy = *response;
    copy->request = request;
    if (response->length != 0)
        copy->data = memcpy(copy->carried, response->data, response->length);
    *inbound = (struct tf_inbound){.response = copy, .node = response->node, .source = source};
    hand(worker, inbound, site);
}

void tf_relaxed_hand_barrier(struct tf_worker *worker, const struct tf_noc_request *request, unsigned site)
{
    struct tf_inbound *inbound = inbound_of(worker, 0);
    if (inbound == NULL) {
        tf_relaxed_wake(worker->chip->relaxed, &worker->chip->site[site]);
        return;
    }
    *inbound = (struct tf_inbound){.source = request->source};
    hand(worker, inbound, site);
}
