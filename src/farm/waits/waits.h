/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of cores and threads, and the core or thread that could end them. The functions read the state of one tile, and
 * change nothing.
 */
#ifndef FARM_WAITS_WAITS_H
#define FARM_WAITS_WAITS_H

#include "host/text.h"
#include "tile/tile.h"
#include "tilefarm/tilefarm.h"

/* What the C start file leaves in t0 when main() has returned the value in a0. */
#define TF_RETURNED_MAGIC 0x600D1000u
/* What the start file of the workloads, and that of version 0.1, leaves in a0, plus the low 16 bits of that value. */
#define TF_DONE_MAGIC 0x600D0000u

/* Has a core ended: is it in the empty endless loop after main(), or at ebreak? */
bool tf_core_is_done(const struct tf_hart *hart);

/* The wait of a parked or blocked core of a tile, and the actors that could end it. */
void tf_describe_core(struct tf_text *text, struct tf_tile *tile, unsigned core);

/* Describe the wait of a thread of its coprocessor, and the actors that could end it. Returns false if the thread does
   not wait. */
bool tf_describe_thread(struct tf_text *text, struct tf_tile *tile, unsigned thread);

/* A semaphore of the coprocessor, and the last actor that posted it. */
void tf_describe_semaphore(struct tf_text *text, const struct tf_tile *tile, unsigned i);

#endif
