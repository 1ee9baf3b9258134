/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases for the coprocessor's units, each of them a program of T0 and what it leaves. */
#ifndef TESTS_RECORD_UNITS_H
#define TESTS_RECORD_UNITS_H

#include "record/unit_rig.h"

/* KIND(name): what a case is about. Those of the second line are programs of many instructions. */
/* clang-format off */
#define UNIT_KINDS(KIND)                                                                     \
    KIND(vector) KIND(matrix) KIND(move) KIND(unpack) KIND(pack) KIND(zeroacc) KIND(counter) \
    KIND(vectors) KIND(matrices) KIND(unpacks) KIND(packs) KIND(configs)
/* clang-format on */

enum unit_kind {
#define KIND(name) UNIT_##name,
    UNIT_KINDS(KIND)
#undef KIND
        UNIT_KIND_COUNT
};

extern const char *const unit_names[UNIT_KIND_COUNT];

struct unit_case {
    uint8_t kind; /* enum unit_kind */
    uint32_t seed;
    uint8_t words_max; /* of instructions under test; 0: all of the case */
};

enum unit_state { UNIT_UNTOUCHED, UNIT_BEGUN, UNIT_DONE };

struct unit_result {
    uint8_t state; /* enum unit_state. After a refusal, the case that has begun is the one that was refused */
    uint32_t before[RIG_ROWS][RIG_COLUMNS], after[RIG_ROWS][RIG_COLUMNS]; /* rows of Dst; of `pack`: words of L1 */
};

#define UNIT_PART 64u /* at most PEER_TILES */

struct unit_part {
    unsigned count;
    struct unit_case one[UNIT_PART];
};

/* For peer_call(): job is a struct unit_part, result is struct unit_result[UNIT_PART]. */
bool unit_run(const struct api *api, const void *job, void *result);

/* How many instructions under test a case has. */
unsigned unit_word_count(const struct unit_case *one);

/* The instructions of a case, for messages: "0x70000000 0x8F000000". */
void unit_words(const struct unit_case *one, char *text, unsigned bytes);

#endif
