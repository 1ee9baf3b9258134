/* SPDX-License-Identifier: Apache-2.0 */
/* How seeds become decisions: drawn at every place by random and chaos, chosen among the places of the usual order by
   pct and delay-one. The library does both (tilefarm_explore.h). */
#ifndef CLI_EXPLORE_STRATEGY_H
#define CLI_EXPLORE_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_decision;
struct tf_explore;
struct tf_hunt;
struct tf_subject;

/* Does some seed choose among the places of the usual order, as pct does? */
bool tf_hunt_has_pct(const struct tf_hunt *hunt);

/* Make places of the decisions that a run without decisions met, from hunt->from on. `place` is changed. Returns false
   if the host has too little memory. */
bool tf_hunt_take_places(struct tf_hunt *hunt, struct tf_decision *place, size_t places);

void tf_hunt_free_places(struct tf_hunt *hunt);

/* Keep only places that belong to the races of these chips, if there are any. A tf_trial_look; user: the hunt. */
void tf_hunt_keep_conflicts(void *user, struct tf_subject *subject);

/* Number of seeds that give different decisions; UINT64_MAX: no limit. */
uint64_t tf_hunt_seeds(const struct tf_hunt *hunt);

/* How the run of a seed decides. The caller frees explore->decision. Returns false if the host has too little
   memory. */
bool tf_hunt_explore(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore);

#endif
