/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of SrcA and SrcB change hands; STOREIND writes into them; soft reset clears them. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/units.h"

/* Address GPR 1, offset GPR 3, data GPRs 0 and 1. */
#define STORE(side) (W(STOREIND) | 1 | 2u << 6 | 6u << 14 | (uint32_t)(side) << 21)

static struct tf_src_banks *banks(struct bare *bare)
{
    return bare->tile.tensix->src;
}

/* The matrix unit has all banks; the units' choices of banks, SrcA first. */
static struct tf_src_banks all_to_matrix(uint8_t unpack_a, uint8_t unpack_b, uint8_t matrix_a, uint8_t matrix_b)
{
    struct tf_src_banks all = {
        .to_matrix = {{true, true}, {true, true}},
        .unpack_bank = {unpack_a, unpack_b},
        .matrix_bank = {matrix_a, matrix_b},
    };
    return all;
}

static void test_setdvalid(void **state)
{
    struct bare *bare = *state;
    uint16_t *config = bare->tile.tensix->config->thread[2];
    config[5] = 3 | 4; /* SRCA_SET_Base, SRCA_SET_SetOvrdWithAddr */
    config[6] = 2;     /* SRCB_SET_Base */
    for (unsigned sides = 0; sides < 4; sides++) {
        struct tf_src_banks before = *banks(bare);
        execute(bare, 2, W(SETDVALID) | sides);
        for (unsigned side = 0; side < 2; side++) {
            unsigned flips = sides >> side & 1, bank = before.unpack_bank[side];
            assert_int_equal(banks(bare)->unpack_bank[side], bank ^ flips);
            assert_int_equal(banks(bare)->to_matrix[side][bank], before.to_matrix[side][bank] | flips);
            assert_int_equal(banks(bare)->matrix_bank[side], before.matrix_bank[side]);
        }
    }
    assert_int_equal(bare->tile.tensix->src_data->unpack_row[0][2], 48);
    assert_int_equal(bare->tile.tensix->src_data->unpack_row[1][2], 32);
    assert_int_equal(bare->tile.tensix->src_data->unpack_row[0][1], 0);
}

static void test_cleardvalid(void **state)
{
    struct bare *bare = *state;
    for (uint32_t bits = 0; bits < 16; bits++) {
        uint32_t sides = bits & 3, keep = bits >> 2 & 1, reset = bits >> 3;
        *banks(bare) = all_to_matrix(1, 1, 0, 1);
        struct tf_src_banks before = *banks(bare);
        execute(bare, 0, W(CLEARDVALID) | reset | keep << 1 | sides << 22);
        for (unsigned side = 0; side < 2; side++) {
            unsigned bank = before.matrix_bank[side];
            bool released = sides >> side & 1;
            assert_int_equal(banks(bare)->matrix_bank[side], reset ? 0 : bank ^ (released && !keep));
            assert_int_equal(banks(bare)->unpack_bank[side], reset ? 0 : 1);
            assert_int_equal(banks(bare)->to_matrix[side][bank], !reset && !released);
            assert_int_equal(banks(bare)->to_matrix[side][bank ^ 1], !reset);
        }
    }
}

/* SETRWC flips too; CLR_DVALID_Src?_Disable keeps the bank with the matrix unit. */
static void test_setrwc_flips(void **state)
{
    struct bare *bare = *state;
    for (unsigned disable = 0; disable < 4; disable++)
        for (uint32_t sides = 0; sides < 4; sides++) {
            bare->tile.tensix->config->thread[1][7] = (uint16_t)disable;
            *banks(bare) = all_to_matrix(0, 0, 1, 0);
            execute(bare, 1, W(SETRWC) | sides << 22);
            for (unsigned side = 0; side < 2; side++) {
                unsigned bank = side == 0, flips = sides >> side & 1;
                assert_int_equal(banks(bare)->matrix_bank[side], bank ^ flips);
                assert_int_equal(banks(bare)->to_matrix[side][bank], !flips || (disable >> side & 1));
            }
        }
}

/* A release of a bank that the unpackers own is a hazard. The banks still flip. */
static void test_release_of_an_invalid_bank(void **state)
{
    struct bare *bare = *state;
    static const uint32_t releases[] = {W(CLEARDVALID), W(SETRWC)};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned side = 0; side < 2; side++) {
            unsigned bank = side ^ i;
            *banks(bare) = all_to_matrix(0, 0, (uint8_t)bank, (uint8_t)bank);
            execute(bare, 1, releases[i] | 1u << (22 + side));
            assert_int_equal(bare->tile.faults.count, 0);
            banks(bare)->matrix_bank[side] = (uint8_t)bank; /* back to the bank that was released */
            bare_push(bare, 1, releases[i] | 1u << (22 + side));
            bare_run(bare, 4);
            assert_int_equal(bare->tile.faults.count, 1);
            const struct tf_fault *hazard = &bare->tile.faults.entry[0];
            char text[80];
            snprintf(text, sizeof text, "Tensix T1 releases bank %u of Src%c, which is not valid", bank, "AB"[side]);
            assert_true(hazard->hazard);
            assert_int_equal(hazard->category, TF_FAULT_UNDEFINED);
            assert_int_equal(hazard->core, TF_CORE_T1);
            assert_ptr_equal(strstr(hazard->text, text), hazard->text);
            assert_int_equal(banks(bare)->matrix_bank[side], bank ^ 1);
            assert_false(banks(bare)->to_matrix[side][bank]);
            bare->tile.faults.count = 0;
        }
}

static void test_gatesrcrst(void **state)
{
    struct bare *bare = *state;
    uint64_t before = bare_hash(bare);
    bare->tile.tensix->thread[0].cycle = bare->tile.tensix->thread[1].cycle = 0;
    tf_tensix_dispatch[TF_OP_GATESRCRST](&bare->tile, 0, W(GATESRCRST) | 3);
    assert_int_equal(bare_hash(bare), before);
    execute(bare, 0, W(GATESRCRST) | 2);
}

/* Sign, mantissa, exponent of a datum: see STOREIND_Src.md. */
static uint32_t datum(uint32_t value, unsigned half)
{
    uint32_t sign, man, exp;
    if (half == 0) {
        sign = value >> 15 & 1;
        man = value >> 8 & 0x7F;
        exp = value & 0xFF;
    } else {
        sign = value >> 31;
        exp = value >> 23 & 0xFF;
        man = value >> 16 & 0x7F;
    }
    return sign << 18 | man << 11 | exp;
}

static void test_store(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    bare_seed();
    for (unsigned round = 0; round < 600; round++) {
        unsigned side = bare_random() & 1, thread = bare_random() % 3, bank = bare_random() & 1;
        unsigned override = bare_random() & 1, base = bare_random() % 4;
        uint32_t address = bare_random() % (side == 0 && override ? 68 * 4 : side == 0 ? 20 * 4 : 16 * 4);
        tensix->config->thread[thread][5] = (uint16_t)(override << 2);
        tensix->src_data->unpack_row[side][thread] = (uint8_t)(base * 16);
        banks(bare)->unpack_bank[side] = (uint8_t)bank;
        random_gprs(bare);
        uint32_t offset = bare_random() % (address + 1);
        gpr(bare, thread)[1] = (address - offset) | 0xABC00000; /* 20 bits count */
        gpr(bare, thread)[3] = offset << 4 | 5;
        memset(tensix->src_data->datum, 0xFF, sizeof tensix->src_data->datum);
        static struct tf_src expected;
        expected = *tensix->src_data;
        uint32_t data[2] = {gpr(bare, thread)[40], gpr(bare, thread)[41]};
        int row = side == 0 ? (int)(address >> 2) - 4 : (int)(address >> 2);
        if (row >= 0) {
            row += side == 0 && override ? 0 : (int)base * 16;
            for (unsigned i = 0; i < 4; i++)
                expected.datum[side][bank][row][(address & 3) * 4 + i] = datum(data[i / 2], i % 2);
        }
        execute(bare, thread, W(STOREIND) | 1 | (40u + bare_random() % 4) << 6 | 1u << 12 | 6u << 14 | side << 21);
        assert_int_equal(gpr(bare, thread)[3], (offset << 4 | 5) + 2);
        assert_memory_equal(tensix->src_data, &expected, sizeof expected);
    }
}

static void test_store_out_of_range(void **state)
{
    struct bare *bare = *state;
    gpr(bare, 0)[1] = 0x10000;
    execute_fault(bare, 0, STORE(0), TF_FAULT_UNDEFINED);
    gpr(bare, 0)[1] = 16 * 4;
    execute_fault(bare, 0, STORE(1), TF_FAULT_UNDEFINED);
    execute(bare, 0, STORE(0));
    gpr(bare, 0)[1] = 20 * 4;
    execute_fault(bare, 0, STORE(0), TF_FAULT_UNDEFINED);
    bare->tile.tensix->config->thread[0][5] = 4;
    execute(bare, 0, STORE(0));
    gpr(bare, 0)[1] = 68 * 4;
    execute_fault(bare, 0, STORE(0), TF_FAULT_UNDEFINED);
}

/* It waits, with the scalar unit, until the matrix unit returns the bank. */
static void test_store_waits(void **state)
{
    struct bare *bare = *state;
    for (unsigned side = 0; side < 2; side++) {
        execute(bare, 0, W(SETDVALID) | 1u << side);
        execute(bare, 0, W(SETDVALID) | 1u << side);
        gpr(bare, 0)[1] = 16;
        bare_push(bare, 0, STORE(side));
        assert_waits(bare, 0, STORE(side));
        bare_push(bare, 1, W(DMANOP));
        assert_waits(bare, 1, W(DMANOP));
        execute(bare, 2, W(CLEARDVALID) | 1u << (22 + side));
        assert_passed(bare, 0);
        assert_passed(bare, 1);
    }
}

static void reset(struct bare *bare, uint32_t bits)
{
    bare->tile.mmio.debug.soft_reset = bits;
    tf_tensix_reset(&bare->tile);
}

static void test_data_reset(void **state)
{
    struct bare *bare = *state;
    struct tf_src *src = bare->tile.tensix->src_data;
    static const struct {
        uint32_t bit, columns_a, columns_b;
    } cases[] = {
        {1u << 10, 0xFFFF, 0}, {1u << 16, 0, 0xFFFF}, {1u << 19, 0x000F, 0},
        {1u << 20, 0x00F0, 0}, {1u << 21, 0x0F00, 0}, {1u << 22, 0xF000, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reset(bare, 0);
        memset(src->datum, 1, sizeof src->datum);
        reset(bare, cases[i].bit);
        for (unsigned column = 0; column < TF_SRC_COLUMNS; column++) {
            assert_int_equal(src->datum[0][1][63][column], cases[i].columns_a >> column & 1 ? 0 : 0x01010101);
            assert_int_equal(src->datum[1][0][0][column], cases[i].columns_b >> column & 1 ? 0 : 0x01010101);
        }
        /* During the reset, stores there are lost. */
        gpr(bare, 0)[1] = 16;                             /* row 0 of SrcA */
        gpr(bare, 0)[0] = gpr(bare, 0)[1 + 0] | 0x7F007F; /* data GPR 0 */
        execute(bare, 0, STORE(0));
        assert_int_equal(src->datum[0][0][0][0] == 0, cases[i].columns_a & 1);
        assert_int_equal(src->datum[0][0][0][1] == 0, cases[i].columns_a >> 1 & 1);
    }
}

static void test_client_reset(void **state)
{
    struct bare *bare = *state;
    for (unsigned side = 0; side < 2; side++) {
        *banks(bare) = all_to_matrix(1, 1, 1, 1);
        reset(bare, 1u << (15 + side));
        assert_int_equal(banks(bare)->unpack_bank[side], 0);
        assert_int_equal(banks(bare)->matrix_bank[side], 0);
        assert_false(banks(bare)->to_matrix[side][0]);
        assert_false(banks(bare)->to_matrix[side][1]);
        assert_true(banks(bare)->to_matrix[side ^ 1][0]);
        execute(bare, 0, W(SETDVALID) | 1u << side);
        execute(bare, 0, W(CLEARDVALID) | 1u << (22 + side));
        assert_int_equal(banks(bare)->unpack_bank[side], 0);
        assert_int_equal(banks(bare)->matrix_bank[side], 0);
        assert_false(banks(bare)->to_matrix[side][0]);
        reset(bare, 0);
        execute(bare, 0, W(SETDVALID) | 1u << side);
        assert_true(banks(bare)->to_matrix[side][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_setdvalid, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_cleardvalid, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setrwc_flips, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_release_of_an_invalid_bank, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_gatesrcrst, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_store, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_store_out_of_range, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_store_waits, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_data_reset, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_client_reset, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
