/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "cli/text.h"

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"7", 7},
        {"0x1F", 31},
        {"0Xff", 255},
        {"2k", 2000},
        {"2K", 2000},
        {"3M", 3000000},
        {"1G", 1000000000},
        {"4Ki", 4096},
        {"1Mi", 1048576},
        {"2Gi", 1ull << 31},
        {"0x10Ki", 16384},
        {"18446744073709551615", UINT64_MAX},
        {"010", 10},
    };
    static const char *const bad[] = {
        "",    " 1", "-1", "+1", "1 ", "0x", "x", "1kk", "1T", "0xg", "18446744073709551616", "18446744073709551615k",
        "1.5",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 99;
        assert_true(tf_cli_u64(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 99;
        if (tf_cli_u64(bad[i], &value) || value != 99)
            fail_msg("'%s' was taken as a number", bad[i]);
    }
}

static void test_limits(void **state)
{
    (void)state;
    uint64_t value = 5;
    assert_true(tf_cli_number("--n", "10", 10, 20, &value));
    assert_int_equal(value, 10);
    assert_true(tf_cli_number("--n", "20", 10, 20, &value));
    assert_int_equal(value, 20);
    assert_false(tf_cli_number("--n", "9", 10, 20, &value));
    assert_false(tf_cli_number("--n", "21", 10, 20, &value));
    assert_int_equal(value, 20);
}

static void test_threads(void **state)
{
    (void)state;
    unsigned threads = 7;
    assert_true(tf_cli_threads("--threads", "auto", &threads));
    assert_int_equal(threads, 0);
    assert_true(tf_cli_threads("--threads", "256", &threads));
    assert_int_equal(threads, 256);
    assert_false(tf_cli_threads("--threads", "0", &threads));
    assert_false(tf_cli_threads("--threads", "257", &threads));
    assert_false(tf_cli_threads("--threads", "", &threads));
    assert_int_equal(threads, 256);
}

static void test_cores(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tf_core core;
    } good[] = {{"B", TF_CORE_B},   {"nc", TF_CORE_NC},   {"T0", TF_CORE_T0},     {"t1", TF_CORE_T1},
                {"T2", TF_CORE_T2}, {"brisc", TF_CORE_B}, {"NCRISC", TF_CORE_NC}, {"trisc2", TF_CORE_T2}};
    enum tf_core core;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(tf_cli_core(good[i].text, &core));
        assert_int_equal(core, good[i].core);
    }
    assert_false(tf_cli_core("T3", &core));
    assert_false(tf_cli_core("", &core));
    assert_false(tf_cli_core("B ", &core));
}

static void test_nodes(void **state)
{
    (void)state;
    struct tf_coord node = {.x = 99, .y = 99};
    assert_true(tf_cli_node(NULL, "0", &node));
    assert_int_equal(node.x, 1);
    assert_int_equal(node.y, 2);
    assert_true(tf_cli_node(NULL, "139", &node));
    assert_int_equal(node.x, 16);
    assert_int_equal(node.y, 11);
    assert_true(tf_cli_node(NULL, "9,0", &node));
    assert_int_equal(node.x, 9);
    assert_int_equal(node.y, 0);
    static const char *const bad[] = {"140", "17,0", "0,12", "1,", ",1", "1,2,3", "", "all", "1 ,2", "1,2 "};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (tf_cli_node(NULL, bad[i], &node) || node.x != 9)
            fail_msg("'%s' was taken as a node", bad[i]);
}

static unsigned first_of(const struct tf_tile_set *tiles)
{
    unsigned i = 0;
    while (i < TF_TENSIX_TILES && !tiles->has[i])
        i++;
    return i;
}

static void test_tiles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned count, first;
    } good[] = {
        {"all", 140, 0},     {"5", 1, 5},       {"0-139", 140, 0}, {"3-5", 3, 3},
        {"7-7", 1, 7},       {"16,11", 1, 139}, {"1,3", 1, 14},    {"1,3-16,3", 14, 14},
        {"9+3+9+4-5", 4, 3}, {"2,2+2", 2, 1},   {"all+3", 140, 0},
    };
    static const char *const bad[] = {"",   "140", "5-3", "0-140", "8,5",   "17,5",  "+",   "1+",
                                      "+1", "1-",  "-1",  "al",    "alles", "1-2-3", "1;2", "all3"};
    struct tf_tile_set tiles;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!tf_cli_tiles(NULL, good[i].text, &tiles))
            fail_msg("'%s' was refused", good[i].text);
        assert_int_equal(tiles.count, good[i].count);
        assert_int_equal(first_of(&tiles), good[i].first);
        unsigned count = 0;
        for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
            count += tiles.has[tile];
        assert_int_equal(count, tiles.count);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (tf_cli_tiles(NULL, bad[i], &tiles))
            fail_msg("'%s' was taken as tiles", bad[i]);
    assert_int_equal(tiles.count, 140); /* of the last good one */
}

static void test_figures(void **state)
{
    (void)state;
    char text[TF_GROUPED_BYTES];
    assert_string_equal(tf_text_grouped(0, text), "0");
    assert_string_equal(tf_text_grouped(999, text), "999");
    assert_string_equal(tf_text_grouped(1000, text), "1,000");
    assert_string_equal(tf_text_grouped(1234567, text), "1,234,567");
    assert_string_equal(tf_text_grouped(UINT64_MAX, text), "18,446,744,073,709,551,615");
    assert_string_equal(tf_cli_short(0, text), "0");
    assert_string_equal(tf_cli_short(999, text), "999");
    assert_string_equal(tf_cli_short(999.6, text), "1.00k");
    assert_string_equal(tf_cli_short(1000, text), "1.00k");
    assert_string_equal(tf_cli_short(12345, text), "12.3k");
    assert_string_equal(tf_cli_short(999499, text), "999k");
    assert_string_equal(tf_cli_short(123456789, text), "123M");
    assert_string_equal(tf_cli_short(18446744073709551615.0, text), "18.4E");
}

/* The progress line in a terminal of so many columns, 0: of unknown size. The last column stays free. */
static void fits(const char *line, unsigned columns, const char *expected)
{
    char text[64] = "", wanted[64];
    const struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), own = dup(STDERR_FILENO);
    assert_true(terminal >= 0 && own >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(side >= 0 && ioctl(side, TIOCSWINSZ, &size) == 0);
    dup2(side, STDERR_FILENO);
    tf_cli_progress("%s", line);
    dup2(own, STDERR_FILENO);
    ssize_t bytes = read(terminal, text, sizeof text - 1);
    close(side), close(terminal), close(own);
    snprintf(wanted, sizeof wanted, "\r%s\033[K", expected);
    assert_true(bytes > 0);
    assert_string_equal(text, wanted);
}

static void test_fit(void **state)
{
    (void)state;
    fits("ring: 3 s, 40k cycles", 80, "ring: 3 s, 40k cycles");
    fits("ring: 3 s, 40k cycles", 22, "ring: 3 s, 40k cycles");
    fits("ring: 3 s, 40k cycles", 21, "ring: 3 s, 40k cy...");
    fits("ring: 3 s, 40k cycles", 3, "..");
    fits("ring: 3 s, 40k cycles", 0, "ring: 3 s, 40k cycles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_limits), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_cores),   cmocka_unit_test(test_nodes),  cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_figures), cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
