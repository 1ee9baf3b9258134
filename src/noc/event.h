/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the events by which observers see requests. */
#ifndef NOC_EVENT_H
#define NOC_EVENT_H

#include <stdint.h>

struct tf_fabric;
struct tf_noc_event;
struct tf_noc_request;

/* Fill the fields of an event that describe a request. The caller sets number, step and the fields of single steps. */
void tf_noc_event_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, struct tf_noc_event *event);

/* Add the fields of its initiator's registers. request: as a tf_noc_issue gets it, during that call. Returns the number
   of the initiator. */
unsigned tf_noc_initiator_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *ctrl);

/* "read", "inline write": an enum tf_noc_kind in words. */
const char *tf_noc_kind_name(unsigned kind);

/* The fields of an event that NOC_CTRL has. */
void tf_noc_event_ctrl(uint32_t ctrl, struct tf_noc_event *event);

#endif
