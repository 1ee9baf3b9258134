/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles: paths of calls, what is counted on them, and pprof's format, read again. A workload's counts agree with the
 * chip's own figures, on any number of threads, and profiling does not show in the state.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "chip_wish.h"
#include "cli/workloads/common.h"
#include "cli/workloads/list.h"
#include "look/profile_text.h"
#include "unit/look/wire.h"

#include "cli/workloads/workload.h"
#include "look/cores.h"
#include "look/paths.h"
#include "look/profile.h"

/* --- paths --- */

static void calls_and_returns(void **state)
{
    (void)state;
    struct tf_paths paths = {.count = 0};
    assert_true(tf_paths_begin(&paths, 0x100));
    assert_true(tf_paths_call(&paths, 0x200, 0x110, false));
    uint32_t first = paths.current;
    assert_true(tf_paths_call(&paths, 0x300, 0x210, false));
    assert_int_equal(tf_paths_return(&paths, 0x210), 1);
    assert_int_equal(paths.current, first);
    assert_true(tf_paths_call(&paths, 0x300, 0x220, false)); /* another place of the same function: another path */
    assert_int_equal(paths.count, 4);
    assert_int_equal(tf_paths_return(&paths, 0x220), 1);
    assert_true(tf_paths_call(&paths, 0x300, 0x210, false)); /* a known path */
    assert_int_equal(paths.count, 4);
    assert_int_equal(tf_paths_return(&paths, 0x999), 0); /* no return */
    assert_int_not_equal(paths.current, first);
    assert_int_equal(tf_paths_return(&paths, 0x110), 2); /* past a frame, as longjmp() does */
    assert_int_equal(paths.current, 0);
    tf_paths_free(&paths);
}

static void recursion_has_an_end(void **state)
{
    (void)state;
    struct tf_paths paths = {.count = 0};
    assert_true(tf_paths_begin(&paths, 0x100));
    for (unsigned i = 0; i < 3 * TF_PATHS_MAX; i++)
        tf_paths_call(&paths, 0x100, 0x110, false);
    assert_true(paths.count <= TF_PATHS_MAX);
    assert_false(paths.lost);
    tf_paths_count(&paths, 0x100, 0x110, 5);
    assert_int_equal(paths.path[paths.current].spots, 1);
    tf_paths_free(&paths);
}

static void spots_are_kept_apart(void **state)
{
    (void)state;
    struct tf_paths paths = {.count = 0};
    uint64_t sum = 0;
    assert_true(tf_paths_begin(&paths, 0));
    for (unsigned round = 0; round < 3; round++)
        for (uint32_t i = 0; i < 1000; i++)
            tf_paths_count(&paths, i / 10 * 4, i % 10 == 0 ? 0 : i / 10 * 4 + i % 10 * 4, i + 1);
    assert_int_equal(paths.path[0].spots, 1000);
    for (uint32_t i = 0; i < paths.path[0].spot_room; i++)
        sum += paths.path[0].spot[i].count;
    assert_int_equal(sum, 3 * 1000 * 1001 / 2);
    tf_paths_free(&paths);
}

/* --- a workload --- */

struct run {
    uint64_t hash, executed, waited, instructions;
    char *text;
    size_t bytes;
};

static void profile(const char *name, unsigned threads, bool parking, enum tf_profile_form form, struct run *run)
{
    const struct tf_workload *workload = tf_workload_find(name);
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    struct tf_message message;
    struct chip_wish config;
    struct tf_chip *chip;
    struct tf_stats stats;
    uint8_t mask[TF_NODES_MAX];
    void *state;
    memset(mask, run->text == NULL ? 0xFF : 0, sizeof mask);
    chip_wish_init(&config);
    config.threads = threads;
    config.parking = parking;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(workload->setup(chip, &options, &state, &message), TF_OK);
    struct tf_symbols *symbols = tf_symbols_create();
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        size_t bytes;
        const void *image = tf_workload_program(chip, workload, core, &bytes);
        assert_true(image == NULL || tf_symbols_add(symbols, image, bytes, 1u << core, NULL));
    }
    struct tf_cores *cores = tf_cores_attach(chip, mask, NULL, NULL);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    tf_stats(chip, &stats);
    run->hash = tf_state_hash(chip);
    run->instructions = stats.instructions_executed;
    tf_cores_settle(cores);
    struct tf_profile *made = tf_profile_gather(&(struct tf_profile_part){.cores = cores, .symbols = symbols}, 1);
    assert_non_null(made);
    assert_false(made->lost);
    run->executed = made->executed;
    run->waited = made->waited;
    FILE *file = open_memstream(&run->text, &run->bytes);
    assert_true(tf_profile_write(made, form, file));
    fclose(file);
    tf_profile_free(made);
    workload->release(state);
    tf_chip_destroy(chip);
    tf_cores_free(cores);
    tf_symbols_destroy(symbols);
}

/*
 * Every executed instruction is counted, but for rounds of loops that parking remembers (interp/count.h). Those are
 * cycles of waiting; nothing in `barrier` waits in another way. Cores that have ended execute nothing, and do not wait.
 */
static void all_is_counted(void **state)
{
    static const char *const names[] = {"mixed", "barrier", "pipeline"};
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct run run = {.text = NULL};
        profile(names[i], 2, false, TF_PROFILE_TEXT, &run);
        assert_int_equal(run.executed + (strcmp(names[i], "barrier") == 0 ? run.waited : 0), run.instructions);
        free(run.text);
    }
}

static void ways_to_run_do_not_show(void **state)
{
    (void)state;
    struct run run[3] = {{.text = NULL}};
    char dummy;
    profile("cb", 1, true, TF_PROFILE_FOLDED, &run[0]);
    profile("cb", 3, true, TF_PROFILE_FOLDED, &run[1]);
    run[2].text = &dummy; /* no core */
    profile("cb", 2, true, TF_PROFILE_FOLDED, &run[2]);
    assert_true(run[0].hash == run[1].hash && run[0].hash == run[2].hash);
    assert_true(run[0].executed == run[1].executed && run[0].waited == run[1].waited);
    assert_true(run[0].executed > 0 && run[0].waited > 0 && run[2].executed == 0);
    assert_string_equal(run[0].text, run[1].text);
    assert_non_null(strstr(run[0].text, "B;_start;main;"));
    assert_int_equal(run[2].bytes, 0);
    for (unsigned i = 0; i < 3; i++)
        free(run[i].text);
}

/* Most lines do not wait. Those with the most cycles are listed. */
static void lines_have_counts(void **state)
{
    (void)state;
    struct run run = {.text = NULL};
    unsigned long long executed, waited, sums[2] = {0}, before = ~0ull;
    unsigned lines = 0, without_wait = 0;
    profile("ring", 1, true, TF_PROFILE_TEXT, &run);
    const char *at = strstr(run.text, "\nLines\n");
    assert_non_null(at);
    at = strchr(at + strlen("\nLines\n"), '\n');
    for (; at != NULL && sscanf(at, "%llu %llu %*f%%", &executed, &waited) == 2; at = strchr(at + 1, '\n')) {
        sums[0] += executed;
        sums[1] += waited;
        assert_true(executed + waited <= before);
        before = executed + waited;
        lines++;
        without_wait += waited == 0;
    }
    assert_in_range(lines, 10, 40);
    assert_true(without_wait > lines / 2);
    assert_in_range(sums[0], run.executed - run.executed / 8, run.executed);
    assert_in_range(sums[1], run.waited - run.waited / 8, run.waited);
    free(run.text);
}

/* A flame graph has a frame for the waits of a function. */
static void flames_show_waits(void **state)
{
    (void)state;
    struct run run = {.text = NULL};
    profile("cb", 1, true, TF_PROFILE_SVG, &run);
    assert_non_null(strstr(run.text, ">main<"));
    assert_non_null(strstr(run.text, "[waiting]"));
    free(run.text);
}

/* The text: the sums of the run, then four tables, each with a head and rows. The mix has each instruction,
   most frequent ones first. */
static void text_has_its_tables(void **state)
{
    (void)state;
    static const char *const head[] = {"\nCalls, with callees\n", "\nFunctions, without callees\n", "\nLines\n",
                                       "\nMix of instructions\n"};
    struct run run = {.text = NULL};
    profile("cb", 2, true, TF_PROFILE_TEXT, &run);
    char sums[80];
    snprintf(sums, sizeof sums, "%llu instructions, %llu cycles of waiting\n", (unsigned long long)run.executed,
             (unsigned long long)run.waited);
    assert_memory_equal(run.text, sums, strlen(sums));
    const char *at = run.text;
    for (unsigned i = 0; i < sizeof head / sizeof *head; i++) {
        at = strstr(at, head[i]);
        if (at == NULL)
            fail_msg("no table %s", head[i]);
        at += strlen(head[i]);
        const char *const columns = "    instructions   waiting cycles  cycles  ";
        assert_int_equal(strncmp(at, columns, strlen(columns)) == 0, i < 3);
        const char *row = i < 3 ? strchr(at, '\n') + 1 : at;
        assert_true(strspn(row, " 0123456789") > 16);
    }
    unsigned long long executed = 0, count, before = ULLONG_MAX;
    for (char *end; *at != '\0'; at = strchr(at, '\n') + 1, before = count) {
        count = strtoull(at, &end, 10);
        assert_true(end == at + 16);
        assert_true(count <= before);
        executed += count;
    }
    assert_true(executed == run.executed);
    free(run.text);
}

/* --- pprof --- */

enum { TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, PERIOD_TYPE = 11, PERIOD, DEFAULT_TYPE = 14 };

static unsigned sum_packed(struct wire numbers, uint64_t *sums, unsigned most)
{
    unsigned count = 0;
    for (; numbers.at != numbers.end; count++) {
        uint64_t value = wire_varint(&numbers);
        if (count < most)
            sums[count] += value;
    }
    return count;
}

static void pprof_decodes(void **state)
{
    (void)state;
    struct run run = {.text = NULL};
    profile("cb", 2, true, TF_PROFILE_PPROF, &run);
    struct wire all = {(const uint8_t *)run.text, (const uint8_t *)run.text + run.bytes};
    struct field field, part;
    uint64_t sums[3] = {0}, locations = 0, functions = 0, strings = 0, types = 0, cycles = 0, preferred = 0;
    bool has_main = false;
    for (struct wire at = all; wire_next(&at, &field);) {
        types += field.number == TYPE;
        if (field.number == LOCATION)
            assert_int_equal(wire_number(field.inside, 1, 0), ++locations);
        if (field.number == FUNCTION)
            assert_int_equal(wire_number(field.inside, 1, 0), ++functions);
        if (field.number == STRING && wire_is(field.inside, "cycles"))
            cycles = strings;
        if (field.number == STRING && strings++ == 0)
            assert_true(field.inside.at == field.inside.end);
        preferred = field.number == DEFAULT_TYPE ? field.value : preferred;
        has_main |= field.number == STRING && wire_is(field.inside, "main");
    }
    assert_int_equal(types, 3);
    assert_true(has_main);
    assert_true(cycles != 0 && preferred == cycles);
    for (struct wire at = all; wire_next(&at, &field);) {
        if (field.number == SAMPLE) {
            assert_true(wire_find(field.inside, 2, &part));
            assert_int_equal(sum_packed(part.inside, sums, 3), 3);
            assert_true(wire_find(field.inside, 1, &part));
            while (part.inside.at != part.inside.end) {
                uint64_t id = wire_varint(&part.inside);
                assert_true(id >= 1 && id <= locations);
            }
        } else if (field.number == LOCATION) {
            assert_true(wire_find(field.inside, 4, &part));
            assert_true(wire_number(part.inside, 1, 0) - 1 < functions);
        } else if (field.number == FUNCTION) {
            assert_true(wire_number(field.inside, 2, 0) < strings && wire_number(field.inside, 4, 0) < strings);
        }
    }
    assert_int_equal(sums[1], run.executed);
    assert_int_equal(sums[2], run.waited);
    assert_int_equal(sums[0], run.executed + run.waited);
    free(run.text);
}

static bool has_string(struct wire all, uint64_t number, const char *text)
{
    struct field field;
    while (wire_next(&all, &field))
        if (field.number == STRING && number-- == 0)
            return wire_is(field.inside, text);
    return false;
}

static bool is_type(struct wire all, struct wire type, const char *name)
{
    return has_string(all, wire_number(type, 1, 0), name) && has_string(all, wire_number(type, 2, 0), "count");
}

/* Where a function begins, and where its first place is, in lines. */
struct lines {
    uint64_t begin, first;
};

static uint64_t check_location(struct wire location, struct lines *lines)
{
    struct field line;
    const uint64_t pc = wire_number(location, 3, 1);
    assert_int_equal(wire_number(location, 2, 0), 1); /* the mapping */
    assert_true(pc % 4 == 0 && pc < tf_arch_blackhole.tile[TF_TILE_TENSIX].l1_bytes);
    while (wire_next(&location, &line))
        if (line.number == 4) {
            struct lines *of = &lines[wire_number(line.inside, 1, 0)];
            const uint64_t number = wire_number(line.inside, 2, 0);
            of->first = number < of->first ? number : of->first;
        }
    return pc;
}

/* Each field that pprof shows: types and units, the mapping, addresses, lines and names. */
static void pprof_has_its_fields(void **state)
{
    (void)state;
    struct run run = {.text = NULL};
    profile("cb", 2, true, TF_PROFILE_PPROF, &run);
    struct wire all = {(const uint8_t *)run.text, (const uint8_t *)run.text + run.bytes};
    const char *const type[] = {"cycles", "instructions", "waiting"};
    struct lines lines[64];
    unsigned types = 0, mappings = 0, functions = 0, periods = 0;
    uint64_t addresses = 0;
    struct field field;
    memset(lines, 0xFF, sizeof lines);
    for (struct wire at = all; wire_next(&at, &field);) {
        if (field.number == TYPE)
            assert_true(is_type(all, field.inside, type[types++]));
        if (field.number == LOCATION)
            addresses |= check_location(field.inside, lines);
        if (field.number == MAPPING) {
            mappings++;
            assert_int_equal(wire_number(field.inside, 1, 0), 1);
            assert_int_equal(wire_number(field.inside, 2, 0), 0);
            assert_int_equal(wire_number(field.inside, 3, 0), tf_arch_blackhole.tile[TF_TILE_TENSIX].l1_bytes);
            assert_true(has_string(all, wire_number(field.inside, 5, 0), "device programs"));
            for (unsigned has = 7; has <= 9; has++) /* functions, files, lines */
                assert_int_equal(wire_number(field.inside, has, 0), 1);
        }
        if (field.number == FUNCTION) {
            functions++;
            assert_true(functions < sizeof lines / sizeof *lines);
            assert_int_equal(wire_number(field.inside, 3, 0), wire_number(field.inside, 2, 1));
            assert_int_equal(wire_number(field.inside, 4, 0), wire_number(field.inside, 2, 0) + 1);
            lines[functions].begin = wire_number(field.inside, 5, 0);
        }
        if (field.number == PERIOD_TYPE)
            assert_true(is_type(all, field.inside, "cycles"));
        periods += field.number == PERIOD && field.value == 1;
    }
    assert_true(addresses > 0xFF); /* of a whole program */
    assert_int_equal(mappings, 1);
    assert_int_equal(periods, 1);
    unsigned heads = 0; /* functions in C, whose places lie behind their heads */
    for (unsigned i = 1; i <= functions; i++)
        heads += lines[i].begin != 0 && lines[i].begin < lines[i].first && lines[i].first < 1000;
    assert_true(2 * heads > functions);
    free(run.text);
}

static void forms_follow_names(void **state)
{
    (void)state;
    assert_int_equal(tf_profile_form_of("a.folded"), TF_PROFILE_FOLDED);
    assert_int_equal(tf_profile_form_of("a.pb.gz"), TF_PROFILE_PPROF_GZ);
    assert_int_equal(tf_profile_form_of("a.pprof"), TF_PROFILE_PPROF);
    assert_int_equal(tf_profile_form_of("a.svg"), TF_PROFILE_SVG);
    assert_int_equal(tf_profile_form_of("svg"), TF_PROFILE_TEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_returns),       cmocka_unit_test(recursion_has_an_end),
        cmocka_unit_test(spots_are_kept_apart),    cmocka_unit_test(all_is_counted),
        cmocka_unit_test(ways_to_run_do_not_show), cmocka_unit_test(text_has_its_tables),
        cmocka_unit_test(pprof_decodes),           cmocka_unit_test(pprof_has_its_fields),
        cmocka_unit_test(lines_have_counts),       cmocka_unit_test(flames_show_waits),
        cmocka_unit_test(forms_follow_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
