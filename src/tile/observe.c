/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/observe.h"

#include "tile/state.h"

bool tf_observes(const struct tf_tile *tile, const struct tf_hart *hart)
{
    for (const struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if ((at->cores >> hart->core & 1) != 0)
            return true;
    return false;
}

void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->wrote != NULL)
            at->wrote(at, tile, address, bytes, writer);
}
