/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "tile/mmio/streams/phase_state.h"
#include "tile/riscv/hart/access_fault.h"

enum tf_access tf_stream_phase_undefined(const struct acting *a, const char *why)
{
    return tf_mmio_fault(a->tile, a->from, TF_FAULT_UNDEFINED, a->address, why);
}

bool tf_stream_phase_act(struct acting *a)
{
    a->stream = &a->tile->mmio.stream[a->number];
    if (a->stream->phase == NULL)
        a->stream->phase = calloc(1, sizeof *a->stream->phase);
    a->phase = a->stream->phase;
    if (a->phase != NULL && tf_stream_keeps(a->stream))
        return true;
    tf_mmio_fault(a->tile, a->from, TF_FAULT_HOST, a->address, "the host has no memory for a stream's phases");
    return false;
}

uint32_t tf_stream_phase_remaining(const struct acting *a)
{
    return tf_stream_phase_get(a, PHASE_AUTO_CFG_HEADER) >> 12 & 0xFFF;
}

bool tf_stream_phase_advance(const struct acting *a, unsigned pointer, uint32_t lines)
{
    uint32_t size = tf_stream_phase_get(a, BUF_SIZE), at = tf_stream_phase_get(a, pointer) + lines;
    if (lines > size)
        return false;
    tf_stream_keep(a->stream, pointer, at >= size ? at - size : at);
    return true;
}
