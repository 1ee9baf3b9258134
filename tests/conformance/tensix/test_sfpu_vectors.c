/* SPDX-License-Identifier: Apache-2.0 */
/* The vector unit, bit for bit what ttsim computes, with every set of kernels of this host; see sfpu_vectors.inc. */
#include "tile/tensix/config/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/prng.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/bare.h"

#include "conformance/tensix/sfpu_operands.h"

#define MATH 1u
#define NONE 0xFFFFu
#define ROW(physical) (0x1000u | (physical))

static const struct sample {
    uint32_t word, seed, flags, advanced, place;
    uint32_t value[32];
} samples[] = {
#define S(word, seed, flags, advanced, place, ...) {word, seed, flags, advanced, place, {__VA_ARGS__}},
#include "conformance/tensix/sfpu_vectors.inc"
#undef S
};

#define SAMPLES (sizeof samples / sizeof samples[0])

static void fill(struct bare *bare, uint32_t seed)
{
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(vector);
    assert_non_null(dst);
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        for (unsigned row = 0; row < 8; row++)
            vector->lreg[row][lane] = operand_lreg(seed, row, lane);
        vector->prng[lane] = operand_prng(seed, lane);
    }
    vector->lane.flags = operand_flags(seed);
    vector->lane.use = TF_ALL_LANES;
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        for (unsigned column = 0; column < TF_DST_COLUMNS; column++)
            dst->bits[row][column] = operand_dst(seed, row, column);
}

/* The entry of a case that is about a place, or NULL. */
static const struct sample *entry(const struct sample *first, uint32_t place)
{
    for (const struct sample *s = first; s < samples + SAMPLES && s->seed == first->seed; s++)
        if (s->place == place)
            return s;
    return NULL;
}

static unsigned wrong_registers(const struct tf_vector *vector, const struct sample *first)
{
    unsigned wrong = 0;
    for (unsigned row = 0; row < 8; row++) {
        const struct sample *changed = entry(first, row);
        for (unsigned lane = 0; lane < TF_LANES; lane++) {
            uint32_t expected = changed != NULL ? changed->value[lane] : operand_lreg(first->seed, row, lane);
            if (vector->lreg[row][lane] == expected)
                continue;
            print_error("%s: %08x, seed %u: LReg[%u] lane %u is %08x, not %08x\n", vector->kernels->name, first->word,
                        first->seed, row, lane, vector->lreg[row][lane], expected);
            wrong++;
        }
    }
    uint32_t advanced = 0;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        uint32_t before = operand_prng(first->seed, lane);
        if (vector->prng[lane] != before) {
            advanced |= 1u << lane;
            wrong += vector->prng[lane] != tf_prng_step(before);
        }
    }
    if (vector->lane.flags != first->flags || advanced != first->advanced) {
        print_error("%s: %08x, seed %u: flags %08x, not %08x, or generators\n", vector->kernels->name, first->word,
                    first->seed, vector->lane.flags, first->flags);
        wrong++;
    }
    return wrong;
}

static unsigned wrong_rows(const struct tf_dst *dst, const struct sample *first)
{
    unsigned wrong = 0;
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        const struct sample *changed = entry(first, ROW(row));
        for (unsigned column = 0; column < TF_DST_COLUMNS; column++) {
            uint32_t expected = changed != NULL ? changed->value[column] : operand_dst(first->seed, row, column);
            uint32_t is = dst->bits[row][column];
            if (is != expected && wrong++ == 0)
                print_error("%08x, seed %u: Dst row %u, column %u is %04x, not %04x: bit %d first\n", first->word,
                            first->seed, row, column, is, expected, __builtin_ctz(is ^ expected));
        }
    }
    return wrong;
}

static void test_samples(void **state)
{
    struct bare *bare = *state;
    unsigned wrong = 0, cases = 0;
    for (unsigned bank = 0; bank < 2; bank++)
        bare->tile.tensix->config->bank[bank][1] = 5u << 21; /* ALU_FORMAT_SPEC_REG1_SrcB: BF16 */
    for (enum tf_vectors choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (!tf_sfpu_choose(&bare->tile, choice))
            continue;
        for (size_t i = 0; i < SAMPLES; i++) {
            if (i != 0 && samples[i].seed == samples[i - 1].seed)
                continue;
            fill(bare, samples[i].seed);
            tf_tensix_dispatch[samples[i].word >> 24](&bare->tile, MATH, samples[i].word);
            wrong += wrong_registers(bare->tile.tensix->vector, &samples[i]);
            wrong += wrong_rows(bare->tile.tensix->dst, &samples[i]);
            cases++;
        }
    }
    assert_int_equal(bare->tile.faults.count, 0);
    assert_int_equal(wrong, 0);
    assert_in_range(cases, 162, 3 * 162);
}

/* PRNG_SEED_Seed_Val: the first and last generators of four seeds. */
static void test_seeds(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t seed, first, last;
    } seeds[] = {
#include "conformance/tensix/sfpu_seeds.inc"
    };
    for (unsigned i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        tf_config_write(&bare->tile, 0, TF_CFG_PRNG_SEED_Seed_Val >> 16, seeds[i].seed);
        assert_int_equal(bare->tile.tensix->vector->prng[0], seeds[i].first);
        assert_int_equal(bare->tile.tensix->vector->prng[31], seeds[i].last);
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
