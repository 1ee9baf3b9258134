/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed mode: a whole request at once. */
#ifndef NOC_RELAXED_TRANSACT_H
#define NOC_RELAXED_TRANSACT_H

#include "noc/noc.h"

/* Add the counts to the counters of their NIU. */
void tf_noc_count_gathered(struct tf_fabric *fabric, struct tf_noc_gathered *gathered);

/* Relaxed mode: see transact of tf_noc_sink. Thread: the worker of the initiator. When it succeeds, the counters of
   outstanding requests have moved up and down again. `gathered` gets the counts of the target; those of the initiator's
   own tile are added at once. Stores at another tile are visible before any later load. Before the call, `gathered`
   holds no counts of another NIU. */
enum tf_noc_done tf_noc_transact(struct tf_fabric *fabric, const struct tf_noc_request *request,
                                 struct tf_noc_gathered *gathered);

#endif
