/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule lets the vector unit lag behind its thread (tile/explore/lag.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "farm/chip/chip.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"
#include "tilefarm_address.h"

#include "explored.h"

#define LATE 40u
#define VECTOR 3u /* actor: plus the thread */
#define WORD 20u  /* of a thread's configuration */
#define SEMAPHORE 1u

#define WITH(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))

static void push(uint32_t word)
{
    store(&code, TF_INSTRN_BUF_BASE, word);
}

/* So many cycles, or a few more. */
static void rest(uint32_t cycles)
{
    li(&code, 6, cycles / 2);
    put(&code, rv_i(ADDI, 6, 6, -1u));
    put(&code, rv_b(BNE, 6, 0, -4));
}

static void push_store(unsigned row)
{
    push((uint32_t)TF_OP_SFPSTORE << 24 | WITH(SFPSTORE, lreg_ind, 2) | WITH(SFPSTORE, instr_mod0, 2) | row);
}

static void push_semaphore(uint32_t opcode)
{
    push(opcode << 24 | WITH(SEMPOST, sem_sel, 1 << SEMAPHORE));
}

static void push_wait(uint32_t block, uint32_t condition)
{
    push((uint32_t)TF_OP_STALLWAIT << 24 | WITH(STALLWAIT, stall_res, block) | WITH(STALLWAIT, wait_res, condition));
}

/* T1 stores 1.0 to rows 0 and 4 of Dst, perhaps waits for that, posts a semaphore, and writes a word of its
   configuration. T2 stores to row 8 later. */
static void begin(bool waits)
{
    push((uint32_t)TF_OP_SEMINIT << 24 | WITH(SEMINIT, sem_sel, 1 << SEMAPHORE) | WITH(SEMINIT, max_value, 15));
    push((uint32_t)TF_OP_SFPLOADI << 24 | WITH(SFPLOADI, lreg_ind, 2) | WITH(SFPLOADI, imm16, 0x3F80));
    push_store(0);
    push_store(4);
    if (waits)
        push_wait(TF_BLOCK_B1, TF_CONDITION_VECTOR);
    push_semaphore(TF_OP_SEMPOST);
    push((uint32_t)TF_OP_SETC16 << 24 | WITH(SETC16, setc16_reg, WORD) | WITH(SETC16, setc16_value, 5));
    start(TF_CORE_T1, 0x2000);
    rest(5 * TF_EXPLORE_CYCLES);
    push_store(8);
    start(TF_CORE_T2, 0x3000);
}

static bool is_stored(unsigned row)
{
    const struct tf_dst *dst = chip->tiles.tile[0].tensix->dst;
    return dst != NULL && dst->bits[row][0] != 0;
}

static unsigned posted(void)
{
    return chip->tiles.tile[0].tensix->sync->value[SEMAPHORE];
}

static unsigned configured(void)
{
    return chip->tiles.tile[0].tensix->config->thread[1][WORD];
}

/* A semaphore overtakes a late store, but no STALLWAIT on the unit that blocks it. Other instructions of the thread or
   of the unit do not. */
static void a_semaphore_overtakes_a_late_unit(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_UNIT, .actor = VECTOR + 1, .ordinal = 1, .value = LATE};
    const struct tf_explore explore = {.scheduled = true, .decision = &late, .decisions = 1};
    for (unsigned waits = 0; waits < 2; waits++) {
        create(&explore);
        begin(waits);
        run(LATE / 2);
        assert_false(is_stored(0) || is_stored(4) || is_stored(8));
        assert_int_equal(posted(), !waits);
        assert_int_equal(configured(), 0);
        run(2 * LATE);
        assert_true(is_stored(0) && is_stored(4) && is_stored(8));
        assert_int_equal(posted(), 1);
        assert_int_equal(configured(), 5);
        tf_chip_destroy(chip);
    }
}

/* A late store ends a run: the run does not end while only a unit has work. */
static void a_late_unit_ends_a_run(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_UNIT, .actor = VECTOR + 2, .ordinal = 0, .value = LATE};
    const struct tf_explore explore = {.scheduled = true, .decision = &late, .decisions = 1};
    enum tf_end end;
    create(&explore);
    begin(true);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_true(is_stored(8));
    assert_true(tf_chip_places(chip, TF_FREE_UNIT) == 4);
    tf_chip_destroy(chip);
}

/* An instruction executes with the configuration that it has found at its gate. B changes it while the unit is late. */
static void a_late_unit_keeps_its_configuration(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_UNIT, .actor = VECTOR + 1, .ordinal = 1, .value = LATE};
    const struct tf_explore explore = {.scheduled = true, .decision = &late, .decisions = 1};
    const unsigned word = TF_CFG_WORD(DEST_REGW_BASE_Base); /* rows of Dst begin there */
    const uint32_t rows = tf_cfg_put(0, TF_CFG_DEST_REGW_BASE_Base, 64);
    create(&explore);
    begin(true);
    rest(10 * TF_EXPLORE_CYCLES);
    store(&code, TF_CFG_BASE + word * 4, rows);
    start(TF_CORE_B, 0x100);
    run(LATE / 2);
    assert_int_equal(chip->tiles.tile[0].tensix->config->bank[0][word], rows);
    assert_false(is_stored(0));
    run(2 * LATE);
    assert_true(is_stored(0) && is_stored(4) && !is_stored(64) && !is_stored(68));
    assert_int_equal(chip->tiles.tile[0].tensix->config->bank[0][word], rows);
    assert_true(is_stored(64 + 8)); /* T2's came later */
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_semaphore_overtakes_a_late_unit),
        cmocka_unit_test(a_late_unit_ends_a_run),
        cmocka_unit_test(a_late_unit_keeps_its_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
