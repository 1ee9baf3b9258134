/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which requests of one initiator act in order at their recipient. The race checker, `tilefarm explore` and `tilefarm
 * litmus` all follow this table. Source: WormholeB0/NoC/Ordering.md, "Ordering properties of two packets".
 *
 * Two requests can only be in order if they leave the same NIU, take the same path, and use the same virtual channel on
 * it: tf_noc_channel(). Then the recipient gets them in the order in which NOC_CMD_CTRL was written, whichever
 * initiators of the NIU were used. A rule says whether it also acts on them in that order.
 */
#ifndef NOC_REQUESTS_ORDER_H
#define NOC_REQUESTS_ORDER_H

#include "noc/requests/act.h"
#include "noc/noc.h"

/* What a request does at its recipient. */
enum tf_noc_act {
    TF_NOC_ACT_WRITE, /* to memory */
    TF_NOC_ACT_WRITE_REGISTER,
    TF_NOC_ACT_READ, /* from memory */
    TF_NOC_ACT_READ_REGISTER,
    TF_NOC_ACT_READ_LINKED, /* with NOC_CMD_VC_LINKED, from memory */
    TF_NOC_ACT_READ_REGISTER_LINKED,
    TF_NOC_ACT_ATOMIC, /* answered */
    TF_NOC_ACT_ATOMIC_POSTED,
    TF_NOC_ACTS
};

/* The rule that lets the first of two requests act before the second. Rule 4 is of bytes that both write. That other
   bytes of two writes come in order is beyond the page, which has these in order only on their way. */
enum tf_noc_rule {
    TF_NOC_RULE_NONE, /* the recipient may act on them in any order */
    TF_NOC_RULE_1,    /* a write, then a read */
    TF_NOC_RULE_2,    /* a linked read, then any request */
    TF_NOC_RULE_3,    /* an answered atomic, then an atomic */
    TF_NOC_RULE_4,    /* two writes to memory */
    TF_NOC_RULE_5,    /* two writes to registers */
    TF_NOC_RULE_6,    /* two reads, one of them from a register */
};

/* By act of the first request, and of the second: enum tf_noc_rule. */
extern const uint8_t tf_noc_rules[TF_NOC_ACTS][TF_NOC_ACTS];

/* Returns what a request does at a recipient. ctrl: its NOC_CTRL. */
enum tf_noc_act tf_noc_act_of(const struct tf_node *recipient, const struct tf_noc_request *request, uint32_t ctrl);

/* The linked transaction that a NIU has begun, and not ended. All zero: none so far. */
struct tf_noc_transaction {
    uint64_t channel; /* 0: none is open */
    uint64_t count;   /* of transactions so far */
};

/*
 * Returns a key of the request's path and virtual channel, which is equal for two requests of one NIU if they stay in
 * order on their way; 0: others may overtake it. The caller passes all requests of a NIU, in the order of issue.
 * A multicast has one key for all of its recipients.
 */
uint64_t tf_noc_channel(struct tf_noc_transaction *open, const struct tf_noc_request *request, uint32_t ctrl);

#endif
