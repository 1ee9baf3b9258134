/* SPDX-License-Identifier: Apache-2.0 */
/* The packets that a NIU keeps: cores often repeat a request. */
#ifndef NOC_SENT_H
#define NOC_SENT_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/niu_counters.h"
#include "noc/noc.h"

#define TF_NIU_WORDS_OF_REQUEST (TF_NIU_BRCST_EXCLUDE + 1)

/* TF_NIU_TARG_MID, TF_NIU_RET_MID and TF_NIU_CTRL, of families whose NIUs write them back (tf_niu_arch.writes_back). */
#define TF_NIU_WORDS_WRITTEN 3u

/* Packets of a sender that tf_fabric.others keeps besides the one that it decoded last. */
#define TF_NIU_OTHERS 3u

/* The linked transaction that is open at a NIU: where its requests go, and NOC_CTRL of the last one. path 0: none. Only
   that one is open is part of the state (TF_NIU_LINKED). */
struct tf_noc_linked {
    uint64_t path;
    uint32_t ctrl;
};

/* In tf_niu.split, beside its bits of initiators: a linked transaction is open. */
#define TF_NIU_LINKED (1u << 7)

/* A packet that an initiator has decoded, as its registers described it. */
struct tf_noc_sent {
    bool known;             /* equal registers mean an equal packet */
    bool simple;            /* known, and the sink's issue_simple() accepts it */
    bool moves;             /* known, and may be issued at other addresses; move_last() */
    bool captured;          /* a write whose source is captured at issue */
    uint8_t others;         /* packets decoded before that tf_fabric.others keeps for the sender, as bits */
    uint8_t other_next;     /* which of them the next one replaces */
    uint32_t payload_bytes; /* size of the captured data */
    struct tf_niu_issue counts;
    _Alignas(16) uint32_t regs[TF_NIU_WORDS_OF_REQUEST]; /* as software wrote them */
    uint32_t written[TF_NIU_WORDS_WRITTEN];              /* what the hardware then wrote to some of them */
    struct tf_noc_linked linked;                         /* of the NIU, at its first initiator */
    struct tf_noc_request request;                       /* its data are at the place of capture */
};

/* Which of its senders the NIU keeps this packet for, in tf_fabric.sent or tf_fabric.others. */
static inline unsigned tf_niu_sender_of(const struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    const struct tf_noc_sent *first = niu->sent;
    if ((uintptr_t)sent - (uintptr_t)first < TF_NIU_SENDERS * sizeof *first)
        return (unsigned)(sent - first);
    return (unsigned)(sent - niu->fabric->others - TF_NIU_OTHERS * (first - niu->fabric->sent)) / TF_NIU_OTHERS;
}

/* The registers of an initiator are another packet's now: the kept ones of that sender are not used again. */
static inline void tf_noc_sent_forget(struct tf_noc_sent *sent)
{
    sent->known = sent->simple = sent->moves = false;
    sent->others = 0;
}

/* A configuration word has changed: forget the packets of all initiators, which will be decoded anew. */
void tf_niu_forget(struct tf_niu *niu);

#endif
