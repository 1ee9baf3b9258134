/* SPDX-License-Identifier: Apache-2.0 */
/* Time of a coprocessor that has no work. Inline: a slice of most tiles does no more (row `atomic1-inc-spread`). */
#ifndef TILE_TENSIX_ASLEEP_H
#define TILE_TENSIX_ASLEEP_H

#include "host/extremes.h"
#include "tile/tensix/state.h"

/* Let time pass up to `deadline` for a coprocessor that is asleep. False: it is not. */
static inline bool tf_tensix_sleeps(struct tf_tensix *tensix, uint64_t deadline)
{
    if (!tensix->asleep)
        return false;
    tensix->asleep_until = tf_max(tensix->asleep_until, deadline);
    return true;
}

#endif
