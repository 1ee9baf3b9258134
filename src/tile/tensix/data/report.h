/* SPDX-License-Identifier: Apache-2.0 */
/* Reports accesses to registers of the coprocessor to a race checker. */
#ifndef TILE_TENSIX_DATA_REPORT_H
#define TILE_TENSIX_DATA_REPORT_H

#include "tile/check.h"
#include "tile/state.h"

/* How tf_check.rows names a core, T0 to T2, beside the three threads. */
#define TF_CHECK_BY(core) ((core) + 1u)

/* Does a checker take each instruction (tf_check.rows)? */
static inline bool tf_reports_all(const struct tf_tile *tile)
{
    return TF_HOOK(tile->check) != NULL && tile->check->rows != NULL;
}

/* Reports by tf_check.rows. */
static inline void tf_report_rows(const struct tf_tile *tile, unsigned by, enum tf_check_file file, unsigned row,
                                  unsigned count, enum tf_check_use use)
{
    if (__builtin_expect(tf_reports_all(tile), 0))
        tile->check->rows(tile->check, by, file, row, count, use);
}

#endif
