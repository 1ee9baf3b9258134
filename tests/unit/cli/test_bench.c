/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm bench as a command: its options, its JSON, and peers that work, are missing, or die. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "tilefarm/tilefarm_config.h"

static char folder[] = "/tmp/tilefarm-bench-XXXXXX";
static char said[1u << 20]; /* by the last command, on both streams */

/* Run `tilefarm bench` with arguments; its exit code. */
static int bench(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && '%s' bench %s 2>&1", folder, TF_COMMAND, arguments);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    said[fread(said, 1, sizeof said - 1, output)] = '\0';
    int status = pclose(output);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void says(const char *text)
{
    if (strstr(said, text) == NULL)
        fail_msg("no \"%s\" in: %s", text, said);
}

static void is_refused(const char *arguments, const char *text)
{
    assert_int_equal(bench(arguments), 2);
    says(text);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1); /* one line */
}

static json_t *read_json(const char *name)
{
    char path[256];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s: %s", path, error.text);
    return root;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

static void test_misuse(void **state)
{
    (void)state;
    is_refused("frob", "no row 'frob'");
    is_refused("al", "no row 'al'"); /* not a whole part of a name */
    is_refused("--runs 0 alu-1x1", "--runs");
    is_refused("--runs 100 alu-1x1", "--runs");
    is_refused("--scale 0 alu-1x1", "--scale");
    is_refused("--frob", "--frob");
    is_refused("--json none/json alu-1x1", "none/json: cannot be written");
    is_refused("--peer none.so alu-1x1", "none.so");
    is_refused("--peer '" TF_COMMAND ".frob' alu-1x1", "--peer");
    is_refused("--peer '" TF_CLI_TEST "' alu-1x1", "--peer"); /* a file, but no library */
}

static void test_list(void **state)
{
    (void)state;
    assert_int_equal(bench("--list"), 0);
    says("alu-1x1 ");
    says("mvmul-bf16-0 ");
    says("barrier-700 ");
    assert_int_equal(bench("--help"), 0);
    says("--peer LIBRARY");
}

/* Rows of a host that makes short calls, through both interfaces; and a recording, which a row needs. */
static void test_clients(void **state)
{
    (void)state;
    assert_int_equal(bench("--list"), 0);
    says("as-clients-10-mix-5x140 ");
    says("as-clients-500-barrier-700 ");
    assert_int_equal(bench("--list --arch wormhole"), 0);
    says("as-clients-500-barrier-400 ");
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 as-clients-500-mix-1x1"), 0);
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --host-clocks 100 --peer '" TF_LIBTTSIM "' mix-1x1"), 0);
    is_refused("recorded-calls", "--recording");
    is_refused("--host-clocks 0 mix-1x1", "--host-clocks");
}

static void check_row(const json_t *row)
{
    assert_true(json_is_true(json_object_get(row, "right")));
    double median = json_real_value(json_object_get(row, "median"));
    assert_true(median > 0);
    assert_true(json_real_value(json_object_get(row, "least")) <= median);
    assert_true(json_real_value(json_object_get(row, "most")) >= median);
}

static void test_vectors(void **state)
{
    (void)state;
    is_refused("--vectors sse alu-1x1", "'auto', 'portable', 'avx2' or 'avx512'");
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --vectors portable --json json vector-1t"), 0);
    json_t *root = read_json("json");
    assert_string_equal(text_of(root, "vectors"), "portable");
    json_decref(root);
    struct tf_config config;
    const struct bench_side side = {.kind = BENCH_FARM, .threads = 3, .vectors = TF_VECTORS_PORTABLE};
    bench_configure(&side, &config);
    assert_int_equal(config.vectors, TF_VECTORS_PORTABLE);
    assert_int_equal(config.threads, 3);
}

static void test_json(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --json json alu-1x1 alu-5x1 ping-pong startup memory "
                           "timeline profile"),
                     0);
    says("ping-pong");
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows"), *row;
    size_t i;
    assert_true(text_of(root, "host")[0] != '\0');
    assert_true(strstr(text_of(root, "compiler"), "gcc ") != NULL ||
                strstr(text_of(root, "compiler"), "clang ") != NULL);
    assert_true(strlen(text_of(root, "commit")) >= 7);
    assert_true(text_of(root, "cpu")[0] != '\0' && text_of(root, "vectors")[0] != '\0');
    assert_true(json_is_null(json_object_get(root, "peer_version")));
    assert_int_equal(strlen(text_of(root, "date")), 10);
    assert_int_equal(json_array_size(rows), 7);
    json_array_foreach(rows, i, row) check_row(row);
    assert_string_equal(text_of(json_array_get(rows, 0), "name"), "alu-1x1");
    assert_string_equal(text_of(json_array_get(rows, 0), "unit"), "MIPS");
    json_t *counters = json_object_get(json_array_get(rows, 2), "counters");
    assert_true(json_integer_value(json_object_get(counters, "noc_requests")) >= 140);
    assert_true(json_integer_value(json_object_get(counters, "epochs")) > 0);
    json_decref(root);
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --json - alu-1x1"), 0);
    root = json_loads(said, 0, NULL);
    assert_non_null(root);
    json_decref(root);
}

static double real_of(const json_t *row, const char *key)
{
    return json_real_value(json_object_get(row, key));
}

/* Rows of systems have figures. */
static void test_systems(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --json json links galaxy galaxy-memory galaxy-windows"), 0);
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows");
    for (size_t i = 0; i < 4; i++)
        assert_true(real_of(json_array_get(rows, i), "median") > 0);
    json_decref(root);
}

/* The median of two samples is their mean. Figures are printed to six digits, so each is wrong by up to 5e-6. */
static void test_median(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 2 --scale 1 --side 1 --json json ping-pong"), 0);
    json_t *root = read_json("json"), *row = json_array_get(json_object_get(root, "rows"), 0);
    double mean = (real_of(row, "least") + real_of(row, "most")) / 2;
    assert_true(fabs(real_of(row, "median") - mean) <= 1.1e-5 * mean);
    assert_true(real_of(row, "least") < real_of(row, "most"));
    json_decref(root);
}

static double sample_of(const json_t *row, size_t i)
{
    return json_real_value(json_array_get(json_object_get(row, "samples"), i));
}

static double middle(double a, double b, double c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
}

/* Against one thread, samples of the same turn are compared. Figures are printed to six digits. */
static void test_speed_up(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 3 --scale 1 --json json thcon"), 0);
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows"), *row;
    const json_t *one = json_array_get(rows, 0);
    size_t i;
    assert_true(json_array_size(rows) >= 2); /* the last is relaxed */
    assert_null(json_object_get(one, "speed_up"));
    json_array_foreach(rows, i, row)
    {
        check_row(row);
        assert_int_equal(json_array_size(json_object_get(row, "samples")), 3);
        double median = middle(sample_of(row, 0), sample_of(row, 1), sample_of(row, 2));
        assert_true(fabs(real_of(row, "median") - median) <= 1e-4 * median);
        if (i == 0)
            continue;
        double speed_up = middle(sample_of(row, 0) / sample_of(one, 0), sample_of(row, 1) / sample_of(one, 1),
                                 sample_of(row, 2) / sample_of(one, 2));
        assert_true(fabs(real_of(row, "speed_up") - speed_up) <= 1e-4 * speed_up);
    }
    json_decref(root);
}

/* A word selects the names that begin with the word and a '-'. */
static void test_names(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --json json host"), 0);
    json_t *root = read_json("json");
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 2);
    json_decref(root);
}

/* Each Tensix program, and each kind of request, runs once. Results of the device programs are not checked here. */
static void test_programs(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 atomic multicast mvmul unpack-add-pack"), 0);
    assert_null(strstr(said, "failed"));
}

static void test_more_programs(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 copy-256 read-4k dram barrier-700 thcon mop replay vector idle "
                           "unpack pack"),
                     0);
    assert_null(strstr(said, "failed"));
}

static void test_peer(void **state)
{
    (void)state;
    assert_int_equal(bench("--runs 3 --scale 1 --side 1 --peer '" TF_LIBTTSIM "' --json json alu-5x140 host-write"), 0);
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows"), *row;
    size_t i;
    assert_string_equal(text_of(root, "peer"), "libttsim.so");
    assert_true(strstr(text_of(root, "peer_version"), "tilefarm 1.") != NULL);
    assert_true(strstr(text_of(root, "peer_version"), "xxh3 ") != NULL);
    assert_int_equal(json_array_size(rows), 4);
    json_array_foreach(rows, i, row)
    {
        check_row(row);
        bool peer = strcmp(text_of(row, "side"), "peer") == 0;
        assert_int_equal(peer, i % 2);
        assert_int_equal(json_real_value(json_object_get(row, "ratio")) > 0, !peer);
    }
    json_decref(root);
    assert_int_equal(bench("--runs 1 --scale 1 --side 1 --peer '" TF_LIBTTSIM "' matmul-bf16-lofi"), 0);
    assert_null(strstr(said, "failed"));
}

static void expect_death(const char *why)
{
    assert_int_equal(bench("--runs 2 --scale 1 --side 1 --peer '" TF_DYING_PEER "' --json json alu-1x1 alu-5x1"), 0);
    says("peer failed: ");
    says(why);
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows");
    assert_int_equal(json_array_size(rows), 4);
    for (size_t i = 0; i < 4; i += 2) { /* the other rows were measured */
        check_row(json_array_get(rows, i));
        assert_null(json_object_get(json_array_get(rows, i), "ratio"));
        assert_string_equal(text_of(json_array_get(rows, i + 1), "failed"), why);
    }
    json_decref(root);
}

static void test_peer_dies(void **state)
{
    (void)state;
    expect_death("ERROR: no such thing");
    setenv("DYING_PEER_SIGNAL", "1", 1);
    expect_death("ended by signal 9");
    unsetenv("DYING_PEER_SIGNAL");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* When patience ends, all rows have been measured. Without patience no moment is tested. Other work does not matter. */
static void test_patience(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(bench(i == 0 ? "--runs 2 --scale 1 --busy 2 --json json alu-1x1 startup"
                                      : "--runs 2 --scale 1 --patience 1 --json json alu-1x1 startup"),
                         0);
        assert_true((strstr(said, "were taken in quiet moments") != NULL) == (i == 1));
        json_t *root = read_json("json"), *rows = json_object_get(root, "rows"), *row;
        size_t at;
        assert_int_equal(json_integer_value(json_object_get(root, "patience_s")), i);
        assert_int_equal(json_integer_value(json_object_get(root, "busy")), i == 0 ? 2 : 0);
        json_array_foreach(rows, at, row)
        {
            check_row(row);
            assert_int_equal(json_array_size(json_object_get(row, "samples")), 2);
            assert_true(json_is_integer(json_object_get(row, "quiet_samples")));
            assert_in_range(json_integer_value(json_object_get(row, "quiet_samples")), 0, 2 * i);
        }
        json_decref(root);
    }
    is_refused("--patience x alu-1x1", "--patience");
}

/* From one thread to all CPUs, with the cores that they have; a row without threads has one side. */
static void test_scale_threads(void **state)
{
    (void)state;
    assert_int_equal(bench("--scale-threads --runs 1 --scale 1 --json json small-runs thcon startup"), 0);
    says("efficiency");
    json_t *root = read_json("json"), *rows = json_object_get(root, "rows"), *row;
    json_int_t before = 0;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        json_int_t threads = json_integer_value(json_object_get(row, "threads"));
        json_int_t cores = json_integer_value(json_object_get(row, "cores"));
        bool first = i == 0 || strcmp(text_of(row, "name"), text_of(json_array_get(rows, i - 1), "name")) != 0;
        check_row(row);
        assert_true(first ? threads == 1 : threads > before);
        assert_true(cores >= 1 && cores <= threads);
        assert_true(json_integer_value(json_object_get(row, "numa_nodes")) >= 1);
        assert_string_equal(text_of(row, "mode"), "deterministic");
        before = threads;
    }
    assert_string_equal(text_of(json_array_get(rows, i - 1), "name"), "startup");
    assert_int_equal(before, 1);
    json_decref(root);
    is_refused("--scale-threads --side 1", "--scale-threads");
    is_refused("--side 1t alu-1x1", "no chosen row has a side '1t'");
}

/* Usage: test_cli_bench [rows]; rows: of systems and of more programs, which take long. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misuse),   cmocka_unit_test(test_median),   cmocka_unit_test(test_list),
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_json),     cmocka_unit_test(test_speed_up),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_peer),     cmocka_unit_test(test_peer_dies),
        cmocka_unit_test(test_programs), cmocka_unit_test(test_patience), cmocka_unit_test(test_scale_threads),
        cmocka_unit_test(test_clients),
    };
    const struct CMUnitTest rows[] = {cmocka_unit_test(test_systems), cmocka_unit_test(test_more_programs)};
    if (argc > 1 && strcmp(argv[1], "rows") == 0)
        return cmocka_run_group_tests(rows, make_folder, remove_folder);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
