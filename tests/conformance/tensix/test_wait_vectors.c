/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which states let a thread pass, against ttsim v1.10 (Blackhole). To record again: a program that includes ttsim's
 * src/tensix.cpp (TT_ARCH_VERSION=1) sets up a zeroed TensixState and calls tensix_decode_and_execute(), which returns
 * false for "waits". It waits in STALLWAIT and SEMWAIT themselves, so that the block mask here has all bits.
 */
#include "tile/tensix/data/srcbanks.h"
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

/*
 * STALLWAIT of SrcA, of SrcB, of both; bit i of the result: src_a_valid i[1:0], src_a_matrix_bank i[2], src_b_valid
 * i[4:3], src_b_matrix_bank i[5].
 */
static void test_stallwait(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t condition;
        uint64_t passes;
    } vectors[] = {{0x080, 0xCACACACACACACACA}, {0x100, 0xFFFF0000FF00FF00}, {0x180, 0xCACA0000CA00CA00}};
    struct tf_src_banks *src = bare->tile.tensix->src;
    for (unsigned v = 0; v < sizeof vectors / sizeof vectors[0]; v++)
        for (unsigned i = 0; i < 64; i++) {
            for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
                src->to_matrix[side][0] = i >> 3 * side & 1;
                src->to_matrix[side][1] = i >> (3 * side + 1) & 1;
                src->matrix_bank[side] = i >> (3 * side + 2) & 1;
            }
            uint32_t word = W(STALLWAIT) | BLOCK_ALL | vectors[v].condition;
            if (passes(bare, i % 3, word) != (vectors[v].passes >> i & 1))
                fail_msg("STALLWAIT of 0x%03x, state %u", vectors[v].condition, i);
        }
}

/* SEMWAIT while zero, while at the maximum; by maximum, a bit for each value. */
static void test_semwait(void **state)
{
    struct bare *bare = *state;
    static const uint16_t vectors[2][16] = {
        {0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE,
         0xFFFE, 0xFFFE},
        {0x0000, 0x0001, 0x0003, 0x0007, 0x000F, 0x001F, 0x003F, 0x007F, 0x00FF, 0x01FF, 0x03FF, 0x07FF, 0x0FFF, 0x1FFF,
         0x3FFF, 0x7FFF},
    };
    struct tf_sync *sync = bare->tile.tensix->sync;
    for (unsigned condition = 1; condition <= 2; condition++)
        for (unsigned max = 0; max < 16; max++)
            for (unsigned value = 0; value < 16; value++) {
                unsigned which = value % TF_SEMAPHORES;
                sync->value[which] = (uint8_t)value;
                sync->max[which] = (uint8_t)max;
                uint32_t word = W(SEMWAIT) | BLOCK_ALL | V(SEMWAIT, sem_sel, 1u << which) | condition;
                if (passes(bare, max % 3, word) != (vectors[condition - 1][max] >> value & 1))
                    fail_msg("SEMWAIT, condition %u, %u of %u", condition, value, max);
            }
}

/* Mutex 0, free and held by another thread: who has it after ATGETM, which ttsim refuses for one's own. */
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
