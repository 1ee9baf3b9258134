/* SPDX-License-Identifier: Apache-2.0 */
/* The host as an actor. */
#ifndef RACES_HOST_H
#define RACES_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct tf_races;

/* A run has ended (quiet: every tile was quiet and nothing was in flight); another run begins. */
void tf_races_paused(struct tf_races *races, bool quiet);
void tf_races_resumed(struct tf_races *races);

/* Between runs, the host has read a range of a node's memory, or is about to write it. Before the first run, and in a
   system of chips, a write makes the checker forget all accesses to the range. */
void tf_races_host_read(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);
void tf_races_forget(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes);

#endif
