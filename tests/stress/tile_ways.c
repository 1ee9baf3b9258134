/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_wish.h"
#include "tile_ways.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "gdb_watcher.h"
#include "one_column.h"
#include "addresses.h"

static void ignore_event(void *user, const struct tf_tensix_event *event)
{
    (void)event;
    ++*(uint64_t *)user;
}

static void ignore_insn(void *user, const struct tf_riscv_event *event)
{
    (void)event;
    ++*(uint64_t *)user;
}

#define STOPS_MAX 40u     /* of GDB, in a run */
#define WATCHED_ONE_IN 4u /* programs: stops take time */

static unsigned stops;

unsigned gdb_stops(void)
{
    return stops;
}

/* Of GDB: what cores kept, GPRs of T0, semaphores, a word of configuration, a stream, a mailbox. */
static const struct gdb_range watched[] = {
    {DATA_AT(TF_CORE_B), 16, '2'},    {DATA_AT(TF_CORE_T1), 8, '4'},   {TF_GPR_BASE, 4, '2'},
    {TF_SEMAPHORE_BASE, 4, '4'},      {TF_CFG_BASE + 4 * 160, 4, '2'}, {STREAM(0), 4, '4'},
    {WORD_AT(0, TF_CORE_T0), 4, '2'}, {TF_MAILBOX_BASE, 4, '2'},
};

/* Describe the first difference in words. */
static void describe(const struct outcome *a, const struct outcome *b, char *text, size_t bytes)
{
    static const char *const name[] = {"B", "NC", "T0", "T1", "T2"};
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        for (unsigned i = 0; i < KEPT_WORDS; i++)
            if (a->kept[core][i] != b->kept[core][i]) {
                snprintf(text, bytes, "%s has kept 0x%x, not 0x%x, as word %u", name[core], b->kept[core][i],
                         a->kept[core][i], i);
                return;
            }
        const struct tf_core_view *x = &a->core[core], *y = &b->core[core];
        if (x->pc != y->pc || x->cycle != y->cycle || x->instret != y->instret || x->state != y->state) {
            snprintf(text, bytes,
                     "%s is at pc 0x%x cycle %" PRIu64 " instret %" PRIu64 " state %d, not 0x%x %" PRIu64 " %" PRIu64
                     " %d",
                     name[core], y->pc, y->cycle, y->instret, y->state, x->pc, x->cycle, x->instret, x->state);
            return;
        }
        for (unsigned r = 0; r < 32; r++)
            if (x->x[r] != y->x[r]) {
                snprintf(text, bytes, "x%u of %s is 0x%x, not 0x%x", r, name[core], y->x[r], x->x[r]);
                return;
            }
    }
    if (a->faults_hash != b->faults_hash)
        snprintf(text, bytes, "there are %zu faults and hazards, not %zu, or other ones", b->faults, a->faults);
    else
        snprintf(text, bytes, "cores are equal; the coprocessor or a register is not");
}

static struct tf_coord place_of(const struct tile_test *test, unsigned tile)
{
    struct tf_coord place = one_column_coord(tile);
    if (test->ethernet)
        return (struct tf_coord){1, 1};
    if (test->arch != NULL)
        assert_int_equal(tf_tile_coord(tf_arch_find(test->arch), tile, &place), TF_OK);
    return place;
}

#define ETH_RESET_PC(core) (TF_ETH_CONTROL_BASE + 8 * (core))
#define SOFT_RESET DEBUG_AT(SOFT_RESET_0)
#define ETH_CORES 2u

/* Both cores leave reset together, when the second one has its program. */
static void start_ethernet(struct tf_chip *chip, struct tf_coord node, unsigned core)
{
    const uint32_t pc = CODE_AT(core), none = 0;
    assert_int_equal(tf_write(chip, node, ETH_RESET_PC(core), &pc, sizeof pc), TF_OK);
    if (core == ETH_CORES - 1)
        assert_int_equal(tf_write(chip, node, SOFT_RESET, &none, sizeof none), TF_OK);
}

/* A program, and words for requests to take. */
static void start(const struct tile_test *test, struct tf_chip *chip, unsigned tile, enum tf_core core,
                  const struct code *code)
{
    struct tf_coord node = place_of(test, tile);
    static uint32_t ones[ONES_BYTES / 4];
    for (unsigned i = 0; i < ONES_BYTES / 4; i++)
        ones[i] = 1;
    assert_int_equal(tf_write(chip, node, ONES, ones, sizeof ones), TF_OK);
    assert_int_equal(tf_write(chip, node, CODE_AT(core), code->word, 4 * code->count), TF_OK);
    if (test->ethernet) {
        start_ethernet(chip, node, core);
        return;
    }
    assert_int_equal(tf_core_set_pc(chip, tile, core, CODE_AT(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

/* Record the place, time and text of faults and hazards. */
static uint64_t digest_faults(struct tf_chip *chip)
{
    uint64_t hash = 0;
    struct tf_fault fault;
    for (size_t i = 0, count = tf_fault_count(chip); i < count; i++) {
        assert_int_equal(tf_fault_get(chip, i, &fault), TF_OK);
        hash = test_mix(hash, fault.cycle);
        hash = test_mix(hash, (uint64_t)fault.pc << 32 | fault.instruction);
        hash = test_mix(hash, (uint64_t)fault.category << 8 | fault.core);
        for (const char *letter = fault.text; *letter != '\0'; letter++)
            hash = test_mix(hash, (unsigned char)*letter);
    }
    return hash;
}

static struct tf_chip *create(const struct chip_wish *config)
{
    struct tf_chip *chip;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    return chip;
}

/* A chip that goes on from the state of this one. */
static struct tf_chip *succeed(struct tf_chip *chip, const struct chip_wish *config, enum midway midway)
{
    struct tf_chip *next;
    if (midway == FORKED) {
        assert_int_equal(chip_wish_fork(chip, NULL, &next, NULL), TF_OK);
    } else {
        char path[] = "/tmp/tile_ways-XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        assert_int_equal(tf_chip_save(chip, path, NULL), TF_OK);
        next = create(config);
        assert_int_equal(tf_chip_restore(next, path, NULL), TF_OK);
        unlink(path);
    }
    tf_chip_destroy(chip);
    return next;
}

/* Run for so many cycles. Midway, which seeds choose, another chip may take over; its epochs are short by then. */
static struct tf_chip *run_to(struct tf_chip *chip, const struct chip_wish *config, enum midway midway, uint64_t seed,
                              uint64_t cycles, enum tf_end *end)
{
    struct tf_run_options options = {.cycles_max = cycles};
    if (midway != RUNS_ON) {
        struct tf_stats stats;
        options.pause_cycle = 1000 + seed % 8 * 4000;
        assert_int_equal(tf_run(chip, &options, end), TF_OK);
        tf_stats(chip, &stats);
        chip = succeed(chip, config, midway);
        options = (struct tf_run_options){.cycles_max = cycles - stats.cycles};
    }
    assert_int_equal(tf_run(chip, &options, end), TF_OK);
    return chip;
}

void run_tile(const struct tile_test *test, uint64_t seed, struct way way, uint64_t *events, struct outcome *outcome)
{
    struct chip_wish config;
    struct tf_coord node = place_of(test, TILE);
    const unsigned cores = test->ethernet ? ETH_CORES : TF_TILE_CORES;
    static uint32_t words[CODE_WORDS];
    chip_wish_init(&config);
    config.arch = tf_arch_find(test->arch != NULL ? test->arch : "blackhole");
    if (test->arch == NULL)
        one_column(&config.board);
    config.slice_cycles = way.slice;
    config.epoch_cycles_min = config.epoch_cycles_max = way.short_epochs && !test->sends ? 4096 : EPOCH;
    config.parking = way.parking;
    config.ordered_memory = test->ordered;
    config.threads = 1;
    config.pin = false;
    config.go_on_after_fault = true;
    config.on_tensix = way.traced ? ignore_event : NULL;
    config.on_riscv = way.reported ? ignore_insn : NULL;
    config.riscv_traced[TILE] = way.reported ? 0x1F : 0;
    config.check = way.checked;
    config.user = events;
    const bool watches = way.watched && !test->ethernet && test->arch == NULL; /* GDB's ranges are of that tile */
    struct gdb_watcher *watcher = watches ? gdb_watcher_open(&config) : NULL;
    struct tf_chip *chip = create(&config);
    struct dice dice = {seed};
    for (unsigned core = 0; core < (test->sends ? SENDS + 1 : cores); core++) {
        struct code code = {words, 0, CODE_WORDS};
        test->make(&code, &dice, core, seed % 3 == 0);
        assert_true(code.count < code.capacity);
        start(test, chip, core == SENDS ? SENDER : TILE, core == SENDS ? TF_CORE_B : (enum tf_core)core, &code);
    }
    if (watcher != NULL)
        gdb_watcher_begin(watcher, chip, TILE, watched, sizeof watched / sizeof watched[0], STOPS_MAX);
    chip = run_to(chip, &config, way.midway, seed, (test->sends ? ROUNDS + 1 : 2) * EPOCH, &outcome->end);
    outcome->hash = tf_state_hash(chip);
    outcome->faults = tf_fault_count(chip);
    outcome->faults_hash = digest_faults(chip);
    memset(outcome->core, 0, sizeof outcome->core);
    for (unsigned core = 0; core < cores; core++) {
        if (!test->ethernet)
            assert_int_equal(tf_core_view(chip, TILE, (enum tf_core)core, &outcome->core[core]), TF_OK);
        assert_int_equal(tf_read(chip, node, DATA_AT(core), outcome->kept[core], sizeof outcome->kept[core]), TF_OK);
    }
    tf_chip_destroy(chip);
    if (watcher != NULL)
        stops += gdb_watcher_close(watcher);
}

void compare_ways(const struct tile_test *test, uint64_t seed, uint64_t *events)
{
    static const struct way ways[] = {
        {.slice = 16, .parking = true},
        {.slice = 64, .parking = true},
        {.slice = 128},
        {.slice = 256, .parking = true},
        {.slice = 1024},
        {.slice = 1024, .parking = true, .traced = true},
        {.slice = 1024, .watched = true},
        {.slice = 4096, .parking = true},
        {.slice = 16384, .traced = true},
        {.slice = 65536, .parking = true},
        {.slice = 65536, .watched = true},
        {.slice = 256, .parking = true, .checked = true},
        {.slice = 2048, .checked = true, .reported = true},
        {.slice = 64, .parking = true, .reported = true},
        {.slice = 512, .parking = true, .midway = SAVED, .short_epochs = true},
        {.slice = 4096, .midway = SAVED, .short_epochs = true},
        {.slice = 128, .parking = true, .midway = FORKED, .short_epochs = true},
    };
    static struct outcome expected, expected_short, found;
    char text[200];
    run_tile(test, seed, (struct way){.slice = 1024, .parking = true}, events, &expected);
    run_tile(test, seed, (struct way){.slice = 1024, .parking = true, .short_epochs = true}, events, &expected_short);
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (ways[i].watched && seed % WATCHED_ONE_IN != 0)
            continue;
        run_tile(test, seed, ways[i], events, &found);
        /* A chip that continues from another one's state has no faults of that chip. */
        const struct outcome *right = ways[i].short_epochs ? &expected_short : &expected;
        if (found.hash == right->hash && (ways[i].midway != RUNS_ON || found.faults_hash == right->faults_hash))
            continue;
        describe(right, &found, text, sizeof text);
        fail_msg("TF_SEED=%" PRIu64 ": with slices of %u%s%s%s%s%s%s: %s", seed, ways[i].slice,
                 ways[i].parking ? "" : ", parking off", ways[i].traced ? ", traced" : "",
                 ways[i].reported ? ", reported" : "", ways[i].checked ? ", checked" : "",
                 ways[i].watched ? ", watched" : "",
                 ways[i].midway == SAVED    ? ", saved"
                 : ways[i].midway == FORKED ? ", forked"
                                            : "",
                 text);
    }
}
