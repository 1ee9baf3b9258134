/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a tile's registers (host/saved.h). */
#include "tile/mmio/parts.h"
#include "host/saved.h"

TF_SAVED_WHOLE(struct tf_mmio, 3920);
TF_SAVED_WHOLE(struct tf_debug, 984);

/* All fields are saved except `why` and `why_category`, which describe the last access. */
void tf_mmio_state(struct tf_saved *saved, struct tf_tile *tile)
{
    struct tf_mmio *mmio = &tile->mmio;
    TF_SAVED_MEMORY(saved, mmio->mailbox);
    TF_SAVED_MEMORY(saved, mmio->pcbuf);
    TF_SAVED_MEMORY(saved, mmio->pic);
    TF_SAVED_MEMORY(saved, mmio->debug);
    tf_stream_state(saved, mmio);
    tile->interruptible = tf_mmio_interruptible(mmio);
    tile->streams_send = (mmio->stream_sends[0] | mmio->stream_sends[1]) != 0;
    if (mmio->eth != NULL)
        tf_eth_state(saved, mmio);
}
