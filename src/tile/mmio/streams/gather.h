/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that gather messages from others of their tile. */
#ifndef TILE_MMIO_STREAMS_GATHER_H
#define TILE_MMIO_STREAMS_GATHER_H

#include "tile/mmio/streams/phase_state.h"

/* tf_stream_phase_run(); then the streams that gather from this one go on, too. */
enum tf_access tf_gather_run(const struct acting *a);

#endif
