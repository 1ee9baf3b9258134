/* SPDX-License-Identifier: Apache-2.0 */
/* A tile whose harts doze has the state of one whose time passes. */
#include "rig.h"

#include "tile/riscv/control/view.h"
#include "tile/run/slice.h"
#include "tile/run/tile.h"

#define CYCLE 0xB00   /* mcycle */
#define INSTRET 0xB02 /* minstret */
#define LUI(rd, high) rig_u(0x37, rd, high)
#define HALF(rd, rs1) rig_i(0x13, 5, rd, rs1, 1) /* srli by 1 */

/* Each core polls a word of its own, and tells in the next ones what it has seen. */
#define WORD(core) (RIG_DATA + 16 * (core))
#define PROGRAM(core) (RIG_CODE + 0x100 * (core))
#define PAGE (RIG_DATA >> 12)
#define RULER TF_CORE_B /* resets core RULED, and lets it go again */
#define RULED TF_CORE_T0

/* Two tiles that run alike. The harts of the first one may doze. */
struct both {
    struct rig *rig[2];
    struct tf_schedule schedule;
    uint64_t tick;
    unsigned dozed;
};

static void begin(struct both *both)
{
    *both = (struct both){.schedule = {.tick_cycles = 32, .slice_ticks = 32}};
    for (unsigned i = 0; i < 2; i++) {
        both->rig[i] = rig_new(NULL, true);
        both->rig[i]->tile.asleep_until = 0;  /* the coprocessor has no work */
        both->rig[i]->tile.interruptible = 0; /* harts with an enabled interrupt do not doze */
    }
}

static void end(struct both *both)
{
    rig_free(both->rig[0]);
    rig_free(both->rig[1]);
}

static void set(struct both *both, uint32_t address, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++)
        rig_set(both->rig[i], address, value);
}

/* Visit the tiles for `ticks`, and let `pause` ticks pass if they are quiet then. */
static void visit(struct both *both, unsigned ticks, unsigned pause)
{
    struct tf_tile *dozes = &both->rig[0]->tile, *runs = &both->rig[1]->tile;
    uint64_t next;
    if (both->tick != 0)
        tf_schedule_note(&both->schedule, both->tick);
    if (!tf_tile_dozes(dozes))
        tf_tile_catch_up(dozes, &both->schedule, both->tick);
    const bool quiet = tf_tile_visit(dozes, &both->schedule, both->tick, both->tick + ticks, &next);
    tf_tile_catch_up(runs, &both->schedule, both->tick);
    assert_int_equal(quiet, tf_tile_run(runs, &both->schedule, both->tick + ticks));
    assert_int_equal(next, runs->slice.tick);
    both->dozed += tf_tile_dozes(dozes);
    both->tick = next + (quiet ? pause : 0);
}

/* Let the time of both tiles pass, and compare all. */
static void compare(struct both *both)
{
    struct tf_core_view view[2];
    for (unsigned i = 0; i < 2; i++)
        tf_tile_catch_up(&both->rig[i]->tile, &both->schedule, both->tick);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        for (unsigned i = 0; i < 2; i++)
            tf_hart_look(&both->rig[i]->tile, &both->rig[i]->tile.hart[core], &view[i]);
        assert_memory_equal(&view[0], &view[1], sizeof view[0]);
    }
}

/*
 * A word changes now and then, sometimes before a visit that also finds it unchanged. The core stores the cycle in
 * which it sees the change.
 */
static void dozing_changes_nothing(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0), JAL(0, 4),       BEQ(8, 9, -8), ADDI(9, 8, 0),
                              SW(8, 7, 4), CSRR(10, CYCLE), SW(10, 7, 8),  JAL(0, -28)};
    uint64_t random = test_seed(45);
    struct both both;
    begin(&both);
    for (unsigned i = 0; i < 2; i++)
        rig_start(both.rig[i], TF_CORE_B, words, sizeof words / sizeof *words);
    for (unsigned count = 0; count < 3000; count++) {
        const uint32_t draw = test_random(&random);
        if (draw % 3 == 0)
            set(&both, RIG_DATA, draw >> 8 & 7);
        visit(&both, 64, draw % 5);
        if (draw % 7 == 0)
            compare(&both);
        for (unsigned at = 4; at <= 8; at += 4)
            assert_int_equal(rig_word(both.rig[0], RIG_DATA + at), rig_word(both.rig[1], RIG_DATA + at));
    }
    assert_true(both.dozed > 1000);
    end(&both);
}

/* Start a core that waits. It tells its cycle and its count of instructions, and halves its number for the next core,
   which comes later in the slice, or for core NC from the last one. */
static void start_waiter(struct rig *rig, unsigned core)
{
    const int32_t own = (int32_t)(16 * core), next = (int32_t)(16 * (core == TF_CORE_T2 ? TF_CORE_NC : core + 1));
    const uint32_t words[] = {LUI(5, PAGE),      ADDI(6, 5, next), ADDI(5, 5, own), LW(8, 5, 0),     BEQ(8, 9, -4),
                              ADDI(9, 8, 0),     HALF(10, 8),      SW(10, 6, 0),    CSRR(10, CYCLE), SW(10, 5, 4),
                              CSRR(10, INSTRET), SW(10, 5, 8),     JAL(0, -36)};
    rig_put(rig, PROGRAM(core), words, sizeof words / sizeof *words);
    tf_hart_release(&rig->tile, &rig->tile.hart[core], PROGRAM(core), 0);
}

static void start_ruler(struct rig *rig, bool polls_register)
{
    const uint32_t words[] = {LW(8, 5, 0), BEQ(8, 9, -4), ADDI(9, 8, 0), SW(14, 13, 0), SW(15, 13, 4), JAL(0, -20)};
    struct tf_hart *hart = &rig->tile.hart[RULER];
    rig_put(rig, PROGRAM(RULER), words, sizeof words / sizeof *words);
    tf_hart_release(&rig->tile, hart, PROGRAM(RULER), 0);
    hart->x[5] = polls_register ? RIG_PURE : WORD(RULER);
    hart->x[13] = RIG_CORE_RESET;
    hart->x[14] = RULED;
    hart->x[15] = (uint32_t)RULED << 20 | PROGRAM(RULED);
}

/* What else the tile does. */
enum beside {
    NOTHING,
    POLLS_REGISTER, /* the ruler does. It never dozes, and others doze only within a visit */
    INTERRUPTS,     /* an interrupt is enabled for the ruler, which does not doze then */
};

/* Cores wake each other in both directions, and the ruler resets a core that dozes. Some visits end early. Returns how
   often the tile dozed. */
static unsigned run_several(enum beside beside)
{
    uint64_t random = test_seed(46);
    struct both both;
    begin(&both);
    for (unsigned i = 0; i < 2; i++) {
        both.rig[i]->tile.interruptible = beside == INTERRUPTS;
        for (unsigned core = TF_CORE_NC; core <= TF_CORE_T2; core++)
            start_waiter(both.rig[i], core);
        start_ruler(both.rig[i], beside == POLLS_REGISTER);
    }
    for (unsigned count = 0; count < 6000; count++) {
        const uint32_t draw = test_random(&random);
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            if ((draw >> (2 * core) & 3) == 0)
                set(&both, WORD(core), test_random(&random) & 15);
        for (unsigned i = 0; i < 2; i++)
            both.rig[i]->device.pure[0] = rig_word(both.rig[i], WORD(RULER));
        visit(&both, (draw >> 12 & 3) == 0 ? 1 : 64, draw % 5);
        if (draw % 7 == 0)
            compare(&both);
        for (unsigned at = 0; at < 16 * TF_TILE_CORES; at += 4)
            assert_int_equal(rig_word(both.rig[0], RIG_DATA + at), rig_word(both.rig[1], RIG_DATA + at));
    }
    end(&both);
    return both.dozed;
}

static void several_doze(void **state)
{
    (void)state;
    assert_in_range(run_several(NOTHING), 2000, 6000);
}

static void some_doze(void **state)
{
    (void)state;
    assert_in_range(run_several(POLLS_REGISTER), 0, 3000);
    assert_in_range(run_several(INTERRUPTS), 0, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dozing_changes_nothing),
        cmocka_unit_test(several_doze),
        cmocka_unit_test(some_doze),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
