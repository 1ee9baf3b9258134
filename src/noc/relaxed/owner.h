/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that only the owner of a node may perform, and code that other workers overwrite: R6 and R7 of
   docs/design.md. */
#ifndef NOC_RELAXED_OWNER_H
#define NOC_RELAXED_OWNER_H

#include <stdbool.h>
#include <stdint.h>

struct tf_fabric;
struct tf_noc_request;
struct tf_node;

/* Relaxed mode: must the node's owner act on this request? True for a register, and for L1 that holds decoded code. */
bool tf_noc_needs_owner(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

/* Relaxed mode, after a request has acted at the node of another worker, and a fence. Has that worker decoded code
   where the request may have stored? If so, the worker drops that code before its next slice. */
bool tf_noc_met_code(struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

/* Does L1 of a node hold decoded code in a range? The range may extend beyond L1. */
bool tf_node_has_code(const struct tf_node *node, uint64_t address, uint64_t bytes);

#endif
