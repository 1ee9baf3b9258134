/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload in every way to run it. Deterministic mode: the state is the same on any number of threads, with any
 * vectors of the host, and with delivery by the literal order. Parking and traces do not change it. Other epoch
 * lengths, other profiles and relaxed mode: results verified. The state hash is the recorded one (hashes.h).
 *
 *     golden WORKLOAD [all] [FAMILY]
 *     golden boards                     some workloads on boards with fused-off nodes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "farm/chip/chip.h"
#include "golden/hashes.h"
#include "host/vectors.h"
#include "chip_difference.h"
#include "random.h"
#include "tile/family/board.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/state.h"
#include "tilefarm_tensor.h"
#include "tilefarm_workloads.h"

/* ThreadSanitizer looks for races: what one thread does, and what differs in arithmetic alone, has none to show. */
#if defined(__SANITIZE_THREAD__)
#define RACES_ONLY 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RACES_ONLY 1
#endif
#endif
#ifndef RACES_ONLY
#define RACES_ONLY 0
#endif

/* Where memory is checked, a few ways go through all code; `all` runs the others too. Elsewhere every way is run for
   workloads that differ in kind; the rest differ from those in arithmetic and in programs. */
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_ONLY 1
#else
#define MEMORY_ONLY 0
#endif

/* A way to run: what is different from the default. */
struct way {
    const char *name;
    bool same_state; /* as the first way of its group */
    void (*change)(struct chip_wish *config);
};

static void one_thread(struct chip_wish *c)
{
    c->threads = 1;
}
static void two_threads(struct chip_wish *c)
{
    c->threads = 2;
}
static void three_threads(struct chip_wish *c)
{
    c->threads = 3;
}
static void serial(struct chip_wish *c)
{
    c->serial_delivery = true;
}
static void no_parking(struct chip_wish *c)
{
    c->parking = false;
}
static void literal(struct chip_wish *c)
{
    c->threads = 1;
    c->serial_delivery = true;
    c->parking = false;
}
static void short_epochs(struct chip_wish *c)
{
    c->slice_cycles = 64;
    c->epoch_cycles_min = 128;
    c->epoch_cycles_max = 1024;
    c->niu_requests_max = 3;
}
static void long_epochs(struct chip_wish *c)
{
    c->epoch_cycles_min = 8192;
    c->epoch_cycles_max = 1u << 17;
}
static void relaxed(struct chip_wish *c)
{
    c->mode = TF_MODE_RELAXED;
    c->threads = 2;
}
static void relaxed_one_thread(struct chip_wish *c)
{
    c->mode = TF_MODE_RELAXED;
    c->threads = 1;
}
static void relaxed_crowd(struct chip_wish *c)
{
    c->mode = TF_MODE_RELAXED;
    c->threads = 5;
}
static void relaxed_no_parking(struct chip_wish *c)
{
    c->mode = TF_MODE_RELAXED;
    c->threads = 4;
    c->parking = false;
    c->slice_cycles = 64;
    c->epoch_cycles_min = 64;
}
static void emu_spec(struct chip_wish *c)
{
    c->atomics = TF_ATOMICS_EMU_SPEC;
    c->threads = RACES_ONLY ? 3 : 1;
}
static void emu_spec_three(struct chip_wish *c)
{
    c->atomics = TF_ATOMICS_EMU_SPEC;
    c->threads = 3;
}

static void delayed_completion(struct chip_wish *c)
{
    c->threads = 2;
    c->late_cycles = 100;
}
static void delayed_no_parking(struct chip_wish *c)
{
    c->threads = 1;
    c->late_cycles = 100;
    c->parking = false;
}

static void portable(struct chip_wish *c)
{
    c->threads = 2;
    c->vectors = TF_VECTORS_PORTABLE;
}
static void avx2(struct chip_wish *c)
{
    c->threads = 2;
    c->vectors = TF_VECTORS_AVX2;
}
static void avx512(struct chip_wish *c)
{
    c->threads = 2;
    c->vectors = TF_VECTORS_AVX512;
}

/* config->user counts, here and in run(). */
static void count(void *user, const struct tf_tensix_event *event)
{
    (void)event;
    ++*(uint64_t *)user;
}
static void eight_threads_traced(struct chip_wish *c)
{
    c->threads = 8;
    c->on_tensix = count;
}

static const struct way ways[] = {
    {"1 thread", false, one_thread},
    {"2 threads", true, two_threads},
    {"3 threads", true, three_threads},
    {"8 threads, traced", true, eight_threads_traced},
    {"serial delivery", true, serial},
    {"portable vectors", true, portable},
    {"AVX2", true, avx2},
    {"AVX-512", true, avx512},
    {"no parking", true, no_parking},
    {"serial delivery, no parking, 1 thread", true, literal},
    {"short epochs", false, short_epochs},
    {"long epochs", false, long_epochs},
    {"late units", false, delayed_completion},
    {"late units, no parking", true, delayed_no_parking},
    {"relaxed, 2 threads", false, relaxed},
    {"relaxed, 1 thread", false, relaxed_one_thread},
    {"relaxed, 5 threads", false, relaxed_crowd},
    {"relaxed, no parking, 4 threads", false, relaxed_no_parking},
    {"emu-spec", false, emu_spec},
    {"emu-spec, 3 threads", true, emu_spec_three},
};

struct trial {
    const struct tf_workload *workload;
    const struct tf_arch *arch; /* NULL: the default family */
    const char *board;          /* NULL: no node is fused off */
    bool all;
    uint32_t variant;
    char name[64];
};

static uint32_t seed(void)
{
    static uint32_t value;
    if (value == 0)
        value = (uint32_t)test_seed(1);
    return value;
}

static void print_fault(void *user, const struct tf_fault *fault)
{
    (void)user;
    print_error("%s (%u,%u) %s pc 0x%x address 0x%llx: %s\n", fault->hazard ? "hazard" : "fault", fault->tile.x,
                fault->tile.y, tf_core_name(NULL, TF_NODE_TENSIX, fault->core), fault->pc,
                (unsigned long long)fault->address, fault->text);
}

/* A chip on which the workload has run until quiet. NULL: the family lacks what the variant needs. */
static struct tf_chip *run(const struct trial *trial, const struct way *way, void **state)
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    struct tf_message message = {""};
    enum tf_end end = TF_END_STOPPED;
    chip_wish_init(&config);
    config.arch = trial->arch;
    uint64_t events = 0, passed = 0;
    config.on_fault = print_fault;
    config.user = &events;
    way->change(&config);
    struct tf_workload_options options = {
        .scale = trial->workload->scale_test,
        .seed = seed(),
        .variant = trial->variant,
        .atomics = config.atomics,
    };
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s: %s", way->name, message.text);
    unsigned tiles = chip->tiles.tensix;
    if (config.vectors == TF_VECTORS_PORTABLE)
        assert_string_equal(chip->tiles.tile[tiles - 1].tensix->fpu->kernels->name, "portable");
    if (trial->workload->setup(chip, &options, state, &message) != TF_OK) {
        if (trial->arch == NULL || trial->variant == 0 || strstr(message.text, " has no ") == NULL)
            fail_msg("%s: %s", way->name, message.text);
        trial->workload->release(*state);
        tf_chip_destroy(chip);
        return NULL;
    }
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    if (end != TF_END_QUIET)
        fail_msg("%s: the run ended by %d", way->name, (int)end);
    for (unsigned i = 0; i < tiles && config.on_tensix != NULL; i++)
        passed += chip->tiles.tile[i].tensix->frontend->passed;
    assert_int_equal(events, passed);
    return chip;
}

/* Does a trial of this workload run a few ways, and `all` the others? */
static bool has_few_ways(const struct trial *trial)
{
    static const char *const kinds[] = {"mixed", "ring", "atomics", "semaphores", "softmax"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(trial->workload->name, kinds[i]) == 0)
            return MEMORY_ONLY;
    return true;
}

/*
 * All ways for the first variant. Further variants of tensor workloads differ in arithmetic alone: two threads and
 * other vectors test them enough. Those of other workloads differ in their programs, and each kind runs once. Wide
 * vectors are the coprocessor's.
 */
static bool concerns(const struct trial *trial, size_t way)
{
    void (*change)(struct chip_wish *) = ways[way].change;
    if (trial->board != NULL)
        return change == one_thread || change == three_threads || change == serial || change == relaxed_crowd;
    if (trial->arch != NULL) /* what differs between families is no way to run */
        return change == three_threads || change == relaxed_crowd ||
               (trial->variant == 0 && (change == one_thread || change == serial || change == short_epochs));
    bool tensor = trial->workload->results != NULL;
    if (RACES_ONLY)
        return change == three_threads || (change == relaxed_crowd && !(tensor && trial->variant != 0)) ||
               (trial->variant == 0 && (change == eight_threads_traced || (change == emu_spec && !tensor)));
    if (!trial->all && has_few_ways(trial))
        return trial->variant != 0 ? change == (tensor ? two_threads : three_threads)
                                   : change == two_threads || change == portable || change == literal ||
                                         change == short_epochs || change == relaxed_crowd || change == emu_spec;
    if (trial->variant == 0)
        return tensor ||
               (change != avx2 && change != avx512 && change != delayed_completion && change != delayed_no_parking);
    if (tensor)
        return change == two_threads || change == portable;
    return change == three_threads || change == literal || change == relaxed_crowd || change == emu_spec;
}

/* Vectors that the host lacks are not tried. The best and the portable ones always exist. */
static bool host_can(const struct way *way)
{
    struct chip_wish config;
    chip_wish_init(&config);
    way->change(&config);
    return tf_vectors_exist(config.vectors);
}

/* Words that verify() must look at, one for each kind of result; OUTPUT: of tiles of an output tensor, in DRAM. */
#define IN_DRAM 0x10000u
#define OUTPUT_BYTES 2048u
#define OUTPUT(index, at) IN_DRAM + (index), at

/* clang-format off */
static const struct {
    const char *workload;
    unsigned tile;
    uint32_t address;
    bool default_family; /* there alone */
} results[] = {
    {"mixed", 17, TF_K_RESULT + TF_CORE_T1 *TF_K_RESULT_BYTES + TF_MIXED_SIEVE * 4, false},
    {"mixed", 139, TF_K_RESULT + TF_CORE_NC *TF_K_RESULT_BYTES + TF_MIXED_STATE * 4, false},
    {"ring", 3, TF_RING_SLOT(0, 0) + 16380, false},
    {"ring", 99, TF_RING_SLOT(1, 0) + TF_RING_TRACE * 4, false},
    {"ring", 5, TF_K_RESULT + TF_RING_SUM * 4, false},
    {"allreduce", 77, TF_TREE_SUMS + 4, false},
    {"allreduce", TF_ACC_HOME(3, TF_K_TILES), TF_ACC_LINE(3) + 8, true},
    {"allreduce", 12, TF_ACC_COPY(31) + 12, true},
    {"atomics", 8, TF_TICKET_LIST + 4, false},
    {"atomics", TF_LOCK_HOME(19, TF_K_TILES), TF_LOCK_RECORD + 8, false},
    {"atomics", 10, TF_K_RESULT + TF_CORE_NC *TF_K_RESULT_BYTES + TF_QUEUE_XOR * 4, false},
    {"atomics", TF_TOKEN_HOME(6, TF_K_TILES), TF_TOKEN, false},
    {"atomics", 16, TF_SWAP_LINE + 12, false},
    {"atomics", 1, TF_BYTES_LINE + 60, true},
    {"atomics", TF_SUM_HOME(2, TF_K_TILES), TF_SUM_WORD(TF_K_MAXU), false},
    {"atomics", 139, TF_LOCAL_LINE + 4, false},
    {"atomics", 0, TF_LOCAL_MULTI, false},
    {"semaphores", 64, TF_K_RESULT + TF_CORE_T2 *TF_K_RESULT_BYTES + TF_SEM_SUM * 4, false},
    {"semaphores", 1, TF_SEM(TF_SEM_ROW), false},
    {"cb", 55, TF_CB_SUMS + 4, false},
    {"barrier", 50, TF_BARRIER_ROUND(0, 3), false},
    {"barrier", 0, TF_BARRIER_ARRIVED, false},
    {"fifo", 55, TF_FIFO_SUMS + 4, false},
    {"fifo", 30, TF_FIFO_OUT, false},
    {"locks", 99, TF_TLOCK_RECORD + 8, false},
    {"locks", 3, TF_TLOCK(0), false},
    {"pipeline", 139, TF_PIPE_OUT + 36, false},
    {"pipeline", 0, TF_PIPE_OUT + TF_PIPE_BYTES - 4, false},
    {"eltwise", OUTPUT(0, 0), false},
    {"eltwise", OUTPUT(159, 2044), false},
    {"eltwise", OUTPUT(279, 2044), false},
    {"matmul", OUTPUT(0, 512), false},
    {"matmul", OUTPUT(559, 2044), false},
    {"activation", OUTPUT(79, 1024), false},
    {"activation", OUTPUT(139, 1024), false},
    {"reduce", OUTPUT(77, 0), false},
    {"reduce", OUTPUT(278, 2044), false},
    {"softmax", OUTPUT(100, 4), false},
    {"softmax", OUTPUT(279, 4), false},
    {"norm", OUTPUT(0, 0), false},
    {"norm", OUTPUT(279, 2044), false},
    {"pool", OUTPUT(70, 0), false},
    {"pool", OUTPUT(139, 1024), false},
    {"transpose", OUTPUT(3, 800), false},
    {"convert", OUTPUT(70, 1000), false},
    {"convert", OUTPUT(139, 1000), false},
};
/* clang-format on */

static struct tf_coord place_of(const struct tf_arch *arch, unsigned tile)
{
    struct tf_coord place = {0, 0};
    assert_int_equal(tf_tile_coord(arch, tile, &place), TF_OK);
    return place;
}

/* A word of a result. */
static void access_word(struct tf_chip *chip, unsigned tile, uint32_t address, uint32_t *word, bool write)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    unsigned index = tile - IN_DRAM, channel = index % arch->dram.channels;
    int result;
    if (tile >= IN_DRAM) {
        uint64_t at = TF_TENSOR_ADDRESS(TF_TENSOR_OUT, index, arch->dram.channels, OUTPUT_BYTES) + address;
        result = write ? tf_dram_write(chip, channel, at, word, sizeof *word)
                       : tf_dram_read(chip, channel, at, word, sizeof *word);
    } else {
        result = write ? tf_write(chip, place_of(arch, tile), address, word, sizeof *word)
                       : tf_read(chip, place_of(arch, tile), address, word, sizeof *word);
    }
    assert_int_equal(result, TF_OK);
}

/* Is the result absent on chips of another family than Blackhole, because they have fewer tiles? */
static bool is_missing(const struct trial *trial, unsigned tile, bool default_family, const struct tf_chip *chip)
{
    unsigned tiles = chip->tiles.tensix;
    unsigned outputs = tiles * (strcmp(trial->workload->name, "matmul") == 0 ? 4 : trial->workload->scale_test);
    if (trial->arch == NULL)
        return false;
    return default_family || (tile >= IN_DRAM ? tile - IN_DRAM >= outputs : tile >= tiles);
}

/* Of a core that runs in every workload but one. */
static uint32_t done_address(const char *workload)
{
    return TF_K_DONE + (strcmp(workload, "pipeline") == 0 ? 4 * TF_CORE_T0 : 0);
}

/* verify() finds one wrong bit, and a core that has not finished. The test then restores the chip. */
static void expect_notices(const struct trial *trial, struct tf_chip *chip, void *state)
{
    struct tf_message message = {""};
    unsigned tried = 0;
    for (size_t i = 0; i <= sizeof results / sizeof *results; i++) {
        bool done_word = i == sizeof results / sizeof *results;
        uint32_t word, wrong, address = done_word ? done_address(trial->workload->name) : results[i].address;
        if (!done_word && strcmp(results[i].workload, trial->workload->name) != 0)
            continue;
        unsigned tile = done_word ? 60 : results[i].tile;
        if (!done_word && is_missing(trial, tile, results[i].default_family, chip))
            continue;
        access_word(chip, tile, address, &word, false);
        wrong = word ^ 1u << (i % 32);
        access_word(chip, tile, address, &wrong, true);
        if (trial->workload->verify(chip, state, &message) != TF_WORKLOAD_WRONG)
            fail_msg("a flipped bit at 0x%x was not noticed", address);
        access_word(chip, tile, address, &word, true);
        tried++;
    }
    assert_true(tried >= 2);
    assert_int_equal(trial->workload->verify(chip, state, &message), TF_OK);
}

/* Report a wrong state: the first difference from the state of the first way. */
static void tell_difference(const struct trial *trial, struct tf_chip *chip, const struct way *way,
                            const struct way *first)
{
    static char text[200];
    void *state = NULL;
    struct tf_chip *expected = run(trial, first, &state);
    chip_difference(chip, expected, text, sizeof text);
    trial->workload->release(state);
    tf_chip_destroy(expected);
    fail_msg("seed %u: the state with %s differs from that with %s: %s", seed(), way->name, first->name, text);
}

/* Compare a hash with the recorded one: that of the first way, and of the first variant with short epochs, whose slices
   are short as well. */
static void compare_hash(const struct trial *trial, const struct way *way, bool first, const char *family,
                         uint64_t hash)
{
    char name[sizeof trial->name + 16];
    bool is_short = way->change == short_epochs && trial->variant == 0 && trial->board == NULL;
    snprintf(name, sizeof name, "%s%s", trial->name, first ? "" : ", short epochs");
    if (seed() == 1 && (first || is_short))
        golden_hash(family, name, hash);
}

static void test_ways(void **cmocka_state)
{
    const struct trial *trial = *cmocka_state;
    uint64_t hash = 0;
    const struct way *first = NULL;
    bool tried = trial->variant != 0 || trial->board != NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct tf_message message = {""};
        void *state = NULL;
        if (!concerns(trial, i) || !host_can(&ways[i]))
            continue;
        struct tf_chip *chip = run(trial, &ways[i], &state);
        if (chip == NULL)
            return;
        if (trial->workload->verify(chip, state, &message) != TF_OK)
            fail_msg("%s, seed %u: %s", ways[i].name, seed(), message.text);
        if (!ways[i].same_state || first == NULL) {
            hash = tf_state_hash(chip);
            compare_hash(trial, &ways[i], first == NULL, chip->arch->name, hash);
            first = &ways[i];
        } else if (tf_state_hash(chip) != hash) {
            tell_difference(trial, chip, &ways[i], first);
        }
        if (!tried)
            expect_notices(trial, chip, state);
        tried = true;
        trial->workload->release(state);
        tf_chip_destroy(chip);
    }
}

/* Chips with fused-off rows, columns, an odd number of columns, a DRAM bank. */
static int boards(void)
{
    static const struct {
        const char *family, *board, *workload, *columns;
    } rows[] = {
        {"wormhole", "n150", "atomics", NULL},    {"wormhole", "n150", "matmul", NULL},
        {"wormhole", "n300", "softmax", NULL},    {"wormhole", "n300", "ring", NULL},
        {"blackhole", "p100", "transpose", NULL}, {"blackhole", "p100", "semaphores", NULL},
        {"blackhole", "p300a", "reduce", NULL},   {"blackhole", "p150", "atomics", "12"},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static struct tf_variant variant[ROWS];
    static struct trial trial[ROWS];
    struct CMUnitTest test[ROWS];
    for (unsigned i = 0; i < ROWS; i++) {
        const struct tf_arch *family = tf_arch_find(rows[i].family);
        struct tf_board board;
        if (tf_board_parse(family, &(struct tf_board_text){.name = rows[i].board, .columns = rows[i].columns}, &board,
                           NULL) != TF_OK)
            return 2;
        tf_variant_make(family, &board, &variant[i]);
        trial[i].workload = tf_workload_find(rows[i].workload);
        trial[i].arch = &variant[i].arch;
        trial[i].board = rows[i].board;
        /* The last variants of tensor workloads go over the chip. */
        if (trial[i].workload->results != NULL && strcmp(rows[i].workload, "matmul") != 0)
            trial[i].variant = tf_workload_variants(trial[i].workload) - 1;
        snprintf(trial[i].name, sizeof trial[i].name, "%s/%s", rows[i].board, rows[i].workload);
        test[i] = (struct CMUnitTest){.name = trial[i].name, .test_func = test_ways, .initial_state = &trial[i]};
    }
    return _cmocka_run_group_tests("boards", test, ROWS, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "boards") == 0)
        return boards();
    const struct tf_workload *workload = argc >= 2 ? tf_workload_find(argv[1]) : NULL;
    bool all = argc >= 3 && strcmp(argv[2], "all") == 0;
    const char *family = argc == 3 + all ? argv[argc - 1] : NULL;
    if (workload == NULL || argc > 3 + all || (family != NULL && tf_arch_find(family) == NULL)) {
        fprintf(stderr, "usage: golden WORKLOAD [all] [FAMILY]\n");
        return 2;
    }
    uint32_t variants = tf_workload_variants(workload);
    struct trial *trial = calloc(variants, sizeof *trial);
    struct CMUnitTest *test = calloc(variants, sizeof *test);
    if (trial == NULL || test == NULL)
        return 2;
    for (uint32_t i = 0; i < variants; i++) {
        trial[i].workload = workload;
        trial[i].all = all;
        trial[i].arch = family != NULL ? tf_arch_find(family) : NULL;
        trial[i].variant = i;
        snprintf(trial[i].name, sizeof trial[i].name, "%s/%s", workload->name, tf_workload_names(workload)[i]);
        test[i] = (struct CMUnitTest){.name = trial[i].name, .test_func = test_ways, .initial_state = &trial[i]};
    }
    int failed = _cmocka_run_group_tests(workload->name, test, variants, NULL, NULL);
    free(trial);
    free(test);
    return failed;
}
