/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a stream that keep their values. */
#ifndef TILE_MMIO_STREAMS_STREAM_REGISTERS_H
#define TILE_MMIO_STREAMS_STREAM_REGISTERS_H

#include "tile/mmio/streams/stream_names.h"
#include "tile/state.h"

/* The value of a register that only keeps its value, by Blackhole's number. */
uint32_t tf_stream_kept(const struct tf_stream *stream, unsigned index);
void tf_stream_keep(struct tf_stream *stream, unsigned index, uint32_t value);
uint32_t tf_stream_space(const struct tf_stream *stream, unsigned destination);
void tf_stream_add_space(struct tf_stream *stream, unsigned destination, uint32_t lines);
bool tf_stream_can(const struct tf_tile *tile, unsigned number, uint64_t streams); /* is it among those? */
bool tf_stream_keeps(struct tf_stream *stream); /* false: no memory. Before the first tf_stream_keep() */

#endif
