/* SPDX-License-Identifier: Apache-2.0 */
#include "look/units.h"

#include <string.h>

const char *tf_unit_time_name(unsigned unit)
{
    static const char *const name[TF_UNIT_TIMES] = {"matrix", "vector", "unpack", "pack", "scalar", "config", "mover"};
    return name[unit];
}

void tf_unit_times(const struct tf_tile_times *times, uint64_t unit[TF_UNIT_TIMES])
{
    const uint64_t own[TF_UNIT_TIMES] = {times->matrix, times->vector, times->unpack, times->pack,
                                         times->scalar, times->config, times->mover};
    memcpy(unit, own, sizeof own);
}
