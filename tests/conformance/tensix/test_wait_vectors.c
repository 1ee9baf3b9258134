/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread passes in the states that STALLWAIT.md, SEMWAIT.md and ATGETM.md name. All states of banks, semaphores and
 * mutexes are tried, also those that no program reaches. ttsim v1.10 lets threads pass in the same states.
 */
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/units.h"

#define BLOCK_ALL (0x1FFu << 15)

/* Does the wait instruction let the next instruction pass? */
static bool passes(struct bare *bare, unsigned thread, uint32_t word)
{
    struct tf_tensix_thread *state = &bare->tile.tensix->thread[thread];
    bare_push(bare, thread, word);
    bare_push(bare, thread, W(DMANOP));
    bare_run(bare, 6);
    bool passed = !state->gate.full;
    assert_int_equal(bare->tile.faults.count, 0);
    if (!passed)
        assert_int_equal(state->gate.word, W(DMANOP));
    state->gate.full = false;
    state->gate.wait.opcode = 0;
    return passed;
}

/* STALLWAIT of SrcA, of SrcB, of both: the bank that the matrix unit is at must be its own. */
static void test_stallwait(void **state)
{
    struct bare *bare = *state;
    static const uint32_t condition[] = {[TF_SRC_A] = 0x080, [TF_SRC_B] = 0x100};
    struct tf_src_banks *src = bare->tile.tensix->src;
    for (unsigned sides = 1; sides < 4; sides++)
        for (unsigned i = 0; i < 64; i++) {
            bool expected = true;
            uint32_t conditions = 0;
            for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
                bool owned[2] = {i >> 3 * side & 1, i >> (3 * side + 1) & 1}, bank = i >> (3 * side + 2) & 1;
                memcpy(src->to_matrix[side], owned, sizeof owned);
                src->matrix_bank[side] = bank;
                if ((sides >> side & 1) == 0)
                    continue;
                conditions |= condition[side];
                expected = expected && owned[bank];
            }
            if (passes(bare, i % 3, W(STALLWAIT) | BLOCK_ALL | conditions) != expected)
                fail_msg("STALLWAIT of 0x%03x, state %u", conditions, i);
        }
}

/* SEMWAIT while zero (condition 1), while at the maximum or above (condition 2). */
static void test_semwait(void **state)
{
    struct bare *bare = *state;
    struct tf_sync *sync = bare->tile.tensix->sync;
    for (unsigned condition = 1; condition <= 2; condition++)
        for (unsigned max = 0; max < 16; max++)
            for (unsigned value = 0; value < 16; value++) {
                unsigned which = value % TF_SEMAPHORES;
                sync->value[which] = (uint8_t)value;
                sync->max[which] = (uint8_t)max;
                uint32_t word = W(SEMWAIT) | BLOCK_ALL | V(SEMWAIT, sem_sel, 1u << which) | condition;
                if (passes(bare, max % 3, word) != (condition == 1 ? value != 0 : value < max))
                    fail_msg("SEMWAIT, condition %u, %u of %u", condition, value, max);
            }
}

/* Mutex 0, free and held by another thread: its holder after ATGETM. ttsim refuses ATGETM of a mutex that the thread
   holds. */
static void test_atgetm(void **state)
{
    struct bare *bare = *state;
    static const uint8_t holder_after[3][4] = {{1, 0xFF, 2, 3}, {2, 1, 0xFF, 3}, {3, 1, 2, 0xFF}};
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned holder = 0; holder < 4; holder++) {
            if (holder_after[thread][holder] == 0xFF)
                continue;
            struct tf_tensix *tensix = bare->tile.tensix;
            tensix->sync->holder[0] = (uint8_t)holder;
            bare_push(bare, thread, W(ATGETM));
            bare_run(bare, 6);
            assert_int_equal(tensix->sync->holder[0], holder_after[thread][holder]);
            assert_int_equal(tensix->thread[thread].gate.full, holder != 0);
            tensix->thread[thread].gate.full = false;
            tensix->sync->holder[0] = (uint8_t)(thread + 1);
            execute(bare, thread, W(ATRELM));
            assert_int_equal(tensix->sync->holder[0], 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stallwait, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_semwait, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atgetm, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
