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

const char *tf_spent_text(unsigned spent)
{
    static const char *const text[TF_SPENTS] = {
        [TF_SPENT_ISSUED] = "issued",
        [TF_SPENT_RESULT] = "results",
        [TF_SPENT_LOAD_L1] = "loads of L1",
        [TF_SPENT_LOAD] = "other loads",
        [TF_SPENT_STORE] = "stores",
        [TF_SPENT_BRANCH] = "branches",
        [TF_SPENT_FETCH] = "fetch",
        [TF_SPENT_FIFO] = "full FIFOs",
        [TF_SPENT_SYNC] = "semaphores and mailboxes",
        [TF_SPENT_NOC] = "polls of a NIU",
        [TF_SPENT_MEMORY] = "polls of L1",
        [TF_SPENT_OTHER] = "other polls",
    };
    return text[spent];
}
