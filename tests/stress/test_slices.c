/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of the five cores and the coprocessor of one tile. The order of cycles decides what they do to each
 * other by registers. So the state is equal with any slices, with waiting cores skipped or not, with a trace of the
 * coprocessor, and while GDB watches memory.
 */
#include "one_column.h"
#include "tile_ways.h"
#include "addresses.h"

static void make_program(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    unsigned steps = core == TF_CORE_NC ? 0 : pick_between(dice, 5, 30);
    begin_program(code, dice, core, debugged);
    random_steps(code, dice, core, debugged, steps);
    if (core != TF_CORE_NC && one_in(dice, 3)) {
        if (one_in(dice, 4))
            wait_for_mailbox(code, dice);
        else
            wait_for_stream(code, dice);
        for (unsigned i = 0; i < 4; i++)
            load_from(code, TF_GPR_BASE + 4 * pick(dice, 8)); /* a GPR */
    }
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, core == TF_CORE_NC)); /* NC never waits, so that all run equally long */
    put(code, rv_j(0, -4));
}

/* A request to TILE: words for all cores at once, or one more for the word of one core. */
static void request(struct code *code, struct dice *dice, unsigned round)
{
    struct tf_coord to = one_column_coord(TILE);
    bool writes = !one_in(dice, 3);
    uint32_t target = writes ? WORD_AT(round, 0) : WORD_AT(round, pick(dice, TF_TILE_CORES));
    uint32_t node = (uint32_t)to.y << 6 | (uint32_t)to.x;
    const uint32_t words[][2] = {
        {0x00, writes ? ONES : target},
        {0x08, node},
        {0x0C, writes ? target : ONES},
        {0x14, node},
        {0x18, 1 << 10},
        {0x1C, writes ? 0x12 : 0x11}, /* answered */
        {0x20, writes ? ONES_BYTES : 0x107C},
        {0x28, 1},
        {0x40, 1},
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        store_to(code, TF_NIU_BASE(0) + words[i][0], words[i][1]);
}

/* Wait until a request has acted or was answered. The register of the longer loop may end it, too. */
static void wait_for_request(struct code *code, struct dice *dice, unsigned core, unsigned round)
{
    uint32_t word = WORD_AT(round, one_in(dice, 4) ? pick(dice, TF_TILE_CORES) : core);
    unsigned kind = pick(dice, 8), loop = code->count + 4;
    if (kind == 0) {
        load_from(code, TF_MAILBOX_BASE + 0x1000 * pick(dice, 4)); /* a mailbox */
        return;
    }
    li(code, X_ADDRESS,
       kind == 1 ? NIU_COUNTER(0, 0) + 4 * (one_in(dice, 2) ? 0x01 : 0x31) : word); /* acknowledgments */
    li(code, X_TIME, semaphore(dice));
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    for (unsigned i = pick(dice, 4); i != 0; i--)
        put(code, rv_i(ADDI, X_COUNT, 0, i));
    if (kind < 4) {
        put(code, rv_b(BNE, X_VALUE, 0, 12));
        put(code, rv_i(LW, X_VALUE, X_TIME, 0));
    }
    branch_to(code, BEQ, X_VALUE, 0, loop);
    keep_time(code);
}

/* Requests of another tile wake cores in one round, and in the other one requests of NC. */
static void make_woken(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    bool sends = core == TF_CORE_NC || core == SENDS;
    begin_program(code, dice, core, debugged);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (!sends)
            random_steps(code, dice, core, debugged, pick_between(dice, 2, 8));
        else
            delay(code, round == 0 ? pick_between(dice, 1, EPOCH / 8) : EPOCH / 2);
        if (!sends)
            wait_for_request(code, dice, core, round);
        else if ((core == SENDS) == (round == debugged))
            for (unsigned requests = pick_between(dice, 1, 3); requests != 0; requests--)
                request(code, dice, round);
    }
    random_steps(code, dice, sends ? TF_CORE_B : core, debugged, sends ? 0 : pick_between(dice, 2, 15));
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, sends));
    put(code, rv_j(0, -4));
}

static void test_slices(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = 0, programs = test_rounds(14); program < programs; program++)
        compare_ways(&(struct tile_test){.make = make_program}, seed + program, &events);
    assert_true(events > 0);
    assert_true(gdb_stops() > 0);
}

/* Cores that requests wake act in the order of their cycles, whatever the slice in which they wake is. */
static void test_woken(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = 0, programs = test_rounds(14); program < programs; program++)
        compare_ways(&(struct tile_test){.make = make_woken, .sends = true}, seed + program, &events);
}

static void rest(struct code *code)
{
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    put(code, rv_j(0, -4));
}

/* T0's MOP counts in its GPR 0, T1's STOREREG ends the wait of B, which then reads that GPR. */
static void make_woken_reader(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    switch (core) {
    case TF_CORE_T0:
        store_to(code, TF_MOP_CFG_BASE, 100);
        store_to(code, TF_MOP_CFG_BASE + 4 * 1, 100);
        for (unsigned word = 2; word < 9; word++)
            store_to(code, TF_MOP_CFG_BASE + 4 * word, 0x58800000 | 1 << 6); /* ADDDMAREG: GPR 0 plus 1 */
        store_to(code, TF_INSTRN_BUF_BASE, 0x01800000);
        break;
    case TF_CORE_T1:
        delay(code, pick_between(dice, 500, 3000));
        store_to(code, TF_INSTRN_BUF_BASE, set_gpr(0, 0, 1));
        store_to(code, TF_INSTRN_BUF_BASE, storereg(0, STREAM(0)));
        break;
    case TF_CORE_B:
        li(code, X_ADDRESS, STREAM(0));
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        branch_to(code, BEQ, X_VALUE, 0, code->count - 1);
        for (unsigned i = 0; i < 4; i++)
            load_from(code, TF_GPR_BASE);
        break;
    default: break;
    }
    rest(code);
}

/* A core that polls a stream wakes in the middle of a turn: it sees GPRs as they are in its own cycle. */
static void test_woken_reader(void **state)
{
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (unsigned program = 0; program < 4; program++)
        compare_ways(&(struct tile_test){.make = make_woken_reader}, seed + program, &events);
}

/* A MOP that adds to GPR 0 for some rounds^2 cycles. */
static void configure_long_mop(struct code *code, struct dice *dice, uint32_t rounds)
{
    configure_mop(code, dice);
    store_to(code, TF_MOP_CFG_BASE, rounds);
    store_to(code, TF_MOP_CFG_BASE + 4 * 1, rounds);
    for (unsigned word = 2; word < 9; word++)
        store_to(code, TF_MOP_CFG_BASE + 4 * word, COUNT_UP);
}

/* T0 waits for room after a long MOP; B gives its FIFO to the debug bus, which ends the wait. Or T2's thread does. */
static void make_lost_push(struct code *code, struct dice *dice, unsigned core, bool by_thread)
{
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        configure_long_mop(code, dice, 100);
        for (unsigned i = 0; i < 40; i++)
            store_to(code, TF_INSTRN_BUF_BASE, i == 0 ? 0x01800000 : 0x02000000);
        keep_time(code);
    }
    if (core == (by_thread ? TF_CORE_T2 : TF_CORE_B))
        delay(code, pick_between(dice, 1000, 2000));
    if (core == TF_CORE_T2 && by_thread) {
        const uint32_t words[] = {set_gpr(1, 0, 1), set_gpr(1, 1, 0), storereg(1, PUSH_CTRL0)};
        for (unsigned i = 0; i < 3; i++)
            put(code, words[i] << 2 | words[i] >> 30); /* .ttinsn */
    }
    if (core == TF_CORE_B && !by_thread)
        store_to(code, PUSH_CTRL0, 1);
    rest(code);
}

/* A store to a debug register ends a wait before the expanders would. */
static void test_lost_push(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = 0; program < 3; program++) { /* one of them by a thread */
        compare_ways(&(struct tile_test){.make = make_lost_push}, seed + program, &events);
        run_tile(&(struct tile_test){.make = make_lost_push}, seed + program,
                 (struct way){.slice = 16384, .parking = true}, &events, &outcome);
        assert_in_range(outcome.kept[TF_CORE_T0][0], 1000, 9000);
    }
}

/* T0 counts by pushes, ahead of B, which gives T0's FIFO to the debug bus for a while: only pushes of that while are
   lost. Or T0 switches Auto TTSync on, which must count the later pushes. A MOP before them may fill the FIFO. */
static void make_counted_pushes(struct code *code, struct dice *dice, unsigned core, bool synced)
{
    const uint32_t on = 0xB2000000 | TRISC_SYNC << 16 | 0x1F;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        bool full = synced || one_in(dice, 2);
        configure_long_mop(code, dice, 10);
        delay(code, pick_between(dice, 1, 20));
        li(code, X_ADDRESS, TF_INSTRN_BUF_BASE);
        li(code, X_VALUE, COUNT_UP);
        if (synced)
            put(code, on << 2 | on >> 30); /* .ttinsn */
        if (full)
            put(code, 0x01800000u << 2); /* .ttinsn MOP */
        for (unsigned i = 0; i < (full && !synced ? 40 : 24); i++) {
            put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
            if (i % 4 == 0)
                delay(code, 1); /* a branch, so that a turn can end */
        }
        if (!synced)
            load_from(code, TF_DONE_CHECK); /* CoprocessorDoneCheck */
        load_from(code, TF_GPR_BASE);       /* GPR 0 */
        keep_time(code);
    }
    if (core == TF_CORE_B && !synced) {
        delay(code, pick_between(dice, 20, 120));
        store_to(code, PUSH_CTRL0, 1);
        delay(code, pick_between(dice, 1, 30));
        store_to(code, PUSH_CTRL0, 0);
    }
    rest(code);
}

static void test_counted_pushes(void **state)
{
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = 0, programs = test_rounds(14); program < programs; program++)
        compare_ways(&(struct tile_test){.make = make_counted_pushes}, seed + program, &events);
}

#define BUS_PUSHES 4u

/* thread_stores() or thread_stores_at() */
static void (*push_bus)(struct code *code, uint32_t address, uint32_t value);

/* T0's thread pushes instructions for T1's thread through the debug bus. That thread is idle, and they count; or its
   MOP counts, and they set the count to 0. T1 reads the count. */
static void make_bus_pushes(struct code *code, struct dice *dice, unsigned core, bool counts)
{
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        delay(code, pick_between(dice, 100, 300));
        push_bus(code, PUSH_CTRL1, counts ? set_gpr(0, 0, 0) : COUNT_UP);
        for (unsigned i = 0; i < BUS_PUSHES; i++) {
            push_bus(code, PUSH_CTRL0, 1 << 1 | 1 << 5);
            push_bus(code, PUSH_CTRL0, 1 << 1);
        }
    }
    if (core == TF_CORE_T1 && counts) {
        configure_long_mop(code, dice, 30);
        store_to(code, TF_INSTRN_BUF_BASE, 0x01800000);
    }
    if (core == TF_CORE_T1) {
        delay(code, pick_between(dice, 1500, 3000));
        load_from(code, TF_GPR_BASE); /* GPR 0 */
    }
    rest(code);
}

/* A thread executes in its cycle what another one pushes: it is not idle for the rest of the turn, nor ahead. */
static void test_bus_pushes(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = seed; program < seed + 8; program++) {
        push_bus = program % 2 ? thread_stores : thread_stores_at;
        run_tile(&(struct tile_test){.make = make_bus_pushes}, program, (struct way){.slice = 16384, .parking = true},
                 &events, &outcome);
        uint32_t count = outcome.kept[TF_CORE_T1][0];
        assert_true(count == BUS_PUSHES || (count > 1000 && count < 1800));
        compare_ways(&(struct tile_test){.make = make_bus_pushes}, program, &events);
    }
}

/* B polls a mailbox that stays empty. T1 then reads what STOREREGs of its thread store. */
static void make_mailbox_poller(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_B)
        wait_for_mailbox(code, dice);
    if (core == TF_CORE_T1) {
        delay(code, pick_between(dice, 1500, 3000));
        for (unsigned i = 1; i <= 8; i++) {
            store_to(code, TF_INSTRN_BUF_BASE, set_gpr(0, 0, i));
            store_to(code, TF_INSTRN_BUF_BASE, storereg(0, STREAM(1)));
            delay(code, 20);
            load_from(code, STREAM(1));
        }
    }
    rest(code);
}

/* A core that polls registers which the coprocessor cannot change does not hold the coprocessor back. */
static void test_mailbox_poller(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    compare_ways(&(struct tile_test){.make = make_mailbox_poller}, seed, &events);
    run_tile(&(struct tile_test){.make = make_mailbox_poller}, seed, (struct way){.slice = 1024, .parking = true},
             &events, &outcome);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(outcome.kept[TF_CORE_T1][i], i + 1);
}

/* The actor that polls semaphore 0, and the cycle in which the other one of T1 and T2 posts it. */
static struct {
    unsigned poller, nops;
} meeting;

static void make_meeting(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)dice;
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    li(code, X_ADDRESS, TF_SEMAPHORE_BASE);
    if (core == meeting.poller) {
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        branch_to(code, BEQ, X_VALUE, 0, code->count - 1);
    } else if (core >= TF_CORE_T1) {
        delay(code, 2000);
        for (unsigned i = 0; i < meeting.nops; i++)
            put(code, rv_i(ADDI, X_VALUE, 0, 0));
        put(code, rv_s(SW, 0, X_ADDRESS, 0));
        put(code, rv_i(ADDI, X_VALUE, 0, 0)); /* as long as the poller's branch */
    }
    if (core >= TF_CORE_T1)
        keep_time(code);
    rest(code);
}

/* Within a cycle T1 comes before T2. A load of T1 misses a post of T2 in the same cycle; T2 sees one of T1. */
static void test_poller_in_same_cycle(void **state)
{
    static struct outcome outcome;
    (void)state;
    for (meeting.poller = TF_CORE_T1; meeting.poller <= TF_CORE_T2; meeting.poller++) {
        uint32_t seen = 0, first = meeting.poller == TF_CORE_T1;
        for (meeting.nops = 0; meeting.nops < 4; meeting.nops++)
            for (unsigned parking = 0; parking < 2; parking++) {
                run_tile(&(struct tile_test){.make = make_meeting}, 1, (struct way){.slice = 16384, .parking = parking},
                         NULL, &outcome);
                uint32_t late = outcome.kept[meeting.poller][0];
                late -= outcome.kept[TF_CORE_T1 + TF_CORE_T2 - meeting.poller][0];
                assert_in_range(late, first, first + 1); /* the loop has two instructions */
                seen |= 1u << late;
            }
        assert_int_equal(seen, 3u << first);
    }
}

/* Registers that the cores of a tile may poll together: words that no actor changes. */
static uint32_t polled_word(struct dice *dice, unsigned core)
{
    static const uint32_t of_all[] = {
        TF_LOCAL_OF_NC_BASE,        /* core-local RAM of NC */
        DEBUG_AT(FEATURE_DISABLE),  /* debug registers: one that is kept, */
        DEBUG_AT(PUSH_CTRL1),       /* what the debug bus pushes, */
        DEBUG_AT(WATCHDOG_CNTL),    /* control of the watchdog, */
        DEBUG_AT(TIMESTAMP_STATUS), /* and status of the timestamper */
        PIC_AT(BRISC_SW_INT_EN),    /* PIC: enabled software interrupts, */
        PIC_AT(SW_INT),             /* the first of them, which a load clears, */
        PIC_AT(SW_INT_PC),          /* and its handler */
    };
    switch (pick(dice, core == TF_CORE_NC ? 1 : 4)) {
    case 0: return of_all[pick(dice, sizeof of_all / sizeof of_all[0])];
    case 1: return TF_MAILBOX_BASE + 0x4 + 0x1000 * pick(dice, 4);               /* the status of a mailbox */
    case 2: return TF_TDMA_BASE + 0x10;                                          /* TDMA-RISC */
    default: return core == TF_CORE_B ? STREAM(pick(dice, 4)) : semaphore(dice); /* which B has not */
    }
}

static void poll_while_zero(struct code *code)
{
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BEQ, X_VALUE, 0, code->count - 1);
}

/* Each core polls for ever; what they load does not change. By seed, NC goes on without a poll. */
static void make_pollers(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    li(code, X_DATA, DATA_AT(core));
    delay(code, pick_between(dice, 1, 3000));
    if (core != TF_CORE_NC || debugged) {
        li(code, X_ADDRESS, polled_word(dice, core));
        poll_while_zero(code);
    }
    rest(code);
}

/* Cores that poll do not keep each other from parking, so a deadlock is seen, and costs nothing. */
static void test_pollers(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = seed; program < seed + 24; program++) {
        const struct tile_test test = {.make = make_pollers};
        const bool all = program % 3 == 0;
        if (!all) /* else the run ends with the slice in which the tile is quiet */
            compare_ways(&test, program, &events);
        run_tile(&test, program, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
        assert_int_equal(outcome.end, all ? TF_END_QUIET : TF_END_CYCLES);
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            assert_int_equal(outcome.core[core].state, core == TF_CORE_NC && !all ? TF_CORE_RUNNING : TF_CORE_PARKED);
    }
}

/* --- Streams of Wormhole, which run phases --- */

enum { X_OTHER = 12 };
enum { MISC_CFG = 10, PHASE_ADVANCE = 27, CFG_HEADER = 36, BLOBS_DONE = 234, NEXT_BLOB_DONE = 246 };

static uint32_t stream_register(unsigned stream, unsigned index)
{
    return TF_STREAM_BASE + 0x1000 * stream + 4 * index;
}

/* A phase without messages from and to software ends immediately, and its blob is done. */
static void end_blob(struct code *code, unsigned stream)
{
    store_to(code, stream_register(stream, MISC_CFG), 1 << 4 | 1 << 6);
    store_to(code, stream_register(stream, CFG_HEADER), 1);
    store_to(code, stream_register(stream, PHASE_ADVANCE), 1);
}

#define BLOBS 16u

/*
 * B polls by one loop: a word that NC sets, then the register that takes a finished stream out of the set, which holds
 * one by then. Between them it passes some cycles, so that it comes to the loop before, within or after a probe. T0
 * polls the set itself.
 */
static void make_popper(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    const uint32_t word = stream_register(63, 6), popped = stream_register(0, NEXT_BLOB_DONE);
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_B) {
        li(code, X_TIME, word);
        li(code, X_OTHER, word ^ popped);
        li(code, X_ADDRESS, word);
        li(code, X_COUNT, 2 * BLOBS);
        unsigned loop = code->count;
        poll_while_zero(code);
        put(code, rv_s(SW, X_VALUE, X_DATA, 0));
        put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
        put(code, rv_s(SW, 0, X_TIME, 0));
        put(code, rv_r(XOR, X_ADDRESS, X_ADDRESS, X_OTHER));
        for (unsigned i = pick(dice, 150); i != 0; i--)
            put(code, rv_i(ADDI, X_VALUE, X_VALUE, 1));
        put(code, rv_i(ADDI, X_COUNT, X_COUNT, 0xFFF));
        branch_to(code, BNE, X_COUNT, 0, loop);
    } else if (core == TF_CORE_NC) {
        for (unsigned i = 0; i < BLOBS; i++) {
            delay(code, pick_between(dice, 300, 1500));
            end_blob(code, 20 + i);
            store_to(code, word, 5);
        }
    } else if (core == TF_CORE_T0) {
        for (unsigned i = 0; i < 4; i++) {
            li(code, X_ADDRESS, stream_register(0, BLOBS_DONE));
            poll_while_zero(code);
            put(code, rv_s(SW, X_VALUE, X_DATA, 4 * i));
            delay(code, 10);
        }
    }
    rest(code);
}

/* A load that pops a value pops it once, for any memo of its loop. */
static void test_popper(void **state)
{
    static struct outcome outcome;
    const struct tile_test test = {.make = make_popper, .arch = "wormhole"};
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = seed; program < seed + 8; program++) {
        run_tile(&test, program, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
        assert_int_equal(outcome.faults, 0);
        for (unsigned i = 0; i < BLOBS; i++) {
            assert_int_equal(outcome.kept[TF_CORE_B][2 * i], 5);
            assert_int_equal(outcome.kept[TF_CORE_B][2 * i + 1], 0x10000 | (20 + i));
        }
        compare_ways(&test, program, &events);
    }
}

/* A loop that was remembered with a register reads one that is a fault: it is one fault. */
static void make_faulting_poller(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    static const uint32_t bad[] = {TF_GPR_BASE + 4 * 64, TF_INSTRN_BUF_BASE,   TF_DEBUG_BASE + 0xFF0,
                                   TF_MOP_CFG_BASE,      TF_TDMA_BASE + 0xFF0, TF_CFG_BASE + 4 * 4092};
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        li(code, X_ADDRESS, STREAM(0));
        unsigned loop = code->count;
        poll_while_zero(code);
        li(code, X_ADDRESS, bad[pick(dice, sizeof bad / sizeof bad[0])]);
        for (unsigned i = pick(dice, 150); i != 0; i--)
            put(code, rv_i(ADDI, X_COUNT, 0, i));
        jump_to(code, 0, loop);
    } else if (core == TF_CORE_NC) {
        delay(code, pick_between(dice, 2000, 5000));
        store_to(code, STREAM(0), 1);
    }
    rest(code);
}

static void test_faulting_poller(void **state)
{
    static struct outcome outcome;
    const struct tile_test test = {.make = make_faulting_poller};
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = seed; program < seed + 40; program++) {
        run_tile(&test, program, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
        assert_int_equal(outcome.faults, 1);
        assert_int_equal(outcome.core[TF_CORE_T0].state, TF_CORE_FAULTED);
        if (program % 8 == 0)
            compare_ways(&test, program, &events);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),          cmocka_unit_test(test_woken),
        cmocka_unit_test(test_woken_reader),    cmocka_unit_test(test_lost_push),
        cmocka_unit_test(test_counted_pushes),  cmocka_unit_test(test_bus_pushes),
        cmocka_unit_test(test_mailbox_poller),  cmocka_unit_test(test_poller_in_same_cycle),
        cmocka_unit_test(test_pollers),         cmocka_unit_test(test_popper),
        cmocka_unit_test(test_faulting_poller),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
