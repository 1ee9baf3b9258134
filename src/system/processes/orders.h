/* SPDX-License-Identifier: Apache-2.0 */
/* What rank 0 says to the ranks that it leads (lead.h). */
#ifndef SYSTEM_PROCESSES_ORDERS_H
#define SYSTEM_PROCESSES_ORDERS_H

#include "farm/saved/config.h"
#include "system/processes/letters.h"
#include "tilefarm/tilefarm_system_run.h"

enum tf_order_kind {
    TF_ORDER_SYSTEM, /* make the system that follows, and answer */
    TF_ORDER_RUN,    /* and answer with what callbacks would have said */
    TF_ORDER_SEND,   /* send chips to rank 0 */
    TF_ORDER_TAKE,   /* take the chips that rank 0 sends */
    TF_ORDER_PASS,   /* let time pass, up to `cycle` */
    TF_ORDER_END,    /* the system ends */
    TF_ORDER_CLOSE,  /* all ranks end */
};

struct tf_order {
    uint32_t kind;
    uint32_t chips; /* as bits */
    uint64_t cycle;
    struct tf_system_run_options options;
};

/* The system that ranks are to make. Its cluster has no pointer to the family. */
struct tf_order_system {
    struct tf_cluster cluster;
    struct tf_saved_config config; /* of chips; it names the family */
    uint32_t go_on;                /* after faults */
    uint32_t latency_cycles, gbps;
    uint32_t faults; /* of links; they follow */
};

/* The answer. */
struct tf_order_answer {
    int error;
    struct tf_message why;
};

bool tf_order_send(struct tf_letters *letters, unsigned to, const struct tf_order *order, struct tf_message *why);
bool tf_order_receive(struct tf_letters *letters, struct tf_order *order, struct tf_message *why);

/* Which rank runs which chips. Returns false if there are too many ranks. */
bool tf_order_share(const struct tf_cluster *cluster, unsigned ranks, uint8_t *owner, struct tf_message *why);

#endif
