/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a tile's registers (host/saved.h). */
#include <stdbool.h>
#include <stdint.h>
#include "tile/mmio/streams/peer.h"
#include "tile/mmio/map/saved.h"
#include "tile/mmio/streams/stream.h"
#include "tile/state.h"
#include "host/saved.h"

TF_SAVED_WHOLE(struct tf_mmio, 3968);
TF_SAVED_WHOLE(struct tf_debug, 1008);

/* Are the numbers valid that index arrays? The file may be damaged. */
static bool fits(const struct tf_mmio *mmio)
{
    bool fits = true;
    for (unsigned i = 0; i < TF_MAILBOX_CORES * TF_MAILBOX_CORES; i++) {
        const struct tf_mailbox *box = &mmio->mailbox[i / TF_MAILBOX_CORES][i % TF_MAILBOX_CORES];
        fits = fits && box->head < TF_MAILBOX_ENTRIES && box->count <= TF_MAILBOX_ENTRIES;
    }
    for (unsigned i = 0; i < TF_PCBUFS; i++)
        fits = fits && mmio->pcbuf[i].head < TF_PCBUF_ENTRIES && mmio->pcbuf[i].count <= TF_PCBUF_ENTRIES;
    const struct tf_timestamper *stamper = &mmio->debug.timestamper;
    for (unsigned i = 0; i < 2; i++)
        fits = fits && tf_saved_is_flag(&stamper->buffer[i].valid) && tf_saved_is_flag(&stamper->buffer[i].full) &&
               tf_saved_is_flag(&stamper->buffer[i].overflow);
    fits = fits && stamper->pending_count < 4 && tf_saved_is_flag(&stamper->reset_streams);
    for (unsigned i = 0; i < TF_PIC_CORES; i++) /* 0 with the other family's PIC */
        fits = fits && mmio->pic.next[i] < TF_SW_IRQS + TF_HW_IRQS;
    for (unsigned i = 0; i < TF_DEBUG_CORES; i++)
        fits = fits && tf_saved_is_flag(&mmio->debug.stop[i].step) &&
               tf_saved_is_flag(&mmio->debug.stop[i].half_stepped);
    return fits;
}

/* All fields are saved but for these: `why` and `why_category` describe the last access, and `bus` and `eth_calls` name
   functions. `dram` is saved by its node, and `eth` by the tile. */
void tf_mmio_state(struct tf_saved *saved, struct tf_tile *tile)
{
    struct tf_mmio *mmio = &tile->mmio;
    TF_SAVED_MEMORY(saved, mmio->mailbox);
    TF_SAVED_MEMORY(saved, mmio->pcbuf);
    TF_SAVED_MEMORY(saved, mmio->pic);
    TF_SAVED_MEMORY(saved, mmio->debug);
    tf_saved_demand(saved, fits(mmio), "it is damaged: a mailbox or a buffer of a tile is invalid");
    tf_stream_state(saved, mmio);
    tf_saved_demand(saved, saved->why != NULL || tf_stream_sends_fit(tile),
                    "it is damaged: a stream sends that has nothing to send");
    tile->interruptible = tf_mmio_interruptible(mmio);
    tile->streams_send = (mmio->stream_sends[0] | mmio->stream_sends[1]) != 0;
}
