/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule makes stores, loads and lines of L0 late. Some actions must come before them (MemoryOrdering.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tile/mmio/mmio.h"
#include "tile/tensix/config/state.h"
#include "tilefarm_address.h"

#include "explored.h"
#include "addresses.h"

#define LATE 40u /* slices of a late store */

static struct tf_explore schedule(const struct tf_decision *decision, size_t decisions)
{
    return (struct tf_explore){.scheduled = true, .decision = decision, .decisions = decisions};
}

/* So many cycles, or a few more. */
static void rest(uint32_t cycles)
{
    li(&code, 6, cycles / 2);
    put(&code, rv_i(ADDI, 6, 6, -1u));
    put(&code, rv_b(BNE, 6, 0, -4));
}

static void load(unsigned rd, uint32_t address)
{
    li(&code, X_BASE, address);
    put(&code, rv_i(LW, rd, X_BASE, 0));
}

/* A load waits for a late store of its bytes and those before it. Later ones stay in the queue. */
static void a_load_waits_for_its_store(void **state)
{
    (void)state;
    struct tf_decision late[3];
    for (uint32_t i = 0; i < 3; i++)
        late[i] = (struct tf_decision){.freedom = TF_FREE_STORE, .ordinal = i, .value = LATE};
    const struct tf_explore explore = schedule(late, 3);
    for (uint32_t loaded = 0; loaded < 3; loaded++) {
        create(&explore);
        for (uint32_t i = 0; i < 3; i++)
            store(&code, OWN_L1 + 64 * i, 1 + i);
        load(5, OWN_L1 + 64 * loaded);
        start(TF_CORE_B, 0x100);
        run(LATE / 4);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(peek(0, OWN_L1 + 64 * i), i <= loaded ? 1 + i : 0);
        run(2 * LATE);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(peek(0, OWN_L1 + 64 * i), 1 + i);
        tf_chip_destroy(chip);
    }
}

/* A store to a register is processed when it retires, after a late store to L1. That of the debug interface cannot be
   late. A load of that register makes the late store leave the queue before later loads. Without it, a load of another
   address does not. */
static void a_load_follows_a_prompt_store(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_STORE, .value = LATE};
    const struct tf_explore explore = schedule(&late, 1);
    const uint32_t registers[] = {NIU, TF_DEBUG_BASE + 0x68};
    for (unsigned i = 0; i < 4; i++) {
        const unsigned follows = i % 2;
        create(&explore);
        store(&code, OWN_L1, 1);
        store(&code, registers[i / 2], 2);
        if (follows)
            load(5, registers[i / 2]);
        load(5, OWN_L1 + 64);
        start(TF_CORE_B, 0x100);
        run(LATE / 4);
        assert_int_equal(peek(0, OWN_L1), follows);
        tf_chip_destroy(chip);
    }
}

/* T0 posts a semaphore late. A store to its PCBuf, which cannot be late, comes after that, and so does a load of the
   semaphore. T1 reads the semaphore some slices later. */
static void accesses_follow_their_region(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_STORE, .actor = TF_CORE_T0, .value = LATE};
    const struct tf_explore explore = schedule(&late, 1);
    for (unsigned follows = 0; follows < 3; follows++) {
        create(&explore);
        store(&code, TF_SEMAPHORE_BASE, 0);
        if (follows == 1)
            store(&code, TF_PC_BUF_BASE, 0);
        if (follows == 2)
            load(5, TF_SEMAPHORE_BASE);
        store(&code, OWN_L1, 1);
        start(TF_CORE_T0, 0x2000);
        rest(4 * TF_EXPLORE_CYCLES);
        load(5, TF_SEMAPHORE_BASE);
        li(&code, X_BASE, OWN_L1);
        put(&code, rv_i(ADDI, 5, 5, 1));
        put(&code, rv_s(SW, 5, X_BASE, 4));
        start(TF_CORE_T1, 0x3000);
        run(LATE / 2);
        assert_int_equal(peek(0, OWN_L1), 1);
        assert_int_equal(peek(0, OWN_L1 + 4), follows ? 2 : 1);
        tf_chip_destroy(chip);
    }
}

/* For B, all of T0's window is the PCBuf. Its stores may block there, so none is late, and each word arrives. */
static void stores_to_a_pcbuf_are_prompt(void **state)
{
    (void)state;
    enum { WORDS = TF_PCBUF_ENTRIES + 8 };
    struct tf_decision late[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        late[i] = (struct tf_decision){.freedom = TF_FREE_STORE, .ordinal = i, .value = 1};
    const struct tf_explore explore = schedule(late, WORDS);
    create(&explore);
    for (uint32_t i = 0; i < WORDS; i++)
        store(&code, TF_SEMAPHORE_BASE, 1 + i);
    start(TF_CORE_B, 0x100);
    rest(8 * TF_EXPLORE_CYCLES);
    li(&code, 7, OWN_L1);
    for (uint32_t i = 0; i < WORDS; i++) {
        load(5, TF_PC_BUF_BASE);
        put(&code, rv_s(SW, 5, 7, 4 * i));
    }
    start(TF_CORE_T0, 0x2000);
    run(2 * LATE);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(peek(0, OWN_L1 + 4 * i), 1 + i);
    tf_chip_destroy(chip);
}

/* TDMA-RISC's command to write a word to L1. */
#define WRITE_L1 0x666u

/*
 * T0 stores to a register that does not exist, and the store is late. With Auto TTSync its next store is prompt. So the
 * late one is processed before, and stops the core there.
 */
static void a_late_fault_stops_the_core(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_STORE, .actor = TF_CORE_T0, .ordinal = 2, .value = LATE};
    const struct tf_explore explore = schedule(&late, 1);
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        struct tf_run_options options = {.cycles_max = LATE / 2 * TF_EXPLORE_CYCLES};
        create(&explore);
        store(&code, TF_TDMA_BASE, OWN_L1);
        store(&code, TF_TDMA_BASE + 8, 7);
        store(&code, TF_TDMA_BASE + (faulty ? 0xFF0 : 4), 1);
        put(&code, 0xB2000000u << 2 | 0xB2000000u >> 30 | TF_THREAD_CFG_TRISC_SYNC << 18 |
                       TF_TRISC_SYNC_TRACK_INSTRUCTIONS << 2); /* SETC16 */
        rest(4 * TF_EXPLORE_CYCLES);
        store(&code, TF_TDMA_BASE + 0x10, WRITE_L1);
        start(TF_CORE_T0, 0x2000);
        assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
        assert_int_equal(tf_fault_count(chip), faulty);
        assert_int_equal(peek(0, OWN_L1), faulty ? 0 : 7);
        tf_chip_destroy(chip);
    }
}

/* A core polls a word, which the host changes. A line of L0 hides that for the decided number of loads. */
static void a_line_hides_a_change(void **state)
{
    (void)state;
    static const struct {
        uint32_t value, seen_after[2];
    } cases[] = {{0, {0, 2}}, {200, {2, 40}}, {8191, {1000, 1000}}}; /* epochs */
    for (unsigned i = 0; i < 3; i++) {
        const struct tf_decision stale = {.freedom = TF_FREE_STALE, .value = cases[i].value};
        const struct tf_explore explore = schedule(&stale, 1);
        create(&explore);
        poke(0, OWN_L1 + 4, 1);
        li(&code, X_BASE, OWN_L1 + 4);
        li(&code, 7, 1);
        put(&code, rv_i(LW, 5, X_BASE, 0));
        put(&code, rv_i(ADDI, 6, 6, 1)); /* this is no wait that parks */
        put(&code, rv_b(BEQ, 5, 7, -8));
        put(&code, rv_s(SW, 5, X_BASE, 64));
        start(TF_CORE_B, 0x100);
        run(2);
        poke(0, OWN_L1 + 4, 2);
        unsigned epochs = 0;
        while (epochs < 100 && peek(0, OWN_L1 + 68) == 0) {
            run(1);
            epochs++;
        }
        assert_int_equal(peek(0, OWN_L1 + 68), epochs < 100 ? 2 : 0);
        assert_in_range(epochs == 100 ? 1000 : epochs, cases[i].seen_after[0], cases[i].seen_after[1]);
        assert_int_equal(tf_chip_places(chip, TF_FREE_STALE), 1);
        tf_chip_destroy(chip);
    }
}

/* A load that flushes L0 leaves no line there. The next load gets its line from L1. */
static void a_flushed_line_is_gone(void **state)
{
    (void)state;
    const struct tf_decision stale = {.freedom = TF_FREE_STALE, .ordinal = 1, .value = 8191};
    const struct tf_explore explore = schedule(&stale, 1);
    create(&explore);
    for (unsigned i = 0; i < 3; i++) {
        load(7 + i, OWN_L1);
        rest(10 * TF_EXPLORE_CYCLES);
    }
    for (unsigned i = 0; i < 3; i++)
        put(&code, rv_s(SW, 7 + i, X_BASE, 64 + 4 * i));
    start(TF_CORE_B, 0x100);
    for (uint32_t i = 0; i < 3; i++) {
        poke(0, OWN_L1, 1 + i);
        run(i == 0 ? 5 : 10);
    }
    run(20);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(peek(0, OWN_L1 + 64 + 4 * i), 1 + i);
    assert_int_equal(tf_chip_places(chip, TF_FREE_STALE), 1);
    tf_chip_destroy(chip);
}

/* Only an access can show that it has overtaken a load. If no access follows, nothing is decided. */
static void only_accesses_overtake_loads(void **state)
{
    (void)state;
    struct tf_explore explore = schedule(NULL, 0);
    explore.notes = true;
    for (unsigned follows = 0; follows < 3; follows++) {
        create(&explore);
        li(&code, X_BASE, OWN_L1);
        put(&code, rv_i(LW, 5, X_BASE, 0));
        for (unsigned i = 0; i < 3; i++)
            put(&code, rv_i(ADDI, 6, 6, 1));
        if (follows != 0)
            put(&code, follows == 1 ? rv_s(SW, 6, X_BASE, 64) : rv_i(LW, 6, X_BASE, 64));
        start(TF_CORE_B, 0x100);
        run(4);
        assert_int_equal(tf_chip_places(chip, TF_FREE_LOAD), follows != 0);
        tf_chip_destroy(chip);
    }
}

/* A load that overtakes a late one of another region is not late itself. */
static void an_overtaking_load_is_not_late(void **state)
{
    (void)state;
    const struct tf_decision late[] = {{.freedom = TF_FREE_LOAD, .value = LATE},
                                       {.freedom = TF_FREE_LOAD, .ordinal = 1, .value = LATE}};
    const struct tf_explore explore = schedule(late, 2);
    create(&explore);
    poke(0, OWN_L1, 7);
    store(&code, NIU, 9);
    li(&code, 8, NIU);
    li(&code, X_BASE, OWN_L1);
    put(&code, rv_i(LW, 5, X_BASE, 0));
    put(&code, rv_i(ADDI, 7, 7, 1));
    put(&code, rv_i(LW, 6, 8, 0));
    put(&code, rv_s(SW, 5, X_BASE, 64));
    put(&code, rv_s(SW, 6, X_BASE, 68));
    start(TF_CORE_B, 0x100);
    run(LATE);
    assert_int_equal(peek(0, OWN_L1 + 64), 7);
    assert_int_equal(peek(0, OWN_L1 + 68), 9);
    tf_chip_destroy(chip);
}

#define PIC_ENABLE PIC_AT(BRISC_SW_INT_EN) /* of B: software interrupts */
#define PIC_RAISE PIC_AT(SW_INT)           /* software interrupt 0 */
#define PIC_HANDLER PIC_AT(SW_INT_PC)
#define HANDLER 0x6000u
#define MRET 0x30200073u

/* An interrupt comes while a load is late. The loads of its handler are processed immediately, the late load after the
   handler. */
static void an_interrupt_comes_before_a_late_load(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_LOAD, .value = 7 * LATE};
    const struct tf_explore explore = schedule(&late, 1);
    create(&explore);
    poke(0, OWN_L1, 7);
    poke(0, OWN_L1 + 4, 8);
    load(21, PIC_RAISE); /* which clears it */
    load(22, OWN_L1 + 4);
    put(&code, rv_s(SW, 22, X_BASE, 60));
    put(&code, MRET);
    assert_int_equal(tf_write(chip, at(0), HANDLER, words, code.count * 4), TF_OK);
    code.count = 0;
    store(&code, PIC_HANDLER, HANDLER);
    store(&code, PIC_ENABLE, 1);
    li(&code, 7, OWN_L1);
    li(&code, 8, NIU);
    put(&code, rv_i(LW, 5, 7, 0));
    put(&code, rv_i(LW, 6, 8, 0));
    put(&code, rv_s(SW, 5, 7, 68));
    start(TF_CORE_B, 0x100);
    run(LATE / 2);
    poke(0, PIC_RAISE, 1);
    assert_int_equal(peek(0, OWN_L1 + 64), 0);
    run(LATE);
    assert_int_equal(peek(0, OWN_L1 + 64), 8);
    assert_int_equal(peek(0, OWN_L1 + 68), 7);
    tf_chip_destroy(chip);
}

/* Nothing that follows a fence, an atomic, or an access to a CSR overtakes a load before it. */
static void nothing_overtakes_past_a_fence(void **state)
{
    (void)state;
    const uint32_t between[] = {0x0000000F, 0x0000202F | 9 << 15, 0x7C002373}; /* fence; amoadd; csrr x6, cfg0 */
    struct tf_explore explore = schedule(NULL, 0);
    explore.notes = true;
    for (unsigned i = 0; i < sizeof between / sizeof between[0]; i++) {
        create(&explore);
        li(&code, 9, OWN_L1 + 64);
        li(&code, 8, NIU);
        li(&code, 7, OWN_L1);
        put(&code, rv_i(LW, 5, 7, 0));
        put(&code, between[i]);
        put(&code, rv_i(LW, 6, 8, 0));
        start(TF_CORE_B, 0x100);
        run(4);
        assert_int_equal(tf_chip_places(chip, TF_FREE_LOAD), 0);
        tf_chip_destroy(chip);
    }
}

/* A run does not end while only the mover has work. */
static void a_late_move_ends_a_run(void **state)
{
    (void)state;
    const struct tf_decision late = {.freedom = TF_FREE_MOVE, .actor = TF_CORE_B, .value = LATE};
    const struct tf_explore explore = schedule(&late, 1);
    const uint32_t move[] = {OWN_L1 >> 4, (OWN_L1 + 64) >> 4, 1, 3,
                             0x40}; /* source, destination, lines, mode, command */
    enum tf_end end;
    create(&explore);
    poke(0, OWN_L1, 7);
    for (unsigned i = 0; i < 5; i++)
        store(&code, TF_TDMA_BASE + 4 * i, move[i]);
    start(TF_CORE_B, 0x100);
    run(LATE / 4);
    assert_int_equal(peek(0, OWN_L1 + 64), 0);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_int_equal(peek(0, OWN_L1 + 64), 7);
    tf_chip_destroy(chip);
}

/* A seed sets rates, lengths and the strategy. The settings then hold no decision, and note none. */
static void seeds_set_no_decisions(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 300; seed++)
        for (unsigned chaos = 0; chaos < 2; chaos++) {
            struct tf_explore explore = {.scheduled = true};
            (chaos ? tf_explore_chaos : tf_explore_random)(&explore, seed);
            assert_int_equal(explore.longest[TF_FREE_STORE], chaos || (seed > 256 && seed % 4 == 0) ? 64 * 8 : 64);
            assert_int_equal(explore.longest[TF_FREE_STALE], 8191);
            assert_true(explore.starves == chaos && !explore.scheduled && explore.seed == seed);
            assert_true(!explore.notes && explore.decision == NULL && explore.decisions == 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_waits_for_its_store),     cmocka_unit_test(a_load_follows_a_prompt_store),
        cmocka_unit_test(accesses_follow_their_region),   cmocka_unit_test(stores_to_a_pcbuf_are_prompt),
        cmocka_unit_test(a_late_fault_stops_the_core),    cmocka_unit_test(a_line_hides_a_change),
        cmocka_unit_test(a_flushed_line_is_gone),         cmocka_unit_test(only_accesses_overtake_loads),
        cmocka_unit_test(a_late_move_ends_a_run),         cmocka_unit_test(an_overtaking_load_is_not_late),
        cmocka_unit_test(nothing_overtakes_past_a_fence), cmocka_unit_test(an_interrupt_comes_before_a_late_load),
        cmocka_unit_test(seeds_set_no_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
