/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "host/mutant.h"
#include "tile/mmio/streams/stream_page.h"
#include "tile/mmio/streams/stream_registers.h"

const uint8_t tf_stream_slot_of[INDICES] = {
#define X(index, width, streams) [index] = SLOT_##index,
    STORED(X)
#undef X
};

const struct tf_stream_slot tf_stream_slots[SLOTS] = {
#define X(index, width, streams) [SLOT_##index] = {(uint32_t)((1ull << (width)) - 1), streams},
    STORED(X)
#undef X
};

/* Of a Wormhole Ethernet tile's streams, only 0 and 1 send to many or gather; all other properties are those in a
   Tensix tile. */
bool tf_stream_can(const struct tf_tile *tile, unsigned number, uint64_t streams)
{
    if (tile->arch->eth_streams && (streams == MULTICAST || streams == GATHERS))
        streams = 3;
    return streams >> number & 1;
}

uint32_t tf_stream_kept(const struct tf_stream *stream, unsigned index)
{
    return tf_stream_page_get(stream, (enum slot)tf_stream_slot_of[index]);
}

void tf_stream_keep(struct tf_stream *stream, unsigned index, uint32_t value)
{
    stream->page->word[tf_stream_slot_of[index]] = value;
}

bool tf_stream_keeps(struct tf_stream *stream)
{
    if (stream->page == NULL)
        stream->page = calloc(1, sizeof *stream->page);
    return stream->page != NULL;
}

uint32_t tf_stream_space(const struct tf_stream *stream, unsigned destination)
{
    if (destination == 0)
        return stream->space_available;
    return stream->page != NULL ? stream->page->space_available[destination] : 0;
}

void tf_stream_add_space(struct tf_stream *stream, unsigned destination, uint32_t lines)
{
    uint32_t *space = destination == 0 ? &stream->space_available : &stream->page->space_available[destination];
    uint32_t sum = (*space + lines) & WORDS_MASK;
    TF_MUTANT_PAUSE(TORN_STREAM)
    *space = sum;
}
