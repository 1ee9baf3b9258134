/* SPDX-License-Identifier: Apache-2.0 */
/* How requests act, and their answers land. */
#ifndef FARM_RELAXED_SINK_H
#define FARM_RELAXED_SINK_H

#include "farm/chip/chip.h"

/* Set the sink of a worker, once: requests act when they are issued. */
void tf_relaxed_sink(struct tf_worker *worker);

/* Let a request act at one node, or hand it over. By the owner of its source or of the node. */
void tf_relaxed_perform(struct tf_worker *worker, struct tf_noc_request *request, unsigned node);

/* Land a response, or hand it to the owner of the site where it lands. Any worker. */
void tf_relaxed_land(struct tf_worker *worker, const struct tf_noc_response *response);

/* Add the worker's gathered counts to the counters of another tile's NIU (R8). */
void tf_relaxed_count_gathered(struct tf_worker *worker);

#endif
