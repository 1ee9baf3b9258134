/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash of a part of a tile. */
#ifndef TESTS_DIGEST_H
#define TESTS_DIGEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <xxhash.h>

#include "tile/hash.h"
#include "tile/run/tile.h"

/* The hash of the data that `add` adds, alone. */
static inline uint64_t test_digest(struct tf_tile *tile, void (*add)(struct tf_tile *tile, struct tf_hash *hash))
{
    struct tf_hash hash = {.state = XXH3_createState()};
    assert_non_null(hash.state);
    XXH3_64bits_reset(hash.state);
    add(tile, &hash);
    uint64_t digest = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return digest;
}

#endif
