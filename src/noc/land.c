/* SPDX-License-Identifier: Apache-2.0 */
/* What a response does where it lands. Source: BlackholeA0/NoC/Counters.md. */
#include <string.h>

#include "host/assert.h"
#include "noc/parts.h"

/* The sentence for a fault that the target found; the hart that issued the request stops. */
static void land_fault(const struct tf_fabric *fabric, const struct tf_noc_response *response, uint8_t category,
                       const char *why)
{
    static const char *const kinds[] = {"read", "write", "write", "inline write", "atomic"};
    const struct tf_noc_request *request = response->request;
    struct tf_tile *tile = fabric->node[response->node].tile;
    const struct tf_node *at = &fabric->node[response->entry.node];
    if (tile == NULL)
        return;
    unsigned core = request->source == response->node ? request->core : TF_CORE_NONE;
    tf_tile_fault_at(tile, core, request->pc, request->cycle, (enum tf_fault_category)category, 0, response->address,
                     "NOC %u %s to (%u,%u) 0x%llX: %s", response->noc, kinds[request->kind], at->coord.x, at->coord.y,
                     (unsigned long long)response->address, why);
}

/* To registers, DRAM, or where others are at work. False: a register refused them, and the fault is recorded. */
static bool land_elsewhere(struct tf_fabric *fabric, struct tf_node *node, const struct tf_noc_response *response)
{
    if (response->length <= tf_node_room(node, response->address)) {
        tf_node_put(node, response->address, response->data, response->length, fabric->shared);
        return true;
    }
    uint8_t category = TF_FAULT_UNDEFINED;
    uint32_t value = 0;
    const char *why = "the data overrun the memory at the return address";
    if (response->length == 4 && response->address % 4 == 0) {
        memcpy(&value, response->data, sizeof value);
        why = tf_node_store(node, response->noc, response->address, value, &category);
    }
    if (why != NULL)
        land_fault(fabric, response, category, why);
    return why == NULL;
}

static bool land_data(struct tf_fabric *fabric, struct tf_node *node, const struct tf_noc_response *response)
{
    if (response->landed)
        return true;
    if (fabric->shared || !tf_node_in_l1(node, response->address, response->length))
        return land_elsewhere(fabric, node, response);
    tf_node_put_l1(node, (uint32_t)response->address, response->data, response->length);
    return true;
}

void tf_noc_land_long_read(struct tf_fabric *fabric, struct tf_noc_response *response)
{
    struct tf_node *node = &fabric->node[response->node];
    if (response->kind != TF_NOC_READ_DATA || response->length <= TF_NOC_CARRY_BYTES || response->landed ||
        node->l1 == NULL || response->length > tf_node_room(node, response->address))
        return;
    tf_node_put(node, response->address, response->data, response->length, fabric->shared);
    response->landed = true;
}

static void land(struct tf_fabric *fabric, struct tf_node *node, const struct tf_noc_response *response)
{
    struct tf_niu *niu = &node->niu[response->noc];
    TF_ASSERT(response->noc < 2 && response->tid < TF_NOC_TIDS);
    switch (response->kind) {
    case TF_NOC_ATOMIC_RESULT:
        if (!land_data(fabric, node, response))
            return;
        tf_niu_count(niu, TF_MST_ATOMIC_RESP_RECEIVED, 1);
        break;
    case TF_NOC_READ_DATA:
        if (!land_data(fabric, node, response))
            return;
        tf_niu_count(niu, TF_MST_RD_RESP_RECEIVED, 1);
        tf_niu_count(niu, TF_MST_RD_DATA_WORD_RECEIVED, tf_noc_flits(response->length));
        break;
    case TF_NOC_WRITE_ACK:
        tf_niu_count(niu, TF_MST_WR_ACK_RECEIVED, 1);
        break;
    default:
        land_fault(fabric, response, response->category, response->why);
        return;
    }
    tf_niu_outstanding(niu, response->tid, -1u);
}

void tf_noc_land(struct tf_fabric *fabric, const struct tf_noc_response *response)
{
    land(fabric, &fabric->node[response->node], response);
}

/* One fewer is outstanding at a NIU of which nobody else counts. */
static inline void returned(struct tf_niu *niu, unsigned tid)
{
    uint8_t *outstanding = (uint8_t *)&niu->counter[TF_MST_REQS_OUTSTANDING + tid];
    if ((*outstanding)-- != 1)
        return;
    niu->rtz_source |= 1u << tid;
    if (niu->config[TF_NIU_RTZ_CFG] >> tid & 1)
        tf_niu_update_irq(niu);
}

static void land_kept(struct tf_node *node, struct tf_niu *niu, const struct tf_noc_request *request)
{
    uint32_t to = (uint32_t)request->return_address;
    switch (request->kind) {
    case TF_NOC_ATOMIC:
        memcpy(node->l1 + to, &request->entry.result, 4);
        tf_node_word_written(node, to);
        niu->counter[TF_MST_ATOMIC_RESP_RECEIVED]++;
        break;
    case TF_NOC_READ:
        if (request->to == NULL)
            tf_node_put_l1(node, to, request->data, request->length);
        niu->counter[TF_MST_RD_RESP_RECEIVED]++;
        niu->counter[TF_MST_RD_DATA_WORD_RECEIVED] += tf_noc_flits(request->length);
        break;
    default:
        niu->counter[TF_MST_WR_ACK_RECEIVED]++;
        break;
    }
    returned(niu, request->tid);
}

void tf_noc_land_kept(struct tf_node *node, const struct tf_noc_request *first)
{
    for (const struct tf_noc_request *request = first; request != NULL; request = request->then) {
        tf_noc_approach(&request->entry, false);
        if (request->entry.settled)
            land_kept(node, request->noc == 0 ? &node->niu[0] : &node->niu[1], request);
    }
}
