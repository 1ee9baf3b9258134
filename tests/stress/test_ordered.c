/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ordered memory (tf_config.ordered_memory): random programs of the five cores and the coprocessor of one tile. They
 * race for words of L1, for local RAM and for registers of a NIU. The state is equal with any slices, and with waiting
 * cores skipped or not. It is also equal if the chip is traced, checked for races, saved or forked midway, or if GDB
 * watches memory.
 */
#include "one_column.h"
#include "tile_ways.h"
#include "addresses.h"

#define SHARED 0x3A000u /* words that all race for */
#define SHARED_WORDS 4u
#define LOCAL TF_LOCAL_BASE
#define LOCAL_OF(core) (TF_LOCAL_OF_B_BASE + 0x2000 * (core))
#define NIU TF_NIU_BASE(0)
#define STARTED 0x600Du
#define GPR_ADDRESS (GPRS - 4) /* of the coprocessor's atomics; in units of 16 bytes */
#define GPR_DATA (GPRS - 3)

enum { AMOADD = 0x0000202F, AMOSWAP = 0x0800202F, X_OLD = 10, X_ROUNDS = 11 };

static uint32_t shared(struct dice *dice)
{
    return SHARED + 4 * pick(dice, SHARED_WORDS);
}

static void keep(struct code *code, unsigned reg)
{
    put(code, rv_s(SW, reg, X_DATA, 0));
    put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
}

/* Load or store a word or part of it. */
static void access_part(struct code *code, struct dice *dice, uint32_t address)
{
    static const uint32_t loads[] = {LW, LH, LBU}, stores[] = {SW, SH, SB};
    unsigned size = pick(dice, 3);
    address += size == 0 ? 0 : size == 1 ? 2 * pick(dice, 2) : pick(dice, 4);
    li(code, X_ADDRESS, address);
    if (one_in(dice, 2)) {
        put(code, rv_i(loads[size], X_VALUE, X_ADDRESS, 0));
        keep(code, X_VALUE);
        return;
    }
    li(code, X_VALUE, roll(dice) & 0x01010101);
    put(code, rv_s(stores[size], X_VALUE, X_ADDRESS, 0));
}

static void atomic(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, shared(dice));
    li(code, X_VALUE, pick(dice, 3));
    put(code, rv_r(one_in(dice, 2) ? AMOADD : AMOSWAP, X_OLD, X_ADDRESS, X_VALUE));
    keep(code, X_OLD);
}

/* Poll a word while it is 0, or not 0: so many rounds, or for ever. NC never waits for ever, so that all programs run
   equally long. */
static void poll_word(struct code *code, struct dice *dice, unsigned core, uint32_t address)
{
    const uint32_t match = one_in(dice, 2) ? BEQ : BNE;
    li(code, X_ADDRESS, address);
    if (core != TF_CORE_NC && one_in(dice, 3)) {
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        branch_to(code, match, X_VALUE, 0, code->count - 1);
    } else {
        li(code, X_ROUNDS, pick_between(dice, 1, 1500));
        unsigned loop = code->count;
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        put(code, rv_b(match ^ 0x1000, X_VALUE, 0, 12));
        put(code, rv_i(ADDI, X_ROUNDS, X_ROUNDS, 0xFFF));
        branch_to(code, BNE, X_ROUNDS, 0, loop);
    }
    keep(code, X_VALUE);
}

/* Poll with a store in the loop that changes nothing, mostly. */
static void poll_and_save(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, shared(dice));
    li(code, X_ROUNDS, pick_between(dice, 1, 400));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_s(SW, 0, X_ADDRESS, 16 * 4));
    put(code, rv_i(LW, X_OLD, X_ADDRESS, 16 * 4));
    put(code, rv_i(ADDI, X_ROUNDS, X_ROUNDS, 0xFFF));
    put(code, rv_b(BEQ, X_ROUNDS, 0, 8));
    branch_to(code, BEQ, X_VALUE, 0, loop);
    keep(code, X_OLD);
}

/* Add to a word repeatedly, by a load and a store. An addition of another core between them is lost. */
static void add_repeated(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, shared(dice));
    li(code, X_ROUNDS, pick_between(dice, 1, 300));
    unsigned loop = code->count;
    for (unsigned i = pick(dice, 4); i != 0; i--)
        put(code, rv_i(ADDI, X_COUNT, X_COUNT, i));
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_i(ADDI, X_ROUNDS, X_ROUNDS, 0xFFF));
    branch_to(code, BNE, X_ROUNDS, 0, loop);
    keep(code, X_VALUE);
}

/* ATINCGET or ATSWAP of the scalar unit at a shared word. */
static void push_atomic(struct code *code, struct dice *dice)
{
    uint32_t which = pick(dice, SHARED_WORDS);
    const uint32_t words[] = {
        set_gpr(GPR_ADDRESS, 0, SHARED >> 4),
        set_gpr(GPR_ADDRESS, 1, 0),
        set_gpr(GPR_DATA, 0, pick(dice, 3)),
        set_gpr(GPR_DATA, 1, 0),
        one_in(dice, 2) ? 0x61000000 | 31u << 14 | which << 12 | GPR_DATA << 6 | GPR_ADDRESS
                        : 0x63000000 | 3u << (14 + 2 * which) | GPR_DATA << 6 | GPR_ADDRESS,
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        put(code, words[i] << 2 | words[i] >> 30); /* .ttinsn */
}

static void step(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    bool pushes = core >= TF_CORE_T0 && !(debugged && core == TF_CORE_T2);
    switch (pick(dice, 13)) {
    case 12: add_repeated(code, dice); break;
    case 0:
    case 1:
    case 2: access_part(code, dice, shared(dice)); break;
    case 3: atomic(code, dice); break;
    case 4: poll_word(code, dice, core, shared(dice)); break;
    case 5: poll_and_save(code, dice); break;
    case 6: access_part(code, dice, LOCAL + 4 * pick(dice, 2)); break;
    case 7:
        if (one_in(dice, 2))
            load_from(code, LOCAL_OF(pick(dice, TF_TILE_CORES)) + 4 * pick(dice, 2));
        else
            poll_word(code, dice, core, LOCAL_OF(pick(dice, TF_TILE_CORES)) + 4 * pick(dice, 2));
        break;
    case 8:
        if (one_in(dice, 2))
            store_to(code, NIU + 4 * pick(dice, 3), roll(dice)); /* NOC_TARG_ADDR */
        else
            load_from(code, NIU + 4 * pick(dice, 3));
        break;
    case 9:
        if (pushes)
            push_atomic(code, dice);
        break;
    case 10: delay(code, pick_between(dice, 1, 200)); break;
    default: random_steps(code, dice, core, debugged, core == TF_CORE_NC ? 0 : 2); break;
    }
}

/* What cores of any tile can do. */
static void step_without_csrs(struct code *code, struct dice *dice, unsigned core)
{
    switch (pick(dice, 9)) {
    case 0:
    case 1: access_part(code, dice, shared(dice)); break;
    case 2: add_repeated(code, dice); break;
    case 3: poll_word(code, dice, core, shared(dice)); break;
    case 4: poll_and_save(code, dice); break;
    case 5: access_part(code, dice, LOCAL + 4 * pick(dice, 2)); break;
    case 6:
        if (one_in(dice, 2))
            store_to(code, NIU + 4 * pick(dice, 2), roll(dice)); /* NOC_TARG_ADDR */
        else
            load_from(code, NIU + 4 * pick(dice, 2));
        break;
    case 7: delay(code, pick_between(dice, 1, 200)); break;
    default: poll_word(code, dice, core, DEBUG_AT(FEATURE_DISABLE)); break; /* a debug register that no core sets */
    }
}

static void make_racing(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    begin_program(code, dice, core, debugged);
    for (unsigned steps = pick_between(dice, 5, 40); steps != 0 && code->count + 250 < code->capacity; steps--)
        step(code, dice, core, debugged);
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, core == TF_CORE_NC));
    put(code, rv_j(0, -4));
}

static void test_racing(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = 0, programs = test_rounds(14); program < programs; program++)
        compare_ways(&(struct tile_test){.make = make_racing, .ordered = true}, seed + program, &events);
    assert_true(events > 0);
}

/* Wormhole's cores have no CSRs, so no action here depends on the time. */
static void make_racing_without_csrs(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    li(code, X_VALUE, STARTED);
    keep(code, X_VALUE);
    for (unsigned steps = pick_between(dice, 5, 40); steps != 0 && code->count + 250 < code->capacity; steps--)
        step_without_csrs(code, dice, core);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, core == TF_CORE_NC));
    put(code, rv_j(0, -4));
}

/* Five cores of a Tensix tile of Wormhole, or two cores of an Ethernet tile. */
static void test_other_tiles(void **state)
{
    static struct outcome outcome;
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = seed, programs = test_rounds(14); program < seed + programs; program++) {
        const bool wormhole = program % 2 == 0;
        const struct tile_test test = {.make = make_racing_without_csrs,
                                       .arch = wormhole ? "wormhole" : NULL,
                                       .ethernet = !wormhole,
                                       .ordered = true};
        compare_ways(&test, program, &events);
        run_tile(&test, program, (struct way){.slice = 1024}, &events, &outcome);
        assert_int_equal(outcome.faults, 0);
        assert_int_equal(outcome.kept[TF_CORE_B][0], STARTED);
        assert_int_equal(outcome.kept[TF_CORE_NC][0], STARTED);
    }
}

/* B counts in a word, each time later in its loop than T0 reads it: T0 has seen all numbers, each in its cycle. */
static void make_counter(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)dice, (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    li(code, X_ADDRESS, SHARED);
    for (unsigned i = 0; i < 32; i++) {
        if (core == TF_CORE_B) {
            li(code, X_VALUE, i + 1);
            put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
            delay(code, 20);
        } else if (core == TF_CORE_T0) {
            delay(code, 20);
            put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
            keep(code, X_VALUE);
        }
    }
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, core == TF_CORE_NC));
    put(code, rv_j(0, -4));
}

/* A core sees what another core has stored up to its cycle, and nothing of later cycles. */
static void test_counter(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    const struct tile_test test = {.make = make_counter, .ordered = true};
    (void)state;
    run_tile(&test, seed, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(outcome.kept[TF_CORE_T0][i], i + 1);
    compare_ways(&test, seed, &events);
}

#define RTZ_NUM (NIU + 0x378)
#define RTZ_SOURCE (NIU + 0x37C)
#define RTZ_CFG (NIU + 0x100 + 4 * 30)

/* NC's request of transaction 0 is answered in the second epoch. T0 polls the register of answered transactions from
   then on. B takes the transaction out of it by a load. */
static void make_taker(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    const struct tf_coord here = one_column_coord(TILE);
    const uint32_t node = (uint32_t)here.y << 6 | (uint32_t)here.x;
    const uint32_t words[][2] = {
        {0x00, ONES}, {0x08, node}, {0x0C, SHARED}, {0x14, node}, {0x18, 0}, {0x1C, 0x12}, {0x20, 16}, {0x40, 1},
    };
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_NC) {
        store_to(code, RTZ_CFG, 1);
        for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
            store_to(code, NIU + words[i][0], words[i][1]);
    } else if (core <= TF_CORE_T0) {
        delay(code, EPOCH / 2 + pick_between(dice, 100, 200));
        li(code, X_ADDRESS, RTZ_SOURCE);
        unsigned loop = code->count;
        if (core == TF_CORE_T0) {
            put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
            branch_to(code, BNE, X_VALUE, 0, loop);
            keep_time(code);
        } else {
            load_from(code, RTZ_SOURCE);
            delay(code, pick_between(dice, 1000, 5000));
            load_from(code, RTZ_NUM);
            keep_time(code);
        }
    }
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, core == TF_CORE_NC));
    put(code, rv_j(0, -4));
}

/* A load that changes a register of a NIU is seen by a core that polls it, in its cycle. */
static void test_taker(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    const struct tile_test test = {.make = make_taker, .ordered = true};
    (void)state;
    for (uint64_t program = seed; program < seed + 4; program++) {
        run_tile(&test, program, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
        const uint32_t *b = outcome.kept[TF_CORE_B];
        assert_int_equal(b[0], 1);
        assert_in_range(outcome.kept[TF_CORE_T0][0], b[2] - 4, b[2] + 4);
        compare_ways(&test, program, &events);
    }
}

#define ROUTINE 0x3C000u                   /* that B writes, and T0 calls */
#define INVALIDATE (TF_CFG_BASE + 4 * 185) /* RISCV_IC_INVALIDATE: a bit for each core */
#define WORK 0x3D000u                      /* the number of the routine that T0 shall call; then T0's answer */
#define ROUTINES 12u

enum { X_NUMBER = 12, X_ROUTINE = 13 };

/* Wait until the word at X_ADDRESS is X_NUMBER. */
static void await_number(struct code *code)
{
    li(code, X_ADDRESS, WORK);
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BNE, X_VALUE, X_NUMBER, loop);
}

/* The sequence of WormholeB0's BabyRISCV/InstructionCache.md: the word is read back before caches forget it. */
static void write_code(struct code *code, uint32_t address, uint32_t word)
{
    store_to(code, address, word);
    put(code, rv_i(LW, X_OLD, X_ADDRESS, 0));
    put(code, rv_i(ADDI, 0, X_OLD, 0));
    store_to(code, INVALIDATE, 0x1F);
}

/* B writes a routine and gives T0 a number; T0 calls the routine, after the 20 instructions that the page asks for, and
   answers. The routine counts in another way each time. The other cores race for other words. */
static void make_loader(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    if (core != TF_CORE_B && core != TF_CORE_T0) {
        make_racing(code, dice, core, debugged);
        return;
    }
    li(code, X_DATA, DATA_AT(core));
    for (unsigned i = 0; i < ROUTINES; i++) {
        if (core == TF_CORE_B) {
            write_code(code, ROUTINE, rv_i(ADDI, X_ROUTINE, X_ROUTINE, 1 + i));
            write_code(code, ROUTINE + 4, RET);
            delay(code, pick_between(dice, 1, 200));
            store_to(code, WORK, 2 * i + 1);
            li(code, X_NUMBER, 2 * i + 2);
            await_number(code);
        } else {
            li(code, X_NUMBER, 2 * i + 1);
            await_number(code);
            delay(code, 10);
            li(code, X_ADDRESS, ROUTINE);
            put(code, rv_i(JALR, 1, X_ADDRESS, 0));
            keep(code, X_ROUTINE);
            delay(code, pick_between(dice, 1, 200));
            store_to(code, WORK, 2 * i + 2);
        }
    }
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, 0, 0));
    put(code, rv_j(0, -4));
}

/* Code that is written, and then announced, is executed in its new form, in equal cycles with any slices. */
static void test_loader(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    const struct tile_test test = {.make = make_loader, .ordered = true};
    (void)state;
    for (uint64_t program = seed; program < seed + 6; program++) {
        run_tile(&test, program, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
        for (uint32_t i = 0, sum = 0; i < ROUTINES; i++)
            assert_int_equal(outcome.kept[TF_CORE_T0][i], sum += 1 + i);
        compare_ways(&test, program, &events);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter), cmocka_unit_test(test_racing), cmocka_unit_test(test_other_tiles),
        cmocka_unit_test(test_taker),   cmocka_unit_test(test_loader),
    };
    return cmocka_run_group_tests_name("ordered", tests, NULL, NULL);
}
