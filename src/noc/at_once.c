/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: what cores ask for most is done by a short way, with no request or response made of it. It leaves what
 * tf_noc_act() and tf_noc_land() leave, and does nothing where a fault, a register or decoded code is in question.
 */
#include "noc/parts.h"

/* An atomic on a word of L1, whose answer is that word and goes to the initiator. */
static bool change_word(struct tf_node *source, struct tf_node *target, const struct tf_noc_request *request)
{
    const struct tf_noc_atomic *op = &request->op;
    struct tf_niu *niu = &target->niu[request->noc], *own = &source->niu[request->noc];
    uint32_t at = (uint32_t)request->address, back = (uint32_t)request->return_address;
    if (op->kind > TF_NOC_AT_ZAAMO || !tf_node_in_l1(target, request->address, 4) || at % 4 ||
        tf_noc_atomic_place(op, at) != at / 4 % 4 || tf_node_holds_code(target, at, 4))
        return false;
    if (request->answered && (!tf_node_in_l1(source, request->return_address, 4) || back % 4))
        return false;
    uint32_t result = tf_noc_atomic_at(op, (uint32_t *)(void *)(target->l1 + at));
    tf_node_word_written(target, at);
    tf_niu_add(niu, TF_SLV_REQ_ACCEPTED, 1, true);
    if (!request->answered) {
        tf_niu_add(niu, TF_SLV_POSTED_ATOMIC_RECEIVED, 1, true);
        return true;
    }
    tf_niu_add(niu, TF_SLV_NONPOSTED_ATOMIC_RECEIVED, 1, true);
    tf_niu_add(niu, TF_SLV_ATOMIC_RESP_SENT, 1, true);
    __atomic_store_n((uint32_t *)(void *)(source->l1 + back), result, __ATOMIC_RELAXED);
    tf_node_word_written(source, back);
    tf_niu_add(own, TF_MST_ATOMIC_RESP_RECEIVED, 1, true);
    tf_niu_outstanding_briefly(own, request->tid);
    return true;
}

/* A write from L1 to that of another tile, which takes the data from where they are. */
static bool copy_bytes(struct tf_node *source, struct tf_node *target, const struct tf_noc_request *request)
{
    struct tf_niu *niu = &target->niu[request->noc], *own = &source->niu[request->noc];
    uint32_t at = (uint32_t)request->address, length = request->length;
    if (source == target || request->header_store || length == 0 || !tf_node_in_l1(target, request->address, length) ||
        tf_node_holds_code(target, at, length))
        return false;
    tf_shared_copy(target->l1 + at, source->l1 + request->source_address, length);
    tf_node_code_written(target, at, length);
    tf_niu_count_received(niu, request->answered, length, true);
    tf_niu_count_bytes(niu, length, true);
    if (!request->answered)
        return true;
    tf_niu_add(niu, TF_SLV_WR_ACK_SENT, 1, true);
    tf_niu_add(own, TF_MST_WR_ACK_RECEIVED, 1, true);
    tf_niu_outstanding_briefly(own, request->tid);
    return true;
}

bool tf_noc_at_once(struct tf_fabric *fabric, const struct tf_noc_request *request)
{
    if (request->multicast || (request->answered && request->answer != request->source))
        return false;
    struct tf_node *source = &fabric->node[request->source], *target = &fabric->node[request->target];
    if (request->kind == TF_NOC_ATOMIC)
        return change_word(source, target, request);
    return request->kind == TF_NOC_WRITE && copy_bytes(source, target, request);
}
