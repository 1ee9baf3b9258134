/* SPDX-License-Identifier: Apache-2.0 */
/* The library's messages on stderr: waits (after long without work, on SIGUSR1, at the end), and texts of programs. */
#include "rig.h"

#include <signal.h>

#include "addresses.h"

static char said[4096];

/* B of (3,3) polls the word at 0x400 until it is not 0, and ends. */
static void start(void)
{
    const uint32_t code[] = {0x40002283, 0xFE028EE3, 0x0000006F}; /* lw t0, 0x400(x0); beqz t0, -4; j . */
    put(&lib, 3, 3, 0, code, sizeof code);
    put32(&lib, 3, 3, DEBUG_AT(SOFT_RESET_0), 0x47000);
}

static void clocks(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        lib.clock(1000);
}

static void begin(const char *name, const char *value)
{
    setenv(name, value, 1);
    lib.init();
    unsetenv(name);
}

static void expect(const char *text)
{
    if (strstr(said, text) == NULL)
        fail_msg("no \"%s\" in \"%s\"", text, said);
}

static void each_hang_is_reported_once(void **state)
{
    (void)state;
    begin("TILEFARM_HANG", "cycles:100000");
    start();
    catch_stderr();
    clocks(50);
    caught_stderr(said, sizeof said);
    assert_string_equal(said, "");
    catch_stderr();
    clocks(500);
    caught_stderr(said, sizeof said);
    expect("tilefarm: hang: no core has done anything since cycle ");
    expect("tilefarm: waits: tile 16 (3,3) core B at 0x0000000");
    expect("polls the word at 0x400 of L1, which is 0x0\n");
    assert_int_equal(lines(said), 2);
    put32(&lib, 3, 3, 0x400, 1);
    catch_stderr();
    clocks(500);
    caught_stderr(said, sizeof said);
    expect("tilefarm: done: tile 16 (3,3) core B at 0x00000008: has ended\n");
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
    assert_string_equal(said, "");
}

/* Calls of a host that polls run up to 262,144 cycles each. Such a host has not waited for long. */
static void a_polling_host_counts_what_it_asks_for(void **state)
{
    (void)state;
    begin("TILEFARM_HANG", "cycles:1000");
    start();
    catch_stderr();
    for (unsigned i = 0; i < 900; i++) {
        get32(&lib, 3, 3, 0x404);
        lib.clock(1);
    }
    caught_stderr(said, sizeof said);
    assert_string_equal(said, "");
    catch_stderr();
    for (unsigned i = 0; i < 200; i++) {
        get32(&lib, 3, 3, 0x404);
        lib.clock(1);
    }
    caught_stderr(said, sizeof said);
    expect("tilefarm: hang: no core has done anything since cycle ");
    lib.exit();
}

static void seconds_count_too_and_the_end_tells(void **state)
{
    (void)state;
    begin("TILEFARM_HANG", "0.05");
    start();
    clocks(10);
    usleep(100000);
    catch_stderr();
    clocks(1);
    caught_stderr(said, sizeof said);
    expect("tilefarm: hang: ");
    lib.exit();
    begin("TILEFARM_HANG", "1e6");
    start();
    clocks(10);
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
    expect("tilefarm: hang: cores still wait when the client ends\ntilefarm: waits: tile 16 (3,3) core B");
}

/* Core E0 of an Ethernet tile waits at the pc of B, and is not taken for it. */
static void ethernet_cores_are_named(void **state)
{
    (void)state;
    const uint32_t code[] = {0x40002283, 0xFE028EE3, 0x0000006F};
    begin("TILEFARM_HANG", "cycles:100000");
    start();
    put(&lib, 3, 3, 0x4000, code, sizeof code);
    put(&lib, 3, 3, 0, (const uint32_t[]){0x0000406F}, 4); /* j 0x4000 */
    put32(&lib, 3, 3, DEBUG_AT(SOFT_RESET_0), 0x47800);
    put32(&lib, 3, 3, DEBUG_AT(SOFT_RESET_0), 0x47000);
    put32(&lib, 23, 25, 0x400, 0);
    put(&lib, 23, 25, 0x4000, code, sizeof code);
    put32(&lib, 23, 25, TF_LOCAL_OF_B_BASE, 0x4000);
    put32(&lib, 23, 25, DEBUG_AT(SOFT_RESET_0), 0x1000);
    catch_stderr();
    clocks(500);
    caught_stderr(said, sizeof said);
    expect("tilefarm: waits: tile 16 (3,3) core B at 0x0000400");
    expect(") core E0 at 0x0000400");
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
}

static void on_a_signal(void **state)
{
    (void)state;
    struct sigaction action;
    begin("TILEFARM_SIGUSR1", "1");
    start();
    clocks(10);
    catch_stderr();
    raise(SIGUSR1);
    clocks(1);
    caught_stderr(said, sizeof said);
    expect("tilefarm: note: SIGUSR1 in cycle ");
    expect("tilefarm: waits: tile 16 (3,3) core B");
    SILENT(clocks(10));
    lib.exit();
    sigaction(SIGUSR1, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
}

/* The signal shows the stacks of all running cores whose programs are known. A hang report shows those of waiting
   cores. */
static void on_a_signal_there_are_stacks(void **state)
{
    (void)state;
    setenv("TILEFARM_SYMBOLS", TF_PROGRAM "@B", 1);
    begin("TILEFARM_SIGUSR1", "1");
    unsetenv("TILEFARM_SYMBOLS");
    start();
    const uint32_t counts[] = {0x00128293, 0xFFDFF06F}; /* addi t0, t0, 1; j -4 */
    put(&lib, 4, 3, 0, counts, sizeof counts);
    put32(&lib, 4, 3, DEBUG_AT(SOFT_RESET_0), 0x47000);
    clocks(10);
    catch_stderr();
    raise(SIGUSR1);
    clocks(1);
    caught_stderr(said, sizeof said);
    expect("tilefarm: waits: tile 16 (3,3) core B");
    expect("tilefarm:   #0 0x0000000");
    expect("tilefarm: stack: tile 17 (4,3) core B at 0x0000000");
    assert_null(strstr(said, "stack: tile 16")); /* it waits, and was shown before */
    SILENT(lib.exit());
}

/* The texts of a program, with tile and core. */
static void text_of_programs_comes(void **state)
{
    (void)state;
    const uint32_t code[] = {0x00400513, 0x40000593,             /* li a0, 4; li a1, 0x400 */
                             0x01F01013, 0x00100073, 0x40705013, /* the call */
                             0x0000006F};
    lib.init();
    put(&lib, 3, 3, 0x400, "to the host\n", 13);
    put(&lib, 3, 3, 0, code, sizeof code);
    put32(&lib, 3, 3, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    clocks(10);
    caught_stderr(said, sizeof said);
    assert_string_equal(said, "[tile 16 (3,3) B] to the host\n");
    SILENT(lib.exit());
}

/* Functions in faults, for a file that has one. */
static void symbols_are_read(void **state)
{
    (void)state;
    begin("TILEFARM_SYMBOLS", TF_PROGRAM "@NC:" TF_PROGRAM "@B+T0");
    put32(&lib, 3, 3, 0, 0xFFFFFFFF);
    put32(&lib, 3, 3, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    clocks(2);
    caught_stderr(said, sizeof said);
    expect("tilefarm: fault: category=\"undefined behaviour\" tile=(3,3) core=B pc=0x00000000");
    expect("\ntilefarm:   #0 0x00000000 _start+0");
    lib.exit();
    REFUSED(begin("TILEFARM_SYMBOLS", "/none.elf"), "/none.elf: cannot be read");
    lib.exit();
    REFUSED(begin("TILEFARM_SYMBOLS", TF_PROGRAM "@T7"), "no such core");
    lib.exit();
}

static void off_or_misspelt_nothing_is_told(void **state)
{
    (void)state;
    lib.init();
    start();
    SILENT(clocks(1000));
    SILENT(lib.exit());
    static const char *const misspelt[] = {"1e9",     "0",        "-1",        "nan",       "1s",
                                           "cycles:", "cycles:0", "cycles:-1", "cycles:1k", "soon"};
    for (unsigned i = 0; i < sizeof misspelt / sizeof misspelt[0]; i++) {
        if (i != 0)
            lib.exit();
        REFUSED(begin("TILEFARM_HANG", misspelt[i]), "TILEFARM_HANG is neither");
    }
    start();
    SILENT(clocks(1000));
    SILENT(lib.exit());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_hang_is_reported_once),
        cmocka_unit_test(a_polling_host_counts_what_it_asks_for),
        cmocka_unit_test(seconds_count_too_and_the_end_tells),
        cmocka_unit_test(ethernet_cores_are_named),
        cmocka_unit_test(on_a_signal),
        cmocka_unit_test(text_of_programs_comes),
        cmocka_unit_test(on_a_signal_there_are_stacks),
        cmocka_unit_test(symbols_are_read),
        cmocka_unit_test(off_or_misspelt_nothing_is_told),
    };
    assert_int_equal(api_load(&lib, TF_LIBTTSIM), 0);
    lib.set_callbacks(host_reads, host_writes);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
