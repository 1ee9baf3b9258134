/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of one program under a schedule: transactions of linked packets, the granules that land early, and the copies
   of multicasts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explored.h"

#define GRANULE 16u
#define BROADCAST (1u << 5)

static bool has_come(unsigned tile, uint32_t address)
{
    return peek(tile, address) != 0;
}

/* Two transactions of two linked packets, and a packet after them. The first packet is late, and so is the one that
   ends its transaction. */
static void transactions_end(void **state)
{
    (void)state;
    static const bool late[] = {true, true, false, false, false};
    const struct tf_decision delay = {.freedom = TF_FREE_REQUEST, .value = DELAY};
    const struct tf_explore explore = {.scheduled = true, .decision = &delay, .decisions = 1};
    create(&explore);
    poke(0, OWN_L1, 7);
    for (unsigned i = 0; i < 5; i++)
        ask(0, MARKED | WRITE | (i == 0 || i == 2 ? LINKED : 0), OTHER_L1 + GRANULE * i, OWN_L1, 4);
    start(TF_CORE_B, 0x100);
    run(DELAY / 2);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(has_come(1, OTHER_L1 + GRANULE * i), !late[i]);
    run(DELAY);
    for (unsigned i = 0; i < 5; i++)
        assert_true(has_come(1, OTHER_L1 + GRANULE * i));
    tf_chip_destroy(chip);
}

/* Does a granule land early (TF_FREE_PARTS)? Streams are of granules with odd numbers, and even ones. */
static bool lands_early(unsigned granule, unsigned first, unsigned count, unsigned eighths, unsigned stream)
{
    unsigned before = 0, all = 0;
    for (unsigned i = first; i < first + count; i++)
        if (i % 2 == stream) {
            before += i < granule;
            all++;
        }
    if (granule % 2 != stream)
        return eighths >= 8;
    return eighths == 0 || 8 * before < all * (eighths % 8);
}

static void granules_land_in_parts(void **state)
{
    (void)state;
    static const unsigned eighths[] = {0, 3, 4, 8, 11, 15};
    uint32_t data[6 * GRANULE / 4];
    for (unsigned i = 0; i < sizeof data / 4; i++)
        data[i] = 1;
    for (unsigned trial = 0; trial < 2 * 2 * 6; trial++) {
        const unsigned stream = trial % 2, first = trial / 2 % 2, n = eighths[trial / 4], count = 3 + trial / 2 % 4;
        const struct tf_decision parts = {.freedom = TF_FREE_PARTS, .value = 1000 * n + 2 * DELAY - stream};
        const struct tf_explore explore = {.scheduled = true, .decision = &parts, .decisions = 1};
        create(&explore);
        assert_int_equal(tf_write(chip, at(0), OWN_L1, data, sizeof data), TF_OK);
        ask(0, MARKED | WRITE, OTHER_L1 + GRANULE * first, OWN_L1, GRANULE * count);
        start(TF_CORE_B, 0x100);
        run(DELAY / 2);
        for (unsigned i = first; i < first + count; i++)
            if (has_come(1, OTHER_L1 + GRANULE * i) != lands_early(i, first, count, n, stream))
                fail_msg("%u granules from %u on, value %u: granule %u lands at another time", count, first,
                         parts.value, i);
        run(DELAY);
        for (unsigned i = first; i < first + count; i++)
            assert_true(has_come(1, OTHER_L1 + GRANULE * i));
        tf_chip_destroy(chip);
    }
}

/* A write from tile 0 to the tiles 1 to `last` in its row. */
static void multicast(uint32_t ctrl, unsigned last, uint32_t to)
{
    store(&code, NIU + 0x00, OWN_L1);
    store(&code, NIU + 0x08, xy(0));
    store(&code, NIU + 0x0C, to);
    store(&code, NIU + 0x14, xy(last) | xy(1) << 12);
    store(&code, NIU + 0x18, 0);
    store(&code, NIU + 0x1C, MARKED | WRITE | BROADCAST | ctrl);
    store(&code, NIU + 0x20, 4);
    store(&code, NIU + 0x40, 1);
}

/* Each copy of a multicast has a decision of its own. */
static void copies_are_late_alone(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 3; late++) {
        const struct tf_decision delay = {.freedom = TF_FREE_REQUEST, .actor = (uint16_t)(2 * late), .value = DELAY};
        const struct tf_explore explore = {.scheduled = true, .decision = &delay, .decisions = 1};
        create(&explore);
        poke(0, OWN_L1, 7);
        multicast(0, 3, OTHER_L1);
        start(TF_CORE_B, 0x100);
        run(DELAY / 2);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(has_come(1 + i, OTHER_L1), i != late);
        run(DELAY);
        assert_true(has_come(1 + late, OTHER_L1));
        tf_chip_destroy(chip);
    }
}

#define COUNTER(number) (NIU + 0x200 + 4 * (number))

/* A multicast counts once as sent, whether it has one recipient or several, and ends. */
static void multicasts_are_counted(void **state)
{
    (void)state;
    const struct tf_explore explore = {.scheduled = true};
    for (unsigned last = 1; last < 4; last++) {
        create(&explore);
        poke(0, OWN_L1, 7);
        multicast(0, last, OTHER_L1);
        start(TF_CORE_B, 0x100);
        run(DELAY);
        for (unsigned tile = 1; tile <= last; tile++)
            assert_true(has_come(tile, OTHER_L1));
        assert_int_equal(peek(0, COUNTER(10)), 1);   /* NIU_MST_NONPOSTED_WR_REQ_SENT */
        assert_int_equal(peek(0, COUNTER(1)), last); /* NIU_MST_WR_ACK_RECEIVED */
        assert_int_equal(peek(0, COUNTER(32)), 0);   /* NIU_MST_WRITE_REQS_OUTGOING_ID(0) */
        tf_chip_destroy(chip);
    }
}

/* Of the writes that land in parts, one in four has a stream that is cut. */
static void streams_are_cut(void **state)
{
    (void)state;
    enum { WRITES = 8 };
    unsigned parts = 0, cut = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct tf_decision made[400];
        const struct tf_explore explore = {.seed = seed,
                                           .rate = {[TF_FREE_PARTS] = UINT16_MAX},
                                           .longest = {[TF_FREE_PARTS] = DELAY}};
        create(&explore);
        for (unsigned i = 0; i < WRITES; i++)
            ask(0, MARKED | WRITE, OTHER_L1 + 8 * GRANULE * i, OWN_L1, 6 * GRANULE);
        start(TF_CORE_B, 0x100);
        run(200);
        const size_t count = tf_chip_decisions(chip, made, 400);
        for (size_t i = 0; i < count && i < 400; i++) {
            parts += made[i].freedom == TF_FREE_PARTS;
            cut += made[i].freedom == TF_FREE_PARTS && made[i].value >= 1000;
        }
        tf_chip_destroy(chip);
    }
    assert_true(parts >= 60);
    assert_in_range(100 * cut / parts, 16, 36);
}

/* Two packets of one channel keep their order if both are multicasts to the same rectangle. */
static void multicasts_keep_their_order(void **state)
{
    (void)state;
    static const struct {
        unsigned first, second; /* the last tile of a rectangle; 0: a packet to tile 1 alone */
        uint32_t more;          /* in NOC_CTRL of the second */
        bool ordered;
    } pairs[] = {
        {3, 3, STATIC, true},  {3, 2, STATIC, false}, {2, 3, STATIC, false},
        {3, 0, STATIC, false}, {0, 3, STATIC, false}, {3, 3, STATIC | OTHER_CHANNEL, false},
        {0, 0, STATIC, true},
    };
    const struct tf_decision delay = {.freedom = TF_FREE_REQUEST, .value = DELAY};
    const struct tf_explore explore = {.scheduled = true, .decision = &delay, .decisions = 1};
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        create(&explore);
        poke(0, OWN_L1, 7);
        for (unsigned which = 0; which < 2; which++) {
            const unsigned last = which == 0 ? pairs[i].first : pairs[i].second;
            const uint32_t ctrl = which == 0 ? STATIC : pairs[i].more, to = OTHER_L1 + GRANULE * which;
            if (last != 0)
                multicast(ctrl, last, to);
            else
                ask(0, MARKED | WRITE | ctrl, to, OWN_L1, 4);
        }
        start(TF_CORE_B, 0x100);
        run(DELAY / 2);
        assert_false(has_come(1, OTHER_L1));
        if (has_come(1, OTHER_L1 + GRANULE) == pairs[i].ordered)
            fail_msg("pair %u: the second %s", i, pairs[i].ordered ? "is first" : "waits");
        run(DELAY);
        assert_true(has_come(1, OTHER_L1) && has_come(1, OTHER_L1 + GRANULE));
        tf_chip_destroy(chip);
    }
}

/* All decisions of a schedule take effect, however many there are. */
static void long_schedules(void **state)
{
    (void)state;
    enum { PACKETS = 60, ROUND = 20 };
    struct tf_decision decision[PACKETS], made[2 * PACKETS];
    for (unsigned i = 0; i < PACKETS; i++)
        decision[i] = (struct tf_decision){.freedom = TF_FREE_REQUEST, .ordinal = i, .value = 1 + i % 5};
    const struct tf_explore explore = {.scheduled = true, .decision = decision, .decisions = PACKETS};
    create(&explore);
    ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 4);
    li(&code, X_BASE, NIU);
    li(&code, ROUND, PACKETS - 1);
    unsigned loop = code.count;
    send(&code, X_BASE);
    put(&code, rv_i(ADDI, ROUND, ROUND, (uint32_t)-1));
    branch_to(&code, BNE, ROUND, 0, loop);
    start(TF_CORE_B, 0x100);
    run(100);
    assert_int_equal(tf_chip_places(chip, TF_FREE_REQUEST), PACKETS);
    assert_int_equal(tf_chip_decisions(chip, made, 2 * PACKETS), PACKETS);
    for (unsigned i = 0; i < PACKETS; i++)
        assert_true(made[i].ordinal == i && made[i].value == decision[i].value);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transactions_end),      cmocka_unit_test(granules_land_in_parts),
        cmocka_unit_test(copies_are_late_alone), cmocka_unit_test(multicasts_keep_their_order),
        cmocka_unit_test(long_schedules),        cmocka_unit_test(multicasts_are_counted),
        cmocka_unit_test(streams_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
