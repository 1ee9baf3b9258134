/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes.md: routing, order, capacities, the query, blocking. */
#include "fixture.h"
#include "tile/mmio/map/map.h"
#include "tilefarm_address.h"

#define BASE TF_MAILBOX_BASE

static const unsigned cores[4] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};

static uint32_t window(unsigned place)
{
    return BASE + 0x1000 * place;
}

/* A writer names the reader by the window, a reader the writer. */
static void each_pair_has_its_own(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned writer = 0; writer < 4; writer++) {
        for (unsigned reader = 0; reader < 4; reader++)
            store(fixture, cores[writer], window(reader) + 0xFF8, 100 * writer + reader);
        for (unsigned reader = 0; reader < 4; reader++)
            for (unsigned other = 0; other < 4; other++)
                assert_int_equal(load_pure(fixture, cores[reader], window(other) + 4, true), other == writer);
        for (unsigned reader = 0; reader < 4; reader++)
            assert_int_equal(load_pure(fixture, cores[reader], window(writer), false), 100 * writer + reader);
    }
    assert_int_equal(fixture->faults, 0);
}

static void values_keep_their_order(void **state)
{
    struct fixture *fixture = *state;
    uint32_t sent = 0, got = 0;
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned i = 0; i < 1 + round % 4; i++)
            store(fixture, TF_CORE_T2, window(1), sent++);
        while (load(fixture, TF_CORE_T0, window(3) + 4))
            assert_int_equal(load(fixture, TF_CORE_T0, window(3)), got++);
        assert_int_equal(got, sent);
    }
}

static void an_empty_one_blocks_its_reader(void **state)
{
    struct fixture *fixture = *state;
    uint32_t value;
    assert_int_equal(try_load(fixture, TF_CORE_T0, window(0), 4, &value), TF_ACCESS_BLOCK);
    assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_T0, window(0), false));
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0, window(0) + 4, false));
    store(fixture, TF_CORE_B, window(1), 5);
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0, window(0), false));
    assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, window(0), false));
    assert_int_equal(load(fixture, TF_CORE_T0, window(0)), 5);
    assert_int_equal(try_load(fixture, TF_CORE_T0, window(0), 4, &value), TF_ACCESS_BLOCK);
}

/* Four values in one mailbox, or in the four of one writer together. */
static void a_writer_has_four_entries(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned spread = 0; spread < 2; spread++) {
        for (unsigned i = 0; i < 4; i++) {
            assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, window(0), true));
            store(fixture, TF_CORE_T1, window(spread ? i : 0), i);
        }
        for (unsigned reader = 0; reader < 4; reader++) {
            assert_int_equal(try_store(fixture, TF_CORE_T1, window(reader), 4, 9), TF_ACCESS_BLOCK);
            assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, window(reader), true));
        }
        store(fixture, TF_CORE_B, window(2), 7); /* other writers have their own */
        assert_int_equal(load(fixture, TF_CORE_T1, window(0)), 7);
        assert_int_equal(load(fixture, TF_CORE_B, window(2)), 0);
        assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, window(3), true));
        for (unsigned i = 1; i < 4; i++)
            assert_int_equal(load(fixture, cores[spread ? i : 0], window(2)), i);
    }
}

struct model {
    uint32_t entry[4][4][4];
    unsigned count[4][4];
};

static void random_access(struct fixture *fixture, struct model *model, uint64_t *seed)
{
    unsigned self = test_random(seed) % 4, other = test_random(seed) % 4;
    unsigned *count = &model->count[other][self], total = 0;
    uint32_t value = test_random(seed), got;
    for (unsigned i = 0; i < 4; i++)
        total += model->count[self][i];
    switch (test_random(seed) % 3) {
    case 0:
        assert_int_equal(tf_mmio_would_block(&fixture->tile, cores[self], window(other), true), total >= 4);
        assert_int_equal(try_store(fixture, cores[self], window(other), 4, value),
                         total < 4 ? TF_ACCESS_OK : TF_ACCESS_BLOCK);
        if (total < 4)
            model->entry[self][other][model->count[self][other]++] = value;
        break;
    case 1: assert_int_equal(load(fixture, cores[self], window(other) + 4), *count != 0); break;
    default:
        assert_int_equal(tf_mmio_would_block(&fixture->tile, cores[self], window(other), false), *count == 0);
        assert_int_equal(try_load(fixture, cores[self], window(other), 4, &got),
                         *count != 0 ? TF_ACCESS_OK : TF_ACCESS_BLOCK);
        if (*count != 0) {
            assert_int_equal(got, model->entry[other][self][0]);
            memmove(&model->entry[other][self][0], &model->entry[other][self][1], 3 * sizeof(uint32_t));
            --*count;
        }
    }
}

static void behaves_as_sixteen_queues(void **state)
{
    struct model model = {0};
    uint64_t seed = test_seed(1);
    for (unsigned i = 0; i < 20000; i++)
        random_access(*state, &model, &seed);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(each_pair_has_its_own),     TEST(values_keep_their_order),   TEST(an_empty_one_blocks_its_reader),
        TEST(a_writer_has_four_entries), TEST(behaves_as_sixteen_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
