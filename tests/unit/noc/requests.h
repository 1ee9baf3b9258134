/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of tests of requests: counters that have moved, and words of L1. */
#ifndef TESTS_UNIT_NOC_REQUESTS_H
#define TESTS_UNIT_NOC_REQUESTS_H

#include "fixture.h"

#include <string.h>

/* Counters of both ends that a request has moved, by index; all others have not moved. */
struct moved {
    unsigned index;
    uint32_t by;
};

/* clang-format off */
#define END {TF_NIU_COUNTERS, 0}
/* clang-format on */

static inline void assert_moved(struct tf_niu *niu, const struct moved *moved)
{
    uint32_t wanted[TF_NIU_COUNTERS] = {0};
    for (; moved->index != TF_NIU_COUNTERS; moved++)
        wanted[moved->index] = moved->by;
    for (unsigned i = 0; i < TF_NIU_COUNTERS; i++)
        if (fx_counter(niu, i) != wanted[i])
            fail_msg("counter %u is %u, not %u", i, fx_counter(niu, i), wanted[i]);
}

#define ASSERT_MOVED(niu, ...) assert_moved(niu, (const struct moved[]){__VA_ARGS__, END})

static inline uint8_t *l1(struct fx *fx, unsigned x, unsigned y)
{
    return fx_node(fx, x, y)->l1;
}

static inline uint32_t word(struct fx *fx, unsigned x, unsigned y, uint32_t address)
{
    uint32_t value;
    memcpy(&value, l1(fx, x, y) + address, sizeof value);
    return value;
}

#define OUT(tid) (TF_MST_REQS_OUTSTANDING + (tid))
#define OUTGOING(tid) (TF_MST_WRITE_REQS_OUTGOING + (tid))

#endif
