/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of NOC requests in the JSON of tt-npe, the vendor's model of NOC performance. Source: tt-npe,
 * tt_npe/doc/noc_trace_format.md, and its reader npeWorkloadIngest.cpp.
 */
#ifndef LOOK_NOC_TRACE_H
#define LOOK_NOC_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "tilefarm/tilefarm_events.h"

struct tf_noc_trace;
struct tf_saved;

/* Make an empty trace. Returns NULL if the host has no memory. */
struct tf_noc_trace *tf_noc_trace_create(const struct tf_arch *arch);
void tf_noc_trace_destroy(struct tf_noc_trace *trace);

/* Add a step of a request. An issued request takes 24 bytes of memory. */
void tf_noc_trace_add(struct tf_noc_trace *trace, const struct tf_noc_event *event);

/* Write all requests, or read them into the empty trace of the same chip in another process (host/saved.h). */
void tf_noc_trace_state(struct tf_saved *saved, struct tf_noc_trace *trace);

/* Write the traces of all chips. Those of several chips name them in src_device_id, as tt-metal's do (profiler.cpp).
   Returns false if some of it is lost, because the host had no memory. */
bool tf_noc_trace_write(struct tf_noc_trace *const *trace, unsigned chips, FILE *file);

#endif
