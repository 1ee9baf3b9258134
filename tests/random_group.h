/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of one sequence of random numbers: random_group() is the set-up that begins it. */
#ifndef TESTS_RANDOM_GROUP_H
#define TESTS_RANDOM_GROUP_H

#include "random.h"

static uint64_t random_state;

static inline uint32_t random_word(void)
{
    return test_random(&random_state);
}

static inline int random_group(void **state)
{
    (void)state;
    random_state = test_seed(1);
    return 0;
}

#endif
