/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The race checker of a chip in deterministic mode. A race is two accesses to one byte, one of them a write, that
 * nothing orders. docs/races.md says what orders what.
 *
 * It keeps its state by site (farm/chip/worker.h). Each function touches the site that it is called for, on the thread
 * of that site's worker. So reports do not depend on the number of threads.
 */
#ifndef RACES_RACES_H
#define RACES_RACES_H

#include "noc/noc.h"
#include "tile/riscv/code/code.h"
#include "tilefarm/tilefarm.h"

struct tf_races;

/* Check the tiles of a chip before any core has run. NULL: no memory. */
struct tf_races *tf_races_create(struct tf_fabric *fabric, struct tf_code_cache *code);
void tf_races_destroy(struct tf_races *races);

/* A request has been issued at its source, in the epoch of this number. ctrl: NOC_CTRL. */
void tf_races_issued(struct tf_races *races, const struct tf_noc_request *request, uint32_t ctrl, uint64_t epoch);

/* A request is about to act at a node, and has acted, in the epoch in which it was issued. */
void tf_races_acts(struct tf_races *races, const struct tf_noc_request *request, uint16_t node, uint64_t epoch);
void tf_races_acted(struct tf_races *races, uint16_t node);

/* A response is about to land. epoch: of the request. */
void tf_races_lands(struct tf_races *races, const struct tf_noc_response *response, uint64_t epoch);

/* An epoch begins at a cycle. Times have 32 bits. When half of them are used up, all earlier accesses are forgotten,
   and count as ordered. */
void tf_races_epoch(struct tf_races *races, uint64_t cycle);

/* A run has ended; quiet: nothing was left to do. Another one begins. */
void tf_races_paused(struct tf_races *races, bool quiet);
void tf_races_resumed(struct tf_races *races);

/* The host has read memory of a node; is about to write there. Between runs. */
void tf_races_host_read(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);
void tf_races_forget(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);

/* A core has ended. Report, once, each request that it has not waited for. */
void tf_races_core_ended(struct tf_races *races, unsigned node, unsigned core);

/* Accesses of requests that are no longer remembered. */
uint64_t tf_races_forgotten(const struct tf_races *races);

/* The races found so far, in a fixed order: see tf_races() in tilefarm.h. */
size_t tf_races_list(const struct tf_races *races, struct tf_race *race, size_t most);

/* The last writer of a word of L1 or DRAM, if it is remembered. Changes nothing. */
bool tf_races_last_write(const struct tf_races *races, uint16_t node, uint64_t address, struct tf_race_side *side);

#endif
