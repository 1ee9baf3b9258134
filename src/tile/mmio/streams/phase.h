/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases of overlay streams (struct tf_tile_arch: stream_phases), and what stream.c keeps for them.
 */
#ifndef TILE_MMIO_STREAMS_PHASE_H
#define TILE_MMIO_STREAMS_PHASE_H

#include "tile/mmio/streams/phase_state.h"
#include "tile/state.h"

/* A load of a register whose value a phase decides. `index` is Blackhole's number. Returns false if it is none of
   those. */
bool tf_stream_phase_load(struct tf_tile *tile, unsigned number, unsigned index, uint32_t *value, bool *pure);

/* A store to a register without a value of its own. a: not yet found by tf_stream_phase_act(), here and below. */
enum tf_access tf_stream_phase_store(struct acting a, unsigned index, uint32_t value);

/* REMOTE_DEST_MSG_INFO_WR_PTR or the space at a destination, REMOTE_DEST_WR_PTR or REMOTE_DEST_BUF_START, or MISC_CFG
   has been stored. */
enum tf_access tf_stream_phase_counted(struct acting a);
void tf_stream_phase_placed(struct tf_stream *stream);
enum tf_access tf_stream_phase_configured(struct acting a);

/* Is the L1 read complete FIFO full? */
bool tf_stream_phase_reads_full(const struct tf_tile *tile, unsigned number);

/* A stream without a phase hashes like one whose phases are over. */
void tf_stream_phase_hash(const struct tf_stream *stream, unsigned number, struct tf_hash *hash);
void tf_stream_phase_state(struct tf_saved *saved, struct tf_stream *stream);

#endif
