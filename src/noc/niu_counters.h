/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of a NIU. They move in this file and in niu_counters.c only. Each event has one function: software asks,
 * a packet is issued, its source is captured, it arrives, it is answered, the answer lands. The functions are inlined,
 * and their flags are constants at most callers.
 *
 * Threads: the worker of the initiator's tile counts requests as software asks for them, as packets issue, and as
 * sources are captured. In relaxed mode (`shared`) any worker may count arrivals and answers, with atomic operations of
 * the host.
 *
 * Sources: BlackholeA0/NoC/Counters.md, Interrupts.md, and "NIU_TRANS_COUNT_RTZ_*" of MemoryMap.md.
 */
#ifndef NOC_NIU_COUNTERS_H
#define NOC_NIU_COUNTERS_H

#include "host/mutant.h"
#include "noc/noc.h"

/* Counters of requests that an initiator starts and sends. They are adjacent, and only its worker moves them. */
#define TF_NIU_FIRST_SENT TF_MST_CMD_ACCEPTED
#define TF_NIU_SENT_COUNTERS (TF_MST_NONPOSTED_ATOMIC_STARTED + 1 - TF_NIU_FIRST_SENT)

/* The counters that the issue of a packet moves, and by how much. */
struct tf_niu_issue {
    _Alignas(16) uint32_t sent[TF_NIU_SENT_COUNTERS];
    uint32_t bytes, atomics; /* statistics */
};

#define TF_NIU_COUNTS static inline __attribute__((always_inline)) void

/* The number of flits for `bytes` of data, in the NIU's family. */
static inline uint32_t tf_noc_flits(const struct tf_niu *niu, uint64_t bytes)
{
    return bytes == 0 ? 1 : (uint32_t)((bytes - 1) >> niu->flit_log2) + 1;
}

static inline bool tf_noc_is_long_form(unsigned kind)
{
    return kind == TF_NOC_WRITE || kind == TF_NOC_WRITE_BE;
}

/* Move a counter. Only for the functions below. */
TF_NIU_COUNTS tf_niu_move(struct tf_niu *niu, unsigned counter, uint32_t change, bool shared)
{
    if (shared)
        __atomic_fetch_add(&niu->counter[counter], change, __ATOMIC_RELAXED);
    else
        niu->counter[counter] += change;
}

/* Move a counter of 8 bits: the first byte of its word, whose other bytes are 0. Returns the old value. */
static inline __attribute__((always_inline)) uint8_t tf_niu_move_narrow(struct tf_niu *niu, unsigned counter,
                                                                        uint32_t change, bool shared)
{
    uint8_t *low = (uint8_t *)&niu->counter[counter];
    if (shared && !TF_MUTANT(TORN_COUNTER))
        return __atomic_fetch_add(low, (uint8_t)change, __ATOMIC_SEQ_CST);
    uint8_t old = *low;
    TF_MUTANT_PAUSE(TORN_COUNTER)
    *low = (uint8_t)(old + change);
    return old;
}

/* RTZ_SOURCE or an interrupt enable has changed: set the tile's interrupt line. */
void tf_niu_update_irq(struct tf_niu *niu);

/* The outstanding requests of a transaction have become 0: set its RTZ_SOURCE bit, and raise the interrupt. */
TF_NIU_COUNTS tf_niu_returned_to_zero(struct tf_niu *niu, unsigned tid, bool shared)
{
    if (shared)
        __atomic_fetch_or(&niu->rtz_source, 1u << tid, __ATOMIC_SEQ_CST);
    else
        niu->rtz_source |= 1u << tid;
    if (__builtin_expect(__atomic_load_n(&niu->config[TF_NIU_RTZ_CFG], __ATOMIC_RELAXED) >> tid & 1, 0))
        tf_niu_update_irq(niu);
}

/* Add `change`, which may be negative, to the outstanding requests of a transaction. */
TF_NIU_COUNTS tf_niu_count_outstanding(struct tf_niu *niu, unsigned tid, uint32_t change, bool shared)
{
    uint8_t old = tf_niu_move_narrow(niu, TF_MST_REQS_OUTSTANDING + tid, change, shared);
    if (old != 0 && (uint8_t)(old + change) == 0)
        tf_niu_returned_to_zero(niu, tid, shared);
}

/* A request of a transaction is asked and answered in one step, in relaxed mode. Thread: the worker of the NIU's
   tile. */
void tf_niu_count_round_trip(struct tf_niu *niu, unsigned tid);

/* A store to NOC_CLEAR_OUTSTANDING_REQ_CNT. tids: a mask of transactions. */
void tf_niu_clear_tids(struct tf_niu *niu, uint32_t tids);

/* A store to NIU_TRANS_COUNT_RTZ_CLR; a load from NIU_TRANS_COUNT_RTZ_NUM. */
void tf_niu_rtz_clear(struct tf_niu *niu, uint32_t bits);
uint32_t tf_niu_rtz_num(struct tf_niu *niu);

/*
 * Software asks for packets of a transaction. answered: the number of answers to come. uncaptured: the number of
 * sources that are captured later. Negative numbers undo a call. wraps: test whether the outstanding requests become 0.
 */
TF_NIU_COUNTS tf_niu_count_asked(struct tf_niu *niu, unsigned tid, uint32_t answered, uint32_t uncaptured, bool wraps,
                                 bool shared)
{
    if (!wraps)
        tf_niu_move_narrow(niu, TF_MST_REQS_OUTSTANDING + tid, answered, shared);
    else if (answered != 0)
        tf_niu_count_outstanding(niu, tid, answered, shared);
    if (uncaptured != 0)
        tf_niu_move_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + tid, uncaptured, shared);
}

/* Add the counts of a write whose source is captured. sent: the counters from TF_NIU_FIRST_SENT on. */
TF_NIU_COUNTS tf_niu_add_data(const struct tf_niu *niu, uint32_t *sent, const struct tf_noc_request *request)
{
    bool answered = request->answered;
    uint32_t flits = tf_noc_flits(niu, request->length);
    sent[(answered ? TF_MST_NONPOSTED_WR_REQ_SENT : TF_MST_POSTED_WR_REQ_SENT) - TF_NIU_FIRST_SENT]++;
    sent[(answered ? TF_MST_NONPOSTED_WR_DATA_WORD_SENT : TF_MST_POSTED_WR_DATA_WORD_SENT) - TF_NIU_FIRST_SENT] +=
        flits;
}

/* Compute the counts of a packet's issue. captured: its source is captured at issue. */
static inline void tf_niu_issue_of(const struct tf_niu *niu, struct tf_niu_issue *issue,
                                   const struct tf_noc_request *request, bool captured)
{
    uint32_t *sent = issue->sent;
    bool answered = request->answered;
    *issue = (struct tf_niu_issue){.atomics = request->kind == TF_NOC_ATOMIC};
    sent[TF_MST_CMD_ACCEPTED - TF_NIU_FIRST_SENT] = 1;
    if (request->kind != TF_NOC_ATOMIC)
        issue->bytes = request->length;
    switch (request->kind) {
    case TF_NOC_READ:
        sent[TF_MST_RD_REQ_STARTED - TF_NIU_FIRST_SENT] = 1;
        sent[TF_MST_RD_REQ_SENT - TF_NIU_FIRST_SENT] = 1;
        break;
    case TF_NOC_ATOMIC:
        sent[TF_MST_NONPOSTED_ATOMIC_STARTED - TF_NIU_FIRST_SENT] = answered;
        sent[(answered ? TF_MST_NONPOSTED_ATOMIC_SENT : TF_MST_POSTED_ATOMIC_SENT) - TF_NIU_FIRST_SENT] = 1;
        break;
    default:
        sent[(answered ? TF_MST_NONPOSTED_WR_REQ_STARTED : TF_MST_POSTED_WR_REQ_STARTED) - TF_NIU_FIRST_SENT] = 1;
        if (request->kind == TF_NOC_WRITE_INLINE)
            sent[(answered ? TF_MST_NONPOSTED_WR_REQ_SENT : TF_MST_POSTED_WR_REQ_SENT) - TF_NIU_FIRST_SENT] = 1;
        else if (captured)
            tf_niu_add_data(niu, sent, request);
        break;
    }
}

/* A packet is issued. undo: reverse an earlier call. */
TF_NIU_COUNTS tf_niu_count_issued(struct tf_niu *niu, const struct tf_niu_issue *issue, bool undo)
{
    typedef uint32_t four __attribute__((vector_size(16), may_alias));
    four *sent = (four *)(void *)(niu->counter + TF_NIU_FIRST_SENT);
    const four *change = (const four *)(const void *)issue->sent;
    _Static_assert(TF_NIU_SENT_COUNTERS == 3 * 4 && TF_NIU_FIRST_SENT % 4 == 0, "three additions");
    for (unsigned i = 0; i < 3; i++)
        sent[i] = undo ? sent[i] - change[i] : sent[i] + change[i];
    niu->requests += undo ? -(uint64_t)1 : 1;
    niu->bytes += undo ? -(uint64_t)issue->bytes : issue->bytes;
    niu->atomics += undo ? -(uint64_t)issue->atomics : issue->atomics;
}

/* The source of a write is captured after its issue. outgoing: it was counted as uncaptured. */
TF_NIU_COUNTS tf_niu_count_captured(struct tf_niu *niu, const struct tf_noc_request *request, bool outgoing,
                                    bool shared)
{
    tf_niu_add_data(niu, niu->counter + TF_NIU_FIRST_SENT, request);
    if (outgoing)
        tf_niu_move_narrow(niu, TF_MST_WRITE_REQS_OUTGOING + request->tid, -1u, shared);
}

/* Requests of a kind arrive at their target. flits: of data, in all; for writes. */
TF_NIU_COUNTS tf_niu_count_arrived(struct tf_niu *niu, unsigned kind, bool answered, uint32_t number, uint32_t flits,
                                   bool shared)
{
    if (kind == TF_NOC_ATOMIC) {
        tf_niu_move(niu, TF_SLV_REQ_ACCEPTED, number, shared);
        tf_niu_move(niu, answered ? TF_SLV_NONPOSTED_ATOMIC_RECEIVED : TF_SLV_POSTED_ATOMIC_RECEIVED, number, shared);
    } else if (kind == TF_NOC_READ) {
        tf_niu_move(niu, TF_SLV_REQ_ACCEPTED, number, shared);
        tf_niu_move(niu, TF_SLV_RD_REQ_RECEIVED, number, shared);
    } else {
        tf_niu_move(niu, answered ? TF_SLV_NONPOSTED_WR_REQ_STARTED : TF_SLV_POSTED_WR_REQ_STARTED, number, shared);
        tf_niu_move(niu, answered ? TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED : TF_SLV_POSTED_WR_DATA_WORD_RECEIVED, flits,
                    shared);
        tf_niu_move(niu, answered ? TF_SLV_NONPOSTED_WR_REQ_RECEIVED : TF_SLV_POSTED_WR_REQ_RECEIVED, number, shared);
    }
}

/* A statistic: bytes written to the memory of the target. */
TF_NIU_COUNTS tf_niu_count_bytes(struct tf_niu *niu, uint64_t bytes, bool shared)
{
    if (shared)
        __atomic_fetch_add(&niu->bytes_in, bytes, __ATOMIC_RELAXED);
    else
        niu->bytes_in += bytes;
}

/* The target answers requests of a kind. flits: of data, in all; for reads. */
TF_NIU_COUNTS tf_niu_count_answered(struct tf_niu *niu, unsigned kind, uint32_t number, uint32_t flits, bool shared)
{
    if (kind == TF_NOC_ATOMIC) {
        tf_niu_move(niu, TF_SLV_ATOMIC_RESP_SENT, number, shared);
    } else if (kind == TF_NOC_READ) {
        tf_niu_move(niu, TF_SLV_RD_RESP_SENT, number, shared);
        tf_niu_move(niu, TF_SLV_RD_DATA_WORD_SENT, flits, shared);
    } else {
        tf_niu_move(niu, TF_SLV_WR_ACK_SENT, number, shared);
    }
}

/* The answer to a request of a kind lands. bytes: of data; for reads. Then call tf_niu_count_outstanding(), or
   tf_niu_count_round_trip(). */
TF_NIU_COUNTS tf_niu_count_landed(struct tf_niu *niu, unsigned kind, uint32_t bytes, bool shared)
{
    if (kind == TF_NOC_ATOMIC) {
        tf_niu_move(niu, TF_MST_ATOMIC_RESP_RECEIVED, 1, shared);
    } else if (kind == TF_NOC_READ) {
        tf_niu_move(niu, TF_MST_RD_RESP_RECEIVED, 1, shared);
        tf_niu_move(niu, TF_MST_RD_DATA_WORD_RECEIVED, tf_noc_flits(niu, bytes), shared);
    } else {
        tf_niu_move(niu, TF_MST_WR_ACK_RECEIVED, 1, shared);
    }
}

#endif
