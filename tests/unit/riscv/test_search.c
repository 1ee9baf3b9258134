/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L1 cache tag search accelerator: BlackholeA0/TensixTile/BabyRISCV/L1CacheTagSearchAccel.md. B of a tile executes
 * random loads and stores. A second implementation of that page computes what the loads return.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define PROGRAM 0x1000u
#define RESULTS 0x40000u
#define AREA 0x20000u /* tags, valid bits and a bit vector lie here */
#define AREA_BYTES 0x400u
#define WORD(n) (TF_CFG_BASE + 4u * (212u + (n))) /* of the configuration */
#define LOADS 600u

enum { A0 = 10, A1 = 11, A2 = 12 };
enum { ENABLE = 1, CHECK = 1 << 17, INVALIDATE = 1 << 24, CLEAR = 1 << 25, ALLOCATE = 1 << 26 };

static struct tf_coord at;

static struct tf_chip *new_chip(void)
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 0, &at), TF_OK);
    return chip;
}

static void start(struct tf_chip *chip, unsigned core, uint32_t pc, const struct code *code)
{
    assert_int_equal(tf_write(chip, at, pc, code->word, 4ull * code->count), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, core, pc), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, core), TF_OK);
}

static void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, A0, address);
    li(code, A1, value);
    put(code, rv_s(SW, A1, A0, 0));
}

static void load(struct code *code, uint32_t address, uint32_t to)
{
    li(code, A0, address);
    put(code, rv_i(LW, A1, A0, 0));
    li(code, A0, to);
    put(code, rv_s(SW, A1, A0, 0));
}

/* The page, with a model of Config and of the area of L1. */
struct model {
    uint32_t config[8], latched[8];
    uint8_t area[AREA_BYTES];
    uint32_t expected[LOADS]; /* of a random index: 0xFFFFFFFF */
    unsigned loads;
};

static uint8_t *l1(struct model *model, uint32_t line)
{
    assert_in_range(line * 16, AREA, AREA + AREA_BYTES);
    return model->area + (line * 16 - AREA);
}

static bool bit_of(const uint8_t *bits, uint32_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static uint32_t model_search(struct model *model)
{
    const uint32_t *c = model->latched;
    const unsigned bytes = 1u << (c[4] & 3);
    const uint32_t first = c[0] >> 1 & 0x1FFFF, last = c[1] & 0x1FFFF;
    const uint32_t valid = c[4] >> 2 & 0x1FFFF, valid_last = c[5] & 0x1FFFF;
    uint8_t tag[8], *valids = l1(model, valid);
    memcpy(tag, &c[2], 4);
    memcpy(tag + 4, &c[3], 4);
    for (uint32_t i = 0; i < (last + 1 - first) * 16 / bytes; i++)
        if (memcmp(l1(model, first) + i * bytes, tag, bytes) == 0) {
            if (!bit_of(valids, i))
                break;
            if (c[7] & INVALIDATE)
                valids[i / 8] &= (uint8_t) ~(1u << i % 8);
            return 1 + i;
        }
    for (uint32_t i = 0; c[7] & ALLOCATE && i < (valid_last + 1 - valid) * 128; i++)
        if (!bit_of(valids, i))
            return 0x80000001 + i;
    return c[7] & ALLOCATE ? 0xFFFFFFFF : 0;
}

static uint32_t model_load(struct model *model, uint32_t address)
{
    const uint32_t *c = model->latched;
    const uint32_t line = address / 16, valid = c[4] >> 2 & 0x1FFFF, bits = c[6] & 0x1FFFF, offset = c[7] & 0xFFFFFF;
    uint32_t value;
    if (c[7] & CLEAR && line == valid) {
        memset(l1(model, valid), 0, ((c[5] & 0x1FFFF) + 1 - valid) * 16);
        return 0;
    }
    if (!(c[7] & CLEAR) && c[6] & CHECK && line == bits)
        return bit_of(l1(model, bits), offset);
    if (!(c[7] & CLEAR) && !(c[6] & CHECK) && c[0] & ENABLE && line == (c[0] >> 1 & 0x1FFFF))
        return model_search(model);
    memcpy(&value, model->area + (address - AREA), 4);
    return value;
}

static void model_store(struct model *model, unsigned word, uint32_t value)
{
    static const uint32_t triggers[8] = {[0] = ENABLE, [6] = CHECK, [7] = INVALIDATE | CLEAR | ALLOCATE};
    uint32_t changed = (model->config[word] ^ value) & triggers[word];
    model->config[word] = value;
    if (changed != 0)
        memcpy(model->latched, model->config, sizeof model->latched);
}

/* Stores of a random configuration: all words, or one bit of one. Few tags and values, so that searches find some. */
static void configure(struct dice *dice, struct model *model, struct code *code)
{
    const uint32_t line = AREA / 16, tags = line + pick(dice, 4), valid = line + 16 + pick(dice, 4);
    uint32_t word[8] = {
        one_in(dice, 4) ? 0 : ENABLE, line + 3 + pick(dice, 3),  pick(dice, 3), pick(dice, 2),
        pick(dice, 4) | valid << 2,   line + 19 + pick(dice, 2), line + 32,     pick(dice, 512),
    };
    word[0] |= tags << 1;
    word[6] |= one_in(dice, 4) ? CHECK : 0;
    word[7] |= (one_in(dice, 2) ? INVALIDATE : 0) | (one_in(dice, 8) ? CLEAR : 0) | (one_in(dice, 2) ? ALLOCATE : 0);
    for (unsigned i = 8; i-- > 0;) { /* Search_Enable last: the configuration is then complete */
        model_store(model, i, word[i]);
        store(code, WORD(i), word[i]);
    }
}

static void any_step(struct dice *dice, struct model *model, struct code *code)
{
    const uint32_t lines[] = {model->latched[0] >> 1 & 0x1FFFF, model->latched[4] >> 2 & 0x1FFFF,
                              model->latched[6] & 0x1FFFF, AREA / 16 + pick(dice, AREA_BYTES / 16)};
    uint32_t line = lines[pick(dice, 4)], address = line * 16 + 4 * pick(dice, 4), value;
    if (line < AREA / 16)
        return;
    switch (pick(dice, 8)) {
    case 0: configure(dice, model, code); return;
    case 1: /* a store is no search */
        value = one_in(dice, 3) ? UINT32_MAX : pick(dice, 3) * 0x01010101u;
        memcpy(model->area + (address - AREA), &value, 4);
        store(code, address, value);
        return;
    default:
        model->expected[model->loads] = model_load(model, address);
        load(code, address, RESULTS + 4 * model->loads++);
        return;
    }
}

static void test_random_loads(void **state)
{
    (void)state;
    static uint32_t words[40000];
    struct dice dice = {test_seed(1)};
    unsigned found = 0, allocated = 0;
    for (unsigned round = 0; round < 20; round++) {
        struct tf_chip *chip = new_chip();
        struct code code = {words, 0, sizeof words / sizeof words[0]};
        struct model model = {.loads = 0};
        for (unsigned i = 0; i < AREA_BYTES; i++)
            model.area[i] = (uint8_t)(one_in(&dice, 2) ? 0xFF : pick(&dice, 3));
        assert_int_equal(tf_write(chip, at, AREA, model.area, AREA_BYTES), TF_OK);
        configure(&dice, &model, &code);
        while (model.loads < LOADS)
            any_step(&dice, &model, &code);
        put(&code, rv_j(0, 0));
        assert_true(code.count < code.capacity);
        /* after the results, so that the program is far from both */
        start(chip, TF_CORE_B, 0x80000, &code);
        enum tf_end end;
        assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
        struct tf_fault fault = {.text = ""};
        if (end != TF_END_QUIET && tf_fault_get(chip, 0, &fault) == TF_OK)
            fail_msg("round %u: pc 0x%x: %s", round, fault.pc, fault.text);
        uint32_t results[LOADS];
        uint8_t area[AREA_BYTES];
        assert_int_equal(tf_read(chip, at, RESULTS, results, sizeof results), TF_OK);
        assert_int_equal(tf_read(chip, at, AREA, area, sizeof area), TF_OK);
        for (unsigned i = 0; i < LOADS; i++) {
            if (model.expected[i] == 0xFFFFFFFF && results[i] != 0xFFFFFFFF)
                assert_in_range(results[i], 0x80000001, 0x80000000 + 5 * 128);
            else if (results[i] != model.expected[i])
                fail_msg("round %u, load %u: 0x%x, not 0x%x", round, i, results[i], model.expected[i]);
            found += results[i] != 0 && results[i] < 64;
            allocated += results[i] >> 31 && results[i] != 0xFFFFFFFF;
        }
        assert_memory_equal(area, model.area, AREA_BYTES);
        tf_chip_destroy(chip);
    }
    assert_true(found > 100 && allocated > 100);
}

/* A loop that waits for a bit is no loop that waits for the word in L1. */
static void test_polls(void **state)
{
    (void)state;
    uint32_t words[64];
    struct tf_chip *chip = new_chip();
    struct code code = {words, 0, 64};
    store(&code, WORD(7), 64 + 5); /* bit 5 of the second 64 bits, in another word than that which is loaded */
    store(&code, WORD(6), CHECK | AREA / 16);
    li(&code, A0, AREA);
    unsigned loop = code.count;
    put(&code, rv_i(LW, A1, A0, 0));
    branch_to(&code, BEQ, A1, 0, loop);
    store(&code, WORD(6), AREA / 16);
    load(&code, AREA, RESULTS + 4);
    store(&code, RESULTS, 7);
    put(&code, rv_j(0, 0));
    start(chip, TF_CORE_B, PROGRAM, &code);
    code.count = 0;
    li(&code, A0, 30000);
    loop = code.count;
    put(&code, rv_i(ADDI, A0, A0, 0xFFF));
    branch_to(&code, BNE, A0, 0, loop);
    store(&code, AREA + 8, 1 << 5);
    put(&code, rv_j(0, 0));
    start(chip, TF_CORE_T0, PROGRAM + 0x1000, &code);
    enum tf_end end;
    uint32_t done[2] = {0, 1};
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_read(chip, at, RESULTS, done, sizeof done), TF_OK);
    assert_int_equal(done[0], 7);
    assert_int_equal(done[1], 0); /* an ordinary load */
    tf_chip_destroy(chip);
}

/* The bit of a tag, or of a bit vector, in the last eight bytes of L1. */
static void test_end_of_l1(void **state)
{
    (void)state;
    uint32_t words[64], found[2] = {0};
    const uint32_t last_line = 0x18000 - 1;
    const uint8_t tag = 5, bits[16] = {[8 + 70 % 64 / 8] = 1 << 70 % 8};
    struct tf_chip *chip = new_chip();
    struct code code = {words, 0, 64};
    store(&code, WORD(1), AREA / 16 + 7);
    store(&code, WORD(2), tag);
    store(&code, WORD(4), last_line << 2);
    store(&code, WORD(5), last_line);
    store(&code, WORD(0), ENABLE | AREA / 16 << 1);
    load(&code, AREA, RESULTS);
    store(&code, WORD(7), 70);
    store(&code, WORD(6), CHECK | last_line);
    load(&code, last_line * 16, RESULTS + 4);
    put(&code, rv_j(0, 0));
    assert_int_equal(tf_write(chip, at, AREA + 70, &tag, 1), TF_OK);
    assert_int_equal(tf_write(chip, at, last_line * 16, bits, sizeof bits), TF_OK);
    start(chip, TF_CORE_B, PROGRAM, &code);
    assert_int_equal(tf_run(chip, NULL, &(enum tf_end){0}), TF_OK);
    assert_int_equal(tf_read(chip, at, RESULTS, found, sizeof found), TF_OK);
    assert_int_equal(found[0], 1 + 70);
    assert_int_equal(found[1], 1);
    tf_chip_destroy(chip);
}

/* Loads of parts of a word, and sections that leave L1, are not described. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t load, start, end, valid;
        const char *why;
    } cases[] = {
        {LB, AREA / 16, AREA / 16, AREA / 16 + 1, "loads of words"},
        {LHU, AREA / 16, AREA / 16, AREA / 16 + 1, "loads of words"},
        {LW, AREA / 16, AREA / 16 - 1, AREA / 16 + 1, "empty or leaves L1"},
        {LW, AREA / 16, 0x18000, AREA / 16 + 1, "empty or leaves L1"},
        {LW, AREA / 16, AREA / 16, 0x18000, "empty or leaves L1"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t words[64];
        struct tf_chip *chip = new_chip();
        struct code code = {words, 0, 64};
        struct tf_fault fault;
        enum tf_end end;
        store(&code, WORD(1), cases[i].end);
        store(&code, WORD(4), cases[i].valid << 2);
        store(&code, WORD(5), cases[i].valid);
        store(&code, WORD(0), ENABLE | cases[i].start << 1);
        li(&code, A0, AREA + 4);
        put(&code, rv_i(cases[i].load, A1, A0, 0));
        put(&code, rv_j(0, 0));
        start(chip, TF_CORE_B, PROGRAM, &code);
        assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_int_equal(fault.category, TF_FAULT_UNDEFINED);
        assert_int_equal(fault.address, AREA + 4);
        if (strstr(fault.text, cases[i].why) == NULL)
            fail_msg("%u: %s", i, fault.text);
        tf_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_loads),
        cmocka_unit_test(test_polls),
        cmocka_unit_test(test_end_of_l1),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
