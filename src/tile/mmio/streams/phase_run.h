/* SPDX-License-Identifier: Apache-2.0 */
/* What streams do in their phases, and from phase to phase. */
#ifndef TILE_MMIO_STREAMS_PHASE_RUN_H
#define TILE_MMIO_STREAMS_PHASE_RUN_H

#include "tile/mmio/streams/phase_state.h"

/* All that the stream can do by itself. Returns TF_ACCESS_FAULT if that is something undefined. */
enum tf_access tf_stream_phase_run(const struct acting *a);

/* A message joins the metadata FIFO, which has room. */
enum tf_access tf_stream_phase_append(const struct acting *a, const struct message *message);

/* The first message leaves the FIFO; the phase counts it. */
void tf_stream_phase_take_message(const struct acting *a);

/* Move messages to the L1 read complete FIFO, as one entry; take the first entry of that FIFO. */
void tf_stream_phase_pop(const struct acting *a, uint32_t count);
enum tf_access tf_stream_phase_pop_read(const struct acting *a);

/* Lines that `from` had in its buffer have been read. */
enum tf_access tf_stream_phase_freed(const struct acting *a, uint32_t lines, unsigned from);

/* Begin a phase that waits for reads, if none are left. */
void tf_stream_phase_flushed(const struct acting *a);

/* Load the configuration of the next phase from L1; begin that phase, or wait for reads. */
enum tf_access tf_stream_phase_load_configuration(const struct acting *a);
enum tf_access tf_stream_phase_enter(const struct acting *a);

#endif
