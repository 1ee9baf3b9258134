/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks that registers and words of memory pass on. */
#ifndef RACES_SYNCS_H
#define RACES_SYNCS_H

#include "races/state/state.h"

/* Find or make the clock that a register or a word passes on. Returns NULL if the host has no memory. */
struct tf_view *sync_view(struct syncs *syncs, uint32_t key);

/* Find that clock. Returns NULL if there is none. */
struct tf_view *sync_find(const struct syncs *syncs, uint32_t key);

/* The same, with what is known of a word's pollers. */
struct sync *sync_at(const struct syncs *syncs, uint32_t key);

/* Free all of them. */
void syncs_free(struct syncs *syncs);

/* Is the register of a stream one of the two that count pages of a circular buffer? *number: TF_OVERLAY_PAGES_TAKEN or
   TF_OVERLAY_PAGES_PUT. */
bool counts_pages(const struct site *site, uint32_t address, unsigned *number);

/* The key of a register that a core accesses (TF_FROM_NOC: a request). Equal for all addresses of one FIFO, and of one
   stream but for its counters of pages. 0: the register passes no clock on. */
uint32_t sync_key(const struct site *site, unsigned core, uint32_t address, bool store);

#endif
