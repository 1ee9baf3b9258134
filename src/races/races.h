/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The race checker of a chip in deterministic mode. A race is two accesses to one byte, one of them a write, that
 * nothing orders. docs/races.md says what orders what.
 *
 * The state is kept by site (farm/chip/worker.h). In a phase, a function touches only the state of the site that it is
 * called for, and runs on that site's worker. All other functions run on the calling thread, between phases. So reports
 * do not depend on the number of threads.
 */
#ifndef RACES_RACES_H
#define RACES_RACES_H

#include "noc/noc.h"
#include "tile/riscv/code/code.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_races;
struct tf_saved;

/* Make a checker and attach it to all tiles of a chip, before any core has run. Returns NULL if the host has no
   memory. */
struct tf_races *tf_races_create(struct tf_fabric *fabric, struct tf_code_cache *code);

/* Free a checker, before its chip is freed. NULL is allowed. */
void tf_races_destroy(struct tf_races *races);

/* The chip has other tiles and nodes now, of the same kinds: those of a restored state. What is known of accesses
   stays. */
void tf_races_move(struct tf_races *races, struct tf_fabric *fabric);

/* Before a program is loaded: take nothing that memory and registers hold for written, nor a first value of 0 for
   granted where cores poll or atomics act. */
void tf_races_undefine(struct tf_races *races);

/* A request has been issued. On the worker of its source. ctrl: NOC_CTRL, or NULL for a packet of a stream; epoch: its
   number. Returns the number of the request among those of its source and epoch: later calls find it by the low half of
   its key. */
uint32_t tf_races_issued(struct tf_races *races, const struct tf_noc_request *request, const uint32_t *ctrl,
                         uint64_t epoch);

/* A request of this epoch is about to act at a node; the one that acted last has finished. On the node's worker. */
void tf_races_acts(struct tf_races *races, const struct tf_noc_request *request, uint16_t node, uint64_t epoch);
void tf_races_acted(struct tf_races *races, uint16_t node);

/* A response is about to land. On the worker of the source. epoch: that in which the request was issued. */
void tf_races_lands(struct tf_races *races, const struct tf_noc_response *response, uint64_t epoch);

/* Before any core has run: follow the packets of an Ethernet tile's link. out, in: its port, and the other end's, as
   16 * chip + port. Returns false if the host has no memory. */
bool tf_races_connect(struct tf_races *races, uint16_t node, unsigned out, unsigned in);

/* Between windows of a system: bring to the other end what packets know that were sent. On the calling thread. */
void tf_races_carry(struct tf_races *from, uint16_t sender, struct tf_races *to, uint16_t receiver);

/* The same between processes: write it at the sender's, and read it at the receiver's (host/saved.h). */
void tf_races_give(struct tf_races *from, uint16_t sender, struct tf_saved *letter);
void tf_races_take(struct tf_races *to, uint16_t receiver, struct tf_saved *letter);

/* An epoch begins at this cycle. The checker's times have 32 bits. After each 2^31 cycles it forgets all accesses, and
   counts them as ordered. */
void tf_races_epoch(struct tf_races *races, uint64_t cycle);

/* A run has ended (quiet: every tile was quiet and nothing was in flight); another run begins. */
void tf_races_paused(struct tf_races *races, bool quiet);
void tf_races_resumed(struct tf_races *races);

/* Between runs, the host has read a range of a node's memory, or is about to write it. Before the first run, and in a
   system of chips, a write makes the checker forget all accesses to the range. */
void tf_races_host_read(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);
void tf_races_forget(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);

/* A core has ended. Report each of its requests that no core of the tile has waited for, once. */
void tf_races_core_ended(struct tf_races *races, unsigned node, unsigned core);

/* Returns how many accesses of requests the checker has dropped because its records were full. */
uint64_t tf_races_forgotten(const struct tf_races *races);

/* Copy the first `most` races found so far, in a fixed order, and return their whole number (tf_races(), tilefarm.h).
   */
size_t tf_races_list(const struct tf_races *races, struct tf_race *race, size_t most);

/* Find the last writer of a word of L1 or DRAM. Returns false if it is not known. Changes no state. */
bool tf_races_last_write(const struct tf_races *races, uint16_t node, uint64_t address, struct tf_race_side *side);

#endif
