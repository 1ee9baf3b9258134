/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of the coprocessor's threads (tile/path/path.h): what is noted while it is recorded. */
#ifndef TILE_TENSIX_FRONTEND_TRAIL_H
#define TILE_TENSIX_FRONTEND_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/path/path.h"

struct tf_tile;
struct tf_tensix_op;

/* The wait gate holds the instruction of thread t. changes: what may release it, as bits of enum tf_change; 0: time. */
void tf_trail_gate(struct tf_tile *tile, struct tf_path *path, unsigned t, uint32_t changes);

/* The instruction has to wait for its unit or its data. side: the bank of SrcA or SrcB that the matrix unit is about to
   read has no data yet; -1: it is something else. */
void tf_trail_held(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op,
                   enum tf_path_kind what, int side);

/* It passes in the thread's cycle. */
void tf_trail_passes(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op);

/* It has executed. events: tensix->events before. */
void tf_trail_passed(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op,
                     uint32_t events);

/* UNPACR of thread t fills the bank of SrcA or SrcB that the unpackers have. */
void tf_trail_unpacks(struct tf_tile *tile, struct tf_path *path, unsigned t, unsigned side);

#endif
