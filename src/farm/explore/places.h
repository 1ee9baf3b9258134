/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a run of several chips (tilefarm_explore.h). */
#ifndef FARM_EXPLORE_PLACES_H
#define FARM_EXPLORE_PLACES_H

struct tf_chip;
struct tf_places;

/* tf_places_keep_conflicts() for the chips of a system. */
void tf_places_keep_conflicts_of(struct tf_places *places, struct tf_chip *const *chip, unsigned chips);

#endif
