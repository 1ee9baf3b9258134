/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores to the registers of an initiator. A store to NOC_CMD_CTRL decodes a command, makes its packets and issues
 * them, or it queues the initiator for the next epoch.
 * Sources: BlackholeA0/NoC/MemoryMap.md ("NOC_CMD_CTRL"), Counters.md.
 */
#ifndef NOC_INITIATOR_H
#define NOC_INITIATOR_H

#include <stdint.h>

#include "tile/access.h"

struct tf_fabric;
struct tf_noc_request;

/* For a tf_noc_issue without memory, with its arguments: undoes the counting, records the fault of the core, and
   returns TF_ACCESS_FAULT. */
enum tf_access tf_noc_unissued(struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned core,
                               uint32_t pc, uint64_t cycle);

#endif
