/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting harts that are skipped, executed, or observed have equal states at each cycle. */
#include "rig.h"

#include <string.h>

#include "tile/check.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/waits/waits.h"
#include "tile/run/slice.h"

/* The common wait: it parks soon, costs nothing, and wakes when the word changes. */
static void spin_on_l1(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 7, 0), BEQ(8, 0, -4), ADDI(9, 8, 1), EBREAK};
    struct tf_hart *hart = rig_start(rig, TF_CORE_T1, words, 4);
    rig_turn(rig, hart, 100);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    assert_int_equal(hart->cycle, 100);
    assert_true(rig->tile.figures.executed < 60);
    uint64_t executed = rig->tile.figures.executed;
    for (uint64_t deadline = 201; deadline < 100000; deadline += 101)
        rig_turn(rig, hart, deadline);
    assert_int_equal(rig->tile.figures.executed, executed);
    assert_true(tf_hart_waiting(&rig->tile, hart));
    struct tf_core_view view;
    tf_hart_look(&rig->tile, hart, &view);
    assert_int_equal(view.state, TF_CORE_PARKED);
    assert_int_equal(view.wait_address, RIG_DATA);
    assert_int_equal(view.instret, view.cycle);
    assert_int_equal(view.pc, RIG_CODE);
    uint64_t before = hart->cycle;
    rig_set(rig, RIG_DATA, 41);
    assert_false(tf_hart_waiting(&rig->tile, hart));
    rig_turn(rig, hart, 200000);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(hart->x[9], 42);
    assert_int_equal(hart->instret, before + 4);
    rig_free(rig);
}

static void waits_that_park(void **state)
{
    (void)state;
    static const struct {
        uint32_t base, f3;
    } cases[] = {{7, 4}, {7, 5}, {3, 2}, {4, 2}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {rig_i(0x03, cases[i].f3, 8, cases[i].base, 8), FENCE, ANDI(9, 8, 0xf), BEQ(9, 0, -12),
                                  EBREAK};
        struct tf_hart *hart = rig_start(rig, TF_CORE_T0, words, 5);
        rig_turn(rig, hart, 200);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        rig_set(rig, RIG_DATA + 8, 1);
        hart->local[8] = 1;
        rig->device.pure[2] = 1;
        assert_false(tf_hart_waiting(&rig->tile, hart));
        rig_turn(rig, hart, 400);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        rig_free(rig);
    }
    /* An endless jump to itself. */
    struct rig *rig = rig_new(NULL, true);
    const uint32_t self[] = {JAL(0, 0)};
    struct tf_hart *hart = rig_start(rig, TF_CORE_T0, self, 1);
    rig_turn(rig, hart, 200);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    rig_turn(rig, hart, 12345);
    assert_int_equal(hart->cycle, 12345);
    assert_int_equal(hart->instret, 12345);
    struct tf_core_view view;
    tf_hart_look(&rig->tile, hart, &view);
    assert_int_equal(view.wait_address, 0);
    rig_free(rig);
}

/* A loop that a register and an offset lead back to. */
static void jumps_by_register(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0), BNE(8, 0, 8), JALR(1, 6, -64), EBREAK};
    struct rig *rig = rig_new(NULL, true);
    struct tf_hart *hart = rig_start(rig, TF_CORE_T0, words, 4);
    hart->x[6] = RIG_CODE + 64;
    rig_turn(rig, hart, 1000);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    assert_int_equal(hart->x[1], RIG_CODE + 12);
    rig_set(rig, RIG_DATA, 1);
    rig_turn(rig, hart, 2000);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    rig_free(rig);
}

static unsigned loads[2]; /* loads of L1, of registers */

static void tell_load(struct tf_check *check, struct tf_check_access access)
{
    (void)check;
    assert_int_equal(access.address, RIG_DATA);
    loads[0]++;
}

static void tell_loaded(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    (void)check, (void)core, (void)value;
    assert_int_equal(pc, RIG_CODE + 4);
    assert_int_equal(address, RIG_PURE);
    loads[1]++;
}

/* While a core waits, a race checker sees its loads from L1 and registers, but not from its own RAM. */
static void checked_waits(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0), LW(9, 4, 0), LW(10, 3, 8), JAL(0, -12)};
    struct tf_check check = {.load = tell_load, .loaded = tell_loaded};
    struct rig *rig = rig_new(NULL, true);
    struct tf_hart *hart = rig_start(rig, TF_CORE_T0, words, 4);
    rig->tile.check = &check;
    rig->tile.observer = &check.observer;
    loads[0] = loads[1] = 0;
    rig_turn(rig, hart, 2000);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    assert_true(loads[0] > 0 && loads[1] > 0);
    rig_free(rig);
}

/* A loop that waits while a word is 0, and that otherwise counts by the word. One wait there says nothing of the
   next. */
static void waits_and_counts(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0), ADD(9, 9, 8), BNE(9, 11, -8), EBREAK};
    struct rig *rig[2];
    struct tf_hart *hart[2];
    for (unsigned parking = 0; parking < 2; parking++) {
        rig[parking] = rig_new(NULL, parking);
        hart[parking] = rig_start(rig[parking], TF_CORE_T1, words, 4);
        hart[parking]->x[11] = 3000;
    }
    unsigned parked = 0;
    for (unsigned i = 1; i <= 400 && hart[1]->state != TF_CORE_PAUSED; i++) {
        struct tf_core_view view[2];
        for (unsigned parking = 0; parking < 2; parking++) {
            rig_set(rig[parking], RIG_DATA, i / 5 % 2);
            rig_turn(rig[parking], hart[parking], i * 211);
            tf_hart_look(&rig[parking]->tile, hart[parking], &view[parking]);
        }
        assert_memory_equal(&view[0], &view[1], sizeof view[0]);
        assert_true(i / 5 % 2 == 0 || hart[1]->state != TF_CORE_PARKED);
        parked += hart[1]->state == TF_CORE_PARKED;
    }
    assert_int_equal(hart[1]->state, TF_CORE_PAUSED);
    assert_int_equal(hart[1]->x[9], 3000);
    assert_true(parked > 20);
    assert_true(rig[1]->tile.figures.executed < hart[1]->instret * 3 / 4);
    rig_free(rig[0]);
    rig_free(rig[1]);
}

/* A loop with an effect, or a loop that counts, is no wait. */
static void loops_that_do_not_park(void **state)
{
    (void)state;
    const uint32_t loops[][3] = {
        {ADDI(9, 9, 1), SW(9, 7, 4), ANDI(9, 9, 1)},                                   /* 1 and 0 in turn */
        {LW(8, 7, 0), ADDI(9, 9, 1), JAL(0, -8)},    {LW(8, 5, 0), FENCE, JAL(0, -8)}, /* the popping register */
        {LW(8, 4, 0), SW(0, 4, 4), JAL(0, -8)},                                        /* a store to a register */
        {rig_amo(8, 8, 7, 0), FENCE, JAL(0, -8)},                                      /* amoor of nothing */
        {CSRR(8, 0xc00), FENCE, JAL(0, -8)},                                           /* cycle */
        {CSRR(8, 0xb02), ADDI(8, 0, 0), JAL(0, -8)},                                   /* minstret, forgotten again */
        {0x02000000 << 2, FENCE, JAL(0, -8)},                                          /* .ttinsn */
    };
    for (unsigned i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        struct rig *rig = rig_new(NULL, true);
        struct tf_hart *hart = rig_start(rig, TF_CORE_T0, loops[i], 3);
        rig_set(rig, RIG_CODE + 12, JAL(0, -12));
        hart->x[5] = RIG_POP;
        for (uint64_t deadline = 100; deadline < 20000; deadline += 100) {
            rig_turn(rig, hart, deadline);
            assert_int_equal(hart->state, TF_CORE_RUNNING);
            assert_int_equal(hart->instret, hart->cycle);
        }
        assert_int_equal(rig->tile.figures.executed, hart->instret);
        if (i == 2)
            assert_int_equal(rig->device.popped, (hart->instret + 2) / 3);
        rig_free(rig);
    }
}

/* A poll by a function that saves registers without need, as compilers emit it. Its frame is an input, too. */
static void polling_function(void **state)
{
    (void)state;
    for (unsigned parking = 0; parking < 2; parking++) {
        struct rig *rig = rig_new(NULL, parking);
        const uint32_t words[] = {
            JAL(1, 12),   BEQ(10, 0, -4), EBREAK,       ADDI(2, 2, -16), SW(1, 2, 12),
            SB(10, 2, 8), LW(10, 7, 0),   LW(1, 2, 12), ADDI(2, 2, 16),  JALR(0, 1, 0),
        };
        struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 10);
        hart->x[2] = RIG_LOCAL + 0x400;
        rig_turn(rig, hart, 300);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        rig_turn(rig, hart, 1001);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        /* Another actor writes to its frame. The next save corrects that. */
        hart->local[0x3fc] ^= 0xff;
        assert_false(tf_hart_waiting(&rig->tile, hart));
        rig_turn(rig, hart, 2000);
        assert_int_equal(hart->local[0x3fc], (RIG_CODE + 4) & 0xff);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        rig_set(rig, RIG_DATA, 7);
        rig_turn(rig, hart, 3000);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->x[10], 7);
        rig_free(rig);
    }
}

static void steady_csr_parks(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {CSRR(8, 0xf14), LW(9, 7, 0), BEQ(9, 8, -8), EBREAK};
    struct tf_hart *hart = rig_start(rig, TF_CORE_T0, words, 4);
    rig_turn(rig, hart, 1000);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    rig_set(rig, RIG_DATA, 1);
    rig_turn(rig, hart, 2000);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    rig_free(rig);
}

/* Turns are shorter than the period, so the probe takes several turns. The polled word changes during the first
   ones. */
static void short_turns(void **state)
{
    (void)state;
    for (unsigned parking = 0; parking < 2; parking++) {
        struct rig *rig = rig_new(NULL, parking);
        uint32_t words[42];
        for (unsigned i = 0; i < 40; i++)
            words[i] = i % 4 == 1 ? JAL(0, 4) : ANDI(9, 8, (int32_t)i);
        words[0] = LW(8, 7, 0);
        words[40] = BEQ(8, 10, -160);
        words[41] = EBREAK;
        struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 42);
        uint64_t deadline = 0;
        for (unsigned i = 0; i < 300; i++) {
            rig_set(rig, RIG_DATA, i);
            hart->x[10] = i;
            rig_turn(rig, hart, ++deadline);
            if (hart->state == TF_CORE_PAUSED)
                break;
        }
        rig_set(rig, RIG_DATA, 5);
        hart = rig_start(rig, TF_CORE_B, words, 42);
        hart->x[10] = 5;
        deadline = hart->cycle;
        for (unsigned i = 0; i < 1000; i++)
            rig_turn(rig, hart, deadline += 3);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        assert_true(parking ? rig->tile.figures.executed < 1500 : rig->tile.figures.executed > 2900);
        rig_free(rig);
    }
}

/*
 * A probe over many turns. A period loads a word twice, and only the second load finds 1. If the word stays 0, the loop
 * does something else.
 */
static void changes_within_the_period(void **state)
{
    (void)state;
    struct rig *rig[2];
    struct tf_hart *hart[2];
    const uint32_t words[] = {LW(8, 7, 0), JAL(0, 4),     LW(9, 7, 0),   BNE(9, 0, 8),
                              JAL(0, 4),   ADDI(8, 0, 0), ADDI(9, 0, 0), JAL(0, -28)};
    for (unsigned way = 0; way < 2; way++) {
        rig[way] = rig_new(NULL, true);
        hart[way] = rig_start(rig[way], TF_CORE_B, words, 8);
    }
    for (uint64_t deadline = 1; deadline < 2000; deadline++) {
        uint32_t value = deadline < 1500 && hart[1]->pc == RIG_CODE + 8;
        rig_keep_running(hart[1]);
        for (unsigned way = 0; way < 2; way++) {
            rig_set(rig[way], RIG_DATA, value);
            rig_turn(rig[way], hart[way], deadline);
        }
        if (deadline < 1500)
            assert_int_equal(hart[0]->state, TF_CORE_RUNNING);
        assert_int_equal(hart[0]->pc, hart[1]->pc);
        assert_int_equal(hart[0]->cycle, hart[1]->cycle);
    }
    assert_int_equal(hart[0]->state, TF_CORE_PARKED);
    for (unsigned way = 0; way < 2; way++)
        rig_free(rig[way]);
}

/* Between two turns of a probe, another hart changes an instruction that was executed. The loop is no wait any more. */
static void code_changes_in_a_probe(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDI(9, 9, 0), JAL(0, 4), LW(8, 7, 0), BEQ(8, 0, -12)};
    for (uint64_t cut = 1; cut < 60; cut++) {
        struct rig *rig = rig_new(NULL, true);
        struct tf_hart *hart = rig_start(rig, TF_CORE_T0, words, 4);
        rig_turn(rig, hart, cut);
        uint32_t rounds = (uint32_t)(4000 - hart->cycle) / 4;
        rig_set(rig, RIG_CODE, ADDI(9, 9, 1));
        rig_turn(rig, hart, 4000);
        assert_int_equal(hart->state, TF_CORE_RUNNING);
        assert_in_range(hart->x[9], rounds - 1, rounds + 1);
        rig_free(rig);
    }
}

/*
 * A load lets the coprocessor run up to its cycle, and the coprocessor changes the code after the load. The code is in
 * a page of many tiles or in the tile's own. The core executes the new code next, probed or not.
 */
static void code_changes_in_a_load(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 4, 0), ADDI(9, 9, 1), ADDI(10, 10, -1), BNE(10, 0, -12), EBREAK};
    for (uint32_t at = 1; at < 200; at++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t own[] = {LUI(11, 0x13), ADDI(11, 11, 0), SW(11, 5, 32), JAL(0, 20), 0, 0, 0, 0, 0};
        uint32_t code[9 + 5];
        memcpy(code, own, sizeof own);
        memcpy(code + 9, words, sizeof words);
        code[3] = JAL(0, 24);
        struct tf_hart *hart = rig_start(rig, TF_CORE_T0, code, 14);
        hart->x[10] = 200;
        hart->x[5] = at % 2 == 0 ? RIG_CODE : RIG_DATA;
        rig->device.load_stores = at;
        rig->device.load_stores_at = RIG_CODE + 40;
        rig->device.load_stores_word = ADDI(9, 9, 2);
        rig_turn(rig, hart, 2000);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->x[9], 200 + 200 - at + 1);
        rig_free(rig);
    }
}

/* The code of the loop changes under a parked hart, by another hart or by a delivery, and then changes back. */
static void code_changes(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 7, 0), ADDI(9, 0, 1), BEQ(8, 0, -8), EBREAK};
    const uint32_t writer[] = {SW(6, 5, 0), EBREAK};
    struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 4);
    rig_turn(rig, hart, 300);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    /* The bytes become equal again: the hart is still parked, even if decoded pages were dropped. */
    rig_put(rig, RIG_CODE, words, 4);
    assert_true(tf_hart_waiting(&rig->tile, hart));
    uint64_t executed = rig->tile.figures.executed;
    rig_turn(rig, hart, 600);
    assert_int_equal(rig->tile.figures.executed, executed);
    /* An adjacent word in the page, which is not executed. */
    rig_set(rig, RIG_CODE + 0x80, 1234);
    rig_turn(rig, hart, 900);
    assert_int_equal(rig->tile.figures.executed, executed);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    /* One instruction, by another hart. */
    rig_put(rig, 0x9000, writer, 2);
    struct tf_hart *other = &rig->tile.hart[TF_CORE_T2];
    tf_hart_release(&rig->tile, other, 0x9000, 900);
    other->x[6] = ADDI(9, 0, 2);
    other->x[5] = RIG_CODE + 4;
    rig_turn(rig, other, 1000);
    assert_false(tf_hart_waiting(&rig->tile, hart));
    rig_turn(rig, hart, 1200);
    struct tf_core_view view;
    tf_hart_look(&rig->tile, hart, &view);
    assert_int_equal(view.x[9], 2);
    rig_turn(rig, hart, 1500);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    /* By a delivery, which ends the loop. */
    rig_set(rig, RIG_CODE + 8, EBREAK);
    assert_false(tf_hart_waiting(&rig->tile, hart));
    rig_turn(rig, hart, 1800);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    rig_free(rig);
}

/*
 * A tile is quiet when nothing more can happen. An action of the last core of a slice, or of the coprocessor, counts
 * for the cores whose turn was before. That core may be parked, blocked or in reset at the end.
 */
static void quiet_after_a_slice(void **state)
{
    (void)state;
    const uint32_t waiter[] = {LW(8, 7, 0), BEQ(8, 0, -4), SW(0, 7, 0), JAL(0, -12)};
    const struct tf_schedule schedule = {.tick_cycles = 1024, .slice_ticks = 1};
    for (unsigned ending = 0; ending < 4; ending++)
        for (unsigned parking = 0; parking < 2; parking++) {
            struct rig *rig = rig_new(NULL, parking);
            uint32_t writer[] = {LW(8, 7, 4), BEQ(8, 0, -4), SW(8, 7, 0), SW(0, 7, 4), SW(6, 5, 0), JAL(0, -20)};
            if (ending == 0)
                writer[4] = FENCE;
            rig_put(rig, 0x9000, writer, 6);
            rig_start(rig, TF_CORE_NC, waiter, 4);
            rig_start(rig, TF_CORE_T0, waiter, 4);
            struct tf_hart *last = &rig->tile.hart[TF_CORE_T2];
            tf_hart_release(&rig->tile, last, 0x9000, 0);
            last->x[7] = RIG_DATA;
            last->x[5] = ending == 1 ? RIG_GATE : RIG_CORE_RESET;
            last->x[6] = TF_CORE_T2;
            assert_true(tf_tile_run(&rig->tile, &schedule, 4));
            assert_true(tf_tile_quiet(&rig->tile));
            uint64_t slice = rig->tile.slice.tick;
            if (ending == 3)
                rig->device.coprocessor_stores = RIG_DATA;
            else
                rig_set(rig, RIG_DATA + 4, 1);
            assert_false(tf_tile_run(&rig->tile, &schedule, slice + 1));
            assert_false(tf_tile_quiet(&rig->tile));
            assert_int_equal(rig_word(rig, RIG_DATA), 1);
            static const uint8_t states[] = {TF_CORE_PARKED, TF_CORE_BLOCKED, TF_CORE_RESET, TF_CORE_PARKED};
            assert_int_equal(last->state, states[ending]);
            assert_true(tf_tile_run(&rig->tile, &schedule, slice + 4));
            assert_int_equal(rig_word(rig, RIG_DATA), 0);
            rig_free(rig);
        }
}

/* The only core that moves starts another core, and waits again in the same turn. The other core has its turn in that
   slice, and the tile is not quiet while it runs. */
static void started_by_a_waiter(void **state)
{
    (void)state;
    const uint32_t starter[] = {LW(8, 7, 4), BEQ(8, 0, -4), SW(0, 7, 4), SW(6, 5, 0), JAL(0, -16)};
    const uint32_t started[] = {LUI(7, RIG_DATA >> 12), ADDI(5, 5, 1), SW(5, 7, 0), JAL(0, -8)};
    const struct tf_schedule schedule = {.tick_cycles = 1024, .slice_ticks = 1};
    for (unsigned parking = 0; parking < 2; parking++) {
        struct rig *rig = rig_new(NULL, parking);
        rig->tile.asleep_until = 0; /* the coprocessor has no work */
        rig_put(rig, 0x9000, started, 4);
        struct tf_hart *hart = rig_start(rig, TF_CORE_NC, starter, 5);
        hart->x[5] = RIG_CORE_RELEASE;
        hart->x[6] = TF_CORE_T0 << 20 | 0x9000;
        assert_true(tf_tile_run(&rig->tile, &schedule, 4));
        uint64_t slice = rig->tile.slice.tick;
        rig_set(rig, RIG_DATA + 4, 1);
        assert_false(tf_tile_run(&rig->tile, &schedule, slice + 1));
        assert_int_equal(hart->state, TF_CORE_PARKED);
        assert_int_not_equal(rig_word(rig, RIG_DATA), 0);
        rig_free(rig);
    }
}

/* If a hart is stopped or paused in the middle of the period, its registers are those of that instruction. */
static void stopped_in_the_middle(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        for (uint64_t deadline = 300; deadline < 320; deadline++) {
            struct tf_core_view view[2], looked;
            for (unsigned parking = 0; parking < 2; parking++) {
                struct rig *rig = rig_new(NULL, parking);
                const uint32_t words[] = {ADDI(9, 0, 1), JAL(0, 4), ADDI(9, 0, 2), LW(8, 7, 0),     JAL(0, 4),
                                          ADD(9, 9, 8),  JAL(0, 4), ADDI(9, 9, 1), BEQ(8, 10, -32), EBREAK};
                struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 10);
                rig_set(rig, RIG_DATA, 5);
                hart->x[10] = 5;
                rig_turn(rig, hart, 299);
                rig_turn(rig, hart, deadline);
                assert_int_equal(hart->state, TF_CORE_PARKED);
                tf_hart_look(&rig->tile, hart, &looked);
                if (how == 0)
                    tf_hart_stop(hart);
                else if (how == 1)
                    tf_hart_pause(&rig->tile, hart);
                tf_hart_look(&rig->tile, hart, &view[parking]);
                assert_memory_equal(view[parking].x, looked.x, sizeof looked.x);
                assert_int_equal(view[parking].pc, looked.pc);
                if (how == 1) {
                    tf_hart_resume(&rig->tile, hart);
                    rig_turn(rig, hart, deadline + 100);
                    assert_int_equal(hart->state, TF_CORE_PARKED);
                }
                rig_free(rig);
            }
            assert_memory_equal(view[0].x, view[1].x, sizeof view[0].x);
            assert_int_equal(view[0].pc, view[1].pc);
            assert_int_equal(view[0].cycle, view[1].cycle);
            assert_int_equal(view[0].instret, view[1].instret);
        }
    }
}

/* A reset of a parked hart clears its whole parking state. */
static void reset_while_parked(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 7, 0), BEQ(8, 0, -4), EBREAK};
    struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 3);
    rig_turn(rig, hart, 300);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    tf_hart_reset(&rig->tile, hart);
    rig_turn(rig, hart, 400);
    assert_int_equal(hart->cycle, 400);
    assert_int_equal(hart->state, TF_CORE_RESET);
    rig_set(rig, RIG_DATA, 1);
    hart = rig_start(rig, TF_CORE_B, words, 3);
    rig_turn(rig, hart, 500);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    rig_free(rig);
}

/*
 * Random waits. Registers 10..13 hold small numbers that exits change; 14..19 are computed anew in each round; x8
 * counts exits. Loads are from L1 (x7), local RAM (x3) and registers (x4).
 */
#define BODY_MAX 40u
#define PLACES 8u

struct program {
    uint32_t words[BODY_MAX + 64];
    unsigned body; /* words of the loop */
    unsigned count;
};

static uint32_t body_word(uint64_t *random, struct program *p, unsigned at)
{
    uint32_t rd = 14 + test_random_below(random, 6);
    uint32_t rs1 = 10 + test_random_below(random, 10);
    uint32_t rs2 = 10 + test_random_below(random, 10);
    int32_t target = (int32_t)(at + 1 + test_random_below(random, 4));
    target = target > (int32_t)p->body - 1 ? (int32_t)p->body - 1 : target;
    static const uint8_t bases[] = {7, 3, 4};
    static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};
    switch (test_random_below(random, 13)) {
    case 12: {
        uint32_t size = test_random_below(random, 3);
        return rig_s(size, rs1, bases[test_random_below(random, 2)],
                     0x40 + (int32_t)test_random_below(random, PLACES) * 4);
    }
    case 0:
    case 1: return rig_r(0, test_random_below(random, 8), rd, rs1, rs2);
    case 2: return ANDI(rd, rs1, 3);
    case 3:
    case 4:
    case 5: {
        static const uint8_t others[] = {0, 1, 4, 5};
        uint32_t f3 = test_random_below(random, 2) ? 2 : others[test_random_below(random, 4)];
        return rig_i(0x03, f3, rd, bases[test_random_below(random, 3)],
                     (int32_t)(test_random_below(random, 2) * 0x40 + test_random_below(random, PLACES) * 4));
    }
    case 6:
    case 7: return rig_b(conditions[test_random_below(random, 6)], rs1, rs2, (target - (int32_t)at) * 4);
    case 8: /* to an exit, after the loop */
        return rig_b(conditions[test_random_below(random, 2)], rs1, rs2,
                     (int32_t)(p->body + 4 * test_random_below(random, 4) - at) * 4);
    case 9: /* to the function, after the exits */ return JAL(1, (int32_t)(p->body + 16 - at) * 4);
    case 10:
        return test_random_below(random, 30) == 0   ? ADDI(20, 20, 1)
               : test_random_below(random, 30) == 0 ? CSRR(rd, 0xc00)
                                                    : FENCE;
    default:
        return test_random_below(random, 4) ? ADDI(rd, rs1, (int32_t)test_random_below(random, 4)) : CSRR(rd, 0xf14);
    }
}

static void random_wait(uint64_t *random, struct program *p)
{
    p->body = 2 + test_random_below(random, test_random_below(random, 4) ? 8 : BODY_MAX - 2);
    for (unsigned i = 0; i + 1 < p->body; i++)
        p->words[i] = body_word(random, p, i);
    p->words[p->body - 1] = JAL(0, -(int32_t)(p->body - 1) * 4);
    unsigned n = p->body;
    for (unsigned i = 0; i < 4; i++) {
        p->words[n++] = ADDI(8, 8, 1);
        p->words[n++] = ADDI(10 + i, 10 + i, (int32_t)test_random_below(random, 3) - 1);
        p->words[n++] = SW(8, 7, 0x100);
        p->words[n] = JAL(0, -(int32_t)n * 4);
        n++;
    }
    p->words[n++] = ANDI(19, 10, 7);
    p->words[n++] = BNE(19, 11, 8);
    p->words[n++] = LW(18, 7, 4);
    p->words[n++] = JALR(0, 1, 0);
    p->words[n++] = ADDI(21, 21, 1); /* the interrupt handler */
    p->words[n++] = MRET;
    p->count = n;
}

enum { SKIPPED, EXECUTED, UNDETECTED, CAUGHT_UP, WAYS };

struct quartet {
    struct rig *rig[WAYS];
    uint64_t left_out; /* deadline up to which CAUGHT_UP has let turns go by */
    unsigned core;
};

static struct tf_hart *hart_of(struct quartet *q, unsigned way)
{
    return &q->rig[way]->tile.hart[q->core];
}

static void catch_up(struct quartet *q)
{
    if (q->left_out != 0) {
        tf_hart_catch_up(&q->rig[CAUGHT_UP]->tile, hart_of(q, CAUGHT_UP), q->left_out);
        q->rig[CAUGHT_UP]->tile.slice.deadline = q->left_out;
    }
    q->left_out = 0;
}

/* One thing changes between two turns, in all copies alike. */
static void disturb(struct quartet *q, uint64_t *random, struct program *p)
{
    uint32_t what = test_random_below(random, 12);
    uint32_t place = test_random_below(random, PLACES);
    uint32_t value = test_random_below(random, 4);
    uint32_t which = test_random_below(random, p->body - 1);
    uint32_t word = test_random_below(random, 3) ? p->words[which] : body_word(random, p, which);
    catch_up(q);
    for (unsigned way = 0; way < WAYS; way++) {
        struct rig *rig = q->rig[way];
        if (what < 4)
            rig_set(rig, RIG_DATA + place * 4 + (what == 3 ? 0x40 : 0), value);
        else if (what < 6)
            memcpy(hart_of(q, way)->local + place * 4, &value, 4);
        else if (what < 9)
            rig->device.pure[place] = value;
        else if (what == 9)
            rig_set(rig, RIG_CODE + which * 4, word);
        else if (what == 10)
            rig->device.interrupt = true;
    }
    if (what == 9)
        p->words[which] = word;
}

static void one_turn(struct quartet *q, uint64_t deadline)
{
    rig_keep_running(hart_of(q, UNDETECTED));
    for (unsigned way = 0; way < CAUGHT_UP; way++)
        rig_turn(q->rig[way], hart_of(q, way), deadline);
    struct rig *last = q->rig[CAUGHT_UP];
    if (tf_hart_waiting(&last->tile, hart_of(q, CAUGHT_UP))) {
        q->left_out = deadline;
    } else {
        catch_up(q);
        rig_turn(last, hart_of(q, CAUGHT_UP), deadline);
    }
}

static void assert_equal_ways(struct quartet *q)
{
    struct tf_core_view view[WAYS];
    uint64_t hash = rig_hash(q->rig[SKIPPED]);
    for (unsigned way = 0; way < WAYS; way++)
        tf_hart_look(&q->rig[way]->tile, hart_of(q, way), &view[way]);
    for (unsigned way = EXECUTED; way < WAYS; way++) {
        if (way == CAUGHT_UP && q->left_out != 0)
            continue;
        assert_int_equal(view[way].cycle, view[SKIPPED].cycle);
        assert_int_equal(view[way].instret, view[SKIPPED].instret);
        assert_int_equal(view[way].pc, view[SKIPPED].pc);
        assert_memory_equal(view[way].x, view[SKIPPED].x, sizeof view[way].x);
        if (way != UNDETECTED)
            assert_int_equal(view[way].state, view[SKIPPED].state);
        assert_int_equal(hash, rig_hash(q->rig[way]));
    }
    assert_int_equal(tf_hart_waiting(&q->rig[SKIPPED]->tile, hart_of(q, SKIPPED)),
                     tf_hart_waiting(&q->rig[EXECUTED]->tile, hart_of(q, EXECUTED)));
}

static void run_wait(uint64_t *random, uint64_t *skipped, uint64_t *executed)
{
    struct program program;
    struct quartet q = {.core = test_random_below(random, 3)};
    random_wait(random, &program);
    uint32_t first[4];
    for (unsigned i = 0; i < 4; i++)
        first[i] = test_random_below(random, 4);
    for (unsigned way = 0; way < WAYS; way++) {
        q.rig[way] = rig_new(NULL, way != EXECUTED);
        struct tf_hart *hart = rig_start(q.rig[way], q.core, program.words, program.count);
        memcpy(&hart->x[10], first, sizeof first);
        q.rig[way]->device.interrupt_pc = RIG_CODE + (program.count - 2) * 4;
    }
    uint32_t stride = test_random_below(random, 3) ? 1 + test_random_below(random, 200)
                                                   : 1 + test_random_below(random, 2000);
    uint32_t quietness = 1 + test_random_below(random, 8);
    uint64_t deadline = 0;
    for (unsigned i = 0; i < 60; i++) {
        if (test_random_below(random, quietness) == 0)
            disturb(&q, random, &program);
        deadline += 1 + test_random_below(random, stride);
        one_turn(&q, deadline);
        assert_equal_ways(&q);
    }
    catch_up(&q);
    assert_equal_ways(&q);
    *skipped += q.rig[SKIPPED]->tile.figures.executed;
    *executed += q.rig[EXECUTED]->tile.figures.executed;
    for (unsigned way = 0; way < WAYS; way++)
        rig_free(q.rig[way]);
}

static void random_waits(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    uint64_t skipped = 0;
    uint64_t executed = 0;
    for (unsigned i = 0; i < 300; i++)
        run_wait(&random, &skipped, &executed);
    print_message("executed %llu of %llu\n", (unsigned long long)skipped, (unsigned long long)executed);
    assert_true(skipped * 2 < executed);
}

/* Many turns that are skipped equal turns that are taken, to the cycle. */
static void long_sleep(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 7, 0), JAL(0, 4), ADDI(9, 8, 3), FENCE, BEQ(8, 0, -16), EBREAK};
    struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, 6);
    rig_turn(rig, hart, 500);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    uint64_t start_cycle = hart->cycle;
    uint64_t start_instret = hart->instret;
    tf_hart_catch_up(&rig->tile, hart, UINT64_C(1) << 60);
    assert_int_equal(hart->cycle - start_cycle, hart->instret - start_instret);
    assert_true(hart->cycle >= UINT64_C(1) << 60);
    assert_true(hart->cycle < (UINT64_C(1) << 60) + 3);
    tf_hart_catch_up(&rig->tile, hart, 17);
    assert_true(hart->cycle >= UINT64_C(1) << 60);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spin_on_l1),
        cmocka_unit_test(waits_that_park),
        cmocka_unit_test(jumps_by_register),
        cmocka_unit_test(waits_and_counts),
        cmocka_unit_test(checked_waits),
        cmocka_unit_test(quiet_after_a_slice),
        cmocka_unit_test(started_by_a_waiter),
        cmocka_unit_test(polling_function),
        cmocka_unit_test(steady_csr_parks),
        cmocka_unit_test(loops_that_do_not_park),
        cmocka_unit_test(short_turns),
        cmocka_unit_test(code_changes),
        cmocka_unit_test(changes_within_the_period),
        cmocka_unit_test(code_changes_in_a_load),
        cmocka_unit_test(code_changes_in_a_probe),
        cmocka_unit_test(reset_while_parked),
        cmocka_unit_test(stopped_in_the_middle),
        cmocka_unit_test(random_waits),
        cmocka_unit_test(long_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
