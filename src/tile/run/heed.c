/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/run/heed.h"

#include "tile/tensix/asleep.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/state.h"

static uint64_t input_heeds(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input)
{
    const uint8_t *at = (const uint8_t *)input->at;
    if (at != NULL && at >= tile->l1 && at < tile->l1 + tile->arch->l1_bytes)
        return tf_heed_pages((uint64_t)(at - tile->l1), sizeof *input->at);
    bool own = at != NULL && at >= hart->local && at < hart->local + hart->local_bytes;
    return own ? 0 : TF_HEED_ALL; /* a register, since some registers count requests */
}

static uint64_t hart_heeds(const struct tf_tile *tile, const struct tf_hart *hart)
{
    uint64_t pages = 0;
    switch (hart->state) {
    case TF_CORE_PARKED:
        for (unsigned i = 0; i < hart->park.inputs; i++)
            pages |= input_heeds(tile, hart, &hart->park.input[i]);
        return pages;
    case TF_CORE_RUNNING:
    case TF_CORE_BLOCKED: return TF_HEED_ALL;
    default: return 0;
    }
}

uint64_t tf_tile_heeds(const struct tf_tile *tile)
{
    uint64_t pages = tf_tensix_asleep(tile) ? 0 : TF_HEED_ALL;
    for (unsigned core = 0; core < tile->arch->cores; core++)
        pages |= hart_heeds(tile, &tile->hart[core]);
    return pages;
}
