/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of instructions of coprocessors and cores: from the tiles' records to on_tensix and on_riscv. */
#ifndef FARM_ORDER_TRACE_H
#define FARM_ORDER_TRACE_H

#include <stdbool.h>

struct tf_chip;
struct tf_callbacks;
struct tf_observers;
struct tf_tile;
struct tf_tiles;
struct tf_worker;

/* Let the traced tiles record what passes their wait gates, and what their cores retire. Once. sites: the number of the
   chip's sites. Returns false if the host has no memory. */
bool tf_traces_begin(struct tf_observers *observers, const struct tf_callbacks *call, struct tf_tiles *tiles,
                     unsigned sites);
void tf_traces_end(struct tf_observers *observers, const struct tf_tiles *tiles);

/* Report a tile's records. By the worker that visits the tile. */
void tf_trace_report(struct tf_worker *worker, struct tf_tile *tile);

/* Report the records of all tiles, in the order of tiles. Calling thread, between phases. */
void tf_traces_report(struct tf_chip *chip);

#endif
