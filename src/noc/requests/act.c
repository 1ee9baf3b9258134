/* SPDX-License-Identifier: Apache-2.0 */
/* Requests act at their targets. Source: BlackholeA0/NoC/Counters.md. */
#include <string.h>

#include "host/assert.h"
#include "host/extremes.h"
#include "host/fetch.h"
#include "host/shared.h"
#include "noc/requests/act.h"
#include "noc/requests/answer.h"
#include "noc/nodes/arc.h"
#include "noc/niu_counters.h"
#include "noc/nodes/space.h"
#include "tile/mmio/streams/peer.h"
#include "tile/why.h"

/* Raw coordinates of a node in its NOC select the bits (MemoryMap.md, ROUTER_CFG_1 and ROUTER_CFG_3). */
bool tf_niu_masks_out(const struct tf_niu *niu, uint32_t node_id)
{
    struct tf_noc_xy at = tf_noc_unpack_xy(node_id, 0);
    return (tf_niu_config_word(niu, TF_NIU_ROUTER_CFG_1) >> at.x & 1) ||
           (tf_niu_config_word(niu, TF_NIU_ROUTER_CFG_3) >> at.y & 1);
}

bool tf_niu_opted_out(const struct tf_niu *niu)
{
    return tf_niu_masks_out(niu, niu->node_id);
}

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* A request, and the node at which it acts. */
struct acting {
    struct tf_fabric *fabric;
    struct tf_noc_request *request;
    struct tf_node *node;
    struct tf_niu *niu;
    struct tf_noc_sink *sink;
    bool shared; /* other workers may access the node, so host atomics are used */
};

/* Leave the answer with a request that keeps it. */
static inline void settle(struct tf_noc_request *request, uint32_t result)
{
    request->entry.result = result;
    request->entry.settled = true;
}

static ALWAYS_INLINE void fill(struct tf_noc_response *response, const struct tf_noc_request *request, uint16_t from,
                               enum tf_noc_answer kind, uint16_t node, uint32_t length)
{
    response->entry.key = request->entry.key;
    response->entry.node = from;
    response->node = node;
    response->kind = (uint8_t)kind;
    response->noc = request->noc;
    response->tid = request->tid;
    response->core = request->core;
    response->landed = false;
    response->length = length;
    response->address = kind == TF_NOC_WRITE_ACK ? 0 : request->return_address;
    response->request = request;
    response->data = response->carried;
}

void tf_noc_response_of(const struct tf_noc_request *request, struct tf_noc_response *response)
{
    enum tf_noc_answer kind = request->kind == TF_NOC_ATOMIC ? TF_NOC_ATOMIC_RESULT
                              : request->kind == TF_NOC_READ ? TF_NOC_READ_DATA
                                                             : TF_NOC_WRITE_ACK;
    struct tf_noc_data data = tf_noc_kept_data(request);
    fill(response, request, request->entry.node, kind, request->answer, data.bytes);
    response->data = data.from;
    response->landed = data.landed;
}

static ALWAYS_INLINE struct tf_noc_response *take_response(const struct acting *acting, uint32_t payload_bytes)
{
    struct tf_noc_response *response = acting->sink->response(acting->sink, payload_bytes);
    if (response == NULL)
        acting->sink->out_of_memory = true;
    return response;
}

static ALWAYS_INLINE struct tf_noc_response *respond(const struct acting *acting, enum tf_noc_answer kind,
                                                     uint16_t node, uint32_t payload_bytes)
{
    struct tf_noc_response *response = take_response(acting, payload_bytes);
    if (response != NULL)
        fill(response, acting->request, acting->node->number, kind, node, payload_bytes);
    return response;
}

/* Report a fault to the initiator that only the target can find. */
static void answer_fault(const struct acting *acting, uint8_t category, uint64_t address, const char *why)
{
    struct tf_noc_response *response = respond(acting, TF_NOC_FAULT, acting->request->source, 0);
    if (acting->request->keeps_answer)
        acting->request->entry.settled = false;
    if (response == NULL)
        return;
    response->category = category;
    response->address = address;
    response->why = why;
    acting->sink->respond(acting->sink, response);
}

static void refuse_range(const struct acting *acting, uint64_t address)
{
    uint8_t category = TF_FAULT_UNDEFINED;
    const char *why = "the range overruns the memory of the target";
    if (tf_node_room(acting->node, address) == 0)
        why = tf_node_why_nothing(acting->node, &category);
    answer_fault(acting, category, address, why);
}

static bool answers(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    if (!request->answered || !request->multicast || acting->fabric->rules.atomics == TF_ATOMICS_ISA)
        return request->answered;
    return request->target == acting->node->number;
}

/* Apply an atomic at any place. Returns false if it was refused. */
static bool change_any(const struct acting *acting, uint32_t *result)
{
    const struct tf_noc_request *request = acting->request;
    struct tf_node *node = acting->node;
    struct tf_noc_atomic_effect effect;
    if (request->address >= node->l1_bytes) {
        answer_fault(acting, TF_FAULT_UNDEFINED, request->address, "atomics act only on L1");
        return false;
    }
    *result = tf_noc_atomic_apply(&request->op, node->l1, node->l1_bytes, (uint32_t)request->address, acting->shared,
                                  &effect);
    if (effect.fault != NULL) {
        answer_fault(acting, TF_FAULT_UNDEFINED, request->address, effect.fault);
        return false;
    }
    if (effect.bytes != 0)
        tf_node_code_written(node, effect.address, effect.bytes);
    return true;
}

/* Apply an atomic of a word of L1, while no other worker is at the node. Returns the answer. */
static ALWAYS_INLINE uint32_t change_word(const struct acting *acting)
{
    const struct tf_noc_atomic *op = &acting->request->op;
    uint32_t at = (uint32_t)acting->request->address, line = at & ~15u;
    uint32_t result = tf_noc_atomic_owned(op, acting->node->l1 + line, at / 4 % 4, op->ofs);
    if (op->kind != TF_NOC_AT_READ)
        tf_node_word_written(acting->node, line + 4 * op->ofs);
    return result;
}

/*
 * simple: the request is `l1_only`, and no other worker is at the node. The request keeps the answer. Bench rows:
 * atomic-inc-spread, atomic-inc-1t.
 */
static ALWAYS_INLINE void act_atomic(const struct acting *acting, bool simple)
{
    struct tf_noc_request *request = acting->request;
    bool answered = simple ? request->keeps_answer : request->answered, changed = true;
    uint32_t result;
    if (simple)
        result = change_word(acting);
    else
        changed = change_any(acting, &result);
    tf_niu_count_arrived(acting->niu, TF_NOC_ATOMIC, answered, 1, 0, acting->shared);
    if (!changed || !(simple ? answered : answers(acting)))
        return;
    if (simple || request->keeps_answer) {
        tf_niu_count_answered(acting->niu, TF_NOC_ATOMIC, 1, 0, acting->shared);
        settle(request, result);
        return;
    }
    struct tf_noc_response *response = respond(acting, TF_NOC_ATOMIC_RESULT, request->answer, sizeof result);
    if (response == NULL)
        return;
    tf_niu_count_answered(acting->niu, TF_NOC_ATOMIC, 1, 0, acting->shared);
    memcpy(response->carried, &result, sizeof result);
    acting->sink->respond(acting->sink, response);
}

static ALWAYS_INLINE void count_data(const struct acting *acting)
{
    tf_niu_count_answered(acting->niu, TF_NOC_READ, 1, tf_noc_flits(acting->niu, acting->request->length),
                          acting->shared);
}

/* Does the request keep the data of its answer? Staged data land before all answers, so they are not kept. */
static bool keeps_data(const struct tf_noc_request *request)
{
    return request->keeps_answer && (request->length <= TF_NOC_CARRY_BYTES || request->to != NULL);
}

/* Find memory for a read's data, which the caller fills before send_data(). Returns NULL if there is none. */
static struct tf_noc_response *prepare_data(const struct acting *acting)
{
    struct tf_noc_request *request = acting->request;
    if (!keeps_data(request))
        return respond(acting, TF_NOC_READ_DATA, request->answer, request->length);
    return take_response(acting, request->length);
}

static ALWAYS_INLINE void send_data(const struct acting *acting, struct tf_noc_response *response, bool simple)
{
    count_data(acting);
    if (!simple && !keeps_data(acting->request)) {
        acting->sink->respond(acting->sink, response);
        return;
    }
    acting->request->data = response->carried;
    settle(acting->request, 0);
}

static void read_register(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    uint32_t value;
    uint8_t category;
    if (acting->node->arc != NULL)
        tf_arc_at(acting->node->arc, request->cycle);
    const char *why = tf_node_load(acting->node, request->noc, request->address & ~3ull, &value, &category);
    if (why == NULL) {
        category = TF_FAULT_UNDEFINED;
        why = tf_noc_why_split(request->address, request->length);
    }
    if (why != NULL) {
        answer_fault(acting, category, request->address, why);
        return;
    }
    struct tf_noc_response *response = prepare_data(acting);
    if (response == NULL)
        return;
    memcpy(response->carried, (const uint8_t *)&value + request->address % 4, request->length);
    send_data(acting, response, false);
}

/* Copy to the destination directly: the farm has checked that no other request touches those bytes in this epoch. */
static void read_to_destination(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    tf_node_get(acting->node, request->address, request->to, request->length, false);
    count_data(acting);
}

/* simple: the request is `l1_only`, and no other worker is at the node. */
static ALWAYS_INLINE void read_memory(const struct acting *acting, bool simple)
{
    const struct tf_noc_request *request = acting->request;
    if (!simple && request->to != NULL) {
        read_to_destination(acting);
        return;
    }
    struct tf_noc_response *response = simple ? take_response(acting, request->length) : prepare_data(acting);
    if (response == NULL)
        return;
    if (simple)
        memcpy(response->carried, acting->node->l1 + request->address, request->length);
    else
        tf_node_get(acting->node, request->address, response->carried, request->length, acting->shared);
    send_data(acting, response, simple);
}

/* Is the request for a register? Returns false with *refused true if its range is neither memory nor one register. */
static bool wants_register(const struct acting *acting, uint64_t address, uint64_t bytes, bool *refused)
{
    *refused = true;
    switch (tf_node_place(acting->node, address)) {
    case TF_PLACE_REGISTER: *refused = false; return true;
    case TF_PLACE_DRAM:
        if (tf_node_shows_other_memory(acting->node, acting->request->noc)) {
            answer_fault(acting, TF_FAULT_UNDEFINED, address,
                         "bit 15 of NIU_CFG_0 is clear: the NIU of this DRAM tile reaches only L1 of the tile's core");
            return false;
        }
        break;
    default: break;
    }
    *refused = bytes > tf_node_room(acting->node, address);
    if (*refused)
        refuse_range(acting, address);
    return false;
}

/* simple: as in read_memory(). Row `copy1-256-awaited` pays for it. */
static ALWAYS_INLINE void act_read(const struct acting *acting, bool simple)
{
    const struct tf_noc_request *request = acting->request;
    bool refused = false, is_register = false;
    tf_niu_count_arrived(acting->niu, TF_NOC_READ, true, 1, 0, acting->shared);
    if (simple) {
        read_memory(acting, true);
        return;
    }
    if (!tf_node_in_l1(acting->node, request->address, request->length))
        is_register = wants_register(acting, request->address, request->length, &refused);
    if (refused)
        return;
    if (is_register)
        read_register(acting);
    else
        read_memory(acting, false);
}

/* Store bytes to memory of the node. In relaxed mode the source of a long write is L1 of another tile, which other
   workers may change. Returns false if the host has no memory for a DRAM page. */
static ALWAYS_INLINE bool put(const struct acting *acting, uint64_t address, const uint8_t *data, uint64_t bytes)
{
    struct tf_node *node = acting->node;
    if (!acting->shared && node->l1 != NULL) {
        tf_node_put_l1(node, (uint32_t)address, data, (uint32_t)bytes);
        return true;
    }
    if (!acting->shared || acting->request->data == acting->request->carried)
        return tf_node_put(node, address, data, bytes, acting->shared);
    if (node->l1 != NULL) {
        tf_shared_copy(node->l1 + address, data, bytes);
        if (node->tile != NULL)
            tf_node_code_written(node, (uint32_t)address, (uint32_t)bytes);
        return true;
    }
    uint8_t buffer[2048];
    for (uint64_t done = 0; done < bytes;) {
        uint64_t step = bytes - done < sizeof buffer ? bytes - done : sizeof buffer;
        tf_shared_get(buffer, data + done, step);
        if (!tf_node_put(node, address + done, buffer, step, true))
            return false;
        done += step;
    }
    return true;
}

/* data: bit 0 of the mask selects byte 0. */
static bool put_masked(const struct acting *acting, const uint8_t *data)
{
    const struct tf_noc_request *request = acting->request;
    for (uint64_t mask = request->byte_mask; mask != 0;) {
        unsigned first, run = tf_noc_take_run(&mask, &first);
        if (!put(acting, request->address + first, data + first, run))
            return false;
    }
    return true;
}

static bool put_inline(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    uint32_t word = request->at_data;
    const uint32_t line[TF_NOC_INLINE_LINE_BYTES / 4] = {word, word, word, word};
    if (request->length == TF_NOC_INLINE_LINE_BYTES)
        return put_masked(acting, (const uint8_t *)line);
    return tf_node_put(acting->node, request->address, &word, 4, acting->shared);
}

/* Store the granules that TF_NOC_WRITE_PART describes. */
static bool put_granules(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    struct tf_noc_range granule;
    for (uint32_t at = 0; tf_noc_next_granule(request, request->kind == TF_NOC_WRITE_PART, &at, &granule);)
        if (!put(acting, granule.address, request->data + (granule.address - request->address), granule.bytes))
            return false;
    return true;
}

static bool put_data(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    if (request->kind > TF_NOC_ATOMIC)
        return put_granules(acting);
    if (request->kind == TF_NOC_WRITE_BE)
        return put_masked(acting, request->data);
    if (request->kind == TF_NOC_WRITE_INLINE)
        return put_inline(acting);
    return put(acting, request->address, request->data, request->length);
}

/* Store the first 128 bits a second time, at NOC_AT_DATA << 4. NIU_CFG_0 of a tile without cores can turn that off. */
static bool store_header(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    uint64_t address = tf_node_address(acting->node, request->noc, (uint64_t)request->at_data << 4);
    uint64_t bytes = tf_min(request->length, 16);
    if (acting->node->l1 == NULL && (tf_niu_config_word(acting->niu, TF_NIU_CFG_0) & TF_NIU_CFG_0_HEADER_STORE_OFF))
        return true;
    if (bytes > tf_node_room(acting->node, address)) {
        answer_fault(acting, TF_FAULT_UNDEFINED, address, "the header store is outside memory");
        return false;
    }
    if (put(acting, address, request->data, bytes))
        return true;
    answer_fault(acting, TF_FAULT_HOST, address, TF_NOC_WHY_NO_PAGE);
    return false;
}

/* Returns false if the write was refused. */
static bool write_register(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    uint8_t category = TF_FAULT_UNDEFINED;
    uint32_t value = request->at_data;
    const char *why = TF_NOC_WHY_NO_WORD;
    if (request->kind == TF_NOC_WRITE && request->length == 4)
        memcpy(&value, request->data, sizeof value);
    if (tf_noc_is_word(request->address, request->length) && request->kind != TF_NOC_WRITE_BE)
        why = tf_node_store(acting->node, request->noc, request->address, value, &category);
    if (why == NULL)
        return true;
    answer_fault(acting, category, request->address, why);
    return false;
}

static bool write_memory(const struct acting *acting)
{
    if (put_data(acting)) {
        tf_niu_count_bytes(acting->niu, acting->request->length, acting->shared);
        return true;
    }
    answer_fault(acting, TF_FAULT_HOST, acting->request->address, TF_NOC_WHY_NO_PAGE);
    return false;
}

/* Tell the stream that data have reached its buffer. Returns false if it refused them. */
static bool tell_stream(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    struct tf_tile *tile = acting->node->tile;
    if (tile == NULL || tf_stream_receive(tile, request->at_len_be, request->length))
        return true;
    answer_fault(acting, (uint8_t)tf_mmio_why_category(tile), request->address, tf_mmio_why(tile));
    return false;
}

/* Store the data of a write, and its header, and tell a stream. Returns false if something was refused. */
static bool write_any(const struct acting *acting)
{
    const struct tf_noc_request *request = acting->request;
    bool refused = false, is_register = false;
    if (!tf_node_in_l1(acting->node, request->address, request->length))
        is_register = wants_register(acting, request->address, request->length, &refused);
    if (refused || !(is_register ? write_register(acting) : write_memory(acting)))
        return false;
    return (!request->header_store || store_header(acting)) && (!request->to_overlay || tell_stream(acting));
}

/* simple: tf_noc_writes_only_l1() is true. Bench rows: copy-256, copy-256-1t. */
static ALWAYS_INLINE void act_write(const struct acting *acting, bool simple)
{
    const struct tf_noc_request *request = acting->request;
    bool stored = true;
    if (simple) {
        put(acting, request->address, request->data, request->length);
        tf_niu_count_bytes(acting->niu, request->length, acting->shared);
    } else {
        stored = write_any(acting);
    }
    tf_niu_count_arrived(acting->niu, TF_NOC_WRITE, request->answered, 1, tf_noc_flits(acting->niu, request->length),
                         acting->shared);
    if (!stored || !request->answered)
        return;
    if (request->keeps_answer) {
        tf_niu_count_answered(acting->niu, TF_NOC_WRITE, 1, 0, acting->shared);
        return;
    }
    struct tf_noc_response *response = respond(acting, TF_NOC_WRITE_ACK, request->answer, 0);
    if (response == NULL)
        return;
    tf_niu_count_answered(acting->niu, TF_NOC_WRITE, 1, 0, acting->shared);
    acting->sink->respond(acting->sink, response);
}

/* Let a request that is not simple act. shared: a constant, equal to fabric->rules.shared. */
static ALWAYS_INLINE void act_any(struct tf_fabric *fabric, struct tf_node *node, struct tf_niu *niu,
                                  struct tf_noc_request *request, struct tf_noc_sink *sink, bool shared)
{
    const struct acting acting = {fabric, request, node, niu, sink, shared};
    if (node->core != NULL) /* it is the only target */
        request->address = tf_node_address(node, request->noc, request->address);
    if (request->kind == TF_NOC_WRITE_PART)
        put_data(&acting);
    else if (request->kind == TF_NOC_ATOMIC)
        act_atomic(&acting, false);
    else if (request->kind == TF_NOC_READ)
        act_read(&acting, false);
    else
        act_write(&acting, false);
}

static __attribute__((noinline)) void act_owned(struct tf_fabric *fabric, struct tf_node *node, struct tf_niu *niu,
                                                struct tf_noc_request *request, struct tf_noc_sink *sink)
{
    act_any(fabric, node, niu, request, sink, false);
}

static __attribute__((noinline)) void act_shared(struct tf_fabric *fabric, struct tf_node *node, struct tf_niu *niu,
                                                 struct tf_noc_request *request, struct tf_noc_sink *sink)
{
    act_any(fabric, node, niu, request, sink, true);
}

/* shared: a constant, equal to fabric->rules.shared. */
static ALWAYS_INLINE void act(struct tf_fabric *fabric, struct tf_node *node, struct tf_niu *niu,
                              struct tf_noc_request *request, struct tf_noc_sink *sink, bool shared)
{
    const struct acting acting = {fabric, request, node, niu, sink, shared};
    if (!shared && request->l1_only && request->kind == TF_NOC_ATOMIC)
        act_atomic(&acting, true);
    else if (!shared && request->l1_only && request->kind == TF_NOC_READ)
        act_read(&acting, true);
    else if (request->multicast && tf_niu_opted_out(niu))
        return;
    else if (request->kind == TF_NOC_WRITE && (request->l1_only || tf_noc_writes_only_l1(request, node)))
        act_write(&acting, true);
    else if (shared)
        act_shared(fabric, node, niu, request, sink);
    else
        act_owned(fabric, node, niu, request, sink);
}

void tf_noc_act(struct tf_fabric *fabric, struct tf_noc_request *request, uint16_t number, struct tf_noc_sink *sink)
{
    struct tf_node *node = &fabric->node[number];
    struct tf_niu *niu = &node->niu[request->noc];
    if (fabric->rules.shared)
        act(fabric, node, niu, request, sink, true);
    else
        act(fabric, node, niu, request, sink, false);
}

/* chained: arrive is not NULL, and no request is a multicast. */
static ALWAYS_INLINE unsigned act_until(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                                        struct tf_noc_sink *sink, tf_noc_arrive *arrive, const bool chained)
{
    struct tf_node *node = NULL;
    unsigned count = 0, number = TF_NO_NODE;
    bool l1_only = false; /* were all requests that have arrived at the node? Row `atomic-acc-contended` pays for it */
    struct tf_noc_entry *entry = *first, *next;
    for (; entry != NULL && entry->key < end_key; entry = next, count++) {
        TF_ASSERT(!chained || !entry->copy);
        struct tf_noc_request *request = chained ? (struct tf_noc_request *)entry : tf_request_of(entry);
        next = entry->next;
        tf_noc_prefetch_entry(entry, request->kind == TF_NOC_ATOMIC);
        if (entry->node != number || (chained && l1_only && !request->l1_only)) {
            number = entry->node;
            node = &fabric->node[number];
            l1_only = request->l1_only;
            if (chained)
                arrive(sink, node, request->l1_only);
        }
        act(fabric, node, request->noc == 0 ? &node->niu[0] : &node->niu[1], request, sink, false);
    }
    *first = entry;
    return count;
}

unsigned tf_noc_act_until(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                          struct tf_noc_sink *sink)
{
    return act_until(fabric, first, end_key, sink, NULL, false);
}

unsigned tf_noc_act_chained(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                            struct tf_noc_sink *sink, tf_noc_arrive *arrive)
{
    return act_until(fabric, first, end_key, sink, arrive, true);
}

void tf_noc_fetch(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t number)
{
    const struct tf_node *node = &fabric->node[number];
    const struct tf_niu *niu = &node->niu[request->noc];
    tf_fetch_to_write(&niu->counter[TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED]);
    tf_fetch_to_write(&niu->bytes_in);
    __builtin_prefetch(&niu->config[TF_NIU_ROUTER_CFG_1]);
    if (!tf_node_in_l1(node, request->address, request->length))
        return;
    __builtin_prefetch(&node->tile->code.decoded[request->address / TF_CODE_PAGE_BYTES]);
    for (unsigned line = 0; line < 4; line++)
        tf_fetch_to_write(node->l1 + request->address + line * 64);
}
