/* SPDX-License-Identifier: Apache-2.0 */
/* Two tiles of either family with equal settings. A few fields of the settings change at random. */
#ifndef TESTS_UNIT_TENSIX_SETTINGS_H
#define TESTS_UNIT_TENSIX_SETTINGS_H

#include "unit/tensix/bare.h"

/* A field of the configuration, or of that of a thread. */
struct field {
    const char *name;
    uint16_t word;
    uint8_t first, width;
};

struct pair {
    struct bare *bare[2];
    const struct field *field, *thread_field;
    unsigned fields, thread_fields;
    uint32_t format; /* that most fields have now */
    unsigned wild;   /* of 100 fields that are set, have any value */
};

bool in_100(unsigned percent);

/* Tiles as after reset: `setup` is bare_setup() or bare_setup_wormhole(). */
struct pair make_pair(int (*setup)(void **state));
void drop_pair(struct pair *pair);

/* All fields get a value. Most data have one format, and values that kernels use. */
void configure_pair(struct pair *pair);

/* At most three fields of either configuration change. */
void change_some(struct pair *pair);

/* Have both tiles equal faults, L1, Dst and state hashes? */
bool are_equal(const struct pair *pair);

/* New data in Dst and in both banks of SrcA and SrcB. */
void fill_pair(struct pair *pair);

#endif
