/* SPDX-License-Identifier: Apache-2.0 */
/* The events by which observers see requests, and faults of requests. */
#ifndef NOC_EVENT_H
#define NOC_EVENT_H

#include <stdint.h>

#include "noc/noc.h"

struct tf_noc_event;

/* Fill the fields of an event that describe a request. The caller sets number, step and the fields of single steps. */
void tf_noc_event_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, struct tf_noc_event *event);

/* Add the fields of its initiator's registers. request: as a tf_noc_issue gets it, during that call. Returns the number
   of the initiator. */
unsigned tf_noc_initiator_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *ctrl);

/* "read", "inline write": an enum tf_noc_kind in words. */
const char *tf_noc_kind_name(unsigned kind);

/* The fields of an event that NOC_CTRL has. */
void tf_noc_event_ctrl(uint32_t ctrl, struct tf_noc_event *event);

/* Record the fault of a request at the NIU where it was issued, or where its answer lands. by: the store to
   NOC_CMD_CTRL, or core TF_CORE_NONE. at: the node. */
void tf_noc_fault(const struct tf_niu *niu, struct tf_niu_issuer by, unsigned kind, enum tf_fault_category category,
                  const char *at, uint64_t address, const char *why);

#define TF_NOC_PLACE_BYTES 48u

/* A node as a request names it, and its raw NOC 0 coordinates if they differ. Returns text. */
const char *tf_noc_place_text(const struct tf_niu *niu, struct tf_noc_xy at, char text[TF_NOC_PLACE_BYTES]);

/* Record the fault of a store to a register. Returns TF_ACCESS_FAULT. */
enum tf_access tf_niu_no_store(struct tf_niu *niu, uint32_t offset, unsigned core, enum tf_fault_category category,
                               const char *why);

#endif
