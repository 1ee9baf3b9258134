/* SPDX-License-Identifier: Apache-2.0 */
/* The vector unit, with every set of kernels of this host; see sfpu_vectors.inc. */
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/prng.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/vector/vector.h"
#include "conformance/tensix/levels.h"
#include "conformance/tensix/sfpu_operands.h"

#define MATH 1u

static const struct vector lines[] = {
#include "conformance/tensix/sfpu_vectors.inc"
};

static const struct vector seeds[] = {
#include "conformance/tensix/sfpu_seeds.inc"
};

static const struct difference_part parts[] = {
    DIFFERENCE_PART(sfpu_sample, lreg, uint32_t, 32, 32),
    DIFFERENCE_PART(sfpu_sample, prng, uint32_t, 32, 32),
    DIFFERENCE_PART(sfpu_sample, flags, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_sample, dst, uint16_t, 16, 16),
};

static struct recorded table = RECORDED(sfpu_vectors, lines, parts);

static void make(void *state, const struct vector *vector)
{
    sfpu_sample_make(state, vector->seed);
}

static uint64_t hash(const void *state)
{
    return sfpu_sample_hash(state);
}

static bool exists(enum tf_vectors choice)
{
    return tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, choice) != NULL;
}

static void execute_sample(struct bare *bare, enum tf_vectors choice, const struct vector *line, void *state)
{
    struct sfpu_sample *sample = state;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(vector);
    assert_non_null(dst);
    assert_true(tf_sfpu_choose(&bare->tile, choice));
    make(sample, line);
    memcpy(vector->lreg, sample->lreg, sizeof sample->lreg);
    memcpy(vector->prng, sample->prng, sizeof sample->prng);
    vector->lane.flags = sample->flags;
    vector->lane.use = TF_ALL_LANES;
    memcpy(dst->bits, sample->dst, sizeof sample->dst);
    for (unsigned bank = 0; bank < 2; bank++)
        bare->tile.tensix->config->bank[bank][TF_CFG_WORD(ALU_FORMAT_SPEC_REG1_SrcB)] =
            tf_cfg_put(0, TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB, TF_FORMAT_BF16);
    tf_tensix_dispatch[line->word >> 24](&bare->tile, MATH, line->word);
    assert_int_equal(bare->tile.faults.count, 0);
    memcpy(sample->lreg, vector->lreg, sizeof sample->lreg);
    memcpy(sample->prng, vector->prng, sizeof sample->prng);
    sample->flags = vector->lane.flags;
    memcpy(sample->dst, dst->bits, sizeof sample->dst);
}

static void test_samples(void **state)
{
    static const struct level_unit unit = {make, execute_sample, hash, exists};
    static struct sfpu_sample before, portable, found;
    check_levels(*state, &unit, &table, &before, &portable, &found);
}

/* PRNG_SEED_Seed_Val. The table has the generators of two lanes themselves, in place of a hash. */
struct seeded {
    uint32_t prng[2];
};

static const struct difference_part lanes[] = {DIFFERENCE_NAMED(seeded, prng, uint32_t, 32, "lane 0", "lane 31")};

static struct recorded seed_table = {.folder = TF_TABLES,
                                     .name = "sfpu_seeds",
                                     .vectors = seeds,
                                     .count = sizeof seeds / sizeof seeds[0]};

static void test_seeds(void **state)
{
    struct bare *bare = *state;
    char text[DIFFERENCE_TEXT];
    for (size_t i = 0; i < seed_table.count; i++) {
        tf_config_write(&bare->tile, 0, TF_CFG_PRNG_SEED_Seed_Val >> 16, seeds[i].seed);
        const uint32_t *prng = bare->tile.tensix->vector->prng;
        const struct seeded found = {{prng[0], prng[31]}}, right = {{seeds[i].word, (uint32_t)seeds[i].hash}};
        if (!as_recorded(&seed_table, i, (uint64_t)prng[0] << 32 | prng[31], &found, &found))
            fail_msg("seed %u: %s", seeds[i].seed, difference_of(lanes, 1, &found, &right, text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_samples, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_seeds, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
