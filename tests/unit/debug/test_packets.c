/* SPDX-License-Identifier: Apache-2.0 */
/* GDB packets that no GDB sends: wrong checksums, and numbers that do not fit. */
#include "chip_wish.h"
#include "debug/gdb/gdb.h"
#include "debug/gdb/packets.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/stop.h"
#include "one_chip.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "one_column.h"

#define OUTPUT_BYTES 4096u

static struct tf_gdb *gdb;
static int client; /* the other end of gdb->connection */

static void ignore_noc(void *user, const struct tf_noc_event *event)
{
    (void)user, (void)event;
}

static int setup(void **state)
{
    struct chip_wish config = one_worker();
    struct tf_message message;
    int ends[2];
    (void)state;
    one_column(&config.board);
    chip_wish_change(&config, tf_gdb_configure);
    config.on_noc = ignore_noc;
    gdb = tf_gdb_open("0", &message);
    if (gdb == NULL || chip_wish_create(&config, &chip, NULL) != TF_OK ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    tf_gdb_attach(gdb, chip, NULL);
    gdb->connection = ends[0];
    client = ends[1];
    return 0;
}

static int end(void **state)
{
    close(client);
    teardown(state);
    tf_gdb_close(gdb);
    return 0;
}

static char input[OUTPUT_BYTES], output[OUTPUT_BYTES];

/* Add a packet to the input. wrong: what is added to its checksum. */
static void add(const char *text, unsigned wrong)
{
    size_t at = strlen(input);
    unsigned sum = wrong;
    for (const char *c = text; *c != '\0'; c++)
        sum += (uint8_t)*c;
    snprintf(input + at, sizeof input - at, "$%s#%02x", text, sum & 0xFF);
}

/* Serve the client until it has gone. Returns all that the stub has sent. */
static const char *serve(void)
{
    size_t got = 0;
    ssize_t some;
    assert_int_equal(send(client, input, strlen(input), 0), strlen(input));
    shutdown(client, SHUT_WR);
    tf_gdb_serve(gdb);
    assert_true(gdb->left);
    shutdown(gdb->connection, SHUT_WR);
    while ((some = recv(client, output + got, sizeof output - 1 - got, 0)) > 0)
        got += (size_t)some;
    output[got] = '\0';
    return output;
}

/* The answer to a packet of an attached client: the text of its packet. */
static const char *answer(const char *text)
{
    static char found[OUTPUT_BYTES];
    input[0] = '\0';
    add("!", 0);
    add("vAttach;1", 0);
    add(text, 0);
    const char *last = strrchr(serve(), '$');
    assert_non_null(last);
    snprintf(found, sizeof found, "%.*s", (int)strcspn(last + 1, "#"), last + 1);
    return found;
}

/* The length of the last condition, plus what is stored already, is 0 in 32 bits. */
static void test_condition_wraps(void **state)
{
    (void)state;
    assert_string_equal(answer("Z0,100,4;X1,27;Xfffffffb,00"), "E01");
    assert_null(gdb->points);
}

static void test_condition_truncated(void **state)
{
    (void)state;
    assert_string_equal(answer("Z0,100,4;X100000001,27"), "E01");
    assert_null(gdb->points);
}

static void test_condition_short(void **state)
{
    (void)state;
    assert_string_equal(answer("Z0,100,4;X4,27"), "E01");
}

static void test_conditions(void **state)
{
    (void)state;
    assert_string_equal(answer("Z0,100,4;X1,27X2,2727"), "OK");
    assert_non_null(gdb->points);
    assert_int_equal(gdb->points->condition_bytes, 7);
}

static void test_watch_wraps(void **state)
{
    (void)state;
    assert_string_equal(answer("Z2,fffffff0,20"), "E01");
}

static void test_watch_whole(void **state)
{
    (void)state;
    assert_string_equal(answer("Z2,1,fffffffe"), "OK");
}

static void test_long_address(void **state)
{
    (void)state;
    assert_string_equal(answer("m100000000,4"), "E01");
}

static void test_long_write(void **state)
{
    (void)state;
    assert_string_equal(answer("M100000000,1:ff"), "E01");
}

static void test_long_count(void **state)
{
    (void)state;
    assert_string_equal(answer("M0,10000000000000001:ff"), "E01");
}

static void test_long_register(void **state)
{
    (void)state;
    assert_string_equal(answer("p100000020"), "xxxxxxxx");
}

static void test_long_register_write(void **state)
{
    (void)state;
    assert_string_equal(answer("P100000001=01000000"), "E01");
}

static void test_long_kind(void **state)
{
    (void)state;
    assert_string_equal(answer("Z100000000,100,4"), "");
}

static void test_long_process(void **state)
{
    (void)state;
    assert_string_equal(answer("vAttach;10000000000000002"), "E01");
}

static void test_checksum(void **state)
{
    (void)state;
    input[0] = '\0';
    add("!", 1);
    add("!", 0);
    assert_string_equal(serve(), "-+$OK#9a");
}

static void test_checksum_no_digits(void **state)
{
    (void)state;
    snprintf(input, sizeof input, "$!#zz");
    assert_string_equal(serve(), "-");
    assert_false(gdb->extended);
}

static void test_checksum_without_acks(void **state)
{
    (void)state;
    input[0] = '\0';
    add("QStartNoAckMode", 0);
    add("!", 1);
    assert_string_equal(serve(), "+$OK#9a$OK#9a");
}

/* Each of these has something wrong behind a part that would be right. */
static const char *const malformed[] = {
    "Z0,100,4junk", "Z0,100,4;X,",   "z0,100,4junk",
    "M0,1:00ff",    "M0,1:0",        "M0,0",
    "X0,1:}",       "X0,1:ab",       "P1=0000000000",
    "P1=00",        "P1=0000000g",   "P1=00000000=",
    "G00",          "m0,4junk",      "Tp1.99",
    "T1x",          "Tp1.1x",        "T",
    "Hgffffffff",   "Hgp1.1junk",    "Hgp10000000000000001.1",
    "Hg",           "Hgp1.ffffffff", "vCont",
    "vCont;",       "vCont;ss",      "vCont;s:",
    "vCont;c;",     "vCont;C",       "vCont;r0,8",
    "vCont;s:1;x",  "vContinue",     "vCont;c:p1.1junk",
};

static void test_malformed(void **state)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        assert_int_equal(setup(state), 0);
        const char *got = answer(malformed[i]);
        if (strcmp(got, "E01") != 0)
            fail_msg("%s: %s", malformed[i], got);
        assert_null(gdb->points);
        end(state);
    }
}

static void test_well_formed(void **state)
{
    static const char *const packets[] = {"Tp1.1",  "T1",      "Hgp1.1",     "Hgp1.-1", "Hc-1",        "Hg0",
                                          "Hcp0.0", "M0,1:ff", "X0,1:}\x03", "X0,0:",   "P1=01000000", "z0,100,4"};
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        assert_int_equal(setup(state), 0);
        assert_string_equal(answer(packets[i]), "OK");
        end(state);
    }
}

/* All processes run, and one of them may step. */
static void test_resumed(void **state)
{
    static const struct {
        const char *packet;
        unsigned stepping;
    } row[] = {{"vCont;c", 0},        {"vCont;C05:p1.-1", 0},      {"vCont;s", 1},
               {"vCont;s:p2.2;c", 2}, {"vCont;S05:3;c:p-1.-1", 3}, {"vCont;c:1;s:2", 2}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_int_equal(setup(state), 0);
        input[0] = '\0';
        add("!", 0);
        add("vAttach;1", 0);
        add(row[i].packet, 0);
        assert_int_equal(send(client, input, strlen(input), 0), strlen(input));
        tf_gdb_serve(gdb);
        assert_true(gdb->running);
        assert_int_equal(gdb->stepping, row[i].stepping);
        end(state);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, end)

/* After a process is detached, packets mean the first of those that are left, or none. Others change nothing. */
static void test_current_process(void **state)
{
    static const struct {
        const char *packet[5];
        unsigned current;
    } row[] = {
        {{"vAttach;1"}, 1},
        {{"vAttach;2", "vAttach;1"}, 1},
        {{"vAttach;1", "vAttach;2"}, 2},
        {{"vAttach;1", "vAttach;2", "D;2"}, 1},
        {{"vAttach;1", "vAttach;2", "D;1"}, 2},
        {{"vAttach;3", "vAttach;2", "vAttach;1", "D;1"}, 2},
        {{"vAttach;1", "D;1"}, 0},
        {{"vAttach;1", "vAttach;2", "D;2", "D;1"}, 0},
        {{"vAttach;1", "vAttach;2", "D;1", "D;2", "vAttach;3"}, 3},
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(setup(state), 0);
        input[0] = '\0';
        add("!", 0);
        for (unsigned packet = 0; packet < 5 && row[i].packet[packet] != NULL; packet++)
            add(row[i].packet[packet], 0);
        serve();
        if (gdb->current != row[i].current)
            fail_msg("row %u: the current process is %u", i, gdb->current);
        end(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_current_process),
        TEST(test_condition_wraps),
        TEST(test_condition_truncated),
        TEST(test_condition_short),
        TEST(test_conditions),
        TEST(test_watch_wraps),
        TEST(test_watch_whole),
        TEST(test_long_address),
        TEST(test_long_write),
        TEST(test_long_count),
        TEST(test_long_register),
        TEST(test_long_register_write),
        TEST(test_long_kind),
        TEST(test_long_process),
        TEST(test_checksum),
        TEST(test_checksum_no_digits),
        TEST(test_checksum_without_acks),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_well_formed),
        cmocka_unit_test(test_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
