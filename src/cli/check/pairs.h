/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of `tilefarm stress`: two tiles execute a short program against each other (tilefarm_pairs.h), on a chip of
 * their own in relaxed mode, which reports no atomics. There is a pair for each two workers. So both tiles of a pair
 * run at the same time on threads of their own.
 */
#ifndef CLI_CHECK_PAIRS_H
#define CLI_CHECK_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/check/pairs_check.h"
#include "cli/check/stress.h"

struct tf_pairs {
    const struct tf_arch *arch;
    struct tf_chip *chip;
    uint32_t seed, round, spins;
    unsigned pairs;
    bool has_read; /* the family has an atomic that changes nothing */
    uint16_t read;
    struct tf_pairs_tile (*pair)[2];
};

/* Create the chip, on which cores wait for the first round. wish->op is not used. Returns false after filling
   failure->text: there is nothing to close. */
bool tf_pairs_open(struct tf_pairs *pairs, const struct tf_stress_wish *wish, struct tf_stress_failure *failure);
void tf_pairs_close(struct tf_pairs *pairs);

/* Run each program once, and judge it. *interrupted when it was stopped. *loops counts the rounds of their loops.
   Returns false after filling failure. */
bool tf_pairs_round(struct tf_pairs *pairs, uint64_t *loops, bool *interrupted, struct tf_stress_failure *failure);

#endif
