/* SPDX-License-Identifier: Apache-2.0 */
/* Runs under a schedule: the order of packets, the reported decisions, the packets that an exploration sees, and the
   places that seeds choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/explore/decoded.h"
#include "farm/explore/explore.h"
#include "tile/explore/noted.h"
#include "tile/tensix/mover_job.h"

#include "explored.h"
#include "tilefarm_address.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define NODE_ID NIU_AT(0, NODE_ID)
#define REGISTER DEBUG_AT(TIMESTAMP_BUFFERS_LAST) /* it keeps a word */

#define UNMARKED (1u << 30) /* of a first packet; no bit of NOC_CTRL */

/* Two packets. The first is late by its decision. Ordering.md says whether the second is then late, too. */
static void order_of_two_packets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t first, first_at, second, second_at;
        bool ordered;
    } pairs[] = {
        {"reads of L1", STATIC, OTHER_L1, STATIC, OTHER_L1 + 16, false},
        {"a read of a register, and one of L1", STATIC, NODE_ID, STATIC, OTHER_L1 + 16, true},
        {"a read of L1, and one of a register", STATIC, OTHER_L1, STATIC, NODE_ID, true},
        {"linked reads", STATIC | LINKED, OTHER_L1, STATIC, OTHER_L1 + 16, true},
        {"a linked read and a write", STATIC | LINKED, OTHER_L1, STATIC | WRITE, OTHER_L1 + 16, true},
        {"a read and a write", STATIC, OTHER_L1, STATIC | WRITE, OTHER_L1 + 16, false},
        {"a read of a register and a write", STATIC, NODE_ID, STATIC | WRITE, OTHER_L1 + 16, false},
        {"writes", STATIC | WRITE, OTHER_L1, STATIC | WRITE, OTHER_L1 + 16, true},
        {"a write and a read", STATIC | WRITE, OTHER_L1, STATIC, OTHER_L1 + 16, true},
        {"a write of a register, and one of L1", STATIC | WRITE, REGISTER, STATIC | WRITE, OTHER_L1 + 16, false},
        {"a write of L1, and one of a register", STATIC | WRITE, OTHER_L1, STATIC | WRITE, REGISTER, false},
        {"writes of registers", STATIC | WRITE, REGISTER, STATIC | WRITE, REGISTER, true},
        {"linked writes", WRITE | LINKED, OTHER_L1, WRITE, OTHER_L1 + 16, true},
        {"writes of two channels", STATIC | WRITE, OTHER_L1, STATIC | WRITE | OTHER_CHANNEL, OTHER_L1 + 16, false},
        {"writes of any channel", WRITE, OTHER_L1, WRITE, OTHER_L1 + 16, false},
        {"atomics", STATIC | ATOMIC, OTHER_L1, STATIC | ATOMIC, OTHER_L1 + 16, true},
        {"an unanswered atomic and another", STATIC | ATOMIC | UNMARKED, OTHER_L1, STATIC | ATOMIC, OTHER_L1 + 16,
         false},
        {"an atomic and a read", STATIC | ATOMIC, OTHER_L1, STATIC, OTHER_L1 + 16, false},
    };
    const struct tf_decision delay = {.freedom = TF_FREE_REQUEST, .value = DELAY};
    const struct tf_explore explore = {.scheduled = true, .decision = &delay, .decisions = 1};
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        create(&explore);
        bool writes = pairs[i].second & WRITE;
        poke(writes ? 0 : 1, writes ? OWN_L1 + 16 : OTHER_L1 + 16, 7);
        ask(0, (MARKED | pairs[i].first) & ~(pairs[i].first & UNMARKED ? MARKED | UNMARKED : 0), pairs[i].first_at,
            OWN_L1, 4);
        ask(0, MARKED | pairs[i].second, pairs[i].second_at, OWN_L1 + 16, 4);
        start(TF_CORE_B, 0x100);
        run(DELAY / 2);
        bool has_come = writes ? peek(1, pairs[i].second_at) != 0 : peek(0, OWN_L1 + 16) != 0;
        if (has_come == pairs[i].ordered)
            fail_msg("%s: the second %s", pairs[i].name, has_come ? "is first" : "waits");
        run(DELAY);
        assert_true(writes ? peek(1, pairs[i].second_at) != 0 : peek(0, OWN_L1 + 16) != 0);
        tf_chip_destroy(chip);
    }
}

/* Each place of a run is reported once, in the order of places. */
static void places_are_told_in_their_order(void **state)
{
    (void)state;
    static struct tf_decision made[4096];
    const struct tf_explore explore = {.scheduled = true, .notes = true};
    create(&explore);
    for (unsigned which = 0; which < 2; which++) {
        for (unsigned i = 0; i < 3; i++)
            ask(which, MARKED | WRITE, OTHER_L1, OWN_L1, 64);
        start(which == 0 ? TF_CORE_B : TF_CORE_NC, 0x100 + 0x1000 * which);
    }
    run(20);
    size_t count = tf_chip_decisions(chip, made, 4096);
    assert_in_range(count, 20, 4096);
    uint64_t of[TF_FREEDOMS] = {0};
    for (size_t i = 0; i < count; i++) {
        of[made[i].freedom]++;
        if (i == 0)
            continue;
        const struct tf_decision *x = &made[i - 1], *y = &made[i];
        uint64_t before = (uint64_t)x->freedom << 56 | (uint64_t)x->tile << 48 | (uint64_t)x->actor << 32 | x->ordinal;
        assert_true(before <
                    ((uint64_t)y->freedom << 56 | (uint64_t)y->tile << 48 | (uint64_t)y->actor << 32 | y->ordinal));
    }
    assert_int_equal(of[TF_FREE_REQUEST], 6);
    assert_true(of[TF_FREE_STORE] != 0 && of[TF_FREE_RESPONSE] == 6);
    for (unsigned freedom = 0; freedom < TF_FREEDOMS; freedom++)
        assert_int_equal(tf_chip_places(chip, freedom), of[freedom]);
    assert_int_equal(tf_chip_places(chip, TF_FREEDOMS), 0);
    tf_chip_destroy(chip);
    create(NULL);
    assert_int_equal(tf_chip_places(chip, TF_FREE_STORE), 0);
    assert_int_equal(tf_chip_decisions(chip, NULL, 0), 0);
    tf_chip_destroy(chip);
}

/* A write that lands whole is reported once for each word, also with equal values. For one that lands in parts, this is
   when the part lands. */
static void packets_are_seen_when_they_act(void **state)
{
    (void)state;
    for (unsigned parts = 0; parts < 3; parts++) { /* whole; even granules first; odd ones first */
        const struct tf_decision decision = {.freedom = TF_FREE_PARTS,
                                             .value = parts == 0 ? 0 : 2 * DELAY - (parts - 1)};
        const struct tf_explore explore = {.scheduled = true, .decision = &decision, .decisions = 1};
        create(&explore);
        assert_true(tf_exploring_record(chip->exploring, 1, OTHER_L1 + 4));
        assert_true(tf_exploring_record(chip->exploring, 1, OTHER_L1 + 20));
        poke(0, OWN_L1 + 4, 70);
        poke(0, OWN_L1 + 20, parts == 0 ? 70 : 71);
        ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 64);
        start(TF_CORE_B, 0x100);
        run(2 * DELAY + 10);
        const struct tf_noted_accesses *noted = tf_exploring_noted(chip->exploring, 1);
        assert_int_equal(noted->count, 2);
        for (unsigned i = 0; i < 2; i++) {
            const struct tf_noted_access *access = &noted->list[i];
            unsigned odd = parts == 2 ? !i : i;
            assert_int_equal(access->kind, TF_NOTED_NOC_WRITE);
            assert_int_equal(access->address, OTHER_L1 + 4 + 16 * odd);
            assert_int_equal(access->value, parts == 0 ? 70 : 70 + odd);
        }
        uint64_t between = noted->list[1].cycle - noted->list[0].cycle;
        assert_int_equal(peek(0, NIU + 0x280), 0);                             /* the NIU has captured the source */
        assert_int_equal(between / TF_EXPLORE_CYCLES, parts == 0 ? 0 : DELAY); /* slices vary a little */
        tf_chip_destroy(chip);
    }
}

/* A write lands in parts only if it covers more than one granule of L1. In parts or whole, it is delivered once. */
static void writes_to_two_granules_have_parts(void **state)
{
    (void)state;
    static const struct {
        uint32_t offset, bytes;
        unsigned places;
    } cases[] = {{0, 4, 0}, {4, 4, 0}, {0, 16, 0}, {12, 8, 1}, {0, 32, 1}};
    const struct tf_decision decision = {.freedom = TF_FREE_PARTS, .value = 2 * DELAY};
    const struct tf_explore explore = {.scheduled = true, .decision = &decision, .decisions = 1};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tf_worker_stats worker;
        create(&explore);
        ask(0, MARKED | WRITE, OTHER_L1 + cases[i].offset, OWN_L1 + cases[i].offset, cases[i].bytes);
        start(TF_CORE_B, 0x100);
        run(2 * DELAY);
        assert_int_equal(tf_chip_places(chip, TF_FREE_PARTS), cases[i].places);
        assert_int_equal(tf_worker_stats(chip, 0, &worker), TF_OK);
        assert_int_equal(worker.deliveries, 1);
        tf_chip_destroy(chip);
    }
}

/* A write reads its source when its decision says, and at the latest when it acts. */
static void sources_are_read_late(void **state)
{
    (void)state;
    static const struct {
        unsigned capture, request, changed; /* in epochs; the host changes the source after so many */
        uint32_t written;
    } cases[] = {{8, 20, 4, 2}, {8, 20, 14, 1}, {20, 8, 4, 2}, {20, 8, 14, 1}, {0, 20, 4, 1}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tf_decision decisions[] = {{.freedom = TF_FREE_CAPTURE, .value = cases[i].capture},
                                                {.freedom = TF_FREE_REQUEST, .value = cases[i].request}};
        const struct tf_explore explore = {.scheduled = true, .decision = decisions, .decisions = 2};
        create(&explore);
        poke(0, OWN_L1, 1);
        ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 4);
        start(TF_CORE_B, 0x100);
        run(cases[i].changed);
        poke(0, OWN_L1, 2);
        run(40);
        assert_int_equal(peek(1, OTHER_L1), cases[i].written);
        assert_int_equal(peek(0, NIU + 0x280), 0); /* writes whose source has not been read */
        tf_chip_destroy(chip);
    }
}

/* A core that loads one value repeatedly is reported once, with the number of loads. */
static void equal_loads_are_counted(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    create(&explore);
    assert_true(tf_exploring_record(chip->exploring, 0, OWN_L1));
    li(&code, X_BASE, OWN_L1);
    li(&code, 6, 10);
    put(&code, rv_i(LW, 5, X_BASE, 0));
    put(&code, rv_i(ADDI, 6, 6, -1));
    put(&code, rv_b(BNE, 6, 0, -8));
    start(TF_CORE_B, 0x100);
    run(10);
    const struct tf_noted_accesses *noted = tf_exploring_noted(chip->exploring, 0);
    assert_int_equal(noted->count, 1);
    assert_int_equal(noted->list[0].count, 10);
    tf_chip_destroy(chip);
}

/* Each byte of a word names the word, which takes one of few places. */
static void words_are_recorded_once(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    create(&explore);
    const uint64_t end = chip->tiles.tile[0].arch->l1_bytes;
    assert_false(tf_exploring_record(NULL, 0, OWN_L1));
    assert_false(tf_exploring_record(chip->exploring, chip->tiles.count, OWN_L1));
    assert_false(tf_exploring_record(chip->exploring, 0, end));
    for (unsigned word = 0; word < TF_NOTED_WORDS; word++)
        for (unsigned i = 0; i < 8; i++)
            assert_true(tf_exploring_record(chip->exploring, 0, end - 4 * (word + 1) + i % 4));
    assert_false(tf_exploring_record(chip->exploring, 0, OWN_L1));
    assert_true(tf_exploring_record(chip->exploring, 0, end - 1));
    assert_true(tf_exploring_record(chip->exploring, 1, OWN_L1)); /* another tile has its own places */
    assert_int_equal(tf_exploring_noted(chip->exploring, 0)->words, TF_NOTED_WORDS);
    tf_chip_destroy(chip);
}

enum { MOVE_FROM = 0x5000, MOVE_TO = 0x5100 };

/* Run a command of the mover (TDMA-RISC.md), and return what was noted of both words. */
static const struct tf_noted_accesses *noted_of_move(enum tf_mover_mode mode)
{
    const uint32_t command[] = {MOVE_FROM / 16, MOVE_TO / 16, 1, mode, 0x40};
    const struct tf_explore explore = {.scheduled = true};
    create(&explore);
    assert_true(tf_exploring_record(chip->exploring, 0, MOVE_FROM));
    assert_true(tf_exploring_record(chip->exploring, 0, MOVE_TO));
    poke(0, MOVE_FROM, 7);
    for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++)
        store(&code, TF_TDMA_BASE + 4 * i, command[i]);
    start(TF_CORE_B, 0x100);
    run(10);
    return tf_exploring_noted(chip->exploring, 0);
}

/* The mover reads L1 and writes it. */
static void moves_are_seen(void **state)
{
    (void)state;
    const struct tf_noted_accesses *noted = noted_of_move(TF_MOVER_L1_TO_L1);
    assert_int_equal(peek(0, MOVE_TO), 7);
    assert_int_equal(noted->count, 2);
    assert_int_equal(noted->list[0].kind, TF_NOTED_MOVER_READ);
    assert_int_equal(noted->list[0].address, MOVE_FROM);
    assert_int_equal(noted->list[1].kind, TF_NOTED_MOVER);
    assert_int_equal(noted->list[1].address, MOVE_TO);
    assert_int_equal(noted->list[1].value, 7);
    tf_chip_destroy(chip);
}

/* A move into the configuration only reads L1, and one out of it only writes there. */
static void moves_of_configuration_are_seen(void **state)
{
    (void)state;
    const struct tf_noted_accesses *noted = noted_of_move(TF_MOVER_L1_TO_L0);
    assert_int_equal(noted->count, 1);
    assert_int_equal(noted->list[0].kind, TF_NOTED_MOVER_READ);
    tf_chip_destroy(chip);
    noted = noted_of_move(TF_MOVER_L0_TO_L1);
    assert_int_equal(noted->count, 1);
    assert_int_equal(noted->list[0].kind, TF_NOTED_MOVER);
    tf_chip_destroy(chip);
}

/* A core's own accesses have no order that matters. */
static void order_of_one_core_does_not_matter(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    create(&explore);
    assert_true(tf_exploring_seek(chip->exploring, 0));
    li(&code, X_BASE, OWN_L1);
    put(&code, rv_s(SW, 5, X_BASE, 0));
    put(&code, rv_i(LW, 5, X_BASE, 0));
    put(&code, rv_s(SW, 5, X_BASE, 0));
    start(TF_CORE_B, 0x1000);
    run(10);
    assert_true(tf_exploring_matters(chip->exploring) == UINT64_MAX);
    tf_chip_destroy(chip);
}

/* Two loads of a word by two cores have no order. A load and a store have one. */
static void order_matters_where_one_writes(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    for (unsigned writers = 0; writers < 3; writers++) {
        create(&explore);
        assert_true(tf_exploring_seek(chip->exploring, 0));
        for (unsigned core = 0; core < 2; core++) {
            li(&code, X_BASE, OWN_L1);
            for (unsigned i = 0; i < 10; i++)
                put(&code, rv_i(ADDI, 5, 5, 1));
            put(&code, core < writers ? rv_s(SW, 5, X_BASE, 0) : rv_i(LW, 5, X_BASE, 0));
            start(core == 0 ? TF_CORE_B : TF_CORE_NC, 0x1000 + 0x1000 * core);
        }
        run(10);
        if (writers == 0)
            assert_true(tf_exploring_matters(chip->exploring) == UINT64_MAX);
        else
            assert_in_range(tf_exploring_matters(chip->exploring), 5, TF_EXPLORE_CYCLES);
        tf_chip_destroy(chip);
    }
}

/* A search ends when the order matters in an early enough cycle. Then nothing is recorded any more. */
static void a_search_ends(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    for (unsigned early = 0; early < 2; early++) {
        create(&explore);
        assert_true(tf_exploring_seek(chip->exploring, early ? 1 : TF_EXPLORE_CYCLES));
        for (unsigned core = 0; core < 2; core++) {
            li(&code, X_BASE, OWN_L1);
            for (unsigned i = 0; i < 10; i++)
                put(&code, rv_i(ADDI, 5, 5, 1));
            put(&code, rv_s(SW, 5, X_BASE, 0));
            start(core == 0 ? TF_CORE_B : TF_CORE_NC, 0x1000 + 0x1000 * core);
        }
        run(10);
        assert_in_range(tf_exploring_matters(chip->exploring), 5, TF_EXPLORE_CYCLES);
        assert_int_equal(tf_exploring_noted(chip->exploring, 0) != NULL, early);
        tf_chip_destroy(chip);
    }
}

/* Two cores at the registers of a NIU: those of an initiator, and configuration, which loads never change. */
static void order_matters_at_a_niu(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    static const struct {
        uint32_t offset;
        bool stores[2];
        bool matters;
    } rows[] = {
        {0x00, {true, true}, true},  {0x00, {false, true}, true},   {0x00, {false, false}, false},
        {0x100, {true, true}, true}, {0x100, {true, false}, false}, {0x100, {false, false}, false},
    };
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        create(&explore);
        assert_true(tf_exploring_seek(chip->exploring, 0));
        for (unsigned core = 0; core < 2; core++) {
            li(&code, X_BASE, NIU + rows[row].offset);
            for (unsigned i = 0; i < 10; i++)
                put(&code, rv_i(ADDI, 5, 5, 1));
            put(&code, rows[row].stores[core] ? rv_s(SW, 5, X_BASE, 0) : rv_i(LW, 5, X_BASE, 0));
            start(core == 0 ? TF_CORE_B : TF_CORE_NC, 0x1000 + 0x1000 * core);
        }
        run(10);
        if ((tf_exploring_matters(chip->exploring) != UINT64_MAX) != rows[row].matters)
            fail_msg("row %u: cycle %" PRIu64, row, tf_exploring_matters(chip->exploring));
        tf_chip_destroy(chip);
    }
}

/* An instruction of the coprocessor matters, also beside a checker. */
static void order_matters_at_the_coprocessor(void **state)
{
    (void)state;
    enum { ADDDMAREG = 0x58000000, SEMINIT = 0xA3100004 };
    const struct tf_explore explore = {.scheduled = true};
    const uint32_t pushed[] = {ADDDMAREG, SEMINIT};
    for (unsigned i = 0; i < 4; i++) {
        create_as(&explore, i / 2);
        assert_true(tf_exploring_seek(chip->exploring, 0));
        put(&code, pushed[i % 2] << 2 | pushed[i % 2] >> 30); /* .ttinsn: no access to a register */
        start(TF_CORE_T0, 0x1000);
        run(10);
        assert_in_range(tf_exploring_matters(chip->exploring), 0, TF_EXPLORE_CYCLES);
        tf_chip_destroy(chip);
    }
}

/* A packet matters when it is issued. An earlier load of its source matters only if the packet writes there. */
static void order_matters_where_a_packet_writes(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    for (unsigned reads = 0; reads < 2; reads++) {
        create(&explore);
        assert_true(tf_exploring_seek(chip->exploring, 0));
        li(&code, X_BASE, OWN_L1);
        put(&code, rv_i(LW, 5, X_BASE, 0));
        start(TF_CORE_NC, 0x2000);
        for (unsigned i = 0; i < 200; i++)
            put(&code, rv_i(ADDI, 5, 5, 1));
        ask(0, reads ? MARKED : MARKED | WRITE, OTHER_L1, OWN_L1, 4);
        start(TF_CORE_B, 0x1000);
        run(20);
        uint64_t matters = tf_exploring_matters(chip->exploring);
        assert_true(reads ? matters < 10 : matters > 200 && matters < 400);
        tf_chip_destroy(chip);
    }
}

/* The time at which a core leaves reset is a decision, whether the host releases it or another core. */
static void a_released_core_may_be_late(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        const struct tf_decision decision = {.freedom = TF_FREE_RESET, .actor = TF_CORE_T0, .value = late ? 100 : 0};
        const struct tf_explore explore = {.scheduled = true, .decision = &decision, .decisions = 1};
        create(&explore);
        li(&code, X_BASE, OWN_L1);
        put(&code, rv_s(SW, X_BASE, X_BASE, 0));
        put(&code, rv_j(0, 0));
        assert_int_equal(tf_write(chip, at(0), 0x6000, words, code.count * 4), TF_OK);
        code.count = 0;
        store(&code, DEBUG_AT(SOFT_RESET_0), 0x46000); /* T0 leaves reset */
        start(TF_CORE_B, 0x100);
        run(20);
        assert_int_equal(peek(0, OWN_L1), late ? 0 : OWN_L1);
        run(100);
        assert_int_equal(peek(0, OWN_L1), OWN_L1);
        assert_int_equal(tf_chip_places(chip, TF_FREE_RESET), 2);
        tf_chip_destroy(chip);
    }
}

/* A NIU takes a command late: until then NOC_CMD_CTRL stays 1. */
static void a_niu_takes_a_command_late(void **state)
{
    (void)state;
    const struct tf_decision decision = {.freedom = TF_FREE_NIU, .value = DELAY};
    const struct tf_explore explore = {.scheduled = true, .decision = &decision, .decisions = 1};
    create(&explore);
    poke(0, OWN_L1, 7);
    ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 4);
    start(TF_CORE_B, 0x100);
    run(DELAY / 2);
    assert_int_equal(peek(0, NIU + 0x40), 1);
    assert_int_equal(peek(1, OTHER_L1), 0);
    run(DELAY);
    assert_int_equal(peek(0, NIU + 0x40), 0);
    assert_int_equal(peek(1, OTHER_L1), 7);
    assert_int_equal(tf_chip_places(chip, TF_FREE_NIU), 1);
    tf_chip_destroy(chip);
}

/* Places of a run: two cores and a thread have one at their start, and there is a packet. */
static const struct tf_decision places_of_run[] = {
    {.freedom = TF_FREE_CORE, .ordinal = 0},
    {.freedom = TF_FREE_RESET, .actor = TF_CORE_B, .ordinal = 0},
    {.freedom = TF_FREE_RESET, .actor = TF_CORE_B, .ordinal = 1},
    {.freedom = TF_FREE_RESET, .tile = 1, .actor = TF_CORE_B, .ordinal = 0},
    {.freedom = TF_FREE_THREAD, .tile = 1, .actor = 2, .ordinal = 0},
    {.freedom = TF_FREE_THREAD, .tile = 1, .actor = 2, .ordinal = 1},
    {.freedom = TF_FREE_REQUEST, .ordinal = 0},
    {.freedom = TF_FREE_REQUEST, .ordinal = 1}, /* omitted below */
};

#define PLACES (sizeof places_of_run / sizeof places_of_run[0] - 1)

static unsigned number_of(const struct tf_decision *decision)
{
    unsigned number = 0;
    while (number < PLACES &&
           (places_of_run[number].freedom != decision->freedom || places_of_run[number].tile != decision->tile ||
            places_of_run[number].actor != decision->actor || places_of_run[number].ordinal != decision->ordinal))
        number++;
    return number;
}

/* pct: a core or thread is late from its start. Other places are delayed, each at most once. */
static void seeds_choose_places(void **state)
{
    (void)state;
    struct tf_places *places = tf_places_create(places_of_run, PLACES);
    struct tf_places_count count;
    unsigned first = 0, following = 0;
    assert_non_null(places);
    tf_places_count(places, &count);
    assert_int_equal(count.places, PLACES);
    assert_int_equal(count.all, PLACES);
    assert_int_equal(count.packets, 1);
    assert_int_equal(count.actors, 3);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct tf_decision chosen[3 * PLACES];
        size_t made = tf_places_pct(places, seed, 3 * PLACES, chosen);
        unsigned seen = 0;
        assert_in_range(made, 1, PLACES);
        for (size_t i = 0; i < made; i++) {
            unsigned number = number_of(&chosen[i]);
            assert_true(number < PLACES);
            assert_int_equal(seen >> number & 1, 0);
            seen |= 1u << number;
            *(i == 0 ? &first : &following) |= 1u << number;
        }
        assert_int_equal(tf_places_delay_one(places, seed, chosen), 1);
        assert_int_equal(chosen[0].freedom, seed % 2 == 1 ? TF_FREE_REQUEST : TF_FREE_RESPONSE);
    }
    assert_int_equal(first, 1u << 1 | 1u << 3 | 1u << 4);
    assert_int_equal(following, (1u << PLACES) - 1);
    tf_places_destroy(places);
}

/* T0 stores to a GPR, and pushes an instruction that may overtake the store. Only places of T0 may change that order:
   the pause at that instruction, and the late start of its thread. Cores have other numbers than threads. */
static void places_of_a_race_are_kept(void **state)
{
    (void)state;
    static const uint32_t add = 0x58800000u | 60 << 12 | 1 << 6 | 60; /* ADDDMAREG: GPR 60 += 1 */
    struct chip_wish config = one_worker();
    struct tf_race race;
    config.check = true;
    assert_int_equal(create_chip(&config), 0);
    code = (struct code){.word = words, .capacity = 512};
    store(&code, TF_GPR_BASE + 60 * 4, 7);
    store(&code, TF_INSTRN_BUF_OF(0), add);
    start(TF_CORE_T0, 0x1000);
    run(10);
    assert_int_equal(tf_races(chip, &race, 1), 1);
    const struct tf_decision place[] = {
        {.freedom = TF_FREE_THREAD, .actor = 0, .ordinal = 0},
        {.freedom = TF_FREE_THREAD, .actor = 0, .ordinal = 5, .pc = race.side[1].pc},
        {.freedom = TF_FREE_THREAD, .actor = 0, .ordinal = 6, .pc = race.side[1].pc + 0x100},
        {.freedom = TF_FREE_THREAD, .actor = TF_CORE_T0, .ordinal = 0},
        {.freedom = TF_FREE_THREAD, .actor = TF_CORE_T0, .ordinal = 5, .pc = race.side[1].pc},
    };
    struct tf_places *places = tf_places_create(place, sizeof place / sizeof place[0]);
    struct tf_places_count count;
    assert_non_null(places);
    tf_places_keep_conflicts(places, chip);
    tf_places_count(places, &count);
    assert_int_equal(count.places, 2);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct tf_decision chosen[6];
        const size_t made = tf_places_pct(places, seed, 6, chosen);
        for (size_t i = 0; i < made; i++)
            assert_int_equal(chosen[i].actor, 0);
    }
    tf_places_destroy(places);
    tf_chip_destroy(chip);
}

/* A chip may decode before a run what an equal chip has executed. Then the run decodes nothing. */
static void code_is_decoded_before(void **state)
{
    (void)state;
    static const struct tf_explore none = {.scheduled = true};
    struct tf_decoded decoded[8], again[8];
    struct tf_stats stats[2];
    size_t count = 0;
    for (unsigned chips = 0; chips < 2; chips++) {
        create(&none);
        ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 4);
        start(TF_CORE_B, 0x100);
        assert_int_equal(tf_exploring_decoded(chip->exploring, again, 8), 0);
        tf_exploring_decode(chip->exploring, decoded, count);
        assert_int_equal(tf_exploring_decoded(chip->exploring, again, 8), count);
        run(4);
        count = tf_exploring_decoded(chip->exploring, decoded, 8);
        tf_stats(chip, &stats[chips]);
        tf_chip_destroy(chip);
    }
    assert_int_equal(count, 1);
    assert_int_equal(decoded[0].tile, 0);
    assert_int_equal(decoded[0].address, 0);
    assert_int_equal(stats[0].cycles, stats[1].cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_two_packets),
        cmocka_unit_test(places_are_told_in_their_order),
        cmocka_unit_test(packets_are_seen_when_they_act),
        cmocka_unit_test(sources_are_read_late),
        cmocka_unit_test(equal_loads_are_counted),
        cmocka_unit_test(words_are_recorded_once),
        cmocka_unit_test(moves_are_seen),
        cmocka_unit_test(moves_of_configuration_are_seen),
        cmocka_unit_test(order_of_one_core_does_not_matter),
        cmocka_unit_test(order_matters_where_one_writes),
        cmocka_unit_test(order_matters_where_a_packet_writes),
        cmocka_unit_test(order_matters_at_the_coprocessor),
        cmocka_unit_test(a_search_ends),
        cmocka_unit_test(order_matters_at_a_niu),
        cmocka_unit_test(a_released_core_may_be_late),
        cmocka_unit_test(seeds_choose_places),
        cmocka_unit_test(places_of_a_race_are_kept),
        cmocka_unit_test(writes_to_two_granules_have_parts),
        cmocka_unit_test(a_niu_takes_a_command_late),
        cmocka_unit_test(code_is_decoded_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
