/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of cores: loads, stores, fences, registers. */
#ifndef RACES_CORES_H
#define RACES_CORES_H

#include "races/state/state.h"

/* Set the functions of the site's check that cores call. */
void cores_attach(struct site *site);

/* Make a release: the core's clock as it is at a time. The caller drops it. in_tile: for an actor of the same tile,
   which sees all of the core's stores to L1 in order. Else the release has only the stores that have arrived. */
struct tf_release core_release(struct site *site, unsigned core, uint32_t time, bool in_tile);

/* Join the clock of a register into a view; or store a release in a register. keep: join it with the register's clock,
   else replace that clock. */
void acquire_sync(struct site *site, struct tf_view *view, uint32_t key);
void release_sync(struct site *site, const struct tf_release *release, uint32_t key, bool keep);

/* Mark a word as one that synchronizes, and give it the clock of its last write. mark: its mark in the shadow memory.
   */
void mark_sync(struct site *site, uint64_t address, uint8_t *mark, tf_trace write);

#endif
