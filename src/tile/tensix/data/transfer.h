/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of what moves data between L1 and the coprocessor: unpackers, packers, the mover. */
#ifndef TILE_TENSIX_DATA_TRANSFER_H
#define TILE_TENSIX_DATA_TRANSFER_H

#include <stdint.h>

struct tf_tile;
struct tf_unpack_job;

/* From when on the unpacker, or the packers, of the instruction at a thread's gate take it. */
uint64_t tf_timed_unpacker_ready(const struct tf_tile *tile, unsigned t);
uint64_t tf_timed_packer_ready(const struct tf_tile *tile, unsigned t);

/* An unpacker begins a job in cycle tile->cycle: it fetches bytes, and the bank of SrcA or SrcB awaits them. */
void tf_timed_unpacks(struct tf_tile *tile, const struct tf_unpack_job *job);

/* The packers begin the instruction at a thread's gate in the thread's cycle. */
void tf_timed_packs(struct tf_tile *tile, unsigned t);

/* Cycles of the transfer that an XMOV of the thread begins. */
uint64_t tf_timed_moving(const struct tf_tile *tile, unsigned t);

#endif
