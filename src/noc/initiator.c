/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens when registers of an initiator are written, NOC_CMD_CTRL above all: counters, packets, and the queue
 * for the next epoch.
 * Sources: BlackholeA0/NoC/MemoryMap.md ("NOC_CMD_CTRL"), Counters.md.
 */
#include <string.h>

#include "noc/parts.h"

static bool is_long_form(uint8_t kind)
{
    return kind == TF_NOC_WRITE || kind == TF_NOC_WRITE_BE;
}

static bool is_write(uint8_t kind)
{
    return is_long_form(kind) || kind == TF_NOC_WRITE_INLINE;
}

static uint32_t instruction_at(const struct tf_tile *tile, uint32_t pc)
{
    uint32_t word = 0;
    if (pc % 4 == 0 && pc < tile->arch->l1_bytes)
        word = __atomic_load_n((const uint32_t *)(const void *)(tile->l1 + pc), __ATOMIC_RELAXED);
    return word;
}

static void refuse(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, const char *why)
{
    static const char *const kinds[] = {"read", "write", "write", "inline write", "atomic"};
    const struct tf_niu_issuer *issuer = &niu->issuer[i];
    struct tf_tile *tile = niu->node->tile;
    tf_tile_fault_at(tile, issuer->core, issuer->pc, issuer->cycle, (enum tf_fault_category)command->category,
                     instruction_at(tile, issuer->pc), command->fault_address, "NOC %u %s to (%u,%u) 0x%llX: %s",
                     niu->noc, kinds[command->kind], command->fault_hi & 63, command->fault_hi >> 6 & 63,
                     (unsigned long long)command->fault_address, why);
}

/* Counters that move as software writes to NOC_CMD_CTRL. */
static void count_command(struct tf_niu *niu, const struct tf_noc_command *command)
{
    uint32_t packets = tf_noc_packets(command);
    if (command->answered)
        tf_niu_outstanding(niu, command->tid, packets);
    if (is_long_form(command->kind))
        tf_niu_count_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + command->tid, packets);
}

/* Like all that counts what is sent, the initiator's worker moves these, and no other. */
static inline void count_data(struct tf_niu *niu, const struct tf_noc_request *request)
{
    bool answered = request->answered;
    niu->counter[answered ? TF_MST_NONPOSTED_WR_REQ_SENT : TF_MST_POSTED_WR_REQ_SENT]++;
    niu->counter[answered ? TF_MST_NONPOSTED_WR_DATA_WORD_SENT : TF_MST_POSTED_WR_DATA_WORD_SENT] +=
        tf_noc_flits(request->length);
}

void tf_niu_sent(struct tf_niu *niu, const struct tf_noc_request *request)
{
    count_data(niu, request);
    tf_niu_count_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + request->tid, -1u);
}

/* Counters that move as a packet gets its virtual channel, and, unless it has data to be read, leaves. */
static inline void count_packet(struct tf_niu *niu, const struct tf_noc_request *request)
{
    bool answered = request->answered;
    niu->counter[TF_MST_CMD_ACCEPTED]++;
    niu->requests++;
    switch (request->kind) {
    case TF_NOC_READ:
        niu->counter[TF_MST_RD_REQ_STARTED]++;
        niu->counter[TF_MST_RD_REQ_SENT]++;
        niu->bytes += request->length;
        break;
    case TF_NOC_ATOMIC:
        if (answered)
            niu->counter[TF_MST_NONPOSTED_ATOMIC_STARTED]++;
        niu->counter[answered ? TF_MST_NONPOSTED_ATOMIC_SENT : TF_MST_POSTED_ATOMIC_SENT]++;
        niu->atomics++;
        break;
    case TF_NOC_WRITE_INLINE:
        niu->counter[answered ? TF_MST_NONPOSTED_WR_REQ_STARTED : TF_MST_POSTED_WR_REQ_STARTED]++;
        niu->counter[answered ? TF_MST_NONPOSTED_WR_REQ_SENT : TF_MST_POSTED_WR_REQ_SENT]++;
        niu->bytes += request->length;
        break;
    default:
        niu->counter[answered ? TF_MST_NONPOSTED_WR_REQ_STARTED : TF_MST_POSTED_WR_REQ_STARTED]++;
        niu->bytes += request->length;
        break;
    }
}

/*
 * Profile emu-spec: one tile answers a multicast (noc-atomics.md, "Emulator Implementation Notes"). It is the first
 * that takes the request, by the masks of the initiator: all NIUs should have the same (MemoryMap.md, ROUTER_CFG_1).
 */
static uint16_t only_answer(const struct tf_niu *niu, const struct tf_noc_request *request)
{
    if (request->kind != TF_NOC_ATOMIC || !request->answered || niu->fabric->config.atomics != TF_ATOMICS_EMU_SPEC)
        return TF_NO_NODE;
    uint32_t columns = tf_niu_config_word(niu, TF_NIU_ROUTER_CFG_1);
    uint32_t rows = tf_niu_config_word(niu, TF_NIU_ROUTER_CFG_3);
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(niu->fabric, request, recipient);
    for (unsigned i = 0; i < count; i++) {
        uint32_t at = niu->fabric->node[recipient[i]].niu[niu->noc].node_id;
        if (!(columns >> (at & 63) & 1) && !(rows >> (at >> 6 & 63) & 1))
            return recipient[i];
    }
    return TF_NO_NODE;
}

/* Data must have a place in the source's L1; the word of an atomic has. */
static bool keeps_answer(const struct tf_niu *niu, const struct tf_noc_request *request)
{
    if (!niu->sink->keeps_answers || !request->answered || request->multicast || request->answer != request->source)
        return false;
    return request->kind != TF_NOC_READ || tf_node_in_l1(niu->node, request->return_address, request->length);
}

/* See tf_noc_request. The word of an atomic is in L1. */
static bool is_plain(const struct tf_niu *niu, struct tf_noc_request *request)
{
    if (request->multicast)
        return false;
    if (request->kind == TF_NOC_WRITE)
        return !request->header_store &&
               tf_node_in_l1(&niu->fabric->node[request->target], request->address, request->length);
    if (request->kind != TF_NOC_ATOMIC || request->op.kind > TF_NOC_AT_ZAAMO ||
        (request->answered && !request->keeps_answer))
        return false;
    request->op.ofs = (uint8_t)tf_noc_atomic_place(&request->op, (uint32_t)request->address);
    return true;
}

static void fill(struct tf_noc_request *request, const struct tf_niu *niu, unsigned i,
                 const struct tf_noc_command *command, uint64_t done, uint32_t length)
{
    *request = (struct tf_noc_request){.kind = command->kind, .noc = niu->noc};
    request->tid = command->tid;
    request->core = niu->issuer[i].core;
    request->pc = niu->issuer[i].pc;
    request->cycle = niu->issuer[i].cycle;
    request->answered = command->answered;
    request->source = niu->node->number;
    request->target = command->target;
    request->answer = command->answer;
    request->at_len_be = command->at_len_be;
    request->at_data = command->at_data;
    request->address = command->address + done;
    request->return_address = command->return_address + done;
    if (command->kind == TF_NOC_ATOMIC)
        request->op = command->op;
    else
        request->length = length;
    if (command->kind == TF_NOC_WRITE_BE)
        request->byte_mask = command->byte_mask;
    request->header_store = command->header_store && done == 0;
    request->source_address = command->source_address + done;
    request->multicast = command->multicast;
    if (command->multicast) {
        request->source_include = command->source_include;
        request->major_y = command->major_y;
        request->exclude = command->exclude;
        request->x0 = command->x0;
        request->y0 = command->y0;
        request->x1 = command->x1;
        request->y1 = command->y1;
        request->target = only_answer(niu, request);
    }
    request->keeps_answer = keeps_answer(niu, request);
    request->entry.settled = request->keeps_answer && is_write(command->kind);
    request->plain = is_plain(niu, request);
}

/* The word of a source register: its bytes from the source address on, or repeated under a byte mask. */
static void carry_register(struct tf_noc_request *request, uint32_t word)
{
    if (request->kind == TF_NOC_WRITE) {
        memcpy(request->carried, (const uint8_t *)&word + request->source_address % 4, request->length);
        return;
    }
    for (uint32_t at = 0; at < request->length; at++)
        request->carried[at] = (uint8_t)(word >> at % 4 * 8);
}

static void carry_l1(const struct tf_niu *niu, struct tf_noc_request *request)
{
    const uint8_t *from = niu->node->l1 + request->source_address;
    if (niu->fabric->shared)
        tf_shared_get(request->carried, from, request->length);
    else
        memcpy(request->carried, from, request->length);
}

static void carry(const struct tf_niu *niu, struct tf_noc_request *request)
{
    request->data = request->carried;
    carry_l1(niu, request);
}

void tf_niu_forget(struct tf_niu *niu)
{
    for (unsigned i = 0; i < TF_NIU_INITIATORS && niu->sent != NULL; i++)
        niu->sent[i].known = niu->sent[i].simple = false;
}

/* Keep a request as it will be sent again, if equal registers are all that it takes. */
static void keep(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command,
                 const struct tf_noc_request *request, bool carries)
{
    struct tf_noc_sent *sent = &niu->sent[i];
    sent->simple = false;
    sent->known = !command->from_register && !command->inline_to_l1 && !command->l1_acc &&
                  command->length <= TF_NOC_PACKET_BYTES &&
                  (command->kind != TF_NOC_READ || niu->fabric->node[command->answer].dram == NULL);
    if (!sent->known)
        return;
    sent->carries = carries;
    sent->simple = niu->sink->again != NULL && !command->multicast && (carries || !is_long_form(command->kind)) &&
                   (command->kind != TF_NOC_READ || command->length <= TF_NOC_CARRY_BYTES);
    sent->atomic = command->kind == TF_NOC_ATOMIC;
    sent->payload_bytes = carries ? request->length : 0;
    memcpy(sent->regs, niu->initiator[i], sizeof sent->regs);
    sent->request = *request;
}

/* Count a packet, and keep what that has moved. */
static void count_first(struct tf_niu *niu, struct tf_noc_sent *sent, const struct tf_noc_request *request,
                        bool carries)
{
    const uint32_t *counter = niu->counter + TF_NIU_FIRST_SENT;
    uint64_t bytes = niu->bytes;
    for (unsigned i = 0; i < TF_NIU_SENT_COUNTERS; i++)
        sent->counts[i] = -counter[i];
    count_packet(niu, request);
    if (carries)
        tf_niu_sent(niu, request);
    for (unsigned i = 0; i < TF_NIU_SENT_COUNTERS; i++)
        sent->counts[i] += counter[i];
    sent->bytes = (uint32_t)(niu->bytes - bytes);
}

/* One packet. False: no memory. */
static bool send(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, uint64_t done, uint32_t word)
{
    uint64_t left = command->length - done;
    uint32_t length = (uint32_t)(left < TF_NOC_PACKET_BYTES ? left : TF_NOC_PACKET_BYTES);
    bool carries = is_long_form(command->kind) && length <= TF_NOC_CARRY_BYTES;
    struct tf_noc_request *request = niu->sink->request(niu->sink, carries ? length : 0);
    if (request == NULL)
        return false;
    fill(request, niu, i, command, done, length);
    if (is_long_form(command->kind) && !carries)
        request->data = niu->node->l1 + request->source_address;
    keep(niu, i, command, request, carries);
    if (carries && command->from_register) {
        request->data = request->carried;
        carry_register(request, word);
    } else if (carries) {
        carry(niu, request);
    }
    count_first(niu, &niu->sent[i], request, carries);
    niu->sink->submit(niu->sink, request);
    return true;
}

static void advance(uint32_t *lo, uint64_t bytes)
{
    uint64_t address = (lo[0] | (uint64_t)lo[1] << 32) + bytes;
    lo[0] = (uint32_t)address;
    lo[1] = (uint32_t)(address >> 32);
}

/* What is needed before the first packet: a source register's word, room for data that come back to DRAM. */
static const char *prepare(struct tf_niu *niu, struct tf_noc_command *command, uint32_t *word)
{
    command->fault_address = command->address;
    if (command->from_register) {
        command->fault_address = command->source_address;
        return tf_node_load(niu->node, niu->noc, command->source_address & ~3ull, word, &command->category);
    }
    if (command->kind == TF_NOC_READ) {
        const struct tf_node *answer = &niu->fabric->node[command->answer];
        command->category = TF_FAULT_HOST;
        if (tf_node_place(answer, command->return_address) == TF_PLACE_DRAM &&
            !tf_channel_reserve(answer->dram, command->return_address, command->length))
            return "no memory for a DRAM page";
    }
    return NULL;
}

static inline bool may_issue(const struct tf_niu *niu)
{
    return niu->sink != NULL && niu->issued < niu->fabric->config.niu_requests_max;
}

/* The bound of an epoch has cut a request that is several packets: it goes on, before others, in the next. */
static void put_back(struct tf_niu *niu, unsigned i)
{
    memmove(niu->queue + 1, niu->queue, niu->queued);
    niu->queue[0] = (uint8_t)i;
    niu->queued++;
    niu->split |= (uint8_t)(1u << i);
    niu->initiator[i][TF_NIU_CMD_CTRL] = 1;
}

/* The host had no memory for the last packets of a command, which are not awaited, and whose data stay. */
static void count_unsent(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t packets)
{
    if (command->answered)
        tf_niu_count_narrow(niu, TF_MST_REQS_OUTSTANDING + command->tid, -packets);
    if (is_long_form(command->kind))
        tf_niu_count_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + command->tid, -packets);
}

/* Packets leave, and the registers follow ("Automatic request splitting" in Counters.md). */
static enum tf_access issue(struct tf_niu *niu, unsigned i, struct tf_noc_command *command)
{
    uint32_t *regs = niu->initiator[i], word = 0, packet = 0;
    uint32_t packets = tf_noc_packets(command);
    const char *why = prepare(niu, command, &word);
    bool resumed = niu->split >> i & 1;
    if (resumed)
        command->header_store = false; /* went with the first packet */
    regs[TF_NIU_CMD_CTRL] = 0;
    niu->split &= (uint8_t)~(1u << i);
    for (; packet < packets && why == NULL && may_issue(niu); packet++) {
        niu->issued++;
        if (!send(niu, i, command, (uint64_t)packet * TF_NOC_PACKET_BYTES, word)) {
            command->category = TF_FAULT_HOST;
            why = "no memory for a request";
            break;
        }
    }
    if (resumed)
        niu->sent[i].known = niu->sent[i].simple = false;
    if (why != NULL) {
        if (command->category == TF_FAULT_HOST)
            count_unsent(niu, command, packets - packet);
        refuse(niu, i, command, why);
        return TF_ACCESS_FAULT;
    }
    uint64_t done = (uint64_t)(packet < packets ? packet : packets - 1) * TF_NOC_PACKET_BYTES;
    if (done != 0) {
        advance(regs + TF_NIU_TARG_LO, done);
        advance(regs + TF_NIU_RET_LO, done);
        advance(regs + TF_NIU_AT_LEN_BE, -done);
    }
    if (packet < packets)
        put_back(niu, i);
    return TF_ACCESS_OK;
}

/* As registers and counters at 16-byte steps, which is how the host compares and adds them soonest. */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef uint32_t four __attribute__((vector_size(16), may_alias));

static inline bool same_registers(const uint32_t *a, const uint32_t *b)
{
    const pair *x = (const pair *)(const void *)a, *y = (const pair *)(const void *)b;
    _Static_assert(TF_NIU_WORDS_OF_REQUEST * sizeof *a == 3 * sizeof(pair), "three comparisons");
    pair differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]);
    return (differ[0] | differ[1]) == 0;
}

/* What a request that is sent again moves, beside what is outstanding. */
static inline void count_again(struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    const struct tf_noc_request *request = &sent->request;
    niu->issued++;
    count_packet(niu, request);
    if (sent->carries)
        count_data(niu, request);
    else if (is_long_form(request->kind))
        tf_niu_count_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + request->tid, 1);
}

/* False: no memory. */
static __attribute__((noinline)) bool repeat(struct tf_niu *niu, const struct tf_noc_sent *sent, unsigned core,
                                             uint32_t pc)
{
    if (niu->sink->at_once != NULL && niu->sink->at_once(niu->sink, &sent->request)) {
        niu->issued++;
        count_packet(niu, &sent->request);
        if (is_long_form(sent->request.kind))
            count_data(niu, &sent->request);
        return true;
    }
    struct tf_noc_request *request = niu->sink->request(niu->sink, sent->carries ? sent->request.length : 0);
    if (request == NULL)
        return false;
    *request = sent->request;
    request->core = (uint8_t)core;
    request->pc = pc;
    request->cycle = niu->node->tile->now;
    if (sent->carries)
        carry(niu, request);
    if (request->answered)
        tf_niu_outstanding(niu, request->tid, 1);
    count_again(niu, sent);
    niu->sink->submit(niu->sink, request);
    return true;
}

/* Do an initiator's registers ask for what it sent last? */
static inline bool asks_again(const struct tf_niu *niu, const struct tf_noc_sent *sent, unsigned i, unsigned core)
{
    return may_issue(niu) && niu->queued == 0 && core != TF_FROM_NOC && same_registers(sent->regs, niu->initiator[i]);
}

/* What is sent most: all that it counts is known. */
static inline enum tf_access send_simply(struct tf_niu *niu, const struct tf_noc_sent *sent, unsigned core, uint32_t pc)
{
    four *count = (four *)(void *)(niu->counter + TF_NIU_FIRST_SENT);
    const four *counts = (const four *)(const void *)sent->counts;
    _Static_assert(TF_NIU_SENT_COUNTERS == 3 * 4 && TF_NIU_FIRST_SENT % 4 == 0, "three additions");
    count[0] += counts[0];
    count[1] += counts[1];
    count[2] += counts[2];
    niu->issued++;
    niu->requests++;
    niu->bytes += sent->bytes;
    niu->atomics += sent->atomic;
    *(uint8_t *)&niu->counter[TF_MST_REQS_OUTSTANDING + sent->request.tid] += sent->request.answered;
    return niu->sink->again(niu->sink, &sent->request, sent->payload_bytes, core, pc);
}

/* NOC_CMD_CTRL of initiator i has been written with bit 0 set. */
static enum tf_access initiate(struct tf_niu *niu, unsigned i, unsigned core, uint32_t pc)
{
    struct tf_tile *tile = niu->node->tile;
    struct tf_noc_command command;
    niu->issuer[i] = (struct tf_niu_issuer){.core = (uint8_t)core, .pc = pc, .cycle = tile->now};
    const char *why = tf_noc_decode(niu, niu->initiator[i], &command);
    if (why != NULL) {
        if (core != TF_FROM_NOC)
            refuse(niu, i, &command, why);
        return TF_ACCESS_FAULT;
    }
    if (command.inline_to_l1)
        tf_tile_hazard(tile, core, TF_FAULT_UNDEFINED, instruction_at(tile, pc), command.address,
                       "NOC %u inline write to L1: not safe on Blackhole", niu->noc);
    count_command(niu, &command);
    /* What came over the NOC waits: in relaxed mode it may be part of a request that is being performed. */
    if (core != TF_FROM_NOC && niu->queued == 0 && may_issue(niu))
        return issue(niu, i, &command);
    niu->initiator[i][TF_NIU_CMD_CTRL] = 1;
    niu->queue[niu->queued++] = (uint8_t)i;
    return TF_ACCESS_OK;
}

enum tf_access tf_noc_not_again(struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned core,
                                uint32_t pc)
{
    struct tf_niu *niu = &fabric->node[request->source].niu[request->noc];
    const struct tf_noc_sent *sent =
        (const struct tf_noc_sent *)(const void *)((const char *)request - offsetof(struct tf_noc_sent, request));
    for (unsigned i = 0; i < TF_NIU_SENT_COUNTERS; i++)
        niu->counter[TF_NIU_FIRST_SENT + i] -= sent->counts[i];
    niu->issued--;
    niu->requests--;
    niu->bytes -= sent->bytes;
    niu->atomics -= sent->atomic;
    *(uint8_t *)&niu->counter[TF_MST_REQS_OUTSTANDING + request->tid] -= request->answered;
    return initiate(niu, (unsigned)(sent - niu->sent), core, pc);
}

static __attribute__((noinline)) enum tf_access store_word(struct tf_niu *niu, uint32_t offset, uint32_t value,
                                                           unsigned core, uint32_t pc)
{
    unsigned i = offset / TF_NIU_INITIATOR_STRIDE, word = offset % TF_NIU_INITIATOR_STRIDE / 4;
    if (niu->initiator[i][TF_NIU_CMD_CTRL])
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNDEFINED,
                               "written while NOC_CMD_CTRL of its initiator is 1");
    if (word != TF_NIU_CMD_CTRL) {
        niu->initiator[i][word] = word == TF_NIU_PACKET_TAG ? value & TF_PORT_TAG_MASK : value;
        return TF_ACCESS_OK;
    }
    if (!(value & 1))
        return TF_ACCESS_OK;
    if (niu->node->tile == NULL)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED,
                               "tiles without cores do not send requests here");
    return initiate(niu, i, core, pc);
}

enum tf_access tf_niu_initiator_store(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core,
                                      uint32_t pc)
{
    unsigned i = offset / TF_NIU_INITIATOR_STRIDE;
    if (offset % TF_NIU_INITIATOR_STRIDE == 4 * TF_NIU_CMD_CTRL && (value & 1) && niu->sent != NULL &&
        niu->sent[i].known && asks_again(niu, &niu->sent[i], i, core) && repeat(niu, &niu->sent[i], core, pc))
        return TF_ACCESS_OK;
    return store_word(niu, offset, value, core, pc);
}

/* Does a counter of what is outstanding have room for one more? One that wraps is not for send_simply(). */
static inline bool has_room(const struct tf_niu *niu, unsigned tid)
{
    return (uint8_t)niu->counter[TF_MST_REQS_OUTSTANDING + tid] != UINT8_MAX;
}

static inline bool is_command(uint32_t offset, uint32_t value)
{
    const uint32_t stride = TF_NIU_INITIATOR_STRIDE;
    _Static_assert((TF_NIU_INITIATORS & (TF_NIU_INITIATORS - 1)) == 0, "initiators are a mask of the offset");
    return (offset & ~((TF_NIU_INITIATORS - 1) * stride)) == 4 * TF_NIU_CMD_CTRL && (value & 1);
}

enum tf_access tf_niu_store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct tf_niu *niu = opaque;
    unsigned i = offset / TF_NIU_INITIATOR_STRIDE;
    const struct tf_noc_sent *sent = niu->sent;
    if (!is_command(offset, value) || sent == NULL || !sent[i].simple || !asks_again(niu, &sent[i], i, core) ||
        !has_room(niu, sent[i].request.tid))
        return tf_niu_store_any(niu, offset, value, core, pc);
    return send_simply(niu, &sent[i], core, pc);
}

static unsigned take_oldest(struct tf_niu *niu)
{
    unsigned i = niu->queue[0];
    niu->queued--;
    memmove(niu->queue, niu->queue + 1, niu->queued);
    niu->queue[niu->queued] = 0;
    return i;
}

void tf_niu_epoch(struct tf_niu *niu, struct tf_noc_sink *sink)
{
    niu->sink = sink;
    niu->issued = 0;
    while (niu->queued != 0 && may_issue(niu)) {
        unsigned i = take_oldest(niu);
        struct tf_noc_command command;
        const char *why = tf_noc_decode(niu, niu->initiator[i], &command);
        if (why == NULL) {
            issue(niu, i, &command);
        } else { /* the configuration has changed since it was written */
            niu->initiator[i][TF_NIU_CMD_CTRL] = 0;
            niu->split &= (uint8_t)~(1u << i);
            refuse(niu, i, &command, why);
        }
    }
}
