/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of saved chips: which are accepted, which are refused, and that no failure loses data. golden_saved and
 * test_random_chip test the contents.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <dirent.h>
#include <xxhash.h>

#include "chip_wish.h"
#include "unless_hostile.h"
#include "tile/hash.h"
#include "tile/riscv/hart/park.h"
#include "farm/chip/chip.h"
#include "farm/saved/saved.h"
#include "farm/saved/header.h"
#include "host/replace.h"
#include "random.h"
#include "stress/noc_emit.h"
#include "tilefarm/tilefarm_chip.h"

static char folder[] = "/tmp/tilefarm.test_saved.XXXXXX";

/* aligned_alloc() fails from this call on; 0: never. */
static unsigned refuse_from, asked;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return refuse_from != 0 && ++asked >= refuse_from ? NULL : __real_aligned_alloc(alignment, bytes);
}

/* The number of searches for memory that may become huge pages. */
static unsigned promotions;

struct tf_tiles;
void __wrap_tf_tiles_promote(struct tf_tiles *tiles);
void __wrap_tf_tiles_promote(struct tf_tiles *tiles)
{
    assert_non_null(tiles);
    promotions++;
}

static const char *path_of(const char *name)
{
    static char path[4][128];
    static unsigned next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static uint8_t *read_file(const char *path, size_t *bytes)
{
    struct stat stat_of;
    assert_int_equal(stat(path, &stat_of), 0);
    *bytes = (size_t)stat_of.st_size;
    uint8_t *data = malloc(*bytes + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    fclose(file);
    return data;
}

static struct tf_chip *new_chip(void (*change)(struct chip_wish *config))
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = 1;
    if (change != NULL)
        change(&config);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

/* Two tiles count; a core of one of them has faulted, and DRAM holds a word. */
static void run_something(struct tf_chip *chip, uint64_t cycles)
{
    const uint32_t count[] = {0x00128293, 0x30502023, 0xFF9FF06F}; /* addi t0, t0, 1; sw t0, 0x300(x0); j -8 */
    const uint32_t fault = 0xFFFFFFFF, word = 0x12345678;
    struct tf_coord tile = {1, 2}, other = {16, 11}, dram = {0, 0};
    tf_write(chip, tile, 0x100, &fault, sizeof fault);
    tf_write(chip, tile, 0, count, sizeof count);
    tf_write(chip, other, 0, count, sizeof count);
    assert_int_equal(tf_write(chip, dram, 0x1234560, &word, sizeof word), TF_OK);
    tf_core_start(chip, 0, TF_CORE_B);
    tf_core_set_pc(chip, 139, TF_CORE_T1, 0);
    tf_core_start(chip, 139, TF_CORE_T1);
    tf_core_set_pc(chip, 0, TF_CORE_NC, 0x100);
    tf_core_start(chip, 0, TF_CORE_NC);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_FAULT);
    tf_run(chip, &(struct tf_run_options){.cycles_max = cycles}, &end);
}

/* A file of a chip that has run. */
static void save_something(const char *path)
{
    struct tf_message message = {""};
    struct tf_chip *chip = new_chip(NULL);
    run_something(chip, 20000);
    if (tf_chip_save(chip, path, &message) != TF_OK)
        fail_msg("%s", message.text);
    tf_chip_destroy(chip);
}

static void try_refused(struct tf_chip *chip, const char *path, int error, const char *why)
{
    struct tf_message message = {""};
    int is = tf_chip_restore(chip, path, &message);
    if (is != error || strstr(message.text, why) == NULL)
        fail_msg("%d, %s: not %d with %s", is, message.text, error, why);
}

/* The chip stays unchanged. */
static void expect_refused(struct tf_chip *chip, const char *path, int error, const char *why)
{
    uint64_t before = tf_state_hash(chip);
    try_refused(chip, path, error, why);
    assert_true(tf_state_hash(chip) == before);
}

/* All known state of a chip comes back, and is saved to an equal file. */
static void test_repetition(void **state)
{
    (void)state;
    struct tf_stats a, b;
    struct tf_fault fault, other_fault;
    struct tf_chip *chip = new_chip(NULL), *other = new_chip(NULL);
    run_something(chip, 20000);
    run_something(other, 5000);
    assert_int_equal(tf_chip_save(chip, path_of("a"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path_of("a"), NULL), TF_OK);
    assert_true(tf_state_hash(chip) == tf_state_hash(other));
    tf_stats(chip, &a);
    tf_stats(other, &b);
    assert_true(a.cycles == b.cycles && a.epochs == b.epochs && a.faults == b.faults &&
                a.instructions == b.instructions);
    assert_int_equal(tf_fault_count(other), 1);
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(tf_fault_get(other, 0, &other_fault), TF_OK);
    assert_string_equal(fault.text, other_fault.text);
    assert_int_equal(tf_chip_save(chip, path_of("a"), NULL), TF_OK);
    assert_int_equal(tf_chip_save(other, path_of("b"), NULL), TF_OK);
    size_t bytes, other_bytes;
    uint8_t *data = read_file(path_of("a"), &bytes), *other_data = read_file(path_of("b"), &other_bytes);
    assert_int_equal(bytes, other_bytes);
    assert_memory_equal(data, other_data, bytes);
    free(data);
    free(other_data);
    /* A core starts at the address that the host has set before. */
    tf_core_stop(other, 0, TF_CORE_NC);
    tf_core_start(other, 0, TF_CORE_NC);
    struct tf_core_view view;
    tf_core_view(other, 0, TF_CORE_NC, &view);
    assert_int_equal(view.pc, 0x100);
    tf_chip_destroy(chip);
    tf_chip_destroy(other);
}

static void silicon(struct chip_wish *c)
{
    c->undefined_as_silicon = true;
}

/* As on silicon, a misaligned store is a hazard. */
static void test_hazards(void **state)
{
    (void)state;
    const uint32_t code[] = {0x30002123 /* sw x0, 0x302(x0) */, 0x0000006F};
    struct tf_stats stats;
    struct tf_fault hazard;
    struct tf_chip *chip = new_chip(silicon), *other = new_chip(silicon);
    assert_int_equal(tf_write(chip, (struct tf_coord){1, 2}, 0, code, sizeof code), TF_OK);
    tf_core_start(chip, 0, TF_CORE_B);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(tf_chip_save(chip, path_of("a"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path_of("a"), NULL), TF_OK);
    tf_stats(other, &stats);
    assert_int_equal(stats.hazards, 1);
    assert_int_equal(stats.faults, 0);
    assert_int_equal(tf_fault_get(other, 0, &hazard), TF_OK);
    assert_true(hazard.hazard);
    tf_chip_destroy(chip);
    tf_chip_destroy(other);
}

/* A file keeps the permissions of the one that it replaces. */
static void test_permissions(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0444};
    struct tf_chip *chip = new_chip(NULL);
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct stat status;
        write_file(path_of("p"), "old", 3);
        assert_int_equal(chmod(path_of("p"), modes[i]), 0);
        assert_int_equal(tf_chip_save(chip, path_of("p"), NULL), TF_OK);
        assert_int_equal(stat(path_of("p"), &status), 0);
        assert_int_equal(status.st_mode & 07777, modes[i]);
        unlink(path_of("p"));
    }
    tf_chip_destroy(chip);
}

/* Zeros take no space: 212 MiB of L1 and 32 GiB of DRAM are mostly zero. */
static void test_size(void **state)
{
    (void)state;
    struct stat stat_of;
    struct tf_chip *chip = new_chip(NULL);
    assert_int_equal(tf_chip_save(chip, path_of("idle"), NULL), TF_OK);
    assert_int_equal(stat(path_of("idle"), &stat_of), 0);
    print_message("an idle chip takes %lld bytes\n", (long long)stat_of.st_size);
    assert_in_range(stat_of.st_size, 1000, 8 << 20);
    tf_chip_destroy(chip);
}

/* A file with one bit changed: each byte of the header, those at the end, and others. */
static void test_damaged(void **state)
{
    (void)state;
    size_t bytes;
    uint64_t dice = test_seed(1);
    save_something(path_of("good"));
    uint8_t *data = read_file(path_of("good"), &bytes);
    write_file(path_of("bad"), data, bytes);
    int file = open(path_of("bad"), O_WRONLY | O_CLOEXEC);
    assert_true(file >= 0);
    struct tf_chip *chip = new_chip(NULL);
    const uint64_t before = tf_state_hash(chip);
    const size_t header = sizeof(struct tf_saved_header);
    for (size_t i = 0; i < header + 200; i++) {
        size_t at = i < header + 20   ? i
                    : i < header + 40 ? bytes - 1 - (i - header - 20)
                                      : header + test_random_below(&dice, (uint32_t)(bytes - header));
        uint8_t bad = data[at] ^ (uint8_t)(1u << test_random_below(&dice, 8));
        assert_int_equal(pwrite(file, &bad, 1, (off_t)at), 1);
        try_refused(chip, path_of("bad"), TF_EFORMAT, i < 8 ? "not a saved chip" : "");
        assert_int_equal(pwrite(file, data + at, 1, (off_t)at), 1);
    }
    assert_true(tf_state_hash(chip) == before);
    close(file);
    free(data);
    assert_int_equal(tf_chip_restore(chip, path_of("bad"), NULL), TF_OK);
    tf_chip_destroy(chip);
}

/* A file that is cut: by a byte at its end, in its header and after it, by more at other places. */
static void test_truncated(void **state)
{
    (void)state;
    size_t bytes, less = 1;
    uint64_t dice = test_seed(2);
    save_something(path_of("good"));
    uint8_t *data = read_file(path_of("good"), &bytes);
    write_file(path_of("short"), data, bytes);
    struct tf_chip *chip = new_chip(NULL);
    const uint64_t before = tf_state_hash(chip);
    const size_t byte_by_byte = sizeof(struct tf_saved_header) + 10;
    for (size_t length = bytes; length > 0; length -= less) {
        if (length < bytes)
            try_refused(chip, path_of("short"), TF_EFORMAT, "truncated");
        bool few = length <= byte_by_byte || bytes - length < 20;
        less = few ? 1 : 1 + test_random_below(&dice, (uint32_t)(bytes / 30));
        less = less > length - byte_by_byte && !few ? length - byte_by_byte : less;
        assert_int_equal(truncate(path_of("short"), (off_t)(length - less)), 0);
    }
    try_refused(chip, path_of("short"), TF_EFORMAT, "not a saved chip");
    assert_true(tf_state_hash(chip) == before);
    data[bytes] = 0;
    write_file(path_of("long"), data, bytes + 1);
    expect_refused(chip, path_of("long"), TF_EFORMAT, "after its end");
    free(data);
    tf_chip_destroy(chip);
}

/* Cores that wait in the longest loops that can park: of instructions without jumps, and of jumps alone. */
static void test_longest_loops(void **state)
{
    (void)state;
    uint32_t code[2][TF_PARK_PERIOD];
    const uint32_t nop = 0x00000013, jump_on = 0x0040006F, jump_back = 0xC05FF06F; /* by 4, and by -1020 */
    const struct tf_coord tile = {1, 2};
    struct tf_chip *chip = new_chip(NULL), *other = new_chip(NULL);
    for (unsigned i = 0; i < TF_PARK_PERIOD; i++) {
        code[0][i] = i + 1 < TF_PARK_PERIOD ? nop : jump_back;
        code[1][i] = i + 1 < TF_PARK_PERIOD ? jump_on : jump_back;
    }
    assert_int_equal(tf_write(chip, tile, 0x1000, code, sizeof code), TF_OK);
    for (unsigned core = TF_CORE_B; core <= TF_CORE_NC; core++) {
        assert_int_equal(tf_core_set_pc(chip, 0, core, 0x1000 + (core - TF_CORE_B) * sizeof code[0]), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, core), TF_OK);
    }
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET); /* both are parked */
    assert_int_equal(tf_chip_save(chip, path_of("loops"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path_of("loops"), NULL), TF_OK);
    assert_true(tf_state_hash(other) == tf_state_hash(chip));
    tf_chip_destroy(other);
    tf_chip_destroy(chip);
}

/* Numbers of a core's loop that index arrays, each beyond its array. */
static void test_bad_loops(void **state)
{
    (void)state;
    static const struct tf_park too_large[] = {{.period = TF_PARK_PERIOD + 1},
                                               {.transfers = TF_PARK_PERIOD + 1},
                                               {.inputs = TF_PARK_INPUTS + 1},
                                               {.oldest_round = TF_MEMO_ROUNDS}};
    for (unsigned i = 0; i < 4; i++) {
        struct tf_chip *chip = new_chip(NULL), *other = new_chip(NULL);
        struct tf_park *park = &chip->tiles.tile[0].hart[TF_CORE_T1].park;
        park->period = too_large[i].period;
        park->transfers = too_large[i].transfers;
        park->inputs = too_large[i].inputs;
        park->oldest_round = too_large[i].oldest_round;
        assert_int_equal(tf_chip_save(chip, path_of("loop"), NULL), TF_OK);
        expect_refused(other, path_of("loop"), TF_EFORMAT, "loop is invalid");
        tf_chip_destroy(other);
        tf_chip_destroy(chip);
    }
}

/* The same of a loop that counts while it waits. */
static void test_bad_beats(void **state)
{
    (void)state;
    static const struct tf_beat wrong[] = {{.counters = TF_BEAT_COUNTERS + 1, .counter = {1, 1}},
                                           {.stores = TF_BEAT_STORES + 1},
                                           {.counters = 1, .counter = {0}},
                                           {.counters = 2, .counter = {31, 32}},
                                           {.stores = 2, .stored = {0, TF_L1_BYTES_MAX - 3}}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct tf_chip *chip = new_chip(NULL), *other = new_chip(NULL);
        struct tf_park *park = &chip->tiles.tile[0].hart[TF_CORE_T1].park;
        park->beats = true;
        park->notes->beat = wrong[i];
        assert_int_equal(tf_chip_save(chip, path_of("beat"), NULL), TF_OK);
        expect_refused(other, path_of("beat"), TF_EFORMAT, "loop is invalid");
        tf_chip_destroy(other);
        tf_chip_destroy(chip);
    }
}

static void short_epochs(struct chip_wish *c)
{
    c->slice_cycles = c->epoch_cycles_min = c->epoch_cycles_max = 64;
}

/* The memory of a restored chip is new in any epoch. It is examined for huge pages at the age at which that of a new
   chip is. */
static void test_promotion(void **state)
{
    (void)state;
    const uint32_t loop[] = {0x00128293, 0xFFDFF06F}; /* addi x5, x5, 1; j -4 */
    const struct tf_run_options before = {.cycles_max = 2100 * 64}, first = {.cycles_max = 1000 * 64},
                                second = {.cycles_max = 100 * 64};
    struct tf_chip *chip = new_chip(short_epochs);
    assert_int_equal(tf_write(chip, (struct tf_coord){1, 2}, 0x1000, loop, sizeof loop), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, 0x1000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    promotions = 0;
    assert_int_equal(tf_run(chip, &before, NULL), TF_OK);
    assert_int_equal(promotions, 2); /* after 1,024 epochs, and after 2,048 */
    assert_int_equal(tf_chip_save(chip, path_of("old"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(chip, path_of("old"), NULL), TF_OK);
    assert_int_equal(tf_run(chip, &first, NULL), TF_OK);
    assert_int_equal(promotions, 2);
    assert_int_equal(tf_run(chip, &second, NULL), TF_OK);
    assert_int_equal(promotions, 3);
    tf_chip_destroy(chip);
}

/* Epochs as long as a run of the test, in the hostile build, too. */
static void one_request_an_epoch(struct chip_wish *config)
{
    config->niu_requests_max = 1;
    config->slice_cycles = config->epoch_cycles_min = config->epoch_cycles_max = 1024;
}

/* A request that waits for the next epoch is saved with the core, pc and cycle of its issue. */
static void test_waiting_request(void **state)
{
    (void)state;
    static uint32_t words[256];
    const struct tf_coord tile = {1, 2};
    struct tf_chip *chip = new_chip(one_request_an_epoch), *other = new_chip(one_request_an_epoch);
    struct code code = {words, 0, 256};
    for (unsigned initiator = 0; initiator < 2; initiator++)
        fill(&code, initiator, &(struct request){0x300, 16 | 11 << 6, 0x400, 1 | 2 << 6, 0, 16});
    for (unsigned initiator = 0; initiator < 2; initiator++)
        store(&code, NIU + 0x800 * initiator + 0x40, 1);
    put(&code, rv_j(0, 0));
    assert_int_equal(tf_write(chip, tile, 0x1000, words, 4 * code.count), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_NC, 0x1000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_NC), TF_OK);
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = 100}, NULL), TF_OK);
    const struct tf_niu *niu = &chip->fabric->node[tf_node_number(chip->arch, tile)].niu[0];
    assert_int_equal(*tf_niu_queued(niu), 1);
    assert_int_equal(tf_chip_save(chip, path_of("waiting"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path_of("waiting"), NULL), TF_OK);
    assert_true(tf_state_hash(other) == tf_state_hash(chip));
    tf_chip_destroy(other);
    tf_chip_destroy(chip);
}

/* A queue that names a missing initiator, or that is too long, is not saved. */
static void test_bad_queue(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct tf_chip *chip = new_chip(NULL);
        struct tf_niu *niu = &chip->fabric->node[0].niu[1];
        if (i == 0)
            niu->queue[1] = TF_NIU_INITIATORS;
        else
            *tf_niu_queued(niu) = TF_NIU_INITIATORS + 1;
        assert_int_not_equal(tf_chip_save(chip, path_of("queue"), NULL), TF_OK);
        tf_chip_destroy(chip);
    }
}

static void test_foreign(void **state)
{
    (void)state;
    struct tf_chip *chip = new_chip(NULL);
    static const char text[] = "Once upon a time there was a chip.\n";
    write_file(path_of("text"), text, sizeof text);
    expect_refused(chip, path_of("text"), TF_EFORMAT, "not a saved chip");
    expect_refused(chip, "/proc/self/exe", TF_EFORMAT, "not a saved chip");
    expect_refused(chip, "/dev/null", TF_EFORMAT, "not a saved chip");
    expect_refused(chip, folder, TF_EIO, "");
    expect_refused(chip, path_of("not there"), TF_EIO, "No such file");
    expect_refused(chip, NULL, TF_EINVAL, "");
    assert_int_equal(tf_chip_restore(NULL, "x", NULL), TF_EINVAL);
    assert_int_equal(tf_chip_save(NULL, "x", NULL), TF_EINVAL);
    assert_int_equal(tf_chip_save(chip, NULL, NULL), TF_EINVAL);
    struct chip_wish config;
    chip_wish_init(&config);
    assert_int_equal(chip_wish_saved(NULL, &config, NULL), TF_EINVAL);
    assert_int_equal(chip_wish_saved(path_of("text"), &config, NULL), TF_EFORMAT);
    tf_chip_destroy(chip);
}

/* A file by another version, whose checksums are right. */
static void test_other_version(void **state)
{
    (void)state;
    size_t bytes;
    save_something(path_of("good"));
    uint8_t *data = read_file(path_of("good"), &bytes);
    struct tf_saved_header *header = (struct tf_saved_header *)(void *)data;
    struct tf_chip *chip = new_chip(NULL);
    header->layout ^= 1;
    header->checksum = XXH3_64bits(header, offsetof(struct tf_saved_header, checksum));
    write_file(path_of("other"), data, bytes);
    expect_refused(chip, path_of("other"), TF_EFORMAT, "another version");
    header->layout ^= 1;
    header->version++;
    write_file(path_of("other"), data, bytes);
    expect_refused(chip, path_of("other"), TF_EFORMAT, "another version");
    free(data);
    tf_chip_destroy(chip);
}

static void slices(struct chip_wish *c)
{
    c->slice_cycles = 512;
}
static void epochs(struct chip_wish *c)
{
    c->epoch_cycles_max = 32768;
}
static void delayed(struct chip_wish *c)
{
    c->late_cycles = 7;
}
static void requests(struct chip_wish *c)
{
    c->niu_requests_max = 3;
}
static void executed(struct chip_wish *c)
{
    c->parking = false;
}
static void wormhole(struct chip_wish *c)
{
    c->arch = tf_arch_find("wormhole");
}
static void p100a(struct chip_wish *c)
{
    const struct tf_board_text text = {.name = "p100a"};
    assert_int_equal(tf_board_parse(NULL, &text, &c->board, NULL), TF_OK);
}
static void relaxed(struct chip_wish *c)
{
    c->mode = TF_MODE_RELAXED;
}

static void checked(struct chip_wish *c)
{
    c->check = true;
}

static void ordered(struct chip_wish *c)
{
    c->ordered_memory = true;
}

static void timed(struct chip_wish *c)
{
    c->timing = true;
}

static const struct {
    void (*change)(struct chip_wish *config);
    const char *why;
} others[] = {
    {slices, "slice_cycles"},       {epochs, "epoch_cycles_max"},
    {delayed, "late_cycles"},       {silicon, "undefined_as_silicon"},
    {requests, "niu_requests_max"}, {executed, "parking"},
    {wormhole, "family"},           {p100a, "board"},
    {relaxed, "relaxed"},           {checked, "races"},
    {ordered, "ordered_memory"},    {timed, "timing"},
};

/* A chip of another configuration refuses the file; one that chip_wish_saved() has described takes it. */
static void test_configuration(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices may be shorter");
    save_something(path_of("good"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct tf_chip *chip = new_chip(others[i].change), *twin;
        expect_refused(chip, path_of("good"), TF_EINVAL, others[i].why);
        if (others[i].change == relaxed) {
            struct tf_message message;
            assert_int_equal(tf_chip_save(chip, path_of("relaxed"), &message), TF_EINVAL);
            assert_int_not_equal(access(path_of("relaxed"), F_OK), 0);
            tf_chip_destroy(chip);
            continue;
        }
        struct chip_wish config;
        chip_wish_init(&config);
        config.threads = 2;
        assert_int_equal(tf_chip_save(chip, path_of("own"), NULL), TF_OK);
        assert_int_equal(chip_wish_saved(path_of("own"), &config, NULL), TF_OK);
        assert_int_equal(config.threads, 2);
        assert_int_equal(chip_wish_create(&config, &twin, NULL), TF_OK);
        assert_int_equal(tf_chip_restore(twin, path_of("own"), NULL), TF_OK);
        assert_true(tf_state_hash(twin) == tf_state_hash(chip));
        tf_chip_destroy(twin);
        tf_chip_destroy(chip);
    }
}

static unsigned files_in_folder(void)
{
    char command[200];
    unsigned count = 0;
    snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
    FILE *pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

/* A full disk: the earlier file stays as it was, and no other file stays. */
static void test_full(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("memory is refused");
    size_t bytes, after;
    struct tf_message message = {""};
    struct tf_chip *chip = new_chip(NULL);
    save_something(path_of("kept"));
    uint8_t *before = read_file(path_of("kept"), &bytes);
    unsigned files = files_in_folder();
    struct rlimit old, tiny;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    run_something(chip, 100);
    for (unsigned i = 0; i < 3; i++) {
        const rlim_t limits[] = {0, 1000, bytes - 100};
        tiny = (struct rlimit){limits[i], old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tiny), 0);
        int error = tf_chip_save(chip, path_of("kept"), &message);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(error, TF_EIO);
        assert_non_null(strstr(message.text, "kept: cannot be written: File too large"));
        uint8_t *resaved = read_file(path_of("kept"), &after);
        assert_int_equal(bytes, after);
        assert_memory_equal(before, resaved, bytes);
        free(resaved);
        assert_int_equal(files_in_folder(), files);
    }
    free(before);
    assert_int_equal(tf_chip_save(chip, "/dev/full", &message), TF_EIO);
    assert_non_null(strstr(message.text, "No space left"));
    assert_int_equal(tf_chip_save(chip, "/dev/null", &message), TF_OK);
    struct stat stat_of;
    assert_true(stat("/dev/null", &stat_of) == 0 && S_ISCHR(stat_of.st_mode));
    assert_int_equal(tf_chip_save(chip, path_of("no/such/folder"), &message), TF_EIO);
    assert_int_equal(tf_chip_save(chip, folder, &message), TF_EIO);
    tf_chip_destroy(chip);
}

/* A file is saved under the longest name, and where a process with this number was killed. One that is being written is
   left alone. */
static void test_names(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("memory is refused");
    struct tf_message message = {""};
    struct tf_chip *chip = new_chip(NULL);
    struct tf_replaced other;
    char path[sizeof folder + NAME_MAX + 1];
    snprintf(path, sizeof path, "%s/", folder);
    memset(path + strlen(path), 'n', NAME_MAX);
    path[sizeof path - 1] = '\0';
    unsigned files = files_in_folder();
    assert_int_equal(tf_chip_save(chip, path, &message), TF_OK);
    assert_int_equal(files_in_folder(), files + 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(tf_replace_open(&other, path_of("named")), 0);
    assert_int_equal(tf_chip_save(chip, path_of("named"), &message), TF_EIO);
    assert_non_null(strstr(message.text, "busy"));
    close(other.fd); /* as when its process is killed */
    free(other.temporary);
    free(other.target);
    assert_int_equal(tf_chip_save(chip, path_of("named"), &message), TF_OK);
    assert_int_equal(files_in_folder(), files + 1);
    tf_chip_destroy(chip);
}

static unsigned open_files(void)
{
    unsigned files = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        files++;
    closedir(dir);
    return files;
}

/* A link stays one, and a file keeps its permissions. No file stays open. */
static void test_link(void **state)
{
    (void)state;
    struct stat stat_of;
    unsigned files = open_files();
    write_file(path_of("real"), "x", 1);
    assert_int_equal(chmod(path_of("real"), 0640), 0);
    assert_int_equal(symlink("real", path_of("link")), 0);
    save_something(path_of("link"));
    assert_true(lstat(path_of("link"), &stat_of) == 0 && S_ISLNK(stat_of.st_mode));
    assert_true(stat(path_of("real"), &stat_of) == 0 && (stat_of.st_mode & 0777) == 0640 && stat_of.st_size > 1000);
    assert_int_equal(open_files(), files);
}

static void count_riscv(void *user, const struct tf_riscv_event *event)
{
    (void)event;
    ++*(unsigned *)user;
}

/* Observers of a chip still observe it after it was restored. */
static void test_observed(void **state)
{
    (void)state;
    unsigned events = 0;
    struct chip_wish config;
    struct tf_chip *chip;
    save_something(path_of("good"));
    chip_wish_init(&config);
    config.threads = 2;
    config.on_riscv = count_riscv;
    config.user = &events;
    config.riscv_traced[139] = 1u << TF_CORE_T1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(tf_chip_restore(chip, path_of("good"), NULL), TF_OK);
    tf_run(chip, &(struct tf_run_options){.cycles_max = 5000}, NULL);
    assert_in_range(events, 4000, 7000);
    tf_chip_destroy(chip);
}

/* A chip with ordered memory continues like the saved one. */
static void test_ordered(void **state)
{
    (void)state;
    struct tf_chip *chip = new_chip(ordered), *other = new_chip(ordered);
    run_something(chip, 20000);
    assert_int_equal(tf_chip_save(chip, path_of("ordered"), NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path_of("ordered"), NULL), TF_OK);
    tf_run(chip, &(struct tf_run_options){.cycles_max = 5000}, NULL);
    tf_run(other, &(struct tf_run_options){.cycles_max = 5000}, NULL);
    assert_true(tf_state_hash(other) == tf_state_hash(chip));
    tf_chip_destroy(other);
    tf_chip_destroy(chip);
}

/* If the host has no memory, the chip stays unchanged. */
static void test_no_memory(void **state)
{
    (void)state;
    struct tf_chip *chip = new_chip(NULL);
    save_something(path_of("good"));
    run_something(chip, 1000);
    uint64_t before = tf_state_hash(chip);
    int error = TF_ENOMEM;
    unsigned refused = 0;
    for (unsigned from = 1; error != TF_OK; from++, refused++) {
        asked = 0;
        refuse_from = from;
        error = tf_chip_restore(chip, path_of("good"), NULL);
        refuse_from = 0;
        assert_true(error == TF_OK || (error == TF_ENOMEM && tf_state_hash(chip) == before));
    }
    assert_true(refused > 2 && tf_state_hash(chip) != before);
    tf_chip_destroy(chip);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_hazards),
        cmocka_unit_test(test_permissions),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_promotion),
        cmocka_unit_test(test_waiting_request),
        cmocka_unit_test(test_bad_queue),
        cmocka_unit_test(test_bad_loops),
        cmocka_unit_test(test_bad_beats),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_other_version),
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_longest_loops),
        cmocka_unit_test(test_ordered),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
