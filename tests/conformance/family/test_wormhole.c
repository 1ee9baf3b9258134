/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's table: what the pages of WormholeB0 say of grid, cores, NIUs, requests, backend configuration and
 * instructions. A fault refuses what the chip lacks. docs/wormhole.md lists the statements.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "farm/chip/chip.h"
#include "host/hostile.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/reset.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/state.h"
#include "tile/tensix/whole/tensix.h"

#include "conformance/family/wormhole_fixture.h" /* its chip would shadow parameters of other headers */
#include "addresses.h"

#define NIU0 TF_NIU_BASE(0)
#define NIU1 TF_NIU_BASE(1)
#define CONFIG TF_CFG_BASE
#define PUSH TF_INSTRN_BUF_BASE

static const struct tf_coord first = {1, 1}, last = {9, 11};

/* The store wakes the tile, which these tests reach past the farm. */
static void run(void)
{
    enum tf_end end;
    assert_int_equal(put_word(first, 0x70000, 0), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
}

/* The last fault has this category, and its sentence this part. */
static void expect_fault(enum tf_fault_category category, const char *part)
{
    struct tf_fault fault;
    run();
    size_t count = tf_fault_count(chip);
    assert_true(count != 0);
    assert_int_equal(tf_fault_get(chip, count - 1, &fault), TF_OK);
    if (strstr(fault.text, part) == NULL)
        fail_msg("'%s' says nothing of '%s'", fault.text, part);
    assert_int_equal(fault.category, category);
}

/* NoC/Coordinates.md, BabyRISCV/README.md, DRAMTile/README.md. */
static void test_table(void **state)
{
    (void)state;
    static const struct {
        struct tf_coord at;
        enum tf_node_kind kind;
    } nodes[] = {{{0, 0}, TF_NODE_DRAM}, {{0, 2}, TF_NODE_EMPTY}, {{0, 3}, TF_NODE_PCIE}, {{0, 10}, TF_NODE_ARC},
                 {{1, 0}, TF_NODE_ETH},  {{9, 6}, TF_NODE_ETH},   {{5, 8}, TF_NODE_DRAM}, {{6, 5}, TF_NODE_TENSIX}};
    struct tf_shape shape;
    struct tf_coord coord;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    assert_int_equal(shape.grid_x, 10);
    assert_int_equal(shape.grid_y, 12);
    assert_int_equal(shape.tensix_tiles, 80);
    assert_int_equal(shape.l1_bytes, 1464 * 1024);
    assert_int_equal(shape.dram_channels, 6);
    assert_true(shape.dram_channel_bytes == 2ull << 30);
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        assert_int_equal(tf_node_kind(tf_chip_arch(chip), nodes[i].at), nodes[i].kind);
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 79, &coord), TF_OK);
    assert_memory_equal(&coord, &last, sizeof last);
    assert_int_equal(tf_tile_index(tf_chip_arch(chip), (struct tf_coord){1, 7}), 40);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        assert_int_equal(chip->tiles.tile[0].hart[core].local_bytes, core < TF_CORE_T0 ? 4096 : 2048);
    assert_int_equal(put_word(first, 1464 * 1024 - 4, 1), TF_OK);
    assert_int_equal(put_word(first, 1464 * 1024, 1), TF_ERANGE);
    /* Three ports show one channel. */
    assert_int_equal(put_word((struct tf_coord){5, 3}, 0x7FFFFFFC, 77), TF_OK);
    assert_int_equal(word_at((struct tf_coord){5, 4}, 0x7FFFFFFC), 77);
    assert_int_equal(word_at((struct tf_coord){5, 8}, 0x7FFFFFFC), 77);
    assert_int_equal(put_word((struct tf_coord){5, 8}, 0x80000000, 1), TF_ERANGE);
}

/* NoC/MemoryMap.md and Coordinates.md, with no row harvested. */
static void test_identity(void **state)
{
    (void)state;
    const struct tf_coord dram = {0, 1};
    assert_int_equal(word_at(last, NIU0 + 0x2C), 9 | 11 << 6 | 10 << 12 | 12 << 19 | 1 << 28);
    assert_int_equal(word_at(last, NIU1 + 0x42C), 0 | 0 << 6 | 10 << 12 | 12 << 19);
    assert_int_equal(word_at(last, NIU0 + 0x30), 79);
    assert_int_equal(word_at(last, NIU1 + 0x30), 79 | 1 << 24);
    assert_int_equal(word_at(dram, 0xF00000000 + NIU0 + 0x30), 1 | 0 << 8 | 8 << 16);
    assert_int_equal(word_at((struct tf_coord){5, 7}, 0xF00000000 + NIU0 + 0x30), 2 | 5 << 8 | 8 << 16);
    assert_int_equal(word_at(last, NIU0 + 0x138), 25 | 27 << 6);
    assert_int_equal(word_at(last, NIU1 + 0x138), 25 | 27 << 6);
    assert_int_equal(word_at(last, NIU0 + 0x118), 0x76543210);
    assert_int_equal(word_at(last, NIU1 + 0x118), 0x76543210);
    assert_int_equal(word_at(last, NIU0 + 0x120), 0x76432150); /* entries 16 to 23 */
    assert_int_equal(word_at(last, NIU1 + 0x120), 0x23567849);
    assert_int_equal(word_at(last, NIU0 + 0x124), 0x00000098); /* entries 26 to 31: 0 on either NOC */
    assert_int_equal(word_at(last, NIU1 + 0x124), 0x00000001);
    assert_int_equal(word_at(last, NIU0 + 0x134), 0x0000BA98); /* of y */
    assert_int_equal(word_at(last, NIU1 + 0x134), 0x00000123);
    static const uint8_t rows[] = {2, 4, 8, 9}, numbers[] = {0, 1, 3, 4}; /* of nodes without anything */
    for (unsigned i = 0; i < sizeof rows; i++)
        assert_int_equal(word_at((struct tf_coord){0, rows[i]}, 0xF00000000 + NIU0 + 0x30), numbers[i] | 3 << 16);
    assert_int_equal(word_at(last, NIU0 + 0x108), 1 << 0 | 1 << 5); /* columns without multicasts */
    assert_int_equal(word_at(last, NIU1 + 0x108), 1 << 9 | 1 << 4);
    assert_int_equal(word_at(last, NIU0 + 0x110), 1 << 0 | 1 << 6);
}

/* A request of the host's by initiator 2 of NIU 0, in the first tile. */
static int request(uint64_t target, uint64_t return_address, uint32_t ctrl, uint32_t at_len_be, uint32_t data)
{
    const uint32_t words[] = {(uint32_t)target,
                              (uint32_t)(target >> 32),
                              0,
                              (uint32_t)return_address,
                              (uint32_t)(return_address >> 32),
                              0,
                              1 << 10,
                              ctrl,
                              at_len_be,
                              data};
    for (unsigned i = 0; i < 10; i++)
        if (i != 2 && i != 5)
            assert_int_equal(put_word(first, NIU0 + 0x800 + i * 4, words[i]), TF_OK);
    return put_word(first, NIU0 + 0x828, 1);
}

#define AT(x, y, address) ((uint64_t)((x) | (y) << 6) << 36 | (address))

/* Packets of 8 KiB and flits of 32 bytes (NoC/Counters.md). */
static void test_packets(void **state)
{
    (void)state;
    uint8_t data[8192 + 32], got[sizeof data];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    assert_int_equal(tf_write(chip, first, 0x20000, data, sizeof data), TF_OK);
    assert_int_equal(request(AT(1, 1, 0x20000), AT(9, 11, 0x30000), 0x12, sizeof data, 0), TF_OK);
    assert_int_equal(word_at(first, NIU0 + 0x54), 1 << 2); /* waits in initiator 2 */
    run();
    assert_int_equal(word_at(first, NIU0 + 0x54), 0);
    assert_int_equal(tf_read(chip, last, 0x30000, got, sizeof got), TF_OK);
    assert_memory_equal(got, data, sizeof data);
    assert_int_equal(word_at(first, NIU0 + 0x200 + 4 * 10), 2);
    assert_int_equal(word_at(first, NIU0 + 0x200 + 4 * 8), 257);
    assert_int_equal(word_at(first, NIU0 + 0x200 + 4 * 17), 0);
}

/* MemoryMap.md, "NOC_AT_LEN_BE": masks of 32 bytes, inline writes of a line under a mask. By translated names. */
static void test_masks(void **state)
{
    (void)state;
    uint8_t data[64], got[64], zero[64] = {0};
    memset(data, 0xEE, sizeof data);
    assert_int_equal(tf_write(chip, first, 0x20000, data, sizeof data), TF_OK);
    assert_int_equal(request(AT(1, 1, 0x20000), AT(25, 27, 0x30000), 0x16, 0x80000001, 0), TF_OK);
    run();
    assert_int_equal(tf_read(chip, last, 0x30000, got, sizeof got), TF_OK);
    zero[0] = zero[31] = 0xEE;
    assert_memory_equal(got, zero, sizeof got);
    assert_int_equal(request(AT(25, 27, 0x40004), AT(1, 1, 0), 0x1A, 0x80010004, 0xA1B2C3D4), TF_OK);
    run();
    assert_int_equal(tf_read(chip, last, 0x40000, got, sizeof got), TF_OK);
    memset(zero, 0, sizeof zero);
    zero[0] = 0xD4;
    zero[2] = 0xB2;
    zero[15] = 0xA1;
    assert_memory_equal(got, zero, sizeof got);
    assert_int_equal(tf_fault_count(chip), 0); /* no hazard either */
}

/* Atomics.md has increment, compare and swap, and three swaps. */
static void test_atomics(void **state)
{
    (void)state;
    static const uint16_t exists = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7;
    for (unsigned opcode = 0; opcode < 16; opcode++) {
        uint32_t at = opcode << 12 | (opcode == 6 ? 4 : 0);
        int result = request(AT(9, 11, 0x50000), AT(1, 1, 0x60000), 0x11, at, 5);
        assert_int_equal(result, exists >> opcode & 1 ? TF_OK : TF_EACCESS);
        run();
    }
}

/* Instructions of extensions that the cores lack are illegal. */
static void test_cores(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        bool exists;
    } cases[] = {
        {0x02628333, true},  /* mul x6, x5, x6 */
        {0x2062A333, false}, /* sh1add x6, x5, x6 */
        {0x60029313, false}, /* clz x6, x5 */
        {0x0C62A02F, false}, /* amoswap.w x0, x6, (x5) */
        {0xC0002373, false}, /* rdcycle x6 */
        {0x0062F053, false}, /* fadd.s f0, f5, f6 */
        {0x30200073, false}, /* mret */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t program[] = {0x000202B7, cases[i].word, 0x6F};
        size_t faults = tf_fault_count(chip);
        assert_int_equal(tf_write(chip, first, 0x1000 + i * 0x400, program, sizeof program), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T2, 0x1000 + i * 0x400), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, TF_CORE_T2), TF_OK);
        run();
        if ((tf_fault_count(chip) == faults) != cases[i].exists)
            fail_msg("0x%08x", cases[i].word);
        if (!cases[i].exists)
            expect_fault(TF_FAULT_UNDEFINED, "core of Wormhole does not have it");
        assert_int_equal(tf_core_stop(chip, 0, TF_CORE_T2), TF_OK);
    }
}

static enum tf_access store(unsigned core, uint32_t address, uint32_t value)
{
    return tf_mmio_store(&chip->tiles.tile[0], core, address, 4, value);
}

static uint32_t load(unsigned core, uint32_t address)
{
    uint32_t value = 0;
    bool pure;
    assert_int_equal(tf_mmio_load(&chip->tiles.tile[0], core, address, 4, &value, &pure), TF_ACCESS_OK);
    return value;
}

static uint32_t config(unsigned bank, unsigned word)
{
    return load(TF_CORE_B, CONFIG + (bank * 188 + word) * 4);
}

/* BackendConfiguration.md: 188 words a bank, the second one at 0xFFEF02F0; 57 words of a thread, 16 bytes apart. */
static void test_configuration(void **state)
{
    (void)state;
    assert_int_equal(store(TF_CORE_B, CONFIG + 187 * 4, 5), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_B, TF_CFG_BASE + 4 * 188 + 51 * 4, 6), TF_ACCESS_OK);
    assert_int_equal(config(0, 51), 0);
    assert_int_equal(config(1, 51), 6);
    assert_int_equal(config(1, 187), 5); /* both banks share words from 152 on */
    assert_int_equal(store(TF_CORE_B, CONFIG + (188 + 4) * 4, 0), TF_ACCESS_OK); /* STATE_RESET_EN of bank 1 */
    assert_int_equal(config(1, 51), 0);
    assert_int_equal(config(1, 187), 5);
    assert_int_equal(store(TF_CORE_T0, PUSH, 0xB2000000 | 56 << 16 | 0xABCD), TF_ACCESS_OK); /* SETC16 */
    run();
    assert_int_equal(load(TF_CORE_B, CONFIG + (2 * 188 + 56 * 4) * 4), 0xABCD);
    assert_int_equal(load(TF_CORE_B, CONFIG + (2 * 188 + 56 * 4 + 1) * 4), 0);
    assert_int_equal(store(TF_CORE_B, CONFIG + 2 * 188 * 4, 1), TF_ACCESS_FAULT);
    assert_int_equal(store(TF_CORE_B, CONFIG + (2 * 188 + 3 * 57 * 4) * 4, 1), TF_ACCESS_FAULT);
    store(TF_CORE_T0, PUSH, 0xB2000000 | 57 << 16);
    run();
    expect_fault(TF_FAULT_UNDEFINED, "no word 57");
}

/* Each field that units read has the value of the family's field. */
static void test_fields(void **state)
{
    (void)state;
    const struct tf_backend_config *units = chip->tiles.tile[0].tensix->config;
    for (unsigned i = 0; i < tf_config_wormhole.places; i++) {
        const struct tf_cfg_place *place = &tf_config_wormhole.place[i];
        uint32_t ones = (place->width == 32 ? UINT32_MAX : (1u << place->width) - 1);
        if (place->word == tf_config_wormhole.state_reset)
            continue;
        for (unsigned value = 0; value < 2; value++) {
            store(TF_CORE_B, CONFIG + (188u + place->word) * 4, value ? ones << place->first : 0);
            uint32_t got = tf_cfg_cut(units->bank[1][place->common >> 16], place->common);
            uint32_t width = place->common & 0xFF, most = width >= 32 ? UINT32_MAX : (1u << width) - 1;
            if (got != (value ? ones & most : 0))
                fail_msg("word %u bit %u: 0x%x", place->word, place->first, got);
        }
    }
}

/* So do the fields of threads. Fields that Wormhole lacks have one value for ever. */
static void test_thread_fields(void **state)
{
    (void)state;
    struct tf_tile *tile = &chip->tiles.tile[0];
    const struct tf_backend_config *units = tile->tensix->config;
    for (unsigned i = 0; i < tf_config_wormhole.thread_places; i++) {
        const struct tf_cfg_place *place = &tf_config_wormhole.thread_place[i];
        uint32_t width = place->common & 0xFF, ones = (1u << (place->width < width ? place->width : width)) - 1;
        if (place->word == tf_config_wormhole.modifier_set)
            continue;
        for (unsigned value = 0; value < 4; value++) {
            uint16_t word = (uint16_t[]){0, 0xFFFF, 0x5555, 0}[value];
            tf_config_spread_thread(tile, 1, place->word, word);
            uint32_t got = tf_cfg_cut(units->thread[1][place->common >> 16], place->common);
            if (got != ((uint32_t)word >> place->first & ones))
                fail_msg("word %u bit %u: 0x%x", place->word, place->first, got);
        }
    }
    for (unsigned thread = 0; thread < 3; thread++) {
        assert_int_equal(tf_cfg_cut(units->thread[thread][TF_THREAD_CFG_DISABLE_IMPLIED_SRCA_FMT_Base >> 16],
                                    TF_THREAD_CFG_DISABLE_IMPLIED_SRCA_FMT_Base),
                         1);
        assert_int_equal(tf_cfg_cut(units->thread[thread][TF_THREAD_CFG_DISABLE_IMPLIED_SRCB_FMT_Base >> 16],
                                    TF_THREAD_CFG_DISABLE_IMPLIED_SRCB_FMT_Base),
                         1);
    }
    for (unsigned bank = 0; bank < 2; bank++)
        assert_int_equal(tf_cfg_cut(units->bank[bank][TF_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode >> 16],
                                    TF_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode),
                         1);
}

/* With the upper set of address modifiers chosen, units find sections 4 to 7 in the place of 0 to 3. */
static void test_modifier_sets(void **state)
{
    (void)state;
    struct tf_tile *tile = &chip->tiles.tile[0];
    const struct tf_backend_config *config = tile->tensix->config;
    static const unsigned section_0[] = {TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16,
                                         TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16,
                                         TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr >> 16};
    unsigned tried = 0;
    for (unsigned i = 0; i < tf_config_wormhole.thread_places; i++) {
        const struct tf_cfg_place *place = &tf_config_wormhole.thread_place[i], *upper = NULL;
        bool lower = false;
        for (unsigned k = 0; k < 3; k++)
            lower = lower || (place->common >> 16) - section_0[k] < 4;
        for (unsigned k = 0; k < tf_config_wormhole.thread_places; k++)
            if (tf_config_wormhole.thread_place[k].common == place->common + (4u << 16))
                upper = &tf_config_wormhole.thread_place[k];
        if (!lower)
            continue;
        tried++;
        assert_non_null(upper);
        tf_config_spread_thread(tile, 1, tf_config_wormhole.modifier_set, 1);
        tf_config_spread_thread(tile, 1, place->word, 0xFFFF);
        assert_int_equal(tf_cfg_cut(config->thread[1][place->common >> 16], place->common), 0);
        tf_config_spread_thread(tile, 1, upper->word, 0x0101);
        assert_int_equal(tf_cfg_cut(config->thread[1][place->common >> 16], place->common),
                         0x0101u >> upper->first & ((1u << upper->width) - 1));
        tf_config_spread_thread(tile, 1, tf_config_wormhole.modifier_set, 0);
        uint32_t ones = (1u << ((place->common & 0xFF) < place->width ? place->common & 0xFF : place->width)) - 1;
        assert_int_equal(tf_cfg_cut(config->thread[1][place->common >> 16], place->common), ones);
        tf_config_spread_thread(tile, 1, place->word, 0);
        tf_config_spread_thread(tile, 1, upper->word, 0);
    }
    assert_true(tried > 12);
}

/* Instructions that the coprocessor lacks, and those that are not implemented, are faults that name them. */
static void test_instructions(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        enum tf_fault_category category;
        const char *part;
    } cases[] = {
        {0x99000000, TF_FAULT_UNDEFINED, "has no SFPARECIP"},
        {0xA7000000, TF_FAULT_UNDEFINED, "has no STREAMWAIT"},
        {0x41004000, TF_FAULT_UNDEFINED, "PACR of Wormhole with reserved bits set"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(store(TF_CORE_T1, PUSH, cases[i].word), TF_ACCESS_FAULT);
        expect_fault(cases[i].category, cases[i].part);
        assert_int_equal(store(TF_CORE_T1, TF_MOP_CFG_BASE + 4 * 4, cases[i].word), TF_ACCESS_FAULT); /* MOP template */
        teardown(NULL); /* a tile keeps few faults */
        setup(NULL);
    }
    size_t faults = tf_fault_count(chip);
    store(TF_CORE_T0, PUSH, 0xA0000007);                /* ATGETM of the last mutex */
    store(TF_CORE_T0, PUSH, 0xA20078F8 | 0x1FFu << 15); /* STALLWAIT for packers and C11 to C14: met, but C11 */
    run();
    assert_int_equal(tf_fault_count(chip), faults);
    store(TF_CORE_T1, PUSH, 0xA0000001);
    run();
    expect_fault(TF_FAULT_UNDEFINED, "no mutex 1 on Wormhole");
}

/* Conditions of STALLWAIT lie where Wormhole has them: C11, SrcB is not the matrix unit's, holds; C3 to C7 do not. */
static void test_conditions(void **state)
{
    (void)state;
    if (TF_HOSTILE)
        skip(); /* two pushes do not fit */
    for (unsigned condition = 0; condition < 15; condition++) {
        bool holds = condition == 10 || condition == 11; /* no unpacker has filled a bank */
        teardown(NULL); /* a new chip for each: the thread that waits would go on waiting */
        setup(NULL);
        store(TF_CORE_T0, PUSH, 0xA2000000 | 1u << 15 << 1 | 1u << condition); /* B1: sync instructions wait */
        store(TF_CORE_T0, PUSH, 0xA4000000 | 1u << 2);                         /* SEMPOST 0 */
        run();
        if (load(TF_CORE_T0, TF_SEMAPHORE_BASE) != !holds)
            fail_msg("C%u", condition);
    }
}

/* C3 waits for packer 0, C4 to C6 for the others, where units complete late. No bit stands for all of them. */
static void test_packer_conditions(void **state)
{
    (void)state;
    if (TF_HOSTILE)
        skip(); /* two pushes do not fit */
    for (unsigned condition = 2; condition < 8; condition++)
        for (unsigned packer = 0; packer < 4; packer++) {
            teardown(NULL);
            setup(NULL);
            struct tf_busy_packers *busy = chip->tiles.tile[0].tensix->busy_packers;
            tf_tensix_delay(&chip->tiles.tile[0], 1);
            busy->until[packer][0] = UINT64_MAX;
            store(TF_CORE_T0, PUSH, 0xA2000000 | 1u << 15 << 1 | (condition < 7 ? 1u << condition : 0)); /* B1 */
            store(TF_CORE_T0, PUSH, 0xA4000000 | 1u << 2);                                               /* SEMPOST 0 */
            run();
            bool holds = condition == 7 || condition == packer + 3;
            if (load(TF_CORE_T0, TF_SEMAPHORE_BASE) != !holds)
                fail_msg("C%u, packer %u", condition, packer);
        }
}

/* SoftReset.md: the reset addresses of T0 to T2 and NC are in Config, words 158 to 163. */
static void test_reset_addresses(void **state)
{
    (void)state;
    static const struct {
        unsigned core;
        uint32_t without, with;
    } cases[] = {{TF_CORE_B, 0, 0},
                 {TF_CORE_T0, 0x06000, 0x8000},
                 {TF_CORE_T1, 0x0A000, 0x8100},
                 {TF_CORE_T2, 0x0E000, 0x8200},
                 {TF_CORE_NC, 0x12000, 0x8300}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tf_mmio_reset_pc(&chip->tiles.tile[0], cases[i].core), cases[i].without);
    for (unsigned i = 0; i < 3; i++)
        store(TF_CORE_B, CONFIG + (158 + i) * 4, 0x8000 + i * 0x100);
    store(TF_CORE_B, CONFIG + 161 * 4, 7);
    store(TF_CORE_B, CONFIG + 162 * 4, 0x8300);
    store(TF_CORE_B, CONFIG + 163 * 4, 1);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tf_mmio_reset_pc(&chip->tiles.tile[0], cases[i].core), cases[i].with);
}

/* NoC/MemoryMap.md: debug information of router and NIU is read only, and the page says no more of it. */
static void test_niu_debug(void **state)
{
    (void)state;
    uint32_t word;
    for (unsigned offset = 0x300; offset < 0x400; offset += 0x80) {
        assert_int_equal(store(TF_CORE_B, NIU1 + offset, 1), TF_ACCESS_OK);
        assert_int_equal(tf_read(chip, first, NIU0 + offset, &word, sizeof word), TF_EACCESS);
        bool pure;
        assert_int_equal(tf_mmio_load(&chip->tiles.tile[0], TF_CORE_NC, NIU0 + offset, 4, &word, &pure),
                         TF_ACCESS_FAULT);
        expect_fault(TF_FAULT_UNIMPLEMENTED, "NoC/MemoryMap.md does not describe");
    }
    assert_int_equal(store(TF_CORE_B, NIU0 + 0x13C, 1), TF_ACCESS_FAULT);
}

/* Registers that the hardware has and tilefarm lacks; addresses where there is nothing. */
static void test_windows(void **state)
{
    (void)state;
    static const uint32_t missing[] = {0xFFC00000, TF_STREAM_BASE + 4 * 31};
    for (unsigned i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        assert_int_equal(store(TF_CORE_B, missing[i], 1), TF_ACCESS_FAULT);
        expect_fault(TF_FAULT_UNIMPLEMENTED, "not implemented");
    }
    assert_int_equal(store(TF_CORE_B, DEBUG_AT(TRISC0_RESET_PC), 1),
                     TF_ACCESS_FAULT); /* Blackhole's reset address of T0 */
    expect_fault(TF_FAULT_UNDEFINED, "(0xFFB12228 on Wormhole)");
    assert_int_equal(store(TF_CORE_B, TF_LOCAL_OF_B_BASE, 1), TF_ACCESS_FAULT); /* Blackhole has core-local RAM there */
    expect_fault(TF_FAULT_UNDEFINED, "unmapped address (0xFFB14000 on Wormhole)");
    assert_int_equal(store(TF_CORE_T0, TF_DST_BASE, 1), TF_ACCESS_FAULT); /* and Dst */
    expect_fault(TF_FAULT_UNDEFINED, "unmapped");
}

/* Blackhole has a node (12, 2); here its fault names Wormhole. */
static void test_other_nodes(void **state)
{
    (void)state;
    static const uint32_t command[][2] = {{0x00, 0x1000}, {0x04, 12 << 4 | 2 << 10},
                                          {0x0C, 0x2000}, {0x10, 1 << 4 | 1 << 10},
                                          {0x1C, 0},      {0x20, 4},
                                          {0x28, 1}};
    for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++)
        assert_int_equal(store(TF_CORE_B, TF_NIU_BASE(0) + command[i][0], command[i][1]),
                         command[i][0] == 0x28 ? TF_ACCESS_FAULT : TF_ACCESS_OK);
    expect_fault(TF_FAULT_UNDEFINED, "off the grid (Wormhole)");
}

/* PIC.md: cores poll it. No clock ever stops. */
static void test_pic(void **state)
{
    (void)state;
    static const uint32_t registers[][3] = {
        /* address, stored, loaded */
        {TF_PIC_BASE, 0xFFFFFFFF, 0},
        {TF_PIC_BASE + 0x4, 1, 0},
        {TF_PIC_BASE + 0x8, 0xFFFFFFFF, 0x7FFFF},
        {TF_PIC_BASE + 0xC, 0xFFFFFFFF, 0x10101},
        {TF_PIC_BASE + 0x10, 0x1FF, 0x7F},
        {TF_PIC_BASE + 0x14, 7, 3},
        {TF_PIC_BASE + 0x30, 2, 2},
    };
    assert_int_equal(load(TF_CORE_T0, TF_PIC_BASE + 0x10), 3);
    assert_int_equal(load(TF_CORE_NC, TF_PIC_BASE + 0xC), 0x10000);
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        assert_int_equal(store(TF_CORE_NC, registers[i][0], registers[i][1]), TF_ACCESS_OK);
        assert_int_equal(word_at(first, registers[i][0]), registers[i][2]);
    }
    assert_int_equal(store(TF_CORE_NC, TF_PIC_BASE + 0xC, 1), TF_ACCESS_OK);
    assert_int_equal(load(TF_CORE_B, TF_PIC_BASE + 0xC), 0x10001); /* the clock goes on */
    assert_int_equal(store(TF_CORE_NC, TF_PIC_BASE + 0x34, 0), TF_ACCESS_FAULT);
    expect_fault(TF_FAULT_UNDEFINED, "unmapped");
}

/* Mover.md, TDMA-RISC.md, BabyRISCV/InstructionRAM.md: the mover fills the RAM, and only NC executes it. */
static void test_instruction_ram(void **state)
{
    (void)state;
    static const uint32_t program[] = {
        0x00000297, /* auipc x5, 0 */
        0x00040337, /* lui x6, 0x40 */
        0x00532023, /* sw x5, 0(x6) */
        0x0000006F, /* jal x0, 0 */
    };
    static const uint32_t commands[][2] = {{0x0, 0x3000}, {0x4, 0x4000}, {0x8, 1}, {0xC, 1}, {0x10, 0x40}};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(put_word(first, 0x30000 + 4 * i, program[i]), TF_OK);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(store(TF_CORE_B, TF_TDMA_BASE + commands[i][0], commands[i][1]), TF_ACCESS_OK);
    store(TF_CORE_B, CONFIG + 4 * 162, 0xFFC00000);
    store(TF_CORE_B, CONFIG + 4 * 163, 1);
    assert_int_equal(put_word(first, DEBUG_AT(SOFT_RESET_0), 0x7800), TF_OK); /* NC leaves reset */
    run();
    assert_int_equal(word_at(first, 0x40000), 0xFFC00000);
    assert_int_equal(tf_fault_count(chip), 0);
    store(TF_CORE_B, CONFIG + 4 * 158, 0xFFC00000);
    store(TF_CORE_B, CONFIG + 4 * 161, 1);
    assert_int_equal(put_word(first, DEBUG_AT(SOFT_RESET_0), 0x6800), TF_OK); /* T0 too */
    expect_fault(TF_FAULT_UNDEFINED, "outside L1");
}

/* BabyRISCV/README.md: all cores reach TDMA-RISC. NC fills its instruction RAM, waits, and jumps there. */
static void test_nc_fills_its_ram(void **state)
{
    (void)state;
    static const uint32_t loader[] = {
        0xFFB112B7, /* lui x5, 0xFFB11 */
        0x00003337, /* lui x6, 0x3 */
        0x0062A023, /* sw x6, 0(x5): from 0x30000 */
        0x00004337, /* lui x6, 0x4 */
        0x0062A223, /* sw x6, 4(x5): to the RAM */
        0x00100313, /* addi x6, x0, 1 */
        0x0062A423, /* sw x6, 8(x5): 16 bytes */
        0x0062A623, /* sw x6, 12(x5): XFER_L1_L0 */
        0x04000313, /* addi x6, x0, 0x40 */
        0x0062A823, /* sw x6, 16(x5): the mover's command */
        0x0142A303, /* lw x6, 20(x5) */
        0x00137313, /* andi x6, x6, 1 */
        0xFE031CE3, /* bne x6, x0, -8 */
        0xFFC003B7, /* lui x7, 0xFFC00 */
        0x00038067, /* jalr x0, 0(x7) */
    };
    static const uint32_t program[] = {
        0x00000297, /* auipc x5, 0 */
        0x00040337, /* lui x6, 0x40 */
        0x00532023, /* sw x5, 0(x6) */
        0x0000006F, /* jal x0, 0 */
    };
    for (unsigned i = 0; i < sizeof loader / sizeof loader[0]; i++)
        assert_int_equal(put_word(first, 0x12000 + 4 * i, loader[i]), TF_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(put_word(first, 0x30000 + 4 * i, program[i]), TF_OK);
    assert_int_equal(put_word(first, DEBUG_AT(SOFT_RESET_0), 0x7800), TF_OK); /* NC starts at 0x12000 */
    run();
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(word_at(first, 0x40000), 0xFFC00000);
}

/* XMOV.md: by the fields of THCON_SEC0_REG6. */
static void test_mover(void **state)
{
    (void)state;
    assert_int_equal(put_word(first, 0x30000, 0x1234), TF_OK);
    assert_int_equal(put_word(first, 0x3000C, 0x5678), TF_OK);
    store(TF_CORE_B, CONFIG + 4 * 76, 0x3000);
    store(TF_CORE_B, CONFIG + 4 * 77, 0x3100);
    store(TF_CORE_B, CONFIG + 4 * 78, 1 | 3u << 30);
    store(TF_CORE_T0, PUSH, (uint32_t)TF_OP_XMOV << 24);
    run();
    assert_int_equal(word_at(first, 0x31000), 0x1234);
    assert_int_equal(word_at(first, 0x3100C), 0x5678);
    store(TF_CORE_B, CONFIG + 4 * 77, 1464 * 64 - 1); /* the last line of L1 */
    store(TF_CORE_B, CONFIG + 4 * 78, 2 | 3u << 30);
    store(TF_CORE_T0, PUSH, (uint32_t)TF_OP_XMOV << 24);
    expect_fault(TF_FAULT_UNDEFINED, "beyond L1");
}

/* TileDescriptor has four words, which unpackers read: the number of shared exponents depends on the second. */
static void test_descriptor(void **state)
{
    (void)state;
    for (unsigned section = 0; section < 2; section++)
        for (unsigned word = 0; word < 4; word++) {
            unsigned own = (section ? 92 : 52) + word, common = TF_CFG_WORD(THCON_SEC0_REG0_TileDescriptor) + word;
            if (section)
                common = TF_CFG_WORD(THCON_SEC1_REG0_TileDescriptor) + word;
            store(TF_CORE_B, CONFIG + 4 * own, 0xA5A50000u + own);
            assert_int_equal(chip->tiles.tile[0].tensix->config->bank[0][common], 0xA5A50000u + own);
        }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* DebugTimestamper.md: two events of 128 bits fill the first buffer, the third goes to the second one. PIC.md: each
   raises an IRQ when it is full. */
static void test_timestamper(void **state)
{
    (void)state;
    const uint32_t bounds[] = {0x2000, 0x2001, 0x3000, 0x3000};
    uint32_t event[4];
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(store(TF_CORE_B, DEBUG_AT(TIMESTAMP_BUFFERS) + 4 * i, bounds[i]), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_NC, TF_PIC_BASE + 0x8, 1 << 17 | 1 << 18), TF_ACCESS_OK);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(load(TF_CORE_NC, TF_PIC_BASE), i == 2 ? 1 << 17 : 0);
        assert_int_equal(store(TF_CORE_T1, DEBUG_AT(TIMESTAMP), 0xABCDE000 + 8 * i), TF_ACCESS_OK);
    }
    assert_int_equal(load(TF_CORE_NC, TF_PIC_BASE), 1 << 17 | 1 << 18);
    assert_int_equal(store(TF_CORE_NC, TF_PIC_BASE, UINT32_MAX), TF_ACCESS_OK);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(event, chip->tiles.tile[0].l1 + (i < 2 ? 0x20000 + 16 * i : 0x30000), sizeof event);
        assert_int_equal(event[0], 0xABCDE000 + 8 * i);
        assert_int_equal(event[3], 0);
    }
    assert_int_equal(load(TF_CORE_B, DEBUG_AT(TIMESTAMP_STATUS)),
                     2u << 14 | 3); /* both are full, two events in the first */
    assert_int_equal(store(TF_CORE_B, DEBUG_AT(TIMESTAMP), 8), TF_ACCESS_OK);
    assert_int_equal(load(TF_CORE_B, DEBUG_AT(TIMESTAMP_STATUS)) & 0x33, 0x33); /* both have overflowed */
    assert_int_equal(load(TF_CORE_NC, TF_PIC_BASE), 0);
}

/* DebugDaisychain.md: words of a signal, and its 128 bits in L1; nothing while it is off. */
static void test_daisychain(void **state)
{
    (void)state;
    const uint32_t control = DEBUG_AT(BUS_CTRL), data = DEBUG_AT(BUS_DATA), memory = DEBUG_AT(BUS_L1_FIRST),
                   enabled = 1u << 29;
    uint32_t group[4];
    assert_int_equal(store(TF_CORE_B, control, 6 << 16 | 255), TF_ACCESS_OK);
    assert_int_equal(load(TF_CORE_B, data), 0);
    static const unsigned daisies[] = {1, 3, 6, 7, 8};
    for (unsigned i = 0; i < 4 * sizeof daisies / sizeof daisies[0]; i++) {
        const unsigned daisy = daisies[i / 4], word = i % 4;
        assert_int_equal(store(TF_CORE_B, control, enabled | word << 25 | daisy << 16 | 255), TF_ACCESS_OK);
        assert_int_equal(load(TF_CORE_NC, data), word == 0 ? daisy : word == 2 ? 0x5A5A5A5A : 0xA5A5A5A5);
    }
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T1, 0x12344), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_T1), TF_OK);
    assert_int_equal(store(TF_CORE_B, control, enabled | 7 << 16 | 14), TF_ACCESS_OK); /* T1, group A */
    assert_int_equal(store(TF_CORE_B, memory + 8, 15), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_B, memory, 0x2000), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_B, memory + 8, 0), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_B, memory + 8, 1 << 12), TF_ACCESS_OK);
    assert_int_equal(tf_read(chip, first, 0x20000, group, sizeof group), TF_OK);
    assert_int_equal(group[0], 1u << 31 | 0x12344);
    assert_int_equal(group[2], 0x12344);
    assert_int_equal(tf_core_stop(chip, 0, TF_CORE_T1), TF_OK);
    /* Words of Dst. */
    assert_int_equal(store(TF_CORE_B, DEBUG_AT(ARRAY_ENABLE), 1), TF_ACCESS_OK);
    assert_int_equal(store(TF_CORE_B, DEBUG_AT(ARRAY_COMMAND), 2 << 16 | 5), TF_ACCESS_OK);
    assert_int_equal(load(TF_CORE_B, DEBUG_AT(ARRAY_DATA)), 0);
    uint32_t value = 0;
    bool pure;
    assert_int_equal(store(TF_CORE_B, control, enabled | 8 << 16 | 4), TF_ACCESS_OK);
    assert_int_equal(tf_mmio_load(&chip->tiles.tile[0], TF_CORE_B, data, 4, &value, &pure), TF_ACCESS_FAULT);
    expect_fault(TF_FAULT_UNPREDICTABLE, "no page describes this signal");
}

#define STREAM(number, index) (TF_STREAM_BASE + 0x1000u * (number) + 4u * (index))

/* Overlay/AsGeneralUse.md: widths, the streams that have a register, and effects on others. */
static void test_streams(void **state)
{
    (void)state;
    const uint64_t all = UINT64_MAX, multicast = 0xF, gather = 0x3F, dram = 0xF0F;
    const struct {
        uint16_t index;
        uint8_t width;
        uint64_t streams;
    } kept[] = {
        {0, 24, all},        {1, 20, all},       {2, 18, all},    {3, 17, all},     {4, 17, all},     {5, 17, all},
        {6, 17, all},        {7, 17, all},       {8, 17, all},    {9, 17, all},     {11, 20, all},    {12, 17, all},
        {13, 19, multicast}, {14, 6, multicast}, {15, 4, gather}, {24, 17, all},    {25, 17, all},    {26, 17, all},
        {40, 4, all},        {43, 17, gather},   {44, 4, all},    {48, 24, gather}, {49, 24, gather}, {50, 16, gather},
        {242, 15, dram},     {243, 15, dram},    {248, 24, dram}, {253, 24, dram},  {244, 20, all},   {245, 17, all},
    };
    static const uint8_t streams[] = {0, 3, 5, 6, 8, 12, 63};
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
        for (unsigned j = 0; j < sizeof streams; j++) {
            uint32_t has = kept[i].streams >> streams[j] & 1 ? (1u << kept[i].width) - 1 : 0;
            assert_int_equal(store(TF_CORE_NC, STREAM(streams[j], kept[i].index), UINT32_MAX), TF_ACCESS_OK);
            if (load(TF_CORE_B, STREAM(streams[j], kept[i].index)) != has)
                fail_msg("register %u of stream %u", kept[i].index, streams[j]);
            assert_int_equal(store(TF_CORE_NC, STREAM(streams[j], kept[i].index), 0), TF_ACCESS_OK);
        }
    store(TF_CORE_B, STREAM(7, 244), 0x100); /* CURR_PHASE_BASE: added and subtracted again */
    store(TF_CORE_B, STREAM(7, 11), 5);
    assert_int_equal(load(TF_CORE_B, STREAM(7, 11)), 5);
    store(TF_CORE_B, STREAM(7, 244), 0);
    assert_int_equal(load(TF_CORE_B, STREAM(7, 11)), 0x105);
    store(TF_CORE_B, STREAM(7, 11), 5);
    store(TF_CORE_B, STREAM(7, 36), 0xABCDE003); /* PHASE_AUTO_CFG_HEADER: increments CURR_PHASE */
    assert_int_equal(load(TF_CORE_B, STREAM(7, 11)), 8);
    store(TF_CORE_B, STREAM(7, 24), 9);
    store(TF_CORE_B, STREAM(7, 6), 0x40); /* BUF_START clears RD_PTR */
    assert_int_equal(load(TF_CORE_B, STREAM(7, 24)), 0);
    store(TF_CORE_B, STREAM(7, 24), 9);
    assert_int_equal(load(TF_CORE_B, STREAM(7, 19)), 0x49); /* NEXT_RECEIVED_MSG_ADDR */
    assert_int_equal(load(TF_CORE_B, STREAM(7, 41)), 1);    /* MSG_INFO_CAN_PUSH_NEW_MSG */
    store(TF_CORE_B, STREAM(2, 4), 6);                      /* to all 32 destinations */
    store(TF_CORE_B, STREAM(2, 34), 10 << 6 | 31);
    assert_int_equal(load(TF_CORE_B, STREAM(2, 64 + 30)), 6);
    assert_int_equal(load(TF_CORE_B, STREAM(2, 64 + 31)), 16);
    assert_int_equal(load(TF_CORE_B, STREAM(2, 226)) & 8, 8);
}

/* Traces name the family's fields: word 3 of ThreadConfig is another one on Blackhole. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        uint32_t instruction;
        const char *on_wormhole, *on_blackhole;
    } cases[] = {
        {0xB2030004, "# SRCA_SET_Base=0x0 SRCA_SET_SetOvrdWithAddr=0x1", "# DISABLE_IMPLIED_SRCB_FMT_Base=0x0"},
        {0xB2020001, "# ADDR_MOD_SET_Base=0x1", "# DISABLE_IMPLIED_SRCA_FMT_Base=0x1"},
        {0xB000005D, "# THCON_SEC1_REG0_TileDescriptor", "# "}, /* WRCFG: a further word of a field */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char wormhole[600], blackhole[600], by_default[600];
        tf_tensix_text(&tf_arch_wormhole, cases[i].instruction, wormhole, sizeof wormhole);
        tf_tensix_text(&tf_arch_blackhole, cases[i].instruction, blackhole, sizeof blackhole);
        tf_tensix_text(NULL, cases[i].instruction, by_default, sizeof by_default);
        if (strstr(wormhole, cases[i].on_wormhole) == NULL)
            fail_msg("%s", wormhole);
        if (strstr(blackhole, cases[i].on_blackhole) == NULL)
            fail_msg("%s", blackhole);
        assert_string_not_equal(wormhole, blackhole);
        assert_string_equal(by_default, blackhole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_table),
        TEST(test_identity),
        TEST(test_packets),
        TEST(test_masks),
        TEST(test_atomics),
        TEST(test_cores),
        TEST(test_instructions),
        TEST(test_conditions),
        TEST(test_packer_conditions),
        TEST(test_configuration),
        TEST(test_fields),
        TEST(test_thread_fields),
        TEST(test_modifier_sets),
        TEST(test_windows),
        TEST(test_other_nodes),

        TEST(test_niu_debug),
        TEST(test_reset_addresses),
        TEST(test_instruction_ram),
        TEST(test_mover),
        TEST(test_descriptor),
        TEST(test_pic),
        TEST(test_timestamper),
        TEST(test_names),
        TEST(test_daisychain),
        TEST(test_streams),
        TEST(test_nc_fills_its_ram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
