/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of Wormhole that ttsim refuses or that no recorded program has, each by its page of WormholeB0: address
 * counters, banks of SrcA and SrcB, shifts, DOTPV, MOVDBGA2D, SFPLOADMACRO, and stores of packers and unpackers to
 * registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wormhole_tile.h"
#include "random.h"
#include "unless_hostile.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/state.h"
#include "addresses.h"

#define DATA 0x20000u /* in L1 */
#define STREAM(number, word) (TF_STREAM_BASE + (number)*0x1000u + (word)*4u)

/* `width` bits from bit `at` of a signal of the debug daisychain (DebugDaisychain.md). */
static uint32_t signal_bits(unsigned daisy, unsigned which, unsigned at, unsigned width)
{
    uint64_t bits = 0;
    for (unsigned word = at / 32 + 1 < 4 ? at / 32 + 2 : 4; word-- != at / 32;) {
        store(TF_CORE_B, DEBUG_AT(BUS_CTRL), 1u << 29 | word << 25 | daisy << 16 | which);
        bits = bits << 32 | load(TF_CORE_B, DEBUG_AT(BUS_DATA));
    }
    return (uint32_t)(bits >> at % 32) & ((1u << width) - 1);
}

/* X, Y, Z and W of a channel, and where each returns to. */
static void expect_counters(unsigned which, const uint32_t value[4], const uint32_t source[4])
{
    static const uint8_t at[4] = {0, 64, 96, 112}, source_at[4] = {18, 80, 104, 120}, width[4] = {18, 13, 8, 8};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(signal_bits(6, which, at[i], width[i]), value[i]);
        assert_int_equal(signal_bits(6, which, source_at[i], width[i]), source[i]);
    }
}

enum { UNPACKER_0 = 1, PACKERS = 4, CHANNEL_0 = 0, CHANNEL_1 = 1, PACKERS_0 = 4, PACKERS_1 = 5 };

static void test_address_counters(void **state)
{
    (void)state;
    for (unsigned dimension = 0; dimension < 4; dimension++)
        push(W(SETADC) | V(SETADC, cnt_set_mask, UNPACKER_0) | V(SETADC, channel_index, 1) |
             V(SETADC, dimension_index, dimension) | V(SETADC, value, 0x20 + dimension));
    expect_counters(CHANNEL_0, (uint32_t[]){0, 0, 0, 0}, (uint32_t[]){0, 0, 0, 0});
    expect_counters(CHANNEL_1, (uint32_t[]){0x20, 0x21, 0x22, 0x23}, (uint32_t[]){0x20, 0x21, 0x22, 0x23});
    push(W(INCADCXY) | V(INCADCXY, cnt_set_mask, UNPACKER_0) | V(INCADCXY, ch0_x, 1) | V(INCADCXY, ch0_y, 2) |
         V(INCADCXY, ch1_x, 3) | V(INCADCXY, ch1_y, 7));
    push(W(INCADCZW) | V(INCADCZW, cnt_set_mask, UNPACKER_0) | V(INCADCZW, ch0_z, 4) | V(INCADCZW, ch0_w, 5) |
         V(INCADCZW, ch1_z, 6) | V(INCADCZW, ch1_w, 1));
    expect_counters(CHANNEL_0, (uint32_t[]){1, 2, 4, 5}, (uint32_t[]){0, 0, 0, 0});
    expect_counters(CHANNEL_1, (uint32_t[]){0x23, 0x28, 0x28, 0x24}, (uint32_t[]){0x20, 0x21, 0x22, 0x23});
    /* Counters whose bit of the mask is clear do not move. */
    push(W(ADDRCRXY) | V(ADDRCRXY, cnt_set_mask, UNPACKER_0) | V(ADDRCRXY, ch0_x, 3) | V(ADDRCRXY, ch0_y, 3) |
         V(ADDRCRXY, ch1_x, 5) | V(ADDRCRXY, ch1_y, 5) | V(ADDRCRXY, bit_mask, 1 | 8));
    push(W(ADDRCRZW) | V(ADDRCRZW, cnt_set_mask, UNPACKER_0) | V(ADDRCRZW, ch0_z, 3) | V(ADDRCRZW, ch0_w, 3) |
         V(ADDRCRZW, ch1_z, 5) | V(ADDRCRZW, ch1_w, 5) | V(ADDRCRZW, bit_mask, 2 | 4));
    expect_counters(CHANNEL_0, (uint32_t[]){3, 2, 4, 3}, (uint32_t[]){3, 0, 0, 3});
    expect_counters(CHANNEL_1, (uint32_t[]){0x23, 0x26, 0x27, 0x24}, (uint32_t[]){0x20, 0x26, 0x27, 0x23});
    /* T0 moves the packers' counters of T2. */
    push(W(SETADC) | V(SETADC, cnt_set_mask, PACKERS) | V(SETADC, dimension_index, 1) | V(SETADC, value, 3 << 16 | 9));
    push(W(INCADCXY) | V(INCADCXY, cnt_set_mask, PACKERS) | V(INCADCXY, thread_override, 3) | V(INCADCXY, ch1_y, 2));
    assert_int_equal(signal_bits(6, PACKERS_0, 64, 13), 9);
    assert_int_equal(signal_bits(6, PACKERS_1, 64, 13), 2);
}

static uint32_t (*rows_of(unsigned side, unsigned bank))[TF_SRC_COLUMNS]
{
    return tf_src_write(&chip->tiles.tile[0], 0, side, bank, 0, TF_SRC_ROWS);
}

/* The matrix unit has bank 0 of both sides, with random BF16. */
static void give_random(uint64_t *random)
{
    for (unsigned side = 0; side < 2; side++) {
        uint32_t(*rows)[TF_SRC_COLUMNS] = rows_of(side, 0);
        for (unsigned i = 0; i < TF_SRC_ROWS * TF_SRC_COLUMNS; i++)
            rows[i / TF_SRC_COLUMNS][i % TF_SRC_COLUMNS] = (test_random(random) & 0x7F0FF) | 0x40;
    }
    push(W(SETDVALID) | V(SETDVALID, setvalid, 3));
}

static uint32_t unpacr_nop(unsigned unpacker, uint32_t form)
{
    return W(UNPACR_NOP) | (uint32_t)unpacker << 23 | form;
}

/* UNPACR_NOP_SETDVALID.md, UNPACR_NOP_ZEROSRC.md. */
static void test_unpacr_nop(void **state)
{
    (void)state;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned bank = 0; bank < 2; bank++)
            for (unsigned row = 0; row < TF_SRC_ROWS; row++)
                memset(rows_of(side, bank)[row], 0x11, sizeof(uint32_t[TF_SRC_COLUMNS]));
    push(unpacr_nop(0, 7));
    assert_int_equal(signal_bits(6, 9, 91, 4), 8 | 1); /* SrcA: bank 0 is the matrix unit's, the unpacker has bank 1 */
    assert_int_equal(signal_bits(6, 9, 107, 4), 0);    /* SrcB: as it was */
    push(unpacr_nop(1, 7));
    assert_int_equal(signal_bits(6, 9, 107, 4), 8 | 1);
    push(unpacr_nop(0, 1 | 1 << 4)); /* the unpacker's bank of SrcA */
    assert_int_equal(rows_of(TF_SRC_A, 1)[63][15], 0);
    assert_int_equal(rows_of(TF_SRC_A, 0)[63][15], 0x11111111);
    push(unpacr_nop(0, 1 | 1 << 2 | 1 << 3 | 1 << 4)); /* both banks, minus infinity */
    assert_int_equal(rows_of(TF_SRC_A, 0)[63][15], 0x7FFFF);
    assert_int_equal(rows_of(TF_SRC_A, 1)[0][0], 0x7FFFF);
    assert_int_equal(rows_of(TF_SRC_B, 1)[0][0], 0x11111111);
    push(unpacr_nop(1, 1 | 1 << 4));
    assert_int_equal(rows_of(TF_SRC_B, 1)[40][7], 0);
    assert_int_equal(rows_of(TF_SRC_B, 0)[40][7], 0x11111111);
}

/* SHIFTXA takes the block of rows that the last instruction began with; SHIFTXB rotates, or shifts in a zero. */
static void test_shifts(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    uint32_t a[TF_SRC_ROWS][TF_SRC_COLUMNS], b[TF_SRC_ROWS][TF_SRC_COLUMNS];
    give_random(&random);
    for (unsigned direction = 2; direction < 4; direction++) {
        memcpy(a, rows_of(TF_SRC_A, 0), sizeof a);
        push(W(MOVA2D) | V(MOVA2D, src, 32) | V(MOVA2D, instr_mod, 2));
        push(W(SHIFTXA) | direction);
        for (unsigned row = 0; row < 16; row++)
            for (unsigned column = 0; column < 16; column++) {
                uint32_t from = direction == 2 ? column - 1 : column + 1;
                assert_int_equal(rows_of(TF_SRC_A, 0)[row][column], from < 16 ? a[32 + row][from] : 0);
            }
        assert_memory_equal(rows_of(TF_SRC_A, 0)[16], a[16], sizeof a[0] * 48);
    }
    memcpy(b, rows_of(TF_SRC_B, 0), sizeof b);
    push(W(SETRWC) | 0x2 | 8 << 10); /* SrcB's counter: 8 */
    push(W(SHIFTXB) | 3);
    push(W(SHIFTXB) | 1 << 10 | 60);
    for (unsigned row = 0; row < TF_SRC_ROWS; row++)
        for (unsigned column = 0; column < 16; column++) {
            uint32_t expected = b[row][column];
            if (row == 11)
                expected = b[row][(column + 1) % 16];
            else if (row == ((60 + 8) & 63))
                expected = column < 15 ? b[row][column + 1] : 0;
            assert_int_equal(rows_of(TF_SRC_B, 0)[row][column], expected);
        }
}

/* "Identical to MVMUL's functional model"; MOVDBGA2D is MOVA2D without its wait. */
static void test_twins(void **state)
{
    (void)state;
    enum { BF16 = 5 };
    uint64_t random = test_seed(2);
    configure(0, 0);
    configure(1, BF16 << 17 | BF16 << 21); /* ALU_FORMAT_SPEC_REG0_SrcA, REG1_SrcB */
    give_random(&random);
    push(W(ZEROACC) | 3 << 19);
    push(W(MVMUL));
    push(W(DOTPV) | 16);
    const struct tf_dst *dst = chip->tiles.tile[0].tensix->dst;
    bool some = false;
    for (unsigned i = 0; i < 8 * 16; i++)
        some |= dst->bits[i / 16][i % 16] != 0;
    assert_true(some);
    assert_memory_equal(dst->bits[0], dst->bits[16], sizeof dst->bits[0] * 8);
    push(W(MOVA2D) | V(MOVA2D, src, 8) | V(MOVA2D, instr_mod, 2) | 32);
    push(W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, 1) |
         V(CLEARDVALID, reset, 0)); /* the unit's next bank is not its own */
    memcpy(rows_of(TF_SRC_A, 1), rows_of(TF_SRC_A, 0), sizeof(uint32_t[TF_SRC_ROWS][TF_SRC_COLUMNS]));
    push(W(MOVDBGA2D) | V(MOVDBGA2D, src, 8) | V(MOVDBGA2D, instr_mod, 2) | 48);
    assert_memory_equal(dst->bits[32], dst->bits[48], sizeof dst->bits[0] * 8);
    assert_int_equal(signal_bits(1, 12, 87, 1), 1); /* nothing waits at T0's gate */
}

/* PACR_SETREG.md, UNPACR_NOP_SETREG.md, TDMA-RISC.md: to registers of streams, which keep 17 bits. */
static void test_set_registers(void **state)
{
    (void)state;
    const uint32_t base = 1 << 20 | 3; /* 0xFFB4000C: REMOTE_DEST_BUF_START; the second one 0xFFB40000 */
    store(TF_CORE_B, TF_TDMA_BASE + 0x38, base | 1 << 22);
    store(TF_CORE_B, TF_TDMA_BASE + 0x3C, 2 | 3 << 9 | 5 << 18);
    configure(58, 1 << 4); /* Out_data_format: scaler 1 */
    push(W(PACR_SETREG) | 0x800F02 | 5 << 2 | 0x155u << 12);
    assert_int_equal(load(TF_CORE_B, STREAM(5, 3)), (0x155 + (0x155 * 3 << 12)) & 0x1FFFF);
    store(TF_CORE_B, TF_TDMA_BASE + 0x24, (base | 1 << 22) << 8); /* the page leaves the layout open */
    push(unpacr_nop(0, 4 | 6 << 16 | 0x7FFu << 4));
    assert_int_equal(load(TF_CORE_B, STREAM(6, 3)), 0x7FF);
    for (unsigned i = 1; i < 4; i++) {
        push(unpacr_nop(1, 4 | 1 << 3 | 7 << 16 | 0x700u << 4)); /* accumulates */
        assert_int_equal(load(TF_CORE_B, STREAM(7, 3)), 0x700 * i);
    }
    push(unpacr_nop(1, 4 | 1 << 3 | 7 << 16)); /* begins anew, and writes nothing */
    assert_int_equal(load(TF_CORE_B, STREAM(7, 3)), 0x700 * 3);
    push(unpacr_nop(1, 4 | 1 << 3 | 7 << 16 | 5 << 4));
    assert_int_equal(load(TF_CORE_B, STREAM(7, 3)), 5);
}

static uint32_t load_immediate(unsigned vd, unsigned mod0, uint32_t value)
{
    return W(SFPLOADI) | vd << 20 | mod0 << 16 | (value & 0xFFFF);
}

/* A T core's program: instructions of the coprocessor, then an endless loop. They pass the gate one a cycle. */
static void execute(const uint32_t *words, unsigned count)
{
    const uint32_t end = 0x6F;
    for (unsigned i = 0; i < count; i++)
        put(0x8000 + 4 * i, words[i] << 2 | words[i] >> 30);
    put(0x8000 + 4 * count, end);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T1, 0x8000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_T1), TF_OK);
    run();
    assert_int_equal(tf_core_stop(chip, 0, TF_CORE_T1), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
}

/* Of both signs, by rows. */
static uint32_t number(unsigned row, unsigned column)
{
    return row << 31 | (0x40000000 + (row << 18) + (column << 14));
}

/* Four groups a cycle apart: load, absolute value, its negative into LReg[16], store; modifier 2 of the upper set. */
static void test_load_macro(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    enum { GROUPS = 4, INT32 = 4, FP32 = 3, LOW = 10, HIGH = 8 };
    const uint32_t sequence = 4 | (5 | 0x80 | 0x40 | 1 << 3) << 8 | (uint32_t)(3 | 0x40 | 3 << 3) << 24;
    const uint32_t program[] = {
        W(SFPENCC) | 3 << 12 | 10,
        W(SETC16) | 2 << 16 | 1,  /* ADDR_MOD_SET_Base */
        W(SETC16) | 29 << 16 | 4, /* ADDR_MOD_DST_SEC6: the counter of Dst advances by 4 */
        load_immediate(0, LOW, sequence),
        load_immediate(0, HIGH, sequence >> 16),
        W(SFPCONFIG) | 4 << 4,
        W(SFPABS) | 0 << 8 | 12 << 4 | 1,                  /* template 0 */
        W(SFPMUL) | 11 << 16 | 0 << 12 | 9 << 8 | 13 << 4, /* template 1: -1 * VB */
        W(SFPCONFIG) | FP32 << 8 | 8 << 4 | 1,             /* StoreMod0 */
        W(SFPLOADMACRO) | 1 << 20 | FP32 << 16 | 2 << 14,
        W(SFPLOADMACRO) | 2 << 20 | FP32 << 16 | 2 << 14,
        W(SFPLOADMACRO) | 3 << 20 | FP32 << 16 | 2 << 14,
        W(SFPLOADMACRO) | 0 << 20 | FP32 << 16 | 2 << 14 | 1, /* VD 4 */
        W(SFPNOP),
        W(SFPNOP),
        W(SFPNOP),
        W(SFPNOP),
        W(SFPNOP),
    };
    struct tf_dst *dst = tf_dst_get(&chip->tiles.tile[0]);
    assert_non_null(dst);
    configure(1, 1u << 30); /* ALU_ACC_CTRL_SFPU_Fp32_enabled */
    for (unsigned row = 0; row < 4 * GROUPS; row++)
        for (unsigned column = 0; column < 16; column++)
            tf_dst_write32(dst, tf_dst_row32((struct tf_dst_map){0}, row), column,
                           tf_dst_shuffle32(number(row, column)));
    execute(program, sizeof program / sizeof program[0]);
    for (unsigned row = 0; row < 4 * GROUPS; row++)
        for (unsigned column = 0; column < 16; column++) {
            uint32_t before = number(row, column);
            uint32_t result = tf_dst_unshuffle32(tf_dst_read32(dst, tf_dst_row32((struct tf_dst_map){0}, row), column));
            if (result != (column % 2 == 0 ? before | 0x80000000 : before))
                fail_msg("row %u, column %u: 0x%08x", row, column, result);
        }
}

/* DebugInterface.md: register DR(index) of T1. */
static void set_dr(unsigned index, uint32_t value)
{
    store(TF_CORE_B, DEBUG_AT(RISC_CNTL_1), value);
    store(TF_CORE_B, DEBUG_AT(RISC_CNTL_0), 0);
    store(TF_CORE_B, DEBUG_AT(RISC_CNTL_0), 1u << 31 | 2 << 17 | 1 << 16 | index);
}

/* A core under a debugger does not end. */
static void run_on(void)
{
    const struct tf_run_options options = {.cycles_max = 2000};
    enum tf_end end;
    put(0x70000, 0);
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
}

static uint32_t get_dr(unsigned index)
{
    store(TF_CORE_B, DEBUG_AT(RISC_CNTL_0), 0);
    store(TF_CORE_B, DEBUG_AT(RISC_CNTL_0), 1u << 31 | 2 << 17 | index);
    return load(TF_CORE_B, DEBUG_AT(RISC_STATUS_1));
}

/* A command of DR(1), with its argument; the resulting value of DR(4). */
static uint32_t command(unsigned bit, uint32_t argument)
{
    set_dr(2, argument);
    set_dr(1, 1u << 31 | 1u << bit);
    run_on();
    return get_dr(4);
}

/* T1 stops after ebreak. A debugger reads and writes; then T1 continues to a breakpoint. */
static void test_debug_interface(void **state)
{
    (void)state;
    enum { STEP = 1, RESUME, READ_REGISTER, WRITE_REGISTER, READ, WRITE, PC = 32 };
    static const uint32_t program[] = {
        0x000202B7, /* lui x5, 0x20 */
        0x00200313, /* addi x6, x0, 2 */
        0x0062A023, /* sw x6, 0(x5) */
        0x00100073, /* ebreak */
        0x00900393, /* addi x7, x0, 9 */
        0x0072A223, /* sw x7, 4(x5) */
        0x0000006F, /* jal x0, 0 */
    };
    for (unsigned i = 0; i < sizeof program / sizeof program[0]; i++)
        put(0x8000 + 4 * i, program[i]);
    set_dr(1, 1u << 31); /* slow execution mode */
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T1, 0x8000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_T1), TF_OK);
    run_on();
    assert_int_equal(get_dr(0), 1 | 8); /* paused, by ebreak */
    assert_int_equal(command(READ_REGISTER, PC), 0x8010);
    assert_int_equal(command(READ_REGISTER, 6), 2);
    assert_int_equal(get(DATA), 2);
    set_dr(3, 0x12345678);
    command(WRITE_REGISTER, 31);
    assert_int_equal(command(READ_REGISTER, 31), 0x12345678);
    set_dr(3, 0xCAFE);
    command(WRITE, TF_LOCAL_BASE + 0x10); /* its core-local RAM */
    assert_int_equal(command(READ, TF_LOCAL_BASE + 0x10), 0xCAFE);
    assert_int_equal(command(READ, DATA), 2);
    set_dr(10, 0x8014);
    set_dr(5, 8); /* a breakpoint */
    command(RESUME, 0);
    assert_int_equal(get_dr(0), 1 | 2 | 1 << 8);
    assert_int_equal(command(READ_REGISTER, PC), 0x8018);
    assert_int_equal(command(READ_REGISTER, 7), 9);
    assert_int_equal(get(DATA + 4), 9);
    command(STEP, 0); /* one command, one instruction: the jump to itself */
    assert_int_equal(get_dr(0), 1);
    assert_int_equal(command(READ_REGISTER, PC), 0x8018);
    command(RESUME, 0);
    assert_int_equal(get_dr(0), 0);
}

/* SoftReset.md does not mention core-local RAM, so it keeps its contents. Each core starts without its registers. */
static void test_local_ram(void **state)
{
    (void)state;
    struct tf_tile *tile = &chip->tiles.tile[0];
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        struct tf_hart *hart = &tile->hart[core];
        memset(hart->local, 0x5A, hart->local_bytes);
        hart->local_zero = false;
        hart->x[9] = 9;
    }
    store(TF_FROM_NOC, DEBUG_AT(SOFT_RESET_0), 0x47800);
    store(TF_FROM_NOC, DEBUG_AT(SOFT_RESET_0), 0);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        const struct tf_hart *hart = &tile->hart[core];
        assert_int_equal(hart->state, TF_CORE_RUNNING);
        assert_int_equal(hart->local[0], 0x5A);
        assert_int_equal(hart->local[hart->local_bytes - 1], 0x5A);
        assert_int_equal(hart->x[9], 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_address_counters), TEST(test_unpacr_nop), TEST(test_shifts),          TEST(test_twins),
        TEST(test_set_registers),    TEST(test_load_macro), TEST(test_debug_interface), TEST(test_local_ram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
