/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_CHECK through the library: what the host orders, and TILEFARM_SUPPRESS. */
#include "rig.h"
#include "addresses.h"

#define put emit
#include "stress/rv_emit.h"
#undef put

#define X 3u
#define Y 3u
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define T0_RESET_PC DEBUG_AT(TRISC0_RESET_PC)
#define RESET_PC_OVERRIDE DEBUG_AT(TRISC_RESET_PC_OVERRIDE)
#define GPRS TF_GPR_BASE
#define PUSH TF_INSTRN_BUF_BASE
#define CODE 0x4000u
#define READY 0x400u
#define GO 0x410u
#define WRCFG 0xB0000000u /* of GPR 16, to word 0 */

enum { T0 = 5, T1 = 6, T2 = 7 };

static char said[8192];

static void begin(void)
{
    setenv("TILEFARM_CHECK", "1", 1);
    lib.init();
    unsetenv("TILEFARM_CHECK");
}

static void end(void)
{
    catch_stderr();
    lib.exit();
    caught_stderr(said, sizeof said);
}

/* T0 stores to a GPR, tells the host, waits for the host's word, and pushes an instruction that reads the GPR. */
static void start_t0(void)
{
    const uint32_t counts[] = {0x00128293, 0xFFDFF06F}; /* B is busy: addi t0, t0, 1; j -4 */
    uint32_t words[64];
    struct code code = {words, 0, 64};
    li(&code, T1, GPRS + 4 * 16);
    li(&code, T0, 4711);
    emit(&code, rv_s(SW, T0, T1, 0));
    li(&code, T1, READY);
    emit(&code, rv_s(SW, T0, T1, 0));
    li(&code, T1, GO);
    unsigned poll = code.count;
    emit(&code, FENCE); /* or the load may hit a stale line */
    emit(&code, rv_i(LW, T0, T1, 0));
    branch_to(&code, BEQ, T0, 0, poll);
    li(&code, T1, PUSH);
    li(&code, T0, WRCFG | 16u << 16);
    emit(&code, rv_s(SW, T0, T1, 0));
    emit(&code, 0x0000006F); /* j . */
    put(&lib, X, Y, CODE, words, code.count * 4);
    put32(&lib, X, Y, T0_RESET_PC, CODE);
    put32(&lib, X, Y, RESET_PC_OVERRIDE, 1);
    put32(&lib, X, Y, GO, 0);
    put(&lib, X, Y, 0, counts, sizeof counts);
    put32(&lib, X, Y, SOFT_RESET_0, 0x46000);
}

/* Stores to GPRs have arrived long before the host has read that they are done, and has answered. */
static void the_host_orders_stores_to_gprs(void **state)
{
    (void)state;
    for (unsigned reads = 0; reads < 2; reads++) {
        begin();
        start_t0();
        lib.clock(5000);
        if (reads)
            assert_int_equal(get32(&lib, X, Y, READY), 4711);
        put32(&lib, X, Y, GO, 1);
        lib.clock(5000);
        end();
        if (reads)
            assert_string_equal(said, "");
        else if (strstr(said,
                        "race: tile 16 (3,3) 0xffe00040 (GPR 16 of T0), 1 time: the second may overtake the first") ==
                 NULL)
            fail_msg("%s", said);
    }
}

/* B uses a word that nothing has written. */
static void read_unwritten(void)
{
    const uint32_t code[] = {0x60002283, 0x00528333, 0x0000006F}; /* lw t0, 0x600(x0); add t1, t0, t0; j . */
    put(&lib, X, Y, 0, code, sizeof code);
    put32(&lib, X, Y, SOFT_RESET_0, 0x47000);
    lib.clock(2000);
}

/* Write a file of patterns, and begin with it. symbols: TILEFARM_SYMBOLS; or NULL. */
static void begin_named(const char *patterns, const char *symbols)
{
    char name[] = "/tmp/tilefarm-patterns-XXXXXX";
    int file = mkstemp(name);
    assert_int_equal(write(file, patterns, strlen(patterns)), strlen(patterns));
    close(file);
    setenv("TILEFARM_SUPPRESS", name, 1);
    if (symbols != NULL)
        setenv("TILEFARM_SYMBOLS", symbols, 1);
    begin();
    unsetenv("TILEFARM_SYMBOLS");
    unsetenv("TILEFARM_SUPPRESS");
    unlink(name);
}

static void begin_with(const char *patterns)
{
    begin_named(patterns, TF_PROGRAM "@B");
}

static void named_functions_are_not_reported(void **state)
{
    (void)state;
    begin_with("# known\n_st*t -\n");
    read_unwritten();
    end();
    assert_string_equal(said, "");
    begin_with("main\n");
    read_unwritten();
    end();
    assert_non_null(strstr(said, "race: tile 16 (3,3) 0x600, 1 time: read before it is written"));
    assert_null(strstr(said, "TILEFARM_SYMBOLS"));
    begin_named("*\n", NULL);
    read_unwritten();
    end();
    assert_non_null(strstr(said, "TILEFARM_SUPPRESS names functions, and none is known"));
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    REFUSED(begin_with("a b\na b c\n"), "TILEFARM_SUPPRESS: /tmp/tilefarm-patterns-");
    end();
    REFUSED(begin_with("a b\na b c\n"), "line 2 has more than two patterns; no race is suppressed");
    read_unwritten();
    end();
    assert_non_null(strstr(said, "race: tile 16 (3,3) 0x600"));
    REFUSED(begin_with("\x01"), "it is not a text file of patterns");
    end();
    setenv("TILEFARM_SUPPRESS", "/none", 1);
    REFUSED(begin(), "TILEFARM_SUPPRESS: /none: it cannot be read");
    end();
    REFUSED(lib.init(), "TILEFARM_SUPPRESS: /none: it needs TILEFARM_CHECK=1");
    unsetenv("TILEFARM_SUPPRESS");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_orders_stores_to_gprs),
        cmocka_unit_test(named_functions_are_not_reported),
        cmocka_unit_test(bad_files_are_refused),
    };
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    lib.set_callbacks(host_reads, host_writes);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
