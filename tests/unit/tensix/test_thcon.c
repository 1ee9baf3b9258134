/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on GPRs against the pages' functional models, SETDMAREG, FLUSHDMA, the cores' window to GPRs. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/units.h"
#include "tilefarm_address.h"

#define ROUNDS 200u

enum kind { ADD, SUB, MUL, BIT, SHIFT, CMP, KINDS };

static const uint32_t opcode[KINDS] = {
    W(ADDDMAREG), W(SUBDMAREG), W(MULDMAREG), W(BITWOPDMAREG), W(SHIFTDMAREG), W(CMPDMAREG),
};
static const unsigned modes[KINDS] = {1, 1, 1, 3, 2, 3};

static uint32_t model(enum kind kind, unsigned mode, uint32_t left, uint32_t right)
{
    switch (kind) {
    case ADD: return left + right;
    case SUB: return left - right;
    case MUL: return (left & 0xFFFF) * (right & 0xFFFF);
    case BIT: return mode == 0 ? left & right : mode == 1 ? left | right : left ^ right;
    case SHIFT: return mode == 0 ? left << (right & 31) : left >> (right & 31);
    default: return mode == 0 ? left > right : mode == 1 ? left < right : left == right;
    }
}

static void one_round(struct bare *bare, enum kind kind, unsigned mode)
{
    uint32_t expected[3][TF_GPRS];
    unsigned thread = bare_random() % 3, a = bare_random() % 64, b = bare_random() % 64, result = bare_random() % 64;
    bool constant = bare_random() & 1;
    random_gprs(bare);
    if (bare_random() & 1)
        gpr(bare, thread)[b] = gpr(bare, thread)[a] = bare_random() % 64;
    if (constant && kind == CMP && (bare_random() & 1))
        gpr(bare, thread)[a] = b;
    memcpy(expected, bare->tile.tensix->thcon->gpr, sizeof expected);
    uint32_t right = constant ? b : expected[thread][b];
    expected[thread][result] = model(kind, mode, expected[thread][a], right);
    uint32_t word = opcode[kind] | a | b << 6 | result << 12 | mode << 18 | (uint32_t)constant << 23;
    execute(bare, thread, word);
    assert_memory_equal(bare->tile.tensix->thcon->gpr, expected, sizeof expected);
}

static void test_arithmetic(void **state)
{
    bare_seed();
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned mode = 0; mode < modes[kind]; mode++)
            for (unsigned round = 0; round < ROUNDS; round++)
                one_round(*state, (enum kind)kind, mode);
}

static void test_modes_that_do_not_exist(void **state)
{
    struct bare *bare = *state;
    for (unsigned kind = BIT; kind < KINDS; kind++)
        for (unsigned mode = modes[kind]; mode < 8; mode++)
            execute_fault(bare, 1, opcode[kind] | mode << 18, TF_FAULT_UNDEFINED);
}

static void test_setdmareg(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, half = bare_random() % 128;
        uint16_t value = (uint16_t)bare_random();
        uint16_t expected[2 * TF_GPRS];
        random_gprs(bare);
        memcpy(expected, gpr(bare, thread), sizeof expected);
        expected[half] = value;
        execute(bare, thread, W(SETDMAREG) | half | (uint32_t)value << 8);
        assert_memory_equal(gpr(bare, thread), expected, sizeof expected);
    }
}

/* Distinct packer state, as PACR would leave it. */
static void fill_packers(struct bare *bare)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        struct tf_packer *packer = &tensix->packer[i];
        packer->all_zero_flags = 0x11223340u + i * 0x01010101u;
        for (unsigned t = 0; t < 3; t++)
            packer->acc_tile_size[t] = (uint16_t)(0x5000 + 0x100 * i + t);
        packer->last_tile_size = (uint16_t)(0x700 + i);
        packer->last_thread = (uint8_t)(i % 3);
        packer->max_exponent = (uint8_t)(0x40 + i);
        for (unsigned bin = 0; bin < 32; bin++)
            packer->histogram[bin] = (uint8_t)(i << 6 | bin);
    }
}

static void expected_source(unsigned thread, unsigned source, unsigned which, uint32_t values[4])
{
    memset(values, 0, 16);
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        uint32_t last = i % 3 == thread ? 0x700 + i : 0, flags = 0x11223340u + i * 0x01010101u;
        if (source == 0)
            values[i] = (0x5000 + 0x100 * i + thread) << 16 | last;
        if (source == 1)
            values[i] = flags;
        if (source == 2 + i) {
            values[0] = last + 1;
            values[1] = (5 + i) << 16 | (i & 1) << 20;
            values[2] = flags;
        }
        if (source == 8)
            values[0] |= (flags & 1) << i;
    }
    if (source == 6 || source == 7)
        for (unsigned i = 0; i < 16; i++)
            values[i / 4] |= (uint32_t)((which & 3) << 6 | ((source - 6) * 16 + i)) << i % 4 * 8;
    if (source == 9)
        values[0] = 0x40;
}

static void expected_result(unsigned size, unsigned in, unsigned half, const uint32_t values[4], uint32_t *expected)
{
    static const uint32_t header[4] = {0xFFFF, 0xFF0000, 0xFFFFFFFF, 0};
    uint32_t *group = &expected[half >> 1 & 0x3C];
    if (size == 0)
        memcpy((uint16_t *)expected + half, (const uint16_t *)values + in, 2);
    else if (size == 1)
        expected[half >> 1] = values[in >> 1];
    else
        for (unsigned i = 0; i < 4; i++)
            group[i] = size == 2 ? values[i] : (group[i] & ~header[i]) | (values[i] & header[i]);
}

static void test_setdmareg_special(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    struct tf_backend_config *config = bare->tile.tensix->config;
    /* Out_data_format and Disable_zero_compress of the four packers, bank 1. */
    static const unsigned word_of[4] = {70, 98, 118, 146};
    for (unsigned i = 0; i < 4; i++)
        config->bank[1][word_of[i]] = (5 + i) << 4 | (i & 1);
    for (unsigned source = 0; source < 16; source++)
        for (unsigned size = 0; size < 4; size++)
            for (unsigned round = 0; round < 24; round++) {
                unsigned thread = bare_random() % 3, half = bare_random() % 128, in = bare_random() % 8;
                unsigned which = bare_random() % 16;
                uint32_t values[4], expected[TF_GPRS];
                config->thread[thread][TF_THREAD_CFG_STATE_ID] = 1;
                fill_packers(bare);
                random_gprs(bare);
                memcpy(expected, gpr(bare, thread), sizeof expected);
                expected_source(thread, source, which, values);
                expected_result(size, in, half, values, expected);
                execute(bare, thread, W(SETDMAREG) | half | 1 << 7 | (in | source << 3 | which << 7) << 8 | size << 22);
                assert_memory_equal(gpr(bare, thread), expected, sizeof expected);
                for (unsigned i = 0; i < TF_PACKERS; i++)
                    assert_int_equal(bare->tile.tensix->packer[i].acc_tile_size[2],
                                     source == 8 && (which >> i & 1) ? 0 : 0x5002 + 0x100 * i);
            }
}

static void test_clrexphist(void **state)
{
    struct bare *bare = *state;
    fill_packers(bare);
    execute(bare, 2, W(CLREXPHIST));
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        const struct tf_packer *packer = &bare->tile.tensix->packer[i];
        for (unsigned bin = 0; bin < 32; bin++)
            assert_int_equal(packer->histogram[bin], 0);
        assert_int_equal(packer->max_exponent, 0);
        assert_int_equal(packer->last_tile_size, 0x700 + i);
    }
}

static void test_packer_resets(void **state)
{
    struct bare *bare = *state;
    fill_packers(bare);
    bare->tile.tensix->packer[1].l1_dest_offset = 77;
    bare->tile.mmio.debug.soft_reset = 1u << 3;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(bare->tile.tensix->packer[1].last_tile_size, 0);
    assert_int_equal(bare->tile.tensix->packer[1].acc_tile_size[0], 0);
    assert_int_equal(bare->tile.tensix->packer[1].l1_dest_offset, 77);
    assert_int_equal(bare->tile.tensix->packer[0].last_tile_size, 0x700);
    bare->tile.mmio.debug.soft_reset = 1u << 17;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(bare->tile.tensix->packer[1].l1_dest_offset, 0);
    assert_int_equal(bare->tile.tensix->packer[1].histogram[3], 0);
}

/* Each bit waits for its own pipeline; no bits stand for all four. */
static void test_flushdma(void **state)
{
    struct bare *bare = *state;
    static const uint8_t kind[4] = {TF_BUSY_SCALAR, TF_BUSY_UNPACK_0, TF_BUSY_UNPACK_1, TF_BUSY_PACK};
    tf_tensix_delay(&bare->tile, 1);
    for (unsigned condition = 0; condition < 4; condition++)
        for (uint32_t mask = 0; mask < 16; mask++) {
            struct tf_tensix *tensix = bare->tile.tensix;
            uint64_t cycle = bare->tile.cycle;
            bool waits = mask == 0 || (mask >> condition & 1);
            tensix->busy->until[kind[condition]][1] = cycle + 50;
            tensix->busy->until[kind[condition]][2] = cycle + 500; /* of another thread */
            bare_push(bare, 1, W(FLUSHDMA) | mask);
            bare_push(bare, 0, W(DMANOP)); /* kept out of the scalar unit for as long */
            bare_run(bare, 20);
            assert_int_equal(tensix->thread[1].gate.full, waits);
            if (waits) {
                bare_push(bare, 0, W(DMANOP));
                bare_run(bare, 20);
                assert_true(tensix->thread[0].gate.full);
            }
            bare_run(bare, 20);
            assert_false(tensix->thread[1].gate.full);
            assert_false(tensix->thread[0].gate.full);
            memset(tensix->busy, 0, sizeof *tensix->busy);
        }
}

/* B sees 192 of them, a T core its own 64; nothing else sees any. */
static void test_window(void **state)
{
    struct bare *bare = *state;
    struct tf_tile *tile = &bare->tile;
    uint32_t value;
    bool pure;
    random_gprs(bare);
    for (unsigned i = 0; i < 3 * TF_GPRS; i++) {
        assert_int_equal(tf_tensix_load(tile, TF_CORE_B, TF_GPR_BASE + 4 * i, &value, &pure), TF_ACCESS_OK);
        assert_int_equal(value, gpr(bare, i / 64)[i % 64]);
        assert_true(pure);
        assert_int_equal(tf_tensix_store(tile, TF_CORE_B, TF_GPR_BASE + 4 * i, ~value), TF_ACCESS_OK);
        assert_int_equal(~value, gpr(bare, i / 64)[i % 64]);
    }
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < TF_GPRS; i++) {
            assert_int_equal(tf_tensix_load(tile, TF_CORE_T0 + t, TF_GPR_BASE + 4 * i, &value, &pure), TF_ACCESS_OK);
            assert_int_equal(value, gpr(bare, t)[i]);
            assert_int_equal(tf_tensix_store(tile, TF_CORE_T0 + t, TF_GPR_BASE + 4 * i, i), TF_ACCESS_OK);
            assert_int_equal(gpr(bare, t)[i], i);
        }
    assert_int_equal(bare->hart_faults, 0);
    assert_int_equal(tf_tensix_load(tile, TF_CORE_B, TF_GPR_BASE + 4 * 192, &value, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_store(tile, TF_CORE_T1, TF_GPR_BASE + 4 * 64, 0), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_load(tile, TF_CORE_NC, TF_GPR_BASE, &value, &pure), TF_ACCESS_FAULT);
    assert_int_equal(bare->hart_faults, 3);
}

static void test_dmanop(void **state)
{
    struct bare *bare = *state;
    uint64_t before;
    random_gprs(bare);
    before = gpr(bare, 0)[0];
    execute(bare, 0, W(DMANOP));
    assert_int_equal(gpr(bare, 0)[0], before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_arithmetic, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_modes_that_do_not_exist, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setdmareg, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setdmareg_special, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_clrexphist, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_packer_resets, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_flushdma, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_window, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_dmanop, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
