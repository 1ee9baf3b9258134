/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores to the registers of an initiator. A store to NOC_CMD_CTRL decodes a command, makes its packets and issues
 * them, or it queues the initiator for the next epoch.
 * Sources: BlackholeA0/NoC/MemoryMap.md ("NOC_CMD_CTRL"), Counters.md.
 */
#ifndef NOC_REQUESTS_INITIATOR_H
#define NOC_REQUESTS_INITIATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"
#include "tile/access.h"

struct tf_noc_command;

/* For a tf_noc_issue without memory, with its arguments: undoes the counting, records the fault of the core, and
   returns TF_ACCESS_FAULT. */
enum tf_access tf_noc_unissued(struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned core,
                               uint32_t pc, uint64_t cycle);

/* tf_niu_load() and this one are the functions of the tile's port (tile/port.h). offset: below 0x10000, a multiple of
   4. */
enum tf_access tf_niu_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

/* tf_niu_store() without its fast path. */
enum tf_access tf_niu_store_any(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

/* Store to a word of an initiator, in the family's order. */
enum tf_access tf_niu_word_store(struct tf_niu *niu, unsigned initiator, unsigned word, uint32_t value, unsigned core,
                                 uint32_t pc);

/* Store 1 to NOC_CMD_CTRL of an initiator. */
enum tf_access tf_niu_command(struct tf_niu *niu, unsigned initiator, unsigned core, uint32_t pc);

/* May the NIU issue another packet in this epoch? */
static inline bool tf_niu_may_issue(const struct tf_niu *niu)
{
    return niu->node->sink != NULL && niu->node->issued[niu->noc] < niu->fabric->rules.requests_max;
}

/* Waiting initiators of a NIU issue, oldest first, up to the epoch's bound. */
void tf_niu_issue_queued(struct tf_niu *niu);

/* Issues the packet of a stream, which lies within one packet and waits for no answer. Returns false if the host has no
   memory. */
bool tf_niu_issue_for_stream(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl);

/* The source of a long write has been captured: its SENT and OUTGOING counters move. Thread: the source tile's
   worker. */
void tf_niu_captured(struct tf_niu *niu, const struct tf_noc_request *request);

#endif
