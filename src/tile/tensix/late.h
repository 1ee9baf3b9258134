/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of units that come after their instruction, in a tile that explores other orders (explore/units.c). */
#ifndef TILE_TENSIX_LATE_H
#define TILE_TENSIX_LATE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_mover_job;
struct tf_scalar_request;
struct tf_unpack_job;

/* The functions of the units, which tf_tensix_create() puts here: tf_mover_finish(), tf_scalar_finish() and
   tf_unpack_finish(). */
struct tf_late_units {
    void (*move)(struct tf_tile *tile, const struct tf_mover_job *job);
    void (*request)(struct tf_tile *tile, const struct tf_scalar_request *request);
    bool (*unpack)(struct tf_tile *tile, struct tf_unpack_job *job, uint32_t word);
};

#endif
