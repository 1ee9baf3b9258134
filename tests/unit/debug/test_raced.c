/* SPDX-License-Identifier: Apache-2.0 */
/* What a race report says is missing between two accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "debug/raced.h"

/* Two accesses of core B of two tiles; the second is the later one. */
static struct tf_race race_of(const char *first, const char *second)
{
    struct tf_race race = {.kind = TF_RACE_DATA};
    race.side[0] = (struct tf_race_side){.what = first, .tile = {1, 2}, .core = TF_CORE_B, .noc = 0, .cycle = 10};
    race.side[1] = (struct tf_race_side){.what = second, .tile = {2, 2}, .core = TF_CORE_B, .noc = 0, .cycle = 20};
    return race;
}

static void says(const struct tf_race *race, const struct tf_raced *names, const char *wanted, const char *unwanted)
{
    char text[TF_PLACE_BYTES + 200];
    assert_true(tf_raced_here_text(race, names, text, sizeof text));
    if (strstr(text, wanted) == NULL || (unwanted != NULL && strstr(text, unwanted) != NULL))
        fail_msg("'%s': '%s' is wanted, '%s' is not", text, wanted, unwanted != NULL ? unwanted : "");
}

/* An access in a function of a header is named by the call of that function. */
static void names_lines_of_the_user(void **state)
{
    (void)state;
    const struct tf_race race = race_of("NOC write", "NOC read");
    struct tf_raced names = {.side = {{.place = "tf_noc_write+76 (tilefarm_device.h:246, in launch at x.h:1)",
                                       .caller = "main+304 (send.c:4)"},
                                      {.place = "take+8 (take.c:7)", .caller = "main+12 (main.c:30)"}}};
    says(&race, &names, "after send.c:4 call tf_noc_wait(0)", "tilefarm_device.h:246");
    says(&race, &names, "before take.c:7", "main.c:30");
    strcpy(names.side[0].caller, "_start+76"); /* without a line */
    says(&race, &names, "after tilefarm_device.h:246 call", NULL);
    strcpy(names.side[0].caller, "tf_put+3 (tilefarm_grid.h:9)"); /* the user's line is farther out */
    says(&race, &names, "after tilefarm_device.h:246 call", NULL);
}

/* A wait in a function of a header is named by that function. */
static void names_waits(void **state)
{
    (void)state;
    struct tf_race race = race_of("store", "store");
    struct tf_raced names = {
        .side = {{.place = "reset+4 (reset.c:3)"},
                 {.place = "raise+8 (reset.c:4)",
                  .waited =
                      "tf_noc_wait.constprop.0+20 (tilefarm_device.h:385, in tf_niu_count at tilefarm_device.h:9)"}}};
    says(&race, &names, "its last wait, in tf_noc_wait, tells the core of reset.c:4 nothing of reset.c:3", "device.h");
    strcpy(names.side[1].waited, "raise+4 (reset.c:2, in tf_sem_wait at tilefarm_device.h:9)");
    says(&race, &names, "its last wait, at reset.c:2, tells", NULL);
    race.side[1].waited = "a count that fewer increments reach";
    says(&race, &names, "its last wait, at reset.c:2, may end before reset.c:3: wait there for the count of all",
         "flag");
}

/* Names of C++ have blanks, parentheses and signs. */
static void knows_names_of_cpp(void **state)
{
    static const struct {
        const char *place;
        int length;
    } cases[] = {{"main+4 (a.c:2)", 4},
                 {"main+4", 4},
                 {"host", 4},
                 {"", 0},
                 {"app::put(unsigned int volatile*, unsigned int)+0 (race.cc:2)", 46},
                 {"V operator+<(Kind)1>(V, V) [clone .isra.0]+16 (v.cc:9, in add(int) at v.h:3)", 42}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tf_raced_function_length(cases[i].place), cases[i].length);
    const struct tf_race race = race_of("NOC write", "load");
    const struct tf_raced names = {.side = {{.place = "app::put(unsigned int)+76 (tilefarm_device.h:246)",
                                             .caller = "app::send(int)+304 (send.cc:4)"},
                                            {.place = "app::take(unsigned int volatile*)+8 (take.cc:7)"}}};
    says(&race, &names, "after send.cc:4 call tf_noc_wait(0)", "unsigned");
    says(&race, &names, "before take.cc:7", "unsigned");
}

static void advises_an_atomic(void **state)
{
    (void)state;
    const struct tf_raced names = {.side = {{.place = "add+8 (add.c:5)"}, {.place = "add+8 (add.c:5)"}}};
    struct tf_race race = race_of("NOC write", "NOC write");
    says(&race, &names, "use one atomic", NULL);
    race.side[0].what = race.side[1].what = "store";
    race.side[0].noc = race.side[1].noc = -1;
    says(&race, &names, "two cores may be at add.c:5 at the same time: use one atomic there, or a lock", "before");
    race = race_of("NOC write", "NOC write");
    race.side[1].tile = race.side[0].tile; /* a core and itself */
    says(&race, &names, "add.c:5", "atomic");
    race = race_of("NOC write", "NOC read");
    says(&race, &names, "add.c:5", "atomic");
}

/* A core learns nothing from a flag that it sets itself. */
static void advises_a_core_about_itself(void **state)
{
    (void)state;
    char text[TF_PLACE_BYTES + 200];
    const struct tf_raced names = {.side = {{.place = "main+8 (send.c:5)"}, {.place = "main+40 (send.c:9)"}}};
    const struct tf_raced round = {.side = {{.place = "main+8 (send.c:5)"}, {.place = "main+8 (send.c:5)"}}};
    struct tf_race race = race_of("store", "NOC write, its source");
    race.side[1].tile = race.side[0].tile;
    race.side[0].noc = -1;
    says(&race, &names, "after send.c:5 call tf_settle() with the last address that it stores to, before send.c:9",
         "flag");
    race.side[0].what = "packet of the link, its source";
    race.side[1].what = "store";
    says(&race, &names, "between send.c:5 and send.c:9 wait for an answer that the peer sends", "flag");
    race.side[0].what = "unpacker 0, read";
    says(&race, &names, "call tf_tt_wait_idle() between send.c:5 and send.c:9", "flag");
    race.side[0].what = "mover, write";
    says(&race, &names, "between send.c:5 and send.c:9 put a fence, and load the mover's status until it is 0", "flag");
    race.side[0].what = "pushed instruction";
    assert_false(tf_raced_here_text(&race, &names, text, sizeof text));
    race.side[0] = (struct tf_race_side){.what = "NOC write, its source", .tile = {2, 2}, .core = TF_CORE_B, .noc = 0};
    race.side[1].tile = race.side[0].tile;
    says(&race, &round, "call tf_noc_wait_sent(0), or noc_async_writes_flushed(), between two rounds of send.c:5",
         NULL);
}

/* Some kinds have one place that matters. */
static void advises_a_call(void **state)
{
    (void)state;
    char text[TF_PLACE_BYTES + 200];
    const struct tf_raced names = {.side = {{.place = "main+8 (send.c:5)"}, {.place = "main+40 (send.c:9)"}}};
    struct tf_race race = race_of("NOC write", "load");
    race.kind = TF_RACE_STALE_LINE;
    says(&race, &names, "call tf_fence(), or invalidate_l1_cache(), before send.c:9", "send.c:5");
    race.kind = TF_RACE_UNFINISHED;
    race.side[1].what = NULL;
    race.advice = "before the core ends, wait";
    says(&race, &names, "after send.c:5 call tf_noc_wait(0), or noc_async_write_barrier(), before the core ends", NULL);
    race.advice = "the last request of a linked transaction";
    assert_false(tf_raced_here_text(&race, &names, text, sizeof text));
    race.kind = TF_RACE_UNWRITTEN;
    assert_false(tf_raced_here_text(&race, &names, text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lines_of_the_user),     cmocka_unit_test(names_waits),
        cmocka_unit_test(knows_names_of_cpp),          cmocka_unit_test(advises_an_atomic),
        cmocka_unit_test(advises_a_core_about_itself), cmocka_unit_test(advises_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
