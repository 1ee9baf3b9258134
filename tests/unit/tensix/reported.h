/* SPDX-License-Identifier: Apache-2.0 */
/* A race checker that keeps which rows of Dst, SrcA and SrcB the coprocessor reports. */
#ifndef TESTS_UNIT_TENSIX_REPORTED_H
#define TESTS_UNIT_TENSIX_REPORTED_H

#include "tile/check.h"
#include "tile/tensix/data/dst.h"
#include "unit/tensix/bare.h"

struct reported {
    struct tf_check check;                                     /* first */
    bool row[TF_CHECK_FILES][TF_CHECK_NEEDS + 1][TF_DST_ROWS]; /* by file and use */
};

static inline void reported_rows(struct tf_check *check, unsigned by, enum tf_check_file file, unsigned first,
                                 unsigned count, enum tf_check_use use)
{
    struct reported *reported = (struct reported *)check;
    (void)by;
    for (unsigned row = first; row < first + count; row++)
        reported->row[file][use][row] = true;
}

static inline void reported_unit(struct tf_check *check, unsigned thread, enum tf_check_unit unit, uint32_t address,
                                 uint32_t bytes, enum tf_check_use use)
{
    (void)check, (void)thread, (void)unit, (void)address, (void)bytes, (void)use;
}

static inline void reported_passed(struct tf_check *check, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    (void)check, (void)thread, (void)word, (void)pc, (void)cycle;
}

/* Nothing is reported yet. */
static inline struct reported reported_none(void)
{
    return (struct reported){.check = {.rows = reported_rows, .unit = reported_unit, .passed = reported_passed}};
}

#endif
