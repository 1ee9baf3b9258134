/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/run/awaited.h"

#include "tile/tensix/asleep.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/state.h"

static uint64_t awaited_by_input(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input)
{
    const uint8_t *at = (const uint8_t *)input->at;
    if (at != NULL && at >= tile->l1 && at < tile->l1 + tile->arch->l1_bytes)
        return tf_awaited_pages((uint64_t)(at - tile->l1), sizeof *input->at);
    bool own = at != NULL && at >= hart->local && at < hart->local + hart->local_bytes;
    return own ? 0 : TF_AWAITED_ALL; /* a register, since some registers count requests */
}

static uint64_t awaited_by_hart(const struct tf_tile *tile, const struct tf_hart *hart)
{
    uint64_t pages = 0;
    switch (hart->state) {
    case TF_CORE_PARKED:
        for (unsigned i = 0; i < hart->park.inputs; i++)
            pages |= awaited_by_input(tile, hart, &hart->park.input[i]);
        return pages;
    case TF_CORE_RUNNING:
    case TF_CORE_BLOCKED: return TF_AWAITED_ALL;
    default: return 0;
    }
}

uint64_t tf_tile_awaits(const struct tf_tile *tile)
{
    uint64_t pages = tf_tensix_asleep(tile) ? 0 : TF_AWAITED_ALL;
    for (unsigned core = 0; core < tile->arch->cores; core++)
        pages |= awaited_by_hart(tile, &tile->hart[core]);
    return pages;
}
