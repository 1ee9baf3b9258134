/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what two tiles have logged while they executed a program against each other. */
#ifndef CLI_CHECK_PAIRS_CHECK_H
#define CLI_CHECK_PAIRS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/check/stress.h"
#include "tilefarm_pairs.h"

/* What a tile logged in a round of its loop: words that it saw, in this order. */
struct tf_pairs_seen {
    uint32_t first, second;
};

struct tf_pairs_tile {
    unsigned tile;
    struct tf_coord node;
    char name[TF_NODE_TEXT_BYTES]; /* of the node, in messages */
    uint32_t acks;                 /* answers to writes that its NIU counted before this program */
    struct tf_pairs_result result, before;
    struct tf_pairs_seen seen[TF_PAIRS_LOOPS_MAX];
};

/* Judge what both tiles of a pair saw while they executed a program. Returns false after filling failure. */
bool tf_pairs_check(const struct tf_pairs_tile pair[2], enum tf_pairs_program program, uint32_t loops,
                    struct tf_stress_failure *failure);

#endif
