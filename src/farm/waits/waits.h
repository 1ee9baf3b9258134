/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cores and threads wait for, and which core or thread could end the wait. Only the state of the tile is
 * used, and it does not change.
 */
#ifndef FARM_WAITS_WAITS_H
#define FARM_WAITS_WAITS_H

#include "host/text.h"
#include "tile/tile.h"
#include "tilefarm/tilefarm.h"

/* A core's status at the end of main(), as the C start file leaves it in a0: this value plus 16 bits. */
#define TF_DONE_MAGIC 0x600D0000u

/* Has a core come to its end: the empty endless loop behind main(), or ebreak? */
bool tf_core_is_done(const struct tf_hart *hart);

/* What a parked or blocked core of a tile waits for, and who could end it. */
void tf_describe_core(struct tf_text *text, struct tf_tile *tile, unsigned core);

/* What a thread of its coprocessor waits for, and who could end it. False: it does not wait. */
bool tf_describe_thread(struct tf_text *text, struct tf_tile *tile, unsigned thread);

/* A semaphore of the coprocessor, and who has posted it last. */
void tf_describe_semaphore(struct tf_text *text, const struct tf_tile *tile, unsigned i);

#endif
