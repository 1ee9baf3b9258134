/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores to the registers of an initiator. A store to NOC_CMD_CTRL decodes a command, makes its packets and issues
 * them, or it queues the initiator for the next epoch.
 * Sources: BlackholeA0/NoC/MemoryMap.md ("NOC_CMD_CTRL"), Counters.md.
 */
#include <string.h>

#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/nodes/dram.h"
#include "noc/nodes/dram_core.h"
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "noc/requests/linked.h"
#include "noc/niu.h"
#include "noc/niu_counters.h"
#include "noc/niu_layout.h"
#include "noc/requests/request.h"
#include "noc/sent.h"
#include "noc/nodes/space.h"
#include "noc/requests/written_back.h"
#include "tile/riscv/hart/stop.h"

static void report_fault(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, const char *why)
{
    char at[TF_NOC_PLACE_BYTES];
    tf_noc_place_text(niu, tf_noc_unpack_xy(command->fault_hi, 0), at);
    tf_noc_fault(niu, niu->issuer[i], command->kind, (enum tf_fault_category)command->category, at,
                 command->fault_address, why);
}

/* Count the packets that software asks for by a command. undo: these packets will not be issued. */
static void count_asked(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t packets, bool undo)
{
    uint32_t number = undo ? -packets : packets;
    tf_niu_count_asked(niu, command->tid, command->answered ? number : 0,
                       tf_noc_is_long_form(command->kind) ? number : 0, !undo, niu->fabric->rules.shared);
}

void tf_niu_captured(struct tf_niu *niu, const struct tf_noc_request *request)
{
    tf_niu_count_captured(niu, request, true, niu->fabric->rules.shared);
}

/*
 * Profile emu-spec: one tile answers a multicast (noc-atomics.md, "Emulator Implementation Notes"). The first recipient
 * that has not opted out answers, by the masks of the initiator. Software gives all NIUs equal masks (MemoryMap.md,
 * ROUTER_CFG_1).
 */
static uint16_t only_answer(const struct tf_niu *niu, const struct tf_noc_request *request)
{
    if (request->kind != TF_NOC_ATOMIC || !request->answered || niu->fabric->rules.atomics != TF_ATOMICS_EMU_SPEC)
        return TF_NO_NODE;
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(niu->fabric, request, recipient);
    for (unsigned i = 0; i < count; i++)
        if (!tf_niu_masks_out(niu, niu->fabric->node[recipient[i]].niu[niu->noc].node_id))
            return recipient[i];
    return TF_NO_NODE;
}

/* Computes the field of tf_noc_request. A read needs a response if its data land outside the source's L1. The word of
   an atomic always lies in L1. */
static bool keeps_answer(const struct tf_niu *niu, const struct tf_noc_request *request)
{
    if (!niu->node->sink->keeps_answers || !request->answered || request->multicast ||
        request->answer != request->source || niu->node->l1 == NULL)
        return false;
    return request->kind != TF_NOC_READ || tf_node_in_l1(niu->node, request->return_address, request->length);
}

/* Computes the field of tf_noc_request. */
static bool is_l1_only(const struct tf_niu *niu, struct tf_noc_request *request)
{
    if (request->multicast)
        return false;
    if (request->kind == TF_NOC_WRITE)
        return tf_noc_writes_only_l1(request, &niu->fabric->node[request->target]);
    if (request->kind == TF_NOC_READ)
        return request->keeps_answer && request->length <= TF_NOC_CARRY_BYTES &&
               tf_node_in_l1(&niu->fabric->node[request->target], request->address, request->length);
    if (request->kind != TF_NOC_ATOMIC || request->to_overlay || request->op.kind > TF_NOC_AT_ZAAMO ||
        (request->answered && !request->keeps_answer))
        return false;
    request->op.ofs = (uint8_t)tf_noc_atomic_place(&request->op, (uint32_t)request->address);
    return true;
}

/* Set the fields that depend on the place of the data. */
static void place(const struct tf_niu *niu, struct tf_noc_request *request)
{
    request->keeps_answer = keeps_answer(niu, request);
    request->entry.settled = request->keeps_answer && tf_noc_is_write(request->kind);
    request->l1_only = is_l1_only(niu, request);
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
    if (command->kind == TF_NOC_WRITE_BE || command->kind == TF_NOC_WRITE_INLINE)
        request->byte_mask = command->byte_mask;
    request->header_store = command->header_store && done == 0;
    request->to_overlay = command->to_overlay;
    request->source_address = command->source_address + done;
    request->multicast = command->multicast;
    if (command->multicast) {
        request->source_include = command->source_include;
        request->major_y = command->major_y;
        request->reserves = command->reserves;
        request->exclude = command->exclude;
        request->x0 = command->x0;
        request->y0 = command->y0;
        request->x1 = command->x1;
        request->y1 = command->y1;
        request->target = only_answer(niu, request);
    }
    place(niu, request);
}

/* The words have the order of tf_noc_sent.written. */
static inline void get_written(uint32_t written[TF_NIU_WORDS_WRITTEN], const uint32_t *regs)
{
    written[0] = regs[TF_NIU_TARG_MID];
    written[1] = regs[TF_NIU_RET_MID];
    written[2] = regs[TF_NIU_CTRL];
}

static inline void put_written(uint32_t *regs, const uint32_t written[TF_NIU_WORDS_WRITTEN])
{
    regs[TF_NIU_TARG_MID] = written[0];
    regs[TF_NIU_RET_MID] = written[1];
    regs[TF_NIU_CTRL] = written[2];
}

/* WormholeB0/NoC/MemoryMap.md, "Due to a hardware bug": the counters of two transactions go wrong on the chip. Here
   they do not. */
static bool is_miscounted(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    const struct tf_node *target = &niu->fabric->node[command->target];
    return niu->fabric->arch->noc.edge_answers_as_zero && command->tid != 0 && command->answered &&
           tf_noc_is_write(command->kind) && !command->multicast &&
           (target->kind == TF_NODE_PCIE || target->kind == TF_NODE_ARC);
}

/* May a core issue a packet now? Stores over the NOC may not: in relaxed mode such a store may be the action of a
   request. They queue the initiator for the next epoch. */
static inline bool core_may_issue(const struct tf_niu *niu, unsigned core)
{
    return tf_niu_may_issue(niu) && *tf_niu_queued(niu) == 0 && core != TF_FROM_NOC;
}

/* The command of an initiator has ended. */
static inline void end_command(struct tf_niu *niu, unsigned i)
{
    *tf_niu_cmd_ctrl(niu, i) = 0;
    niu->split &= (uint8_t) ~(1u << i);
}

/* Do equal registers mean an equal packet without a hazard, as long as the configuration of the NIU stays the same? */
static bool is_known(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    return !command->from_register && !command->inline_to_l1 && !command->l1_acc && !command->to_overlay &&
           niu->node->l1 != NULL && command->length <= tf_niu_packet_bytes(niu) && !is_miscounted(niu, command) &&
           (command->kind != TF_NOC_READ || tf_node_dram(&niu->fabric->node[command->answer]) == NULL);
}

static bool is_simple(const struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    const struct tf_noc_request *request = &sent->request;
    return sent->known && niu->node->sink->issue_simple != NULL && !request->multicast &&
           (sent->captured || !tf_noc_is_long_form(request->kind)) &&
           (request->kind != TF_NOC_READ || request->length <= TF_NOC_CARRY_BYTES);
}

/* The address in the own L1 of a copy; the other one is at request->target. */
static inline uint64_t *near_end(struct tf_noc_request *request)
{
    return request->kind == TF_NOC_READ ? &request->return_address : &request->source_address;
}

static inline bool is_memory(enum tf_noc_place place)
{
    return place == TF_PLACE_L1 || place == TF_PLACE_DRAM;
}

#define MOVE_BYTES 64u /* alignment rules and flit counts depend on no higher bits */

/* Is this a copy between the own L1 and a memory? Its addresses may then change by multiples of MOVE_BYTES, within
   these memories. move_last() changes what depends on them. */
static bool moves(const struct tf_niu *niu, struct tf_noc_sent *sent)
{
    struct tf_noc_request *request = &sent->request;
    bool copies = request->kind == TF_NOC_READ ? request->answer == request->source
                                               : request->kind == TF_NOC_WRITE && !request->header_store;
    return sent->known && copies && !request->multicast &&
           tf_node_in_l1(niu->node, *near_end(request), request->length) &&
           is_memory(tf_node_place(&niu->fabric->node[request->target], request->address));
}

/* Fill in the data of a write from a register: the register's bytes from the source address on. A write with a byte
   mask repeats them. */
static void repeat_register(uint8_t *bytes, const struct tf_noc_command *command, uint32_t word)
{
    unsigned from = command->kind == TF_NOC_WRITE ? command->source_address % 4 : 0;
    for (uint64_t at = 0; at < command->length; at++)
        bytes[at] = (uint8_t)(word >> (at + from) % 4 * 8);
}

/* Make the packet of `length` bytes at byte offset `done` of a command. captures: data in L1 are captured at issue.
   register_bytes: the data of a write from a register. */
static void describe_packet(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, uint64_t done,
                            uint32_t length, bool captures, const uint8_t *register_bytes)
{
    struct tf_noc_sent *sent = &niu->sent[i];
    struct tf_noc_request *request = &sent->request;
    bool long_form = tf_noc_is_long_form(command->kind);
    fill(request, niu, i, command, done, length);
    if (long_form)
        request->data = command->from_register ? register_bytes : tf_node_own_l1(niu->node, request->source_address);
    sent->captured = long_form && captures;
    sent->payload_bytes = sent->captured ? length : 0;
    tf_niu_issue_of(niu, &sent->counts, request, sent->captured);
}

/* Packets that a sender decoded earlier. */
static inline struct tf_noc_sent *others_of(const struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    return niu->fabric->others + TF_NIU_OTHERS * (sent - niu->fabric->sent);
}

/* A new packet is about to replace the packet that was decoded last. The old packet is kept if it has another kind or
   another target. Kernels read and write in turn: row `copy1-256-awaited` pays for it. Some kernels increment
   semaphores of several tiles in turn: `ring` takes 5 % fewer instructions. Wormhole's row `barrier-400` pays for it,
   too. */
static void keep_other(const struct tf_niu *niu, struct tf_noc_sent *sent, const struct tf_noc_command *command)
{
    bool alike = sent->request.kind == command->kind && sent->request.target == command->target;
    if (!sent->known || alike || niu->fabric->others == NULL)
        return;
    others_of(niu, sent)[sent->other_next] = *sent;
    sent->others |= (uint8_t)(1u << sent->other_next);
    sent->other_next = (uint8_t)((sent->other_next + 1) % TF_NIU_OTHERS);
}

static uint32_t ctrl_of(const struct tf_niu *niu, unsigned i)
{
    uint32_t words[TF_NIU_INITIATOR_WORDS];
    return tf_niu_words(niu, i, words)[TF_NIU_CTRL];
}

/* Does the packet of an initiator belong to a linked transaction that goes on? tf_noc_link() must see the next one. */
static bool is_linked(const struct tf_niu *niu, unsigned i)
{
    return (niu->split & TF_NIU_LINKED) != 0 || (ctrl_of(niu, i) & TF_NOC_CTRL_LINKED) != 0;
}

/* Make the packet at byte offset `done` of a command. */
static void make_packet(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, uint64_t done,
                        const uint8_t *register_bytes)
{
    struct tf_noc_sent *sent = &niu->sent[i];
    uint64_t left = command->length - done;
    uint32_t length = (uint32_t)(left < tf_niu_packet_bytes(niu) ? left : tf_niu_packet_bytes(niu));
    keep_other(niu, sent, command);
    bool delayed = TF_HOOKS && niu->fabric->delays_captures && command->kind == TF_NOC_WRITE && !command->from_register;
    /* Sites of DRAM channels keep no long writes. */
    bool captures = (length <= TF_NOC_CARRY_BYTES && !delayed) || niu->node->l1 == NULL;
    describe_packet(niu, i, command, done, length, captures, register_bytes);
    sent->known = is_known(niu, command) && !is_linked(niu, i);
    sent->simple = is_simple(niu, sent);
    sent->moves = moves(niu, sent);
    if (sent->known) {
        memcpy(sent->regs, niu->initiator[i], sizeof sent->regs); /* words in the family's order */
        if (niu->writes_back)
            get_written(sent->written, niu->initiator[i]);
    }
}

/* Does a packet count as outgoing after its issue, because its source is not captured yet? */
static inline bool is_uncaptured(const struct tf_noc_sent *sent)
{
    return tf_noc_is_long_form(sent->request.kind) && !sent->captured;
}

/* Count a packet that leaves the NIU. */
static inline void count_issued(struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    niu->node->issued[niu->noc]++;
    tf_niu_count_issued(niu, &sent->counts, false);
}

/* Issue a packet that tf_niu_count_asked() has counted. simple: issue_simple() issues it. */
static inline __attribute__((always_inline)) enum tf_access issue(struct tf_niu *niu, const struct tf_noc_sent *sent,
                                                                  struct tf_niu_issuer by, bool simple)
{
    struct tf_noc_sink *sink = niu->node->sink;
    tf_noc_issue *to = simple ? sink->issue_simple : sink->issue;
    count_issued(niu, sent);
    return to(sink, &sent->request, sent->payload_bytes, by.core, by.pc, by.cycle);
}

bool tf_niu_issue_for_stream(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl)
{
    struct tf_noc_sent *sent = &niu->sent[TF_NIU_OVERLAY];
    niu->issuer[TF_NIU_OVERLAY] = (struct tf_niu_issuer){.core = TF_FROM_NOC, .cycle = niu->node->tile->cycle};
    describe_packet(niu, TF_NIU_OVERLAY, command, 0, (uint32_t)command->length, true, NULL);
    sent->regs[TF_NIU_CTRL] = ctrl;
    return issue(niu, sent, niu->issuer[TF_NIU_OVERLAY], false) == TF_ACCESS_OK;
}

static void advance_address(uint32_t *lo, uint64_t bytes)
{
    uint64_t address = (lo[0] | (uint64_t)lo[1] << 32) + bytes;
    lo[0] = (uint32_t)address;
    lo[1] = (uint32_t)(address >> 32);
}

/* Advance the registers past packets of so many bytes, so that they describe the rest of the command. */
static void advance(const struct tf_niu *niu, uint32_t *regs, uint64_t bytes)
{
    advance_address(regs + TF_NIU_TARG_LO, bytes);
    advance_address(regs + TF_NIU_RET_LO, bytes);
    if (niu->fabric->arch->niu == NULL)
        advance_address(regs + TF_NIU_AT_LEN_BE, -bytes);
    else
        regs[TF_NIU_AT_LEN_BE] -= (uint32_t)bytes;
}

/* Load the source register, and reserve DRAM for read data, before the first packet. Returns NULL or a sentence. */
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
        if (answer != niu->node && tf_node_place(answer, command->return_address) == TF_PLACE_DRAM &&
            !tf_channel_reserve(tf_node_dram(answer), command->return_address, command->length))
            return TF_NOC_WHY_NO_PAGE;
        if (answer->core != NULL && !tf_channel_reserve(tf_dram_core_l1(answer->core), 0, 1)) /* all of it */
            return TF_NOC_WHY_NO_PAGE;
    }
    return NULL;
}

/* Queue the command first for the next epoch, because this epoch's bound is reached within it. */
static void put_back(struct tf_niu *niu, unsigned i)
{
    memmove(niu->queue + 1, niu->queue, *tf_niu_queued(niu));
    niu->queue[0] = (uint8_t)i;
    ++*tf_niu_queued(niu);
    niu->split |= (uint8_t)(1u << i);
    *tf_niu_cmd_ctrl(niu, i) = 1;
}

enum tf_access tf_noc_unissued(struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned core,
                               uint32_t pc, uint64_t cycle)
{
    struct tf_niu *niu = &fabric->node[request->source].niu[request->noc];
    const struct tf_noc_sent *sent = (const struct tf_noc_sent *)(const void *)((const char *)request -
                                                                                offsetof(struct tf_noc_sent, request));
    const unsigned i = tf_niu_sender_of(niu, sent);
    struct tf_noc_command command;
    tf_niu_count_issued(niu, &sent->counts, true);
    if (i == TF_NIU_OVERLAY)
        return TF_ACCESS_FAULT;
    tf_niu_count_asked(niu, request->tid, -(uint32_t)request->answered, -(uint32_t)is_uncaptured(sent), false,
                       fabric->rules.shared);
    niu->issuer[i] = (struct tf_niu_issuer){.core = (uint8_t)core, .pc = pc, .cycle = cycle};
    tf_noc_decode(niu, i, &command);
    command.category = TF_FAULT_HOST;
    command.fault_address = command.from_register ? command.source_address : command.address;
    report_fault(niu, i, &command, "the host has no memory for a NOC request");
    return TF_ACCESS_FAULT;
}

/* Issue packets up to the bound of the epoch. Returns their number. *access becomes the result of the last packet. */
static uint32_t issue_packets(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command, uint32_t word,
                              enum tf_access *access)
{
    uint8_t register_bytes[64];
    uint32_t packets = tf_noc_packets(niu, command), packet = 0;
    struct tf_noc_sent *sent = &niu->sent[i];
    if (command->from_register)
        repeat_register(register_bytes, command, word);
    *access = TF_ACCESS_OK;
    for (; packet < packets && *access == TF_ACCESS_OK && tf_niu_may_issue(niu); packet++) {
        make_packet(niu, i, command, (uint64_t)packet * tf_niu_packet_bytes(niu), register_bytes);
        if (sent->captured)
            tf_niu_count_asked(niu, command->tid, 0, -1u, true, niu->fabric->rules.shared);
        *access = issue(niu, sent, niu->issuer[i], false);
    }
    return packet;
}

/* Issue the packets of a command, and advance the registers. Source: Counters.md, "Automatic request splitting". */
static enum tf_access issue_command(struct tf_niu *niu, unsigned i, struct tf_noc_command *command)
{
    uint32_t word = 0, packets = tf_noc_packets(niu, command);
    const char *why = prepare(niu, command, &word);
    bool resumed = niu->split >> i & 1;
    enum tf_access access;
    if (resumed)
        command->header_store = false; /* the first packet had the header store */
    end_command(niu, i);
    if (why != NULL) {
        if (command->category == TF_FAULT_HOST)
            count_asked(niu, command, packets, true);
        report_fault(niu, i, command, why);
        return TF_ACCESS_FAULT;
    }
    uint32_t issued = issue_packets(niu, i, command, word, &access);
    if (resumed)
        tf_noc_sent_forget(&niu->sent[i]);
    if (access != TF_ACCESS_OK) { /* no memory: the remaining packets are dropped */
        count_asked(niu, command, packets - issued, true);
        return access;
    }
    uint64_t done = (uint64_t)(issued < packets ? issued : packets - 1) * tf_niu_packet_bytes(niu);
    if (done != 0)
        advance(niu, niu->initiator[i], done);
    if (issued < packets)
        put_back(niu, i);
    return TF_ACCESS_OK;
}

/* Compare registers 16 bytes at a time, which is fastest on the host. Bench rows atomic-* and copy-256 pay for it. */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));

/* addressed: compare the low words of addresses, too. */
static inline bool same_registers(const uint32_t *a, const uint32_t *b, bool addressed)
{
    const pair *x = (const pair *)(const void *)a, *y = (const pair *)(const void *)b;
    _Static_assert(TF_NIU_WORDS_OF_REQUEST * sizeof *a == 3 * sizeof(pair), "three comparisons");
    _Static_assert(TF_NIU_TARG_LO == 0 && TF_NIU_RET_LO == 3, "the ends of a pair");
    const pair all = {UINT64_MAX, UINT64_MAX}, others = {(uint64_t)UINT32_MAX << 32, UINT32_MAX};
    pair differ = ((x[0] ^ y[0]) & (addressed ? all : others)) | (x[1] ^ y[1]) | (x[2] ^ y[2]);
    return (differ[0] | differ[1]) == 0;
}

/* Do the registers of an initiator describe this kept packet again, and may it be issued now? */
static inline bool asks_for_last(const struct tf_niu *niu, const struct tf_noc_sent *sent, unsigned i, unsigned core)
{
    return core_may_issue(niu, core) && same_registers(sent->regs, niu->initiator[i], true);
}

/*
 * If the registers of an initiator differ from a kept packet only in addresses, move the packet to these addresses.
 * Returns false if the registers must be decoded. Kernels copy page after page (row reader-writer: 11 % of its
 * instructions).
 */
static inline __attribute__((always_inline)) bool move_last(struct tf_niu *niu, struct tf_noc_sent *sent, unsigned i)
{
    const uint32_t *regs = niu->initiator[i];
    if (!sent->moves || !same_registers(sent->regs, regs, false))
        return false;
    struct tf_noc_request *request = &sent->request;
    uint64_t *near = near_end(request), *far = &request->address;
    bool reads = request->kind == TF_NOC_READ;
    uint64_t near_to = (*near & ~(uint64_t)UINT32_MAX) | regs[reads ? TF_NIU_RET_LO : TF_NIU_TARG_LO];
    uint64_t far_to = (*far & ~(uint64_t)UINT32_MAX) | regs[reads ? TF_NIU_TARG_LO : TF_NIU_RET_LO];
    const struct tf_node *target = &niu->fabric->node[request->target];
    if (((near_to ^ *near) | (far_to ^ *far)) % MOVE_BYTES != 0 ||
        !tf_node_in_l1(niu->node, near_to, request->length) ||
        tf_node_place(target, far_to) != tf_node_place(target, *far))
        return false;
    *near = near_to;
    *far = far_to;
    place(niu, request);
    if (!reads)
        request->data = niu->node->l1 + near_to;
    sent->regs[TF_NIU_TARG_LO] = regs[TF_NIU_TARG_LO];
    sent->regs[TF_NIU_RET_LO] = regs[TF_NIU_RET_LO];
    return true;
}

/* Do the registers of an initiator describe this packet that it has issued? If so, the packet gets their addresses. */
static inline __attribute__((always_inline)) bool recall(struct tf_niu *niu, struct tf_noc_sent *sent, unsigned i)
{
    return sent->known && (same_registers(sent->regs, niu->initiator[i], true) || move_last(niu, sent, i));
}

/* Find the kept packet that the registers of an initiator describe. Returns NULL if there is none. The packet that was
   decoded last is the least likely one, so earlier ones come first: row `copy1-256-awaited`. */
static inline struct tf_noc_sent *recalled(struct tf_niu *niu, unsigned i)
{
    struct tf_noc_sent *sent = &niu->sent[i];
    for (unsigned others = sent->others; others != 0; others &= others - 1) {
        struct tf_noc_sent *other = others_of(niu, sent) + __builtin_ctz(others);
        if (other->known && same_registers(other->regs, niu->initiator[i], true))
            return other;
    }
    if (recall(niu, sent, i))
        return sent;
    for (unsigned others = sent->others; others != 0; others &= others - 1) {
        struct tf_noc_sent *other = others_of(niu, sent) + __builtin_ctz(others);
        if (recall(niu, other, i))
            return other;
    }
    return NULL;
}

/* Count and issue a kept packet again, without decoding. */
static inline __attribute__((always_inline)) enum tf_access reissue(struct tf_niu *niu, const struct tf_noc_sent *sent,
                                                                    unsigned core, uint32_t pc, bool simple)
{
    bool shared = !simple && niu->fabric->rules.shared;
    const struct tf_niu_issuer by = {.core = (uint8_t)core, .pc = pc, .cycle = niu->node->tile->cycle};
    tf_niu_count_asked(niu, sent->request.tid, sent->request.answered, simple ? 0 : is_uncaptured(sent), !simple,
                       shared);
    return issue(niu, sent, by, simple);
}

/* Set the registers of an initiator as the NIU left them after it issued this packet. */
static inline void write_back(struct tf_niu *niu, const struct tf_noc_sent *sent, unsigned i)
{
    if (niu->writes_back)
        put_written(niu->initiator[i], sent->written);
}

/* May the counter of outstanding requests be incremented without wrapping to 0? */
static inline bool has_room(const struct tf_niu *niu, unsigned tid)
{
    return (uint8_t)niu->counter[TF_MST_REQS_OUTSTANDING + tid] != UINT8_MAX;
}

/* Issue a known packet that is not simple. Bench rows copy-4k and copy-16k pay for it, and in relaxed mode all of
   copy-* and atomic-*. */
static __attribute__((noinline)) enum tf_access reissue_any(struct tf_niu *niu, const struct tf_noc_sent *sent,
                                                            unsigned core, uint32_t pc)
{
    if (niu->node->sink->transact == NULL || !niu->node->sink->transact(niu->node->sink, &sent->request, core))
        return reissue(niu, sent, core, pc, false);
    count_issued(niu, sent);
    if (is_uncaptured(sent))
        tf_niu_count_captured(niu, &sent->request, false, true);
    return TF_ACCESS_OK;
}

/* Issue a command now, or queue its initiator for the next epoch. */
static enum tf_access issue_or_queue(struct tf_niu *niu, unsigned i, struct tf_noc_command *command, unsigned core)
{
    if (core_may_issue(niu, core))
        return issue_command(niu, i, command);
    *tf_niu_cmd_ctrl(niu, i) = 1;
    niu->queue[(*tf_niu_queued(niu))++] = (uint8_t)i;
    return TF_ACCESS_OK;
}

/* issue_or_queue(), after the NIU has written to the registers of the command. If the packet is issued now, its
   registers are kept in the form that software wrote. */
static enum tf_access issue_and_write(struct tf_niu *niu, unsigned i, struct tf_noc_command *command, unsigned core)
{
    uint32_t asked[TF_NIU_WORDS_WRITTEN];
    get_written(asked, niu->initiator[i]);
    tf_niu_write_back(niu, i, command);
    enum tf_access access = issue_or_queue(niu, i, command, core);
    if (access == TF_ACCESS_OK && *tf_niu_cmd_ctrl(niu, i) == 0 && niu->sent[i].known)
        put_written(niu->sent[i].regs, asked);
    return access;
}

/* A request breaks the rules of the linked transaction that is open. Silicon hangs: the NIU never takes the command. */
static enum tf_access refuse_linked(struct tf_niu *niu, unsigned i, struct tf_noc_command *command, unsigned core,
                                    const char *why)
{
    struct tf_tile *tile = niu->node->tile;
    command->category = TF_FAULT_UNDEFINED;
    command->fault_address = command->address;
    if (!tile->mode.as_silicon) {
        niu->split &= (uint8_t)~TF_NIU_LINKED; /* one fault suffices */
        if (core != TF_FROM_NOC)
            report_fault(niu, i, command, why);
        return TF_ACCESS_FAULT;
    }
    tf_tile_hazard(tile, core, TF_FAULT_UNDEFINED, 0, command->address, "NOC %u %s", niu->noc, why);
    *tf_niu_cmd_ctrl(niu, i) = 1;
    return TF_ACCESS_OK;
}

/* A store to NOC_CMD_CTRL of initiator i with bit 0 set: decode, count, and issue or queue. */
static enum tf_access initiate(struct tf_niu *niu, unsigned i, unsigned core, uint32_t pc)
{
    struct tf_tile *tile = niu->node->tile;
    struct tf_noc_command command;
    niu->issuer[i] = (struct tf_niu_issuer){.core = (uint8_t)core, .pc = pc, .cycle = tile->cycle};
    const char *why = tf_noc_decode(niu, i, &command);
    if (why != NULL) {
        if (core != TF_FROM_NOC)
            report_fault(niu, i, &command, why);
        return TF_ACCESS_FAULT;
    }
    if (niu->sent != NULL && is_linked(niu, i)) {
        why = tf_noc_link(niu, &command, ctrl_of(niu, i));
        if (why != NULL)
            return refuse_linked(niu, i, &command, core, why);
    }
    if (command.inline_to_l1)
        tf_tile_hazard(tile, core, TF_FAULT_UNDEFINED, 0, command.address, "NOC %u inline write to L1: not safe on %s",
                       niu->noc, niu->fabric->arch->title);
    if (is_miscounted(niu, &command))
        tf_tile_hazard(tile, core, TF_FAULT_UNDEFINED, 0, command.address,
                       "NOC %u write with transaction id %u to a PCIe or ARC tile: %s counts its response for id 0",
                       niu->noc, command.tid, niu->fabric->arch->title);
    count_asked(niu, &command, tf_noc_packets(niu, &command), false);
    return niu->writes_back ? issue_and_write(niu, i, &command, core) : issue_or_queue(niu, i, &command, core);
}

enum tf_access tf_niu_word_store(struct tf_niu *niu, unsigned i, unsigned word, uint32_t value, unsigned core,
                                 uint32_t pc)
{
    uint32_t offset = tf_niu_initiator_offset(niu->fabric->arch->niu, i) + 4 * word;
    if (*tf_niu_cmd_ctrl(niu, i) != 0)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNDEFINED,
                               "stored while NOC_CMD_CTRL of its initiator is 1: poll until that is 0 first");
    if (word != niu->cmd_ctrl) {
        niu->initiator[i][word] = word == TF_NIU_PACKET_TAG ? value & TF_PORT_TAG_MASK : value;
        return TF_ACCESS_OK;
    }
    if (!(value & 1))
        return TF_ACCESS_OK;
    if (niu->node->tile == NULL)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED,
                               "NOC requests of tiles without cores are not implemented");
    return initiate(niu, i, core, pc);
}

enum tf_access tf_niu_store_any(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    if (offset < TF_NIU_INITIATORS_END && offset % TF_NIU_INITIATOR_STRIDE < TF_NIU_INITIATOR_BYTES)
        return tf_niu_word_store(niu, offset / TF_NIU_INITIATOR_STRIDE, offset % TF_NIU_INITIATOR_STRIDE / 4, value,
                                 core, pc);
    return tf_niu_store_other(niu, offset, value, core);
}

/* With other orders explored, the FIFO of the NIU may be full. Then the epoch's bound counts as reached. */
static void explore_command(struct tf_niu *niu, unsigned core, uint32_t pc)
{
    struct tf_tile *tile = niu->node->tile;
    if (tile != NULL && core_may_issue(niu, core) && niu->fabric->orders->holds_command(tile, niu->noc, core, pc))
        niu->node->issued[niu->noc] = niu->fabric->rules.requests_max;
}

/* Handle a store to NOC_CMD_CTRL with bit 0 set that has no fast path. */
static __attribute__((noinline)) enum tf_access command_any(struct tf_niu *niu, unsigned i, unsigned core, uint32_t pc)
{
    if (TF_HOOK(niu->fabric->orders) != NULL && *tf_niu_cmd_ctrl(niu, i) == 0)
        explore_command(niu, core, pc);
    struct tf_noc_sent *sent = niu->sent != NULL && core_may_issue(niu, core) ? recalled(niu, i) : NULL;
    if (sent != NULL) {
        write_back(niu, sent, i);
        if (sent->simple && has_room(niu, sent->request.tid))
            return reissue(niu, sent, core, pc, true);
        return reissue_any(niu, sent, core, pc);
    }
    return tf_niu_word_store(niu, i, niu->cmd_ctrl, 1, core, pc);
}

static inline bool is_command(uint32_t offset, uint32_t value)
{
    const uint32_t stride = TF_NIU_INITIATOR_STRIDE;
    _Static_assert((TF_NIU_INITIATORS & (TF_NIU_INITIATORS - 1)) == 0, "initiators are a mask of the offset");
    return (offset & ~((TF_NIU_INITIATORS - 1) * stride)) == 4 * TF_NIU_CMD_CTRL && (value & 1);
}

/* Handle a store to NOC_CMD_CTRL with bit 0 set. The fast path issues a simple packet again. Bench rows atomic-*,
   copy-32 and copy-256 pay for it. */
static inline __attribute__((always_inline)) enum tf_access command(struct tf_niu *niu, unsigned i, unsigned core,
                                                                    uint32_t pc, bool own_layout)
{
    const struct tf_noc_sent *sent = niu->sent;
    if (sent == NULL)
        return command_any(niu, i, core, pc);
    niu->node->last_sent = &sent[i];
    niu->node->last_words = niu->initiator[i];
    if (!sent[i].simple || !asks_for_last(niu, &sent[i], i, core) || !has_room(niu, sent[i].request.tid))
        return command_any(niu, i, core, pc);
    if (own_layout)
        write_back(niu, &sent[i], i);
    return reissue(niu, &sent[i], core, pc, true);
}

enum tf_access tf_niu_command(struct tf_niu *niu, unsigned i, unsigned core, uint32_t pc)
{
    return command(niu, i, core, pc, true);
}

enum tf_access tf_niu_store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    if (!is_command(offset, value))
        return tf_niu_store_any(opaque, offset, value, core, pc);
    return command(opaque, offset / TF_NIU_INITIATOR_STRIDE, core, pc, false);
}

static unsigned take_oldest(struct tf_niu *niu)
{
    unsigned i = niu->queue[0];
    --*tf_niu_queued(niu);
    memmove(niu->queue, niu->queue + 1, *tf_niu_queued(niu));
    niu->queue[*tf_niu_queued(niu)] = 0;
    return i;
}

void tf_niu_issue_queued(struct tf_niu *niu)
{
    if (TF_HOOK(niu->fabric->orders) != NULL && niu->fabric->orders->is_held(niu->node->tile, niu->noc))
        niu->node->issued[niu->noc] = niu->fabric->rules.requests_max;
    while (*tf_niu_queued(niu) != 0 && tf_niu_may_issue(niu)) {
        unsigned i = take_oldest(niu);
        struct tf_noc_command command;
        const char *why = tf_noc_decode(niu, i, &command);
        if (why == NULL) {
            issue_command(niu, i, &command);
        } else { /* the configuration has changed since the command was written */
            end_command(niu, i);
            report_fault(niu, i, &command, why);
        }
    }
}
