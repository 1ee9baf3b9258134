/* SPDX-License-Identifier: Apache-2.0 */
/* tf_waits(): which cores are one group, and in what order the groups come. */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/epoch/time.h"
#include "one_chip.h"

#define CODE 0x10000u
#define POINTER 0x2000u
#define GROUPS 16u

static void start(unsigned tile, enum tf_core core, uint32_t pc, const uint32_t *words, uint32_t bytes)
{
    struct tf_coord at;
    assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
    assert_int_equal(tf_write(chip, at, pc, words, bytes), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, pc), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

/* A program that has ended, as the C start file ends, with a0 = high << 12 | status. */
static void start_ended(unsigned tile, enum tf_core core, uint32_t pc, uint32_t high, uint32_t status)
{
    const uint32_t words[] = {high << 12 | 10 << 7 | 0x37, status << 20 | 10 << 15 | 10 << 7 | 0x13, 0x6F};
    start(tile, core, pc, words, sizeof words);
}

/* A core polls the word that the word at POINTER names. */
static void start_poll(unsigned tile, uint32_t polled)
{
    static const uint32_t words[] = {0x00002637 /* lui a2, 2 */, 0x00062603 /* lw a2, 0(a2) */,
                                     0x00062683 /* lw a3, 0(a2) */, 0xFFDFF06F /* j -4 */};
    struct tf_coord at;
    assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
    assert_int_equal(tf_write(chip, at, POINTER, &polled, sizeof polled), TF_OK);
    start(tile, TF_CORE_T1, CODE, words, sizeof words);
}

static size_t waits(struct tf_waiting groups[GROUPS])
{
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    return tf_waits(chip, groups, GROUPS);
}

static void ended_cores(void **state)
{
    (void)state;
    enum { DONE = 0x600D0 };
    static const struct {
        enum tf_core core;
        uint32_t pc, high, status;
        uint64_t tiles; /* size of the group that the core of tile `index` is in; 0 for an earlier group */
    } cases[] = {
        {TF_CORE_T0, CODE, DONE, 3, 1 << 0 | 1 << 2},
        {TF_CORE_T0, CODE, DONE, 4, 1 << 1},
        {TF_CORE_T0, CODE, DONE, 3, 0},
        {TF_CORE_T0, CODE, DONE, 0, 1 << 3},
        {TF_CORE_T0, CODE, 0, 0, 1 << 4 | 1 << 7},
        {TF_CORE_T0, CODE + 64, DONE, 3, 1 << 5},
        {TF_CORE_T2, CODE, DONE, 3, 1 << 6},
        {TF_CORE_T0, CODE, 1, 0, 0},
    };
    struct tf_waiting groups[GROUPS];
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        start_ended(i, cases[i].core, cases[i].pc, cases[i].high, cases[i].status);
    size_t count = waits(groups), at = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].tiles == 0)
            continue;
        assert_in_range(at, 0, count - 1);
        assert_int_equal(groups[at].tile[0], cases[i].tiles);
        assert_int_equal(groups[at].tiles, __builtin_popcountll(cases[i].tiles));
        assert_int_equal(groups[at].core, cases[i].core);
        assert_int_equal(groups[at].pc, cases[i].pc + 8);
        assert_int_equal(groups[at].returned, cases[i].high == DONE);
        assert_int_equal(groups[at].status, cases[i].high == DONE ? cases[i].status : 0);
        assert_false(groups[at].stuck);
        at++;
    }
    assert_int_equal(at, count);
}

/* The C start file leaves the value that main() has returned in a0, all of it. */
static void returned_values(void **state)
{
    (void)state;
    static const struct {
        uint32_t t0, a0; /* bits 31:12 */
        bool returned;
        int32_t status;
    } cases[] = {
        {0x600D1, 0, true, 0},
        {0x600D1, 0x10, true, 0x10000},
        {0x600D1, 0xFFFFF, true, -0x1000},
        {0x600D1, 0x600D0, true, 0x600D0000}, /* not the older form */
        {0x600D0, 0x600D8, true, -0x8000},    /* the older form: 16 bits */
        {0x600D2, 0, false, 0},
    };
    struct tf_waiting groups[GROUPS];
    size_t tiles = sizeof cases / sizeof cases[0];
    for (unsigned i = 0; i < tiles; i++) {
        const uint32_t words[] = {cases[i].t0 << 12 | 5 << 7 | 0x37, cases[i].a0 << 12 | 10 << 7 | 0x37, 0x6F};
        start(i, TF_CORE_B, CODE, words, sizeof words);
    }
    assert_int_equal(waits(groups), tiles);
    for (unsigned i = 0; i < tiles; i++) {
        assert_int_equal(groups[i].tile[0], 1 << i);
        assert_int_equal(groups[i].returned, cases[i].returned);
        assert_int_equal(groups[i].status, cases[i].status);
    }
}

/* One instruction waits for different words. */
static void polls(void **state)
{
    (void)state;
    struct tf_waiting groups[GROUPS];
    start_poll(0, 0x3000);
    start_poll(1, 0x4000);
    start_poll(2, 0x3000);
    start_ended(3, TF_CORE_T1, CODE, 0, 0);
    assert_int_equal(waits(groups), 3);
    assert_true(groups[0].stuck && groups[1].stuck && !groups[2].stuck);
    assert_int_equal(groups[0].tile[0], 1 << 0 | 1 << 2);
    assert_int_equal(groups[1].tile[0], 1 << 1);
    assert_int_equal(groups[2].tile[0], 1 << 3);
    assert_int_equal(groups[0].address, 0x3000);
    assert_int_equal(groups[1].address, 0x4000);
}

/* What the only group of stuck cores waits for. */
static void expect_what(const char *what)
{
    struct tf_waiting groups[GROUPS];
    assert_int_equal(waits(groups), 1);
    assert_true(groups[0].stuck);
    if (strstr(groups[0].what, what) == NULL)
        fail_msg("%s", groups[0].what);
    /* The length is known without a buffer. */
    char text[1000];
    assert_int_equal(tf_waiting_text(NULL, &groups[0], "", NULL, 0),
                     tf_waiting_text(NULL, &groups[0], "", text, sizeof text));
}

/* B sends more words to T1 than its PCBuf holds. */
static void full_pcbuf(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xFFE90637 /* lui a2, 0xffe90 */, 0x00062023 /* sw x0, 0(a2) */,
                                     0xFFDFF06F /* j -4 */};
    start(0, TF_CORE_B, CODE, words, sizeof words);
    expect_what("room in the PCBuf of T1, which holds 16 values; its reader is ");
}

/* Of five words that a loop polls, three are named. */
static void many_words(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x00003637 /* lui a2, 3 */,
                                     0x00062683 /* lw a3, 0(a2) */,
                                     0x04062683 /* lw a3, 64(a2) */,
                                     0x08062683 /* lw a3, 128(a2) */,
                                     0x0C062683 /* lw a3, 192(a2) */,
                                     0x10062683 /* lw a3, 256(a2) */,
                                     0xFEDFF06F /* j -20 */};
    start(0, TF_CORE_B, CODE, words, sizeof words);
    expect_what("; and 2 more");
}

/* A core's view tells that its thread waits, and no other's. */
static void threads_that_wait(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xFFE40537 /* lui a0, 0xFFE40 */,
                                     0xA6FF85B7 /* lui a1: SEMWAIT */,
                                     0x00558593 /* addi a1, a1, 5 */,
                                     0x00B52023 /* sw a1, 0(a0) */,
                                     0x020005B7 /* lui a1: NOP */,
                                     0x00B52023 /* sw a1, 0(a0) */,
                                     0x0000006F /* j 0 */};
    for (unsigned thread = TF_CORE_T0; thread <= TF_CORE_T2; thread++) {
        struct tf_waiting groups[GROUPS];
        start(thread, (enum tf_core)thread, CODE, words, sizeof words);
        waits(groups);
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct tf_core_view view;
            assert_int_equal(tf_core_view(chip, thread, (enum tf_core)core, &view), TF_OK);
            assert_int_equal(view.thread_waits, core == thread);
        }
    }
}

/* Time passes without a run only where nothing is active. */
static void time_passes_at_rest(void **state)
{
    (void)state;
    static const uint32_t count[] = {0x00150513 /* addi a0, a0, 1 */, 0xFFDFF06F /* j -4 */};
    const struct tf_run_options some = {.cycles_max = 10000};
    for (unsigned runs = 0; runs < 2; runs++) {
        if (runs)
            start(0, TF_CORE_B, CODE, count, sizeof count);
        assert_int_equal(tf_run(chip, &some, NULL), TF_OK);
        uint64_t began = tf_chip_cycles(chip);
        tf_pass_time(&chip->epochs, &chip->schedule, 100000);
        assert_in_range(tf_chip_cycles(chip) - began, runs ? 0 : 100000, runs ? 0 : 110000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ended_cores, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(returned_values, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(threads_that_wait, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(time_passes_at_rest, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(polls, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(full_pcbuf, setup_one_worker, teardown),
        cmocka_unit_test_setup_teardown(many_words, setup_one_worker, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
