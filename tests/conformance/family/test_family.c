/* SPDX-License-Identifier: Apache-2.0 */
/* A chip of another family: its table defines places, memories, cores, both NOCs and DRAM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_files.h"
#include "toy.h"
#include "toy_family.h"
#include "addresses.h"
#include "tilefarm_family.h"

#define ROUNDS 20u
#define DRAM_FIRST 0x3000000u /* within the channel, beyond any L1 */

static const struct tf_coord tile[TOY_TILES] = {{0, 1}, {2, 1}};

static struct tf_chip *chip_of(enum tf_mode mode, unsigned threads, bool serial)
{
    struct tf_config config;
    struct tf_chip *chip = NULL;
    struct tf_message message = {""};
    tf_config_init(&config);
    config.arch = &toy_family;
    config.mode = mode;
    config.threads = threads;
    config.serial_delivery = serial;
    if (tf_chip_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

static uint32_t word_at(struct tf_chip *chip, struct tf_coord node, uint64_t address)
{
    uint32_t word;
    assert_int_equal(tf_read(chip, node, address, &word, sizeof word), TF_OK);
    return word;
}

static void test_places(void **state)
{
    (void)state;
    struct tf_shape shape;
    struct tf_coord coord;
    tf_arch_shape(&toy_family, &shape);
    assert_string_equal(shape.name, "toy");
    assert_int_equal(shape.grid_x, 3);
    assert_int_equal(shape.tensix_tiles, TOY_TILES);
    assert_int_equal(shape.eth_tiles, 0);
    assert_int_equal(shape.l1_bytes, TOY_L1_BYTES);
    assert_int_equal(shape.dram_channels, 1);
    for (unsigned i = 0; i < TOY_TILES; i++) {
        assert_int_equal(tf_tile_coord(&toy_family, i, &coord), TF_OK);
        assert_memory_equal(&coord, &tile[i], sizeof coord);
        assert_int_equal(tf_tile_index(&toy_family, tile[i]), i);
    }
    assert_int_equal(tf_tile_coord(&toy_family, TOY_TILES, &coord), TF_ENODEV);
    assert_int_equal(tf_node_kind(&toy_family, (struct tf_coord){2, 2}), TF_NODE_DRAM);
    assert_int_equal(tf_node_kind(&toy_family, (struct tf_coord){3, 1}), TF_NODE_EMPTY);
    assert_string_equal(tf_core_name(&toy_family, tf_node_kind(&toy_family, tile[1]), TF_CORE_T2), "T2");
    assert_string_equal(tf_core_name(&toy_family, tf_node_kind(&toy_family, (struct tf_coord){1, 1}), 0), "-");
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    assert_ptr_equal(tf_chip_arch(chip), &toy_family);
    struct tf_core_view view;
    assert_int_equal(tf_core_view(chip, 1, TF_CORE_T2, &view), TF_OK);
    assert_int_equal(tf_core_view(chip, 2, TF_CORE_B, &view), TF_ENODEV);
    tf_chip_destroy(chip);
}

/* NOC_NODE_ID and NOC_ID_LOGICAL of both NIUs. */
static void test_identity(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    assert_int_equal(word_at(chip, tile[1], NIU_AT(0, NODE_ID)), 2 | 1 << 6 | 3 << 12 | 3 << 19 | 1 << 28);
    assert_int_equal(word_at(chip, tile[1], NIU_AT(1, NODE_ID)), 0 | 1 << 6 | 3 << 12 | 3 << 19);
    for (uint32_t niu = TF_NIU_BASE(0); niu <= TF_NIU_BASE(1); niu += 0x10000) {
        assert_int_equal(word_at(chip, tile[0], niu + 0x148), 9 | 8 << 6);
        assert_int_equal(word_at(chip, tile[1], niu + 0x148), 8 | 8 << 6);
    }
    tf_chip_destroy(chip);
}

static void test_memory(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    uint32_t word = 0x12345678;
    assert_int_equal(tf_write(chip, tile[0], TOY_L1_BYTES - 4, &word, 4), TF_OK);
    assert_int_equal(tf_write(chip, tile[0], TOY_L1_BYTES - 3, &word, 4), TF_ERANGE);
    assert_int_equal(tf_write(chip, tile[0], TOY_L1_BYTES, &word, 4), TF_ERANGE);
    assert_int_equal(tf_write(chip, (struct tf_coord){3, 0}, 0, &word, 4), TF_ENODEV);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, TOY_L1_BYTES), TF_EINVAL);
    assert_int_equal(tf_dram_write(chip, 0, TOY_DRAM_BYTES - 4, &word, 4), TF_OK);
    assert_int_equal(tf_dram_write(chip, 0, TOY_DRAM_BYTES - 3, &word, 4), TF_ERANGE);
    assert_int_equal(tf_dram_write(chip, 1, 0, &word, 4), TF_ENODEV);
    assert_int_equal(word_at(chip, (struct tf_coord){0, 0}, TOY_DRAM_BYTES - 4), word);
    assert_int_equal(word_at(chip, (struct tf_coord){2, 2}, TOY_DRAM_BYTES - 4), word);
    assert_int_equal(tf_read(chip, (struct tf_coord){2, 2}, TOY_DRAM_BYTES, &word, 4), TF_ERANGE);
    tf_chip_destroy(chip);
}

/* Instructions on core B of a tile. */
static void run_on_b(struct tf_chip *chip, unsigned number, const uint32_t *program, unsigned words)
{
    enum tf_end end;
    assert_int_equal(tf_write(chip, tile[number], 0x1000, program, words * sizeof program[0]), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, number, TF_CORE_B, 0x1000), TF_OK);
    assert_int_equal(tf_core_start(chip, number, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
}

/* lui x5, high; sw x0, low(x5); j . */
static void store_by_core(struct tf_chip *chip, unsigned number, uint32_t address)
{
    uint32_t high = (address + 0x800) & 0xFFFFF000, low = address - high;
    const uint32_t program[] = {high | 5 << 7 | 0x37,
                                (low >> 5 & 0x7F) << 25 | 5 << 15 | 2 << 12 | (low & 31) << 7 | 0x23, 0x6F};
    run_on_b(chip, number, program, 3);
}

/* The last word of a memory is there, the next one is a fault. */
static void test_ends(void **state)
{
    (void)state;
    static const uint32_t ends[] = {TOY_L1_BYTES, TF_LOCAL_BASE + TOY_LOCAL_BYTES};
    for (unsigned i = 0; i < 2; i++) {
        struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
        store_by_core(chip, 0, ends[i] - 4);
        assert_int_equal(tf_fault_count(chip), 0);
        store_by_core(chip, 1, ends[i]);
        assert_int_equal(tf_fault_count(chip), 1);
        struct tf_fault fault;
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_memory_equal(&fault.tile, &tile[1], sizeof fault.tile);
        tf_chip_destroy(chip);
    }
}

/*
 * The NIU's own form: tile 0 writes 64 bytes to tile 1. The host sets the second initiator up, and the core starts it.
 * Its program: lui x5, 0xFFB20; addi x6, x0, 1; sw x6, 0x42C(x5); lw x7, 0x430(x5); sw x7, 0x700(x0); j .
 */
static void test_niu_layout(void **state)
{
    (void)state;
    static const uint32_t program[] = {0xFFB202B7, 0x00100313, 0x4262A623, 0x4302A383, 0x70702023, 0x6F};
    static const struct {
        uint32_t offset, value;
    } setting[] = {{0x00, 0x2000},  {0x04, (9 | 8 << 6) << 4},
                   {0x0C, 0x3000},  {0x10, (8 | 8 << 6) << 4},
                   {0x18, 3 << 10}, {0x1C, 0x12},
                   {0x20, 64}};
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    uint8_t data[64], got[64];
    memset(data, 0xA5, sizeof data);
    assert_int_equal(tf_write(chip, tile[0], 0x2000, data, sizeof data), TF_OK);
    for (unsigned i = 0; i < sizeof setting / sizeof setting[0]; i++) {
        uint32_t at = TF_NIU_BASE(0) + TF_NOC_INITIATOR_BYTES + setting[i].offset;
        assert_int_equal(tf_write(chip, tile[0], at, &setting[i].value, 4), TF_OK);
        assert_int_equal(word_at(chip, tile[0], at), setting[i].value);
    }
    run_on_b(chip, 0, program, 6);
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(tf_read(chip, tile[1], 0x3000, got, sizeof got), TF_OK);
    assert_memory_equal(got, data, sizeof data);
    assert_int_equal(word_at(chip, tile[0], 0x700), 0 | 1 << 6 | 3 << 12 | 3 << 19 | 1 << 28);
    assert_int_equal(word_at(chip, tile[0], NIU_COUNTER(0, 1)), 1); /* acknowledged */
    uint32_t word;
    assert_int_equal(tf_read(chip, tile[0], TF_NIU_BASE(0) + 0x40, &word, 4),
                     TF_EACCESS); /* Blackhole's NOC_CMD_CTRL */
    tf_chip_destroy(chip);
}

/* Blackhole's windows that the family lacks are unmapped, for the host and for cores. */
static void test_windows(void **state)
{
    (void)state;
    static const struct {
        uint32_t address;
        bool exists;
    } cases[] = {{NIU_AT(0, NODE_ID), true},
                 {DEBUG_AT(BUS_CTRL), true},
                 {PIC_AT(BRISC_SW_INT_EN), false},
                 {TF_LOCAL_OF_B_BASE, false},
                 {STREAM_AT(0, TF_STREAM_ACKED), false},
                 {TF_INSTRN_BUF_OF(1), false}};
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t word;
        if ((tf_read(chip, tile[0], cases[i].address, &word, sizeof word) == TF_OK) != cases[i].exists)
            fail_msg("0x%08x", cases[i].address);
    }
    store_by_core(chip, 0, TF_LOCAL_OF_B_BASE);
    struct tf_fault fault;
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_non_null(strstr(fault.text, "unmapped"));
    tf_chip_destroy(chip);
}

/* Instructions of an extension that the family lacks are illegal; Blackhole has them. */
static void test_extensions(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        bool exists;
    } cases[] = {
        {0x02628333, true},  /* mul x6, x5, x6 */
        {0x2062A333, true},  /* sh1add x6, x5, x6 */
        {0x0C62A02F, true},  /* amoswap.w x0, x6, (x5), with aq: x5 is 0x20000 */
        {0x60029313, false}, /* clz x6, x5 */
        {0xA062C333, false}, /* no instruction anywhere */
        {0x0062F053, false}, /* fadd.s f0, f5, f6 */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t program[] = {0x000202B7, cases[i].word, 0x6F};
        struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
        run_on_b(chip, 0, program, 3);
        if ((tf_fault_count(chip) == 0) != cases[i].exists)
            fail_msg("0x%08x faults: %zu", cases[i].word, tf_fault_count(chip));
        tf_chip_destroy(chip);
    }
}

/* T0 stores a word: lui x5, high; lw x6, 0x100(x0); sw x6, low(x5); j . Returns the fault's text, or NULL. */
static const char *store_by_t0(uint32_t address, uint32_t value)
{
    static struct tf_fault fault;
    const uint32_t program[] = {(address & 0xFFFFF000) | 5 << 7 | 0x37, 0x10002303,
                                (address & 31) << 7 | 6 << 20 | 5 << 15 | 2 << 12 | 0x23, 0x6F};
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    enum tf_end end;
    assert_int_equal(tf_write(chip, tile[0], 0x1000, program, sizeof program), TF_OK);
    assert_int_equal(tf_write(chip, tile[0], 0x100, &value, sizeof value), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T0, 0x1000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_T0), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    bool faulted = tf_fault_get(chip, 0, &fault) == TF_OK;
    tf_chip_destroy(chip);
    return faulted ? fault.text : NULL;
}

#define PUSH TF_INSTRN_BUF_BASE
#define MOP_WORD (TF_MOP_CFG_BASE + 4 * 4)

/* An opcode that the family lacks is a fault of the core that pushes it, or writes it into the MOP's template. */
static void test_opcodes(void **state)
{
    (void)state;
    const char *text = store_by_t0(PUSH, 0x70000000); /* SFPLOAD */
    assert_non_null(text);
    assert_non_null(strstr(text, "the coprocessor of Toy has no SFPLOAD"));
    text = store_by_t0(MOP_WORD, 0x70000000);
    assert_non_null(text);
    assert_non_null(strstr(text, "has no SFPLOAD"));
    assert_null(store_by_t0(PUSH, 0x02000000)); /* NOP */
    assert_null(store_by_t0(MOP_WORD, 0x02000000));
}

/* PACR instructs packer 0, packer 1 or both; there is no third one. */
static void test_packers(void **state)
{
    (void)state;
    const uint32_t pacr = 0x41000000u;
    for (uint32_t mask = 0; mask < 16; mask++) {
        const char *text = store_by_t0(PUSH, pacr | mask << 8);
        bool refused = text != NULL && strstr(text, "PACR with this PackerMask") != NULL;
        if (refused != (mask > 3))
            fail_msg("mask %u: %s", mask, text == NULL ? "no fault" : text);
    }
}

/* ATGETM of mutexes that exist, and of mutexes that do not. */
static void test_mutexes(void **state)
{
    (void)state;
    assert_null(store_by_t0(PUSH, 0xA0000006));
    const char *text = store_by_t0(PUSH, 0xA0000002);
    assert_non_null(text);
    assert_non_null(strstr(text, "there is no mutex 2"));
}

static void load(struct tf_chip *chip, unsigned number)
{
    struct tf_k_params params = {.magic = TF_K_PARAMS_MAGIC, .scale = ROUNDS};
    params.at[TF_K_AT_INC] = TF_K_AT(0x1000 | 31 << 2, 0, TF_K_NONE, TF_K_NONE);
    const struct toy_setting setting = {
        .me = number,
        .tile0_xy = 9 | 8 << 6,
        .dram_xy = {9 | 9 << 6, 8 | 10 << 6},
        /* From corner to corner, end and start. NOC 1 goes in the other direction. */
        .rectangle = {2 | 2 << 6 | 0 << 12 | 0 << 18, 0 | 0 << 6 | 2 << 12 | 2 << 18},
        .dram_first = DRAM_FIRST,
    };
    assert_int_equal(tf_write(chip, tile[number], TF_K_PARAMS, &params, sizeof params), TF_OK);
    assert_int_equal(tf_write(chip, tile[number], TOY_SETTING, &setting, sizeof setting), TF_OK);
    for (unsigned core = 0; core < 3; core++) {
        char path[512];
        struct tf_message message = {""};
        snprintf(path, sizeof path, "%s%u.elf", TOY_PROGRAMS, core);
        if (tf_load_elf(chip, number, (enum tf_core)core, path, NULL, 0, &message) != TF_OK)
            fail_msg("%s", message.text);
    }
}

static void check(struct tf_chip *chip)
{
    const uint32_t tickets = TOY_TILES * ROUNDS, words = TOY_TICKET_BYTES / 4;
    const uint32_t sum = words * (tickets * (tickets - 1) / 2) + tickets * (4 * words * (words - 1) / 2);
    uint32_t squares = 0;
    for (uint32_t i = 0; i < 256; i++)
        squares += i * i;
    assert_int_equal(word_at(chip, tile[0], TOY_TICKET), tickets);
    for (unsigned i = 0; i < TOY_TILES; i++) {
        for (unsigned core = 0; core < 3; core++)
            assert_int_equal(word_at(chip, tile[i], TF_K_DONE + 4 * core), TF_K_DONE_MAGIC);
        assert_int_equal(word_at(chip, tile[i], TF_K_RESULT), sum);
        assert_int_equal(word_at(chip, tile[i], TF_K_RESULT + TF_K_RESULT_BYTES), squares);
        assert_int_equal(word_at(chip, tile[i], TF_K_RESULT + 2 * TF_K_RESULT_BYTES), TOY_POSTS);
    }
}

static uint64_t work(enum tf_mode mode, unsigned threads, bool serial)
{
    struct tf_chip *chip = chip_of(mode, threads, serial);
    for (unsigned i = 0; i < TOY_TILES; i++)
        load(chip, i);
    for (unsigned i = 0; i < TOY_TILES; i++)
        for (unsigned core = 0; core < 3; core++)
            assert_int_equal(tf_core_start(chip, i, (enum tf_core)core), TF_OK);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    struct tf_fault fault;
    if (tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("(%u,%u) core %u pc 0x%x: %s", fault.tile.x, fault.tile.y, fault.core, fault.pc, fault.text);
    assert_int_equal(end, TF_END_QUIET);
    check(chip);
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

static void test_work(void **state)
{
    (void)state;
    uint64_t hash = work(TF_MODE_DETERMINISTIC, 1, true);
    for (unsigned threads = 1; threads <= 3; threads++)
        assert_true(work(TF_MODE_DETERMINISTIC, threads, false) == hash);
}

static void test_work_relaxed(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        work(TF_MODE_RELAXED, threads, false);
}

/* A workload does not begin on a chip with too few tiles. */
static void test_workload_of_others(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_of(TF_MODE_DETERMINISTIC, 1, false);
    const struct tf_workload *workload = tf_workload_find("ring");
    struct tf_workload_options options = {.seed = 1};
    struct tf_message message = {""};
    void *work = NULL;
    assert_non_null(workload);
    assert_int_equal(workload->setup(chip, &options, &work, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "ring needs"));
    assert_non_null(strstr(message.text, "Toy"));
    tf_chip_destroy(chip);
}

/* The report's cores of a tile: lists in the list `c`. Returns the place after it. */
static const char *count_cores(const char *text, unsigned *cores)
{
    const char *at = strstr(text, ",c:[");
    *cores = 0;
    for (at = at == NULL ? NULL : at + 4; at != NULL && *at != ']'; at = strchr(at, ']') + 1) {
        at += *at == ',';
        assert_int_equal(*at, '[');
        ++*cores;
    }
    return at;
}

static void expect_report(const char *path, unsigned cores)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    const char *at = text;
    for (unsigned i = 0; i < TOY_TILES; i++) {
        unsigned count;
        at = count_cores(at, &count);
        assert_int_equal(count, cores);
    }
}

/* Tiles of two cores, without a coprocessor. Core NC stores to a word that B loads, and nothing orders the two. */
static void test_fewer_cores(void **state)
{
    static const uint32_t code[2][4] = {{0x000017B7, 0x0007A703, 0x00100073},  /* lui a5, 1; lw a4, 0(a5); ebreak */
                                        {0x000017B7, 0x00F7A023, 0x00100073}}; /* lui a5, 1; sw a5, 0(a5); ebreak */
    char path[] = "/tmp/test_family_XXXXXX";
    const struct tf_files_wish wish = {.report = path};
    struct tf_arch two = toy_family;
    struct tf_config config;
    struct tf_message message = {""};
    struct tf_files *files;
    struct tf_chip *chip = NULL;
    struct tf_core_view view;
    struct tf_race race[8];
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    two.tile[TF_TILE_TENSIX].cores = 2;
    two.tile[TF_TILE_TENSIX].coprocessor = false;
    tf_config_init(&config);
    config.arch = &two;
    config.check = true;
    if (tf_files_open(&wish, &config, &files, &message) != TF_OK || tf_chip_create(&config, &chip, &message) != TF_OK ||
        tf_files_attach(files, chip, NULL) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_T0), TF_ENODEV);
    assert_int_equal(tf_core_view(chip, 0, TF_CORE_T0, &view), TF_ENODEV);
    assert_int_equal(tf_write(chip, tile[0], 0x1000, code, 4), TF_OK);
    for (unsigned core = TF_CORE_B; core <= TF_CORE_NC; core++) {
        assert_int_equal(tf_write(chip, tile[0], 0x2000 + 0x100 * core, code[core], sizeof code[core]), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, 0, (enum tf_core)core, 0x2000 + 0x100 * core), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, (enum tf_core)core), TF_OK);
    }
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(tf_races(chip, race, 8), 1);
    assert_int_equal(race[0].address, 0x1000);
    assert_int_equal(tf_files_write(files, NULL, &message), TF_OK);
    tf_chip_destroy(chip);
    tf_files_close(files);
    expect_report(path, 2);
    unlink(path);
}

static void refuse(const struct tf_arch *arch, const char *why)
{
    struct tf_config config;
    struct tf_chip *chip = NULL;
    struct tf_message message = {""};
    tf_config_init(&config);
    config.arch = arch;
    assert_int_equal(tf_chip_create(&config, &chip, &message), TF_EINVAL);
    if (strstr(message.text, why) == NULL)
        fail_msg("'%s' says nothing of '%s'", message.text, why);
}

static void test_bad_tables(void **state)
{
    (void)state;
    struct tf_arch bad = toy_family;
    bad.grid_x = TF_GRID_X_MAX + 1;
    refuse(&bad, "grid");
    bad = toy_family;
    bad.tile[TF_TILE_TENSIX].tiles = 3;
    refuse(&bad, "number of tiles");
    bad = toy_family;
    bad.tile[TF_TILE_TENSIX].l1_bytes = TF_L1_BYTES_MAX + 1024;
    refuse(&bad, "L1");
    bad = toy_family;
    bad.tile[TF_TILE_TENSIX].local_bytes[TF_CORE_T1] = 1000;
    refuse(&bad, "RAM");
    bad = toy_family;
    bad.place[0].index = 1;
    refuse(&bad, "channel");
    bad = toy_family;
    bad.place[3].index = 1;
    refuse(&bad, "numbered");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_work_relaxed),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_niu_layout),
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_packers),
        cmocka_unit_test(test_mutexes),
        cmocka_unit_test(test_fewer_cores),
        cmocka_unit_test(test_bad_tables),
        cmocka_unit_test(test_workload_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
