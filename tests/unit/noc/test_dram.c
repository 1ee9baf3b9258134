/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash of a DRAM channel covers the place and the bytes of each 64 KiB with contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <xxhash.h>

#include "noc/nodes/dram.h"
#include "tile/arch.h"
#include "tile/hash.h"

#define GRANULE (64u << 10)
#define CHANNEL (8 * (uint64_t)TF_DRAM_BLOCK_BYTES)

static uint64_t digest_of(struct tf_hash *hash)
{
    uint64_t digest = XXH3_64bits_digest(hash->state);
    XXH3_64bits_reset(hash->state);
    return digest;
}

static void hash_says_where_the_bytes_are(void **state)
{
    static uint8_t granule[GRANULE];
    static const uint64_t places[] = {0, 3 * GRANULE, TF_DRAM_BLOCK_BYTES + 5 * GRANULE, CHANNEL - GRANULE};
    struct tf_hash hash = {.state = XXH3_createState()};
    struct tf_dram *dram = tf_channel_create(CHANNEL);
    (void)state;
    assert_non_null(dram);
    XXH3_64bits_reset(hash.state);
    uint64_t empty = digest_of(&hash);
    assert_true(tf_channel_put(dram, TF_DRAM_BLOCK_BYTES, granule, 2 * sizeof(uint64_t), false)); /* zeros */
    tf_channel_hash(dram, &hash);
    assert_int_equal(digest_of(&hash), empty);
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        granule[7 * i] = (uint8_t)(i + 1);
        assert_true(tf_channel_put(dram, places[i], granule, GRANULE, false));
    }
    for (unsigned i = 0; i < GRANULE; i++)
        granule[i] = 0;
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        granule[7 * i] = (uint8_t)(i + 1);
        tf_hash_u64(&hash, places[i]);
        tf_hash_memory(&hash, granule, GRANULE);
    }
    uint64_t expected = digest_of(&hash);
    tf_channel_hash(dram, &hash);
    assert_int_equal(digest_of(&hash), expected);
    tf_channel_destroy(dram);
    XXH3_freeState(hash.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hash_says_where_the_bytes_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
