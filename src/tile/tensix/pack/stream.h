/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's output: streams of whole lines to L1, shared exponents, zero compression. */
#ifndef TILE_TENSIX_PACK_STREAM_H
#define TILE_TENSIX_PACK_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/pack/state.h"

#define TF_PACK_REPLACES 0xFFu
#define TF_PACK_DATA 16u

/* One instruction's output. */
struct tf_pack_output {
    struct tf_tile *tile;
    struct tf_pack *pack;
    struct tf_packer *packer; /* its results */
    unsigned thread;
    const struct tf_pack_format *format;
    bool compressed, no_zero_flags; /* no_zero_flags: Disable_pack_zero_flags */
    uint8_t accumulate;             /* enum of tile/accumulate.h, or TF_PACK_REPLACES */
    bool stopped;                   /* stopped by a fault; writes nothing more */
};

/* Appends bytes to the stream. Returns false if a fault stopped it. */
bool tf_pack_put(struct tf_pack_output *output, struct tf_pack_stream *stream, const uint8_t *bytes, unsigned count);

/* Advances the stream by `count` lines that the caller has stored in L1 at the stream's address. */
void tf_pack_stored(struct tf_pack_output *output, struct tf_pack_stream *stream, unsigned count);

/* Appends up to TF_PACK_DATA data that the late conversion has converted. */
void tf_pack_put_data(struct tf_pack_output *output, const uint32_t *datum, unsigned count);

/* begin: opens a compression row unless one is open. end: closes it unless `open`. */
void tf_pack_begin_row(struct tf_pack_output *output);
void tf_pack_end_row(struct tf_pack_output *output, bool open);

/* Writes waiting bytes to L1, padded with zeros to a line. flush also ends blocks and rows, as the end of a tile
   does. */
void tf_pack_flush_lines(struct tf_pack_output *output);
void tf_pack_flush(struct tf_pack_output *output);

#endif
