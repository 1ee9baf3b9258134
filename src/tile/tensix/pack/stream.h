/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's way out: streams of whole lines to L1, shared exponents, zero compression. */
#ifndef TILE_TENSIX_PACK_STREAM_H
#define TILE_TENSIX_PACK_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/pack/pack.h"

#define TF_PACK_REPLACES 0xFFu
#define TF_PACK_DATA 16u

/* One instruction's output. */
struct tf_pack_output {
    struct tf_tile *tile;
    struct tf_pack *pack;
    unsigned thread;
    const struct tf_pack_format *format;
    bool compressed;
    uint8_t accumulate; /* enum of tile/accumulate.h, or TF_PACK_REPLACES */
    bool stopped;       /* by a fault; nothing is written any more */
};

/* Bytes that follow what the stream has; true unless a fault stopped it. */
bool tf_pack_put(struct tf_pack_output *output, struct tf_pack_stream *stream, const uint8_t *bytes, unsigned count);

/* Whole lines have been put where the stream goes on, which is within L1. */
void tf_pack_stored(struct tf_pack_output *output, struct tf_pack_stream *stream, unsigned count);

/* Data that have been through the late conversion, TF_PACK_DATA of them at most. */
void tf_pack_put_data(struct tf_pack_output *output, const uint32_t *datum, unsigned count);

/* A compression row begins, unless one is open; and it ends, unless `open`. */
void tf_pack_begin_row(struct tf_pack_output *output);
void tf_pack_end_row(struct tf_pack_output *output, bool open);

/* What waits goes to L1, padded with zeros: lines alone, or everything, as at a tile's end. */
void tf_pack_flush_lines(struct tf_pack_output *output);
void tf_pack_flush(struct tf_pack_output *output);

#endif
