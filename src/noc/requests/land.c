/* SPDX-License-Identifier: Apache-2.0 */
/* Responses land: data first, then counters. Source: BlackholeA0/NoC/Counters.md. */
#include <stdio.h>
#include <string.h>

#include "host/assert.h"
#include "noc/requests/answer.h"
#include "noc/event.h"
#include "noc/requests/land.h"
#include "noc/niu_counters.h"
#include "noc/requests/request.h"
#include "noc/nodes/space.h"

/* Record a fault that the target found, and stop the hart that issued the request. */
static void land_fault(const struct tf_fabric *fabric, const struct tf_noc_response *response, uint8_t category,
                       const char *why)
{
    const struct tf_noc_request *request = response->request;
    const struct tf_node *node = &fabric->node[response->node];
    const struct tf_coord at = fabric->node[response->entry.node].coord;
    const struct tf_niu_issuer by = {.core = request->source == response->node ? request->core : TF_CORE_NONE,
                                     .pc = request->pc,
                                     .cycle = request->cycle};
    char text[TF_NOC_PLACE_BYTES];
    snprintf(text, sizeof text, "(%u,%u)", at.x, at.y);
    if (node->tile != NULL)
        tf_noc_fault(&node->niu[response->noc], by, request->kind, (enum tf_fault_category)category, text,
                     response->address, why);
}

/* Land data at any place, in either mode. Returns false if a register refused them; the fault is then recorded. */
static bool land_general(struct tf_fabric *fabric, struct tf_node *node, const struct tf_noc_response *response)
{
    const uint64_t address = tf_node_address(node, response->noc, response->address);
    if (response->length <= tf_node_room(node, address)) {
        tf_node_put(node, address, response->data, response->length, fabric->rules.shared);
        return true;
    }
    uint8_t category = TF_FAULT_UNDEFINED;
    uint32_t value = 0;
    const char *why = tf_noc_why_overrun;
    if (tf_noc_is_word(response->address, response->length)) {
        memcpy(&value, response->data, sizeof value);
        why = tf_node_store(node, response->noc, response->address, value, &category);
    }
    if (why != NULL)
        land_fault(fabric, response, category, why);
    return why == NULL;
}

static bool land_data(struct tf_fabric *fabric, struct tf_node *node, const struct tf_noc_response *response)
{
    if (response->landed || response->length == 0)
        return true;
    if (fabric->rules.shared || !tf_node_in_l1(node, response->address, response->length))
        return land_general(fabric, node, response);
    tf_node_put_l1(node, (uint32_t)response->address, response->data, response->length);
    return true;
}

void tf_noc_land_long_read(struct tf_fabric *fabric, struct tf_noc_response *response)
{
    struct tf_node *node = &fabric->node[response->node];
    if (response->kind == TF_NOC_READ_DATA && response->length > TF_NOC_CARRY_BYTES &&
        tf_node_in_l1(node, response->address, response->length))
        response->landed = land_data(fabric, node, response);
}

/* Count an answer whose data have landed. */
static inline __attribute__((always_inline)) void count(struct tf_niu *niu, unsigned kind, uint32_t bytes, unsigned tid,
                                                        bool shared)
{
    TF_ASSERT(tid < TF_NOC_TIDS);
    tf_niu_count_landed(niu, kind, bytes, shared);
    tf_niu_count_outstanding(niu, tid, -1u, shared);
}

void tf_noc_land(struct tf_fabric *fabric, const struct tf_noc_response *response)
{
    static const uint8_t kinds[] = {TF_NOC_READ, TF_NOC_WRITE, TF_NOC_ATOMIC};
    struct tf_node *node = &fabric->node[response->node];
    TF_ASSERT(response->noc < 2);
    if (response->kind == TF_NOC_FAULT)
        land_fault(fabric, response, response->category, response->why);
    else if (land_data(fabric, node, response))
        count(&node->niu[response->noc], kinds[response->kind], response->length, response->tid, fabric->rules.shared);
}

/* Land the answer that a request keeps, in deterministic mode. Its data lie in L1. If the data of a read are copied,
   *copied becomes that read. word: is_word() is true, and *copied stays as it is. */
static inline __attribute__((always_inline)) void land_kept(struct tf_node *node, struct tf_niu *niu,
                                                            const struct tf_noc_request *request,
                                                            const struct tf_noc_request **copied, const bool word)
{
    const struct tf_noc_data data = tf_noc_kept_data(request);
    TF_ASSERT(request->noc < 2);
    uint32_t to = (uint32_t)request->return_address;
    if (request->kind == TF_NOC_ATOMIC && word) {
        memcpy(node->l1 + to, &request->entry.result, sizeof request->entry.result);
    } else if (request->kind == TF_NOC_ATOMIC) {
        tf_node_put_word(node, to, request->entry.result);
    } else if (!word && !data.landed) {
        tf_node_put_l1(node, to, data.from, data.bytes);
        *copied = request;
    }
    count(niu, request->kind, data.bytes, request->tid, false);
}

static __attribute__((noinline)) const struct tf_noc_request *land_all_kept(struct tf_node *node,
                                                                            const struct tf_noc_request *first)
{
    const struct tf_noc_request *copied = NULL;
    for (const struct tf_noc_request *request = first; request != NULL; request = request->next_kept) {
        tf_noc_prefetch_entry(&request->entry, false);
        if (request->entry.settled)
            land_kept(node, request->noc == 0 ? &node->niu[0] : &node->niu[1], request, &copied, false);
    }
    return copied;
}

/* Does the answer belong to a write, or to an atomic whose result lands outside code? */
static inline bool is_word(const struct tf_node *node, const struct tf_noc_request *request)
{
    return request->kind != TF_NOC_ATOMIC ? request->kind != TF_NOC_READ
                                          : !tf_code_near_word(&node->tile->code, (uint32_t)request->return_address);
}

/* A single answer of that kind needs no loop and no call: rows `atomic1-inc-spread` and `copy1-256-awaited`. */
const struct tf_noc_request *tf_noc_land_kept(struct tf_node *node, const struct tf_noc_request *first)
{
    if (first == NULL)
        return NULL;
    if (first->next_kept != NULL || !first->entry.settled || !is_word(node, first))
        return land_all_kept(node, first);
    struct tf_niu *niu = first->noc == 0 ? &node->niu[0] : &node->niu[1];
    land_kept(node, niu, first, NULL, true);
    return NULL;
}
