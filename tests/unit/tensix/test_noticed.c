/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two observers notice writes of the coprocessor to L1: a core that has executed code there, and a thread that waits
 * for a word. Programs of core B do all of it, on whole chips.
 */
#include "chip_wish.h"
#include "unless_hostile.h"

#include <string.h>

#include "stress/rv_emit.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define W(op) ((uint32_t)TF_OP_##op << 24)
#define V(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))

#define CODE(core) (0x4000u + 0x1000u * (core))
#define LONG_SLICE 1024u
#define RESULT 0x3000u
#define WORD_OF 0x2000u  /* what a thread waits for */
#define SOURCE 0x2100u   /* what the mover copies */
#define NEAR_END 0x93F0u /* the last line of a page of code; packer and mover write to the next page, too */
#define LINE_WORDS 4u

/* Registers of cores. a0 is what the functions under test change. */
enum { ZERO, RA, T0 = 5, T1, A0 = 10 };

/* GPRs of T1: the line's number, offsets in halves, data. */
enum { GPR_LINE = 4, GPR_OFFSETS, GPR_DATA = 8 };
enum { NO_OFFSET = 2 * GPR_OFFSETS, BYTE_2, BYTE_3 = 2 * (GPR_OFFSETS + 1) };

#define PLUS(value) (ADDI | (uint32_t)(value) << 20 | A0 << 15 | A0 << 7)
#define NOTHING 0x00000003u /* lb zero, 0(zero) */
#define ILLEGAL 0u          /* .ttinsn of an unknown opcode */

static void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, T0, address);
    li(code, T1, value);
    put(code, rv_s(SW, T1, T0, 0));
}

static void push(struct code *code, unsigned thread, uint32_t word)
{
    store(code, TF_INSTRN_BUF_OF(thread), word);
}

static void set_gpr(struct code *code, unsigned thread, unsigned index, uint32_t value)
{
    store(code, TF_GPR_BASE + (thread * 64 + index) * 4, value);
}

/* A field of Config, in both banks; other fields of its word become 0. */
#define SET(code, name, value) set_word(code, TF_CFG_##name, value)

static void set_word(struct code *code, uint32_t field, uint32_t value)
{
    uint32_t word = value << (field >> 8 & 0xFF);
    store(code, TF_CFG_BASE + (2 * TF_CFG_WORDS + (field >> 16)) * 4, word);
}

static void copy_lines(struct code *code, uint32_t to, uint32_t from, uint32_t lines)
{
    SET(code, THCON_SEC0_REG6_Source_address, from >> 4);
    SET(code, THCON_SEC0_REG6_Destination_address, to >> 4);
    SET(code, THCON_SEC0_REG6_Buffer_size, lines | 3u << 30); /* L1 to L1 */
}

/* 16 datums of 32 bits, from Dst to L1, when `thread` packs: one value in even columns, one in odd columns. */
static void prepare_packer(struct code *code, unsigned thread, uint32_t to, uint32_t even, uint32_t odd)
{
    enum { INT32 = 8, ROW_BYTES = 64, LOW_HALF = 10, HIGH_HALF = 8, STORE_INT32 = 4 };
    SET(code, ALU_FORMAT_SPEC_REG2_Dstacc, INT32);
    store(code, TF_CFG_BASE + (2 * TF_CFG_WORDS + TF_CFG_WORD(THCON_SEC0_REG1_In_data_format)) * 4,
          INT32 << (TF_CFG_THCON_SEC0_REG1_In_data_format >> 8 & 0xFF) |
              INT32 << (TF_CFG_THCON_SEC0_REG1_Out_data_format >> 8 & 0xFF) |
              1u << (TF_CFG_THCON_SEC0_REG1_Disable_zero_compress >> 8 & 0xFF) |
              1u << (TF_CFG_THCON_SEC0_REG1_Sub_l1_tile_header_size >> 8 & 0xFF));
    SET(code, THCON_SEC0_REG1_L1_Dest_addr, to >> 4);
    SET(code, PCK_DEST_RD_CTRL_Read_32b_data, 1);
    SET(code, PCK0_ADDR_CTRL_XY_REG_0_Ystride, ROW_BYTES);
    SET(code, PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF);
    SET(code, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    push(code, thread, W(SETADCXX) | V(SETADCXX, cnt_set_mask, 4) | V(SETADCXX, x_end2, 15));
    for (unsigned columns = 0; columns < 2; columns++) {
        uint32_t value = columns == 0 ? even : odd;
        push(code, 0, W(SFPLOADI) | V(SFPLOADI, instr_mod0, HIGH_HALF) | value >> 16);
        push(code, 0, W(SFPLOADI) | V(SFPLOADI, instr_mod0, LOW_HALF) | (value & 0xFFFF));
        push(code, 0, W(SFPSTORE) | V(SFPSTORE, instr_mod0, STORE_INT32) | V(SFPSTORE, dest_reg_addr, 2 * columns));
    }
}

#define PACK (W(PACR) | V(PACR, read_intf_sel, 1) | V(PACR, last, 1))

/* Wait until the coprocessor has executed what was pushed: a load of a GPR waits for actions of earlier cycles. */
static void finish(struct code *code)
{
    enum { LONGEST = 16 };
    for (unsigned i = 0; i < LONGEST; i++)
        put(code, rv_i(ADDI, ZERO, ZERO, 0));
    li(code, T0, TF_GPR_BASE);
    put(code, rv_i(LW, T1, T0, 0));
}

enum { BY_THREAD, BY_MOVER, BY_PACKER, BY_TDMA, BY_TDMA_WIDE };

#define FIRST (1 + 1 + 16)

static const struct row {
    uint32_t word; /* T1 executes it; PACR: T0 */
    unsigned how;
    bool only_behind;          /* no core executes the first page */
    uint32_t line[LINE_WORDS]; /* before; 0: PLUS(1), RET */
    uint32_t result;           /* of both functions; that of their first call is FIRST */
} rows[] = {
#define TO_L1(size, half, data)                                                                                       \
    (W(STOREIND) | V(STOREIND, mem_hier_sel, 1) | V(STOREIND, reg_size_sel, size) | V(STOREIND, offset_index, half) | \
     V(STOREIND, addr_reg_index, GPR_LINE) | V(STOREIND, data_reg_index, data))
    {.word = TO_L1(0, NO_OFFSET, GPR_DATA), .result = 1 + 2 + 16},
    {.word = TO_L1(1, NO_OFFSET, GPR_DATA), .result = 1 + 2 + 16},
    {.word = TO_L1(2, BYTE_2, GPR_DATA + 2), .result = 1 + 2 + 16},
    {.word = TO_L1(3, BYTE_3, GPR_DATA + 3), .result = 1 + 0x21 + 16},
    {.word = W(ATINCGET) | V(ATINCGET, addr_reg_index, GPR_LINE) | V(ATINCGET, data_reg_index, GPR_DATA + 4) |
             V(ATINCGET, wrap_val, 31),
     .result = 1 + 2 + 16},
    {.word = W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, GPR_LINE) | V(ATINCGETPTR, wrap_val, 15) |
             V(ATINCGETPTR, incr_val, 14) | V(ATINCGETPTR, data_reg_index, GPR_DATA + 5),
     .result = (1 ^ 1) + 16},
    {.word = W(ATSWAP) | V(ATSWAP, addr_reg_index, GPR_LINE) | V(ATSWAP, data_reg_index, GPR_DATA) |
             V(ATSWAP, swap_mask, 3),
     .result = 1 + 2 + 16},
    {.word = W(ATCAS) | V(ATCAS, addr_reg_index, GPR_LINE) | V(ATCAS, cmp_val, NOTHING) | V(ATCAS, swap_val, ILLEGAL),
     .line = {NOTHING, PLUS(1), RET},
     .result = FIRST}, /* and a fault */
    {.word = W(XMOV), .how = BY_MOVER, .result = 1 + 2 + 32},
    {.word = PACK, .how = BY_PACKER, .result = 1},
    {.word = PACK, .how = BY_PACKER, .only_behind = true, .result = 1},
    {.how = BY_TDMA, .result = 1 + 2 + 16},
    {.how = BY_TDMA_WIDE, .line = {PLUS(1), NOTHING, RET}, .result = 1 + 2 + 4 + 16},
};

#define ROWS (sizeof rows / sizeof rows[0])

/* a0 = 1, then the function at NEAR_END, then the one in the page after it; keep a0. */
static void call(struct code *code, const struct row *row, unsigned result)
{
    put(code, rv_i(ADDI, A0, ZERO, 1));
    for (unsigned i = row->only_behind; i < 2; i++) {
        li(code, T0, NEAR_END + i * 16);
        put(code, rv_i(JALR, RA, T0, 0));
    }
    li(code, T0, RESULT);
    put(code, rv_s(SW, A0, T0, result * 4));
}

/* The instructions of a row write to the line at NEAR_END, and perhaps to the one after it. */
static void write_code(struct code *code, const struct row *row)
{
    const uint32_t data[] = {PLUS(2), RET, PLUS(2) >> 16, PLUS(0x21) >> 24, 1u << 20};
    enum { TDMA_PARAMETER = 8, TDMA_COMMAND = 0x10, TDMA_WRITE = 0x666, TDMA_TWO_WORDS = 0x100 };
    set_gpr(code, 1, GPR_LINE, NEAR_END / 16);
    set_gpr(code, 1, GPR_OFFSETS, 2u << 16);
    set_gpr(code, 1, GPR_OFFSETS + 1, 3);
    for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++)
        set_gpr(code, 1, GPR_DATA + i, data[i]);
    if (row->how == BY_MOVER)
        copy_lines(code, NEAR_END, SOURCE, 2);
    if (row->how == BY_PACKER)
        prepare_packer(code, 0, NEAR_END, RET, RET);
    if (row->how != BY_TDMA && row->how != BY_TDMA_WIDE) {
        push(code, row->how == BY_PACKER ? 0 : 1, row->word);
        finish(code);
        return;
    }
    store(code, TF_TDMA_BASE, NEAR_END);
    store(code, TF_TDMA_BASE + TDMA_PARAMETER, PLUS(2));
    store(code, TF_TDMA_BASE + TDMA_PARAMETER + 4, PLUS(4));
    store(code, TF_TDMA_BASE + TDMA_COMMAND, TDMA_WRITE | (row->how == BY_TDMA_WIDE ? TDMA_TWO_WORDS : 0));
}

static struct tf_chip *make_chip(enum tf_mode mode, uint32_t slice_cycles)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.mode = mode;
    config.threads = 1;
    config.pin = false;
    config.slice_cycles = slice_cycles;
    config.epoch_cycles_min = slice_cycles;
    config.go_on_after_fault = true;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

static struct tf_coord coord_of(unsigned tile)
{
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    return coord;
}

static void start(struct tf_chip *chip, unsigned tile, enum tf_core core, struct code *code)
{
    put(code, rv_j(ZERO, 0));
    assert_true(code->count < code->capacity);
    assert_int_equal(tf_write(chip, coord_of(tile), CODE(core), code->word, code->count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, CODE(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

/* T0..T2 do nothing, so they take what B pushes. */
static void start_threads(struct tf_chip *chip, unsigned tile)
{
    for (unsigned core = TF_CORE_T0; core <= TF_CORE_T2; core++) {
        uint32_t words[4];
        struct code code = {.word = words, .capacity = 4};
        start(chip, tile, core, &code);
    }
}

static void load_row(struct tf_chip *chip, unsigned tile, const struct row *row)
{
    static const uint32_t other[LINE_WORDS] = {PLUS(1), RET, RET, RET}, behind[LINE_WORDS] = {PLUS(16), RET},
                          source[2][LINE_WORDS] = {{PLUS(2), RET}, {PLUS(32), RET}};
    uint32_t words[400];
    struct code code = {.word = words, .capacity = 400};
    struct tf_coord coord = coord_of(tile);
    assert_int_equal(tf_write(chip, coord, NEAR_END, row->line[0] != 0 ? row->line : other, sizeof other), TF_OK);
    assert_int_equal(tf_write(chip, coord, NEAR_END + 16, behind, sizeof behind), TF_OK);
    assert_int_equal(tf_write(chip, coord, SOURCE, source, sizeof source), TF_OK);
    start_threads(chip, tile);
    call(&code, row, 0);
    write_code(&code, row);
    call(&code, row, 1);
    start(chip, tile, TF_CORE_B, &code);
}

/* A core executes what the coprocessor has stored over instructions that it had executed before. */
static void executes_what_is_stored(enum tf_mode mode)
{
    struct tf_chip *chip = make_chip(mode, LONG_SLICE);
    struct tf_run_options options = {.cycles_max = 20000};
    for (unsigned i = 0; i < ROWS; i++)
        load_row(chip, i, &rows[i]);
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    for (unsigned i = 0; i < ROWS; i++) {
        uint32_t result[2];
        assert_int_equal(tf_read(chip, coord_of(i), RESULT, result, sizeof result), TF_OK);
        if (result[0] != (rows[i].only_behind ? 1 + 16 : FIRST) || result[1] != rows[i].result)
            fail_msg("row %u: the code gave %u, then %u", i, result[0], result[1]);
    }
    struct tf_fault fault;
    assert_int_equal(tf_fault_count(chip), 1); /* the instruction that ATCAS made illegal */
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(fault.pc, NEAR_END);
    tf_chip_destroy(chip);
}

static void test_executes_what_is_stored(void **state)
{
    (void)state;
    executes_what_is_stored(TF_MODE_DETERMINISTIC);
    executes_what_is_stored(TF_MODE_RELAXED);
}

#define ADD_ONE                                                                          \
    (W(ADDDMAREG) | V(ADDDMAREG, op_a_reg_index, 20) | V(ADDDMAREG, op_b_reg_index, 1) | \
     V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, result_reg_index, 20))

enum { ADDS = 20, PASSED = 10 };

/* T1 waits, then adds one in each cycle. Thread `from` releases it, and B reads the sum PASSED cycles later. */
static unsigned counted(unsigned from, uint32_t waits, uint32_t release, uint32_t slice_cycles)
{
    uint32_t words[400], result;
    struct tf_chip *chip = make_chip(TF_MODE_DETERMINISTIC, slice_cycles);
    struct tf_run_options options = {.cycles_max = 20000};
    struct code code = {.word = words, .capacity = 400};
    assert_int_equal(tf_write(chip, coord_of(0), SOURCE, &(uint32_t){5}, 4), TF_OK);
    start_threads(chip, 0);
    set_gpr(&code, 1, GPR_DATA, WORD_OF / 16);
    copy_lines(&code, WORD_OF, SOURCE, 1);
    prepare_packer(&code, from, WORD_OF, 5, 7);
    push(&code, 1, W(REPLAY) | V(REPLAY, len, ADDS) | V(REPLAY, load_mode, 1));
    for (unsigned i = 0; i < ADDS; i++)
        push(&code, 1, ADD_ONE);
    push(&code, 1, waits);
    push(&code, 1, W(REPLAY) | V(REPLAY, len, ADDS));
    li(&code, T0 + 2, TF_GPR_BASE + (64 + 20) * 4);
    push(&code, from, release);
    for (unsigned i = 1; i < PASSED; i++)
        put(&code, rv_i(ADDI, ZERO, ZERO, 0));
    put(&code, rv_i(LW, A0, T0 + 2, 0));
    li(&code, T0, RESULT);
    put(&code, rv_s(SW, A0, T0, 0));
    start(chip, 0, TF_CORE_B, &code);
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(tf_read(chip, coord_of(0), RESULT, &result, sizeof result), TF_OK);
    tf_chip_destroy(chip);
    return result;
}

/* In the cycle in which its word is written, or in the next one if the writer's thread comes later. */
static void test_waiting_thread_goes_on(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    static const uint32_t waits[] = {
        W(ATCAS) | V(ATCAS, addr_reg_index, GPR_DATA) | V(ATCAS, cmp_val, 5),
        W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, GPR_DATA),
    };
    static const uint32_t release[] = {W(XMOV), PACK};
    static const uint32_t slices[] = {16, LONG_SLICE};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++)
            for (unsigned from = 0; from < 3; from += 2)
                for (unsigned n = 0; n < 2; n++)
                    assert_int_equal(counted(from, waits[i], release[k], slices[n]), PASSED - (from == 0 ? 1 : 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executes_what_is_stored),
        cmocka_unit_test(test_waiting_thread_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
