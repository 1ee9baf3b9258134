/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core of Wormhole sends copies one after another. The NIU decodes the first one, and may move it to the addresses of
 * the next ones. Each must go to its own addresses, and each that is a hazard must be recorded. Registers:
 * WormholeB0/NoC/MemoryMap.md.
 */
#include "conformance/family/wormhole_chip.h"
#include "stress/rv_emit.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)
#define CODE 0x1000u
#define OWN_L1 0x20000u
#define OTHER_L1 0x30000u
#define COPIES 8u
#define WRITE 0x12u /* with an answer */
#define READ 0u

enum { X_NIU = 8, X_ONE, X_VALUE };

static const struct tf_coord own = {1, 1}, other = {2, 3};

static void set(struct code *code, uint32_t offset, uint32_t value)
{
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_NIU, offset));
}

/* Coordinates, in the words after the low words of addresses. */
static uint32_t mid(struct tf_coord at, uint32_t high)
{
    return high | (uint32_t)at.x << 4 | (uint32_t)at.y << 10;
}

struct copy {
    struct tf_coord from, to;
    uint32_t source, target, step; /* to both */
    uint32_t target_high, ctrl, tag, bytes;
};

/* The copies one by one, each when the command before has been taken. */
static void emit(struct code *code, const struct copy *copy)
{
    li(code, X_NIU, NIU);
    li(code, X_ONE, 1);
    for (uint32_t i = 0; i < COPIES; i++) {
        set(code, 0x00, copy->source + i * copy->step);
        set(code, 0x04, mid(copy->from, 0));
        set(code, 0x0C, copy->target + i * copy->step);
        set(code, 0x10, mid(copy->to, copy->target_high));
        set(code, 0x18, copy->tag);
        set(code, 0x1C, copy->ctrl);
        set(code, 0x20, copy->bytes);
        put(code, rv_s(SW, X_ONE, X_NIU, 0x28));
        unsigned poll = code->count;
        put(code, rv_i(LW, X_VALUE, X_NIU, 0x28));
        branch_to(code, BNE, X_VALUE, 0, poll);
    }
    put(code, rv_j(0, 0));
}

static struct tf_chip *run(const struct copy *copy)
{
    uint32_t word[512], pattern[COPIES * 64];
    struct code code = {.word = word, .capacity = 512};
    struct tf_chip *chip = wormhole_chip();
    enum tf_end end;
    emit(&code, copy);
    assert_true(code.count < code.capacity);
    for (uint32_t i = 0; i < COPIES * 64; i++)
        pattern[i] = 0x9E3779B9u * (i + 1);
    assert_int_equal(tf_write(chip, copy->from, copy->source, pattern, sizeof pattern), TF_OK);
    assert_int_equal(tf_write(chip, own, CODE, word, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    return chip;
}

static void compare(const struct copy *copy)
{
    uint32_t got[COPIES * 64];
    struct tf_chip *chip = run(copy);
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(tf_read(chip, copy->to, copy->target, got, COPIES * copy->step), TF_OK);
    for (uint32_t at = 0; at < COPIES * copy->step; at += 4)
        if (at % copy->step < copy->bytes && got[at / 4] != 0x9E3779B9u * (at / 4 + 1))
            fail_msg("byte %u of the target: %08X", at, got[at / 4]);
    tf_chip_destroy(chip);
}

static void test_pages(void **state)
{
    (void)state;
    compare(&(struct copy){own, other, OWN_L1, OTHER_L1, 256, 0, WRITE, 0, 256});
    compare(&(struct copy){own, other, OWN_L1, OTHER_L1, 128, 0, WRITE, 3 << 10, 96});
    compare(&(struct copy){own, other, OWN_L1, OTHER_L1, 32, 0, WRITE, 0, 32});
    compare(&(struct copy){other, own, OWN_L1, OTHER_L1, 256, 0, READ, 0, 256});
    compare(&(struct copy){other, own, OWN_L1, OTHER_L1, 64, 0, READ, 2 << 10, 64});
}

/* "Due to a hardware bug": an answered write with a transaction id to the ARC tile, through which it reaches DRAM. */
static void test_each_is_a_hazard(void **state)
{
    (void)state;
    const struct tf_coord arc = {0, 10};
    for (uint32_t step = 0; step <= 64; step += 64) {
        struct tf_chip *chip = run(&(struct copy){own, arc, OWN_L1, 0x10000000, step, 8, WRITE, 5 << 10, 64});
        struct tf_fault fault;
        assert_int_equal(tf_fault_count(chip), COPIES);
        assert_int_equal(tf_fault_get(chip, COPIES - 1, &fault), TF_OK);
        assert_true(fault.hazard);
        tf_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_each_is_a_hazard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
