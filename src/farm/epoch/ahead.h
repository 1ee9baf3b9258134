/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles that run ahead of the chip, in timing mode (tile/run/ahead.h). A tile may do so up to the next arrival that is
 * known, where nobody looks at tiles before the run ends. If another packet comes, the tile returns. While all tiles
 * that are not quiet have run ahead, time passes at once. It passes by whole epochs, as it does without.
 */
#ifndef FARM_EPOCH_AHEAD_H
#define FARM_EPOCH_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/run/ahead.h"

struct tf_chip;
struct tf_found;
struct tf_run_options;
struct tf_worker;

/* A run begins that ends before a tick. Calling thread. */
void tf_ahead_begin(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit);

/* The tick before which the tile of a node may run ahead in the present epoch. By the worker that visits the node. */
uint64_t tf_ahead_most(const struct tf_chip *chip, unsigned node);

/* The worker comes to a tile that has run ahead. Returns whether it needs no visit. If not, it has run up to the
   beginning of the epoch, or further. */
bool tf_ahead_passes(struct tf_worker *worker, unsigned node);

/* An epoch has ended. Let those pass in which no tile needs a visit. Tiles return if somebody is about to look at them.
   Calling thread, between phases. */
void tf_ahead_follow(struct tf_chip *chip, const struct tf_found *found, uint64_t tick_limit);

/* Let all tiles return. Calling thread, between phases. */
void tf_ahead_settle(struct tf_chip *chip);

#endif
