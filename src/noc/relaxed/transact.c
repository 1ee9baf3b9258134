/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: on the worker of the initiator, a request acts and its answer lands in one step, without an object in
 * memory. It does what tf_noc_act() and tf_noc_land() do, with the same functions for atomics, memory and counters. It
 * refuses requests that may fault, that concern registers or decoded code, or that copy within a tile. The page
 * docs/design.md, "Relaxed mode", says why this second sequence stays, and states the invariants R1 to R10. Bench
 * rows (relaxed): atomic-inc-contended, atomic-inc-spread for atomics; copy-256, copy-16k, dram-write for writes;
 * read-4k, dram-read for reads.
 *
 * Others that answer the initiator move the counters of its NIU too: each request moves them with host atomics.
 */
#include "host/assert.h"
#include "host/mutant.h"
#include "host/shared.h"
#include "noc/relaxed/transact.h"
#include "noc/niu_counters.h"
#include "noc/nodes/space.h"

/* End a request at a page that the owner has decoded in the meantime (R7). The caller sends the answer, if one is
   due. */
static __attribute__((noinline)) enum tf_noc_done done_at_code(struct tf_niu *own, const struct tf_noc_request *request)
{
    if (request->answered)
        tf_niu_count_outstanding(own, request->tid, 1, true);
    return TF_NOC_DONE_AT_CODE;
}

/* Apply an atomic. A read is no atomic of the host, so it must not overtake stores of the initiator's cores (R3). */
static inline uint32_t change(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t at)
{
    struct tf_noc_atomic_effect effect;
    if (TF_MUTANT(TORN_TRANSACTION))
        return tf_noc_atomic_apply(op, l1, at + 16, at, false, &effect);
    if (op->kind == TF_NOC_AT_READ && !TF_MUTANT(UNFENCED_READ))
        tf_store_load_fence();
    return tf_noc_atomic_shared(op, l1, at);
}

/* Perform an atomic whose answer goes to the initiator. */
static enum tf_noc_done act_on_line(struct tf_node *source, struct tf_node *target,
                                    const struct tf_noc_request *request, struct tf_noc_gathered *gathered)
{
    struct tf_niu *own = &source->niu[request->noc];
    uint32_t at = (uint32_t)request->address, return_at = (uint32_t)request->return_address;
    if (request->op.kind == TF_NOC_AT_STORE_IND || !tf_node_in_l1(target, request->address, 4) || at % 4 ||
        tf_code_near_word(&target->tile->code, at))
        return TF_NOC_NOT_DONE;
    if (request->answered && (!tf_node_in_l1(source, request->return_address, 4) || return_at % 4))
        return TF_NOC_NOT_DONE;
    uint32_t result = change(&request->op, target->l1, at) ^ TF_MUTANT(WRONG_ANSWER);
    gathered->result = result;
    tf_atomic_load_fence();
    if (tf_code_near_word(&target->tile->code, at))
        return done_at_code(own, request);
    if (!request->answered || TF_MUTANT(LOST_ANSWER))
        return TF_NOC_DONE;
    if (!TF_MUTANT(STALE_ANSWER))
        __atomic_store_n((uint32_t *)(void *)(source->l1 + return_at), result, __ATOMIC_RELAXED);
    tf_node_word_written(source, return_at);
    tf_niu_count_landed(own, TF_NOC_ATOMIC, 0, true);
    if (TF_MUTANT(DOUBLED_ANSWER))
        tf_niu_count_landed(own, TF_NOC_ATOMIC, 0, true);
    tf_niu_count_round_trip(own, request->tid);
    return TF_NOC_DONE;
}

/* The memory of another node that a request concerns, in one piece. Returns NULL if there is no such piece. NULL with
   *untouched true means that the request reads DRAM that was never written. */
static inline uint8_t *memory_at(struct tf_node *target, const struct tf_noc_request *request, bool *untouched)
{
    *untouched = false;
    if (tf_node_in_l1(target, request->address, request->length))
        return target->l1 + request->address;
    if (target->dram == NULL || tf_node_shows_other_memory(target, request->noc))
        return NULL;
    return tf_node_memory(target, request->address, request->length, request->kind != TF_NOC_READ, untouched);
}

static inline bool at_code(const struct tf_node *node, uint64_t address, uint32_t length)
{
    return node->tile != NULL && tf_code_in(&node->tile->code, (uint32_t)address, length);
}

/* Perform a write from L1 to memory of another node, straight from the source. */
static enum tf_noc_done write_bytes(struct tf_node *source, struct tf_node *target,
                                    const struct tf_noc_request *request)
{
    struct tf_niu *own = &source->niu[request->noc];
    uint32_t length = request->length;
    bool untouched;
    if (source == target || request->header_store || length == 0)
        return TF_NOC_NOT_DONE;
    uint8_t *to = memory_at(target, request, &untouched);
    if (to == NULL || at_code(target, request->address, length))
        return TF_NOC_NOT_DONE;
    const uint8_t *from = source->l1 + request->source_address;
    if (!TF_MUTANT_HOLDS(to, from, length))
        tf_shared_copy(to, from, length);
    TF_PAUSE(WRITE)
    if (!TF_MUTANT(UNFENCED_WRITE))
        tf_store_load_fence();
    if (at_code(target, request->address, length))
        return done_at_code(own, request);
    if (!request->answered)
        return TF_NOC_DONE;
    tf_niu_count_landed(own, TF_NOC_WRITE, 0, true);
    tf_niu_count_round_trip(own, request->tid);
    return TF_NOC_DONE;
}

/* The value of DRAM that was never written. */
static const _Alignas(64) uint8_t nothing[TF_PACKET_BYTES_MAX];

/*
 * Perform a read of another node's memory into the initiator's L1, where there is no code. The first count is a host
 * atomic, which puts the loads after all stores of the initiator's cores (R3). The cores see the counter after the data
 * (R4): they run on this worker.
 */
static enum tf_noc_done read_bytes(struct tf_node *source, struct tf_node *target, const struct tf_noc_request *request)
{
    struct tf_niu *own = &source->niu[request->noc];
    uint32_t length = request->length;
    bool untouched;
    if (source == target || length == 0 || !tf_node_in_l1(source, request->return_address, length) ||
        at_code(source, request->return_address, length))
        return TF_NOC_NOT_DONE;
    const uint8_t *from = memory_at(target, request, &untouched);
    uint8_t *to = source->l1 + request->return_address;
    if (from == NULL && !untouched)
        return TF_NOC_NOT_DONE;
    tf_niu_count_landed(own, TF_NOC_READ, length, true);
    tf_atomic_load_fence();
    if (untouched)
        tf_shared_put(to, nothing, length);
    else
        tf_shared_copy(to, from, length);
    tf_load_fence();
    tf_niu_count_round_trip(own, request->tid);
    return TF_NOC_DONE;
}

void tf_noc_count_gathered(struct tf_fabric *fabric, struct tf_noc_gathered *gathered)
{
    struct tf_niu *niu = &fabric->node[gathered->target].niu[gathered->noc];
    for (unsigned answered = 0; answered < 2; answered++) {
        uint32_t atomics = gathered->atomics[answered], writes = gathered->writes[answered];
        if (atomics != 0)
            tf_niu_count_arrived(niu, TF_NOC_ATOMIC, answered, atomics, 0, true);
        if (writes != 0)
            tf_niu_count_arrived(niu, TF_NOC_WRITE, answered, writes, gathered->flits[answered], true);
    }
    if (gathered->atomics[1] != 0)
        tf_niu_count_answered(niu, TF_NOC_ATOMIC, gathered->atomics[1], 0, true);
    if (gathered->writes[1] != 0)
        tf_niu_count_answered(niu, TF_NOC_WRITE, gathered->writes[1], 0, true);
    if (gathered->reads != 0) {
        tf_niu_count_arrived(niu, TF_NOC_READ, true, gathered->reads, 0, true);
        tf_niu_count_answered(niu, TF_NOC_READ, gathered->reads, gathered->read_flits, true);
    }
    if (gathered->bytes != 0)
        tf_niu_count_bytes(niu, gathered->bytes, true);
    *gathered = (struct tf_noc_gathered){.result = gathered->result};
}

static void gather(const struct tf_niu *niu, struct tf_noc_gathered *gathered, const struct tf_noc_request *request)
{
    if (TF_MUTANT(LEAKED_COUNT))
        return;
    gathered->any = true;
    gathered->noc = request->noc;
    gathered->target = request->target;
    switch (request->kind) {
    case TF_NOC_ATOMIC: gathered->atomics[request->answered]++; break;
    case TF_NOC_READ:
        gathered->reads++;
        gathered->read_flits += tf_noc_flits(niu, request->length);
        break;
    default:
        gathered->writes[request->answered]++;
        gathered->flits[request->answered] += tf_noc_flits(niu, request->length);
        gathered->bytes += request->length;
        break;
    }
}

enum tf_noc_done tf_noc_transact(struct tf_fabric *fabric, const struct tf_noc_request *request,
                                 struct tf_noc_gathered *gathered)
{
    enum tf_noc_done done = TF_NOC_NOT_DONE;
    TF_ASSERT(!tf_noc_gathered_for_other_niu(gathered, request));
    if (request->multicast || (request->answered && request->answer != request->source))
        return done;
    struct tf_node *source = &fabric->node[request->source], *target = &fabric->node[request->target];
    if (request->kind == TF_NOC_ATOMIC)
        done = act_on_line(source, target, request, gathered);
    else if (request->kind == TF_NOC_WRITE)
        done = write_bytes(source, target, request);
    else if (request->kind == TF_NOC_READ)
        done = read_bytes(source, target, request);
    if (done == TF_NOC_NOT_DONE)
        return done;
    gather(&target->niu[request->noc], gathered, request);
    if (source == target)
        tf_noc_count_gathered(fabric, gathered);
    return done;
}
