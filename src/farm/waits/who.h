/* SPDX-License-Identifier: Apache-2.0 */
/* One core or thread: what it waits for, and who could end it. */
#ifndef FARM_WAITS_WHO_H
#define FARM_WAITS_WHO_H

#include <stdbool.h>

struct tf_hart;
struct tf_text;
struct tf_tile;

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
