/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm_files.h: files of a small run, beside callbacks of the user's own. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_system.h"

#define PROGRAM 0x1000u
static const uint32_t program[] = {
    0xFFB207B7, /* lui a5, 0xFFB20: NIU 0 */
    0x00100713, /* li a4, 1 */
    0x00100073, /* ebreak */
};

struct seen {
    unsigned epochs, progress;
};

static void note_epoch(void *user, uint64_t cycle)
{
    (void)cycle;
    ((struct seen *)user)->epochs++;
}

static char folder[] = "/tmp/test_files_XXXXXX";

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool has(const char *path, const char *text)
{
    static char data[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t bytes = fread(data, 1, sizeof data - 1, file);
    fclose(file);
    data[bytes] = '\0';
    return memmem(data, bytes, text, strlen(text)) != NULL;
}

static struct tf_chip *chip_of(const struct tf_config *config)
{
    struct tf_chip *chip;
    assert_int_equal(tf_chip_create(config, &chip, NULL), TF_OK);
    assert_int_equal(tf_write(chip, (struct tf_coord){1, 2}, PROGRAM, program, sizeof program), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, PROGRAM), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    return chip;
}

static const struct tf_files_wish wish = {
    .timeline = "t", .report = "r.html", .profile = "p.folded", .coverage = "c", .noc_trace = "n.json"};

/* Files are there when they are written, and not before. Later runs are in no file. */
static void test_written(void **state)
{
    struct seen seen = {.epochs = 0};
    struct tf_config config;
    struct tf_files *files;
    struct tf_message message = {.text = ""};
    (void)state;
    tf_config_init(&config);
    config.threads = 1;
    config.on_epoch = note_epoch;
    config.user = &seen;
    struct tf_chip *unwatched = chip_of(&config);
    assert_int_equal(tf_files_open(&wish, &config, &files, &message), TF_OK);
    assert_int_equal(tf_files_write(files, NULL, &message), TF_EINVAL); /* not attached */
    struct tf_chip *chip = chip_of(&config);
    struct tf_symbols *symbols = tf_symbols_create();
    assert_int_equal(tf_files_attach(files, chip, symbols), TF_OK);
    assert_int_equal(tf_run(unwatched, NULL, NULL), TF_OK);
    unsigned epochs = seen.epochs;
    assert_true(epochs > 0);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(seen.epochs, 2 * epochs);
    assert_true(tf_state_hash(chip) == tf_state_hash(unwatched));
    assert_false(exists("r.html") || exists("t"));
    const struct tf_files_verdict verdict = {.title = "a title", .verdict = "fine", .message = "<why>", .good = true};
    assert_int_equal(tf_files_write(files, &verdict, &message), TF_OK);
    assert_true(has("r.html", "a title") && has("r.html", "fine") && has("r.html", "\\u003cwhy>"));
    assert_true(has("r.html", "waiting for other workers") && has("r.html", "tiles stolen"));
    assert_true(has("t", "instructions in a cycle") && has("p.folded", "B"));
    assert_true(exists("c") && exists("n.json"));
    assert_int_equal(tf_files_write(files, &verdict, &message), TF_EINVAL);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    tf_chip_destroy(unwatched);
    tf_chip_destroy(chip);
    tf_files_close(files);
    tf_symbols_destroy(symbols);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(unlink((const char *[]){"t", "r.html", "p.folded", "c", "n.json"}[i]), 0);
}

static void note_chip(void *user, unsigned chip, struct tf_config *config)
{
    ((unsigned *)user)[chip] += config->on_noc == NULL; /* ours come afterwards */
}

/* Files of a system show all of its chips. */
static void test_system(void **state)
{
    static struct tf_cluster cluster;
    unsigned made[2] = {0, 0};
    struct tf_system_config config;
    struct tf_system_files *files;
    struct tf_system *system;
    struct tf_message message = {.text = ""};
    (void)state;
    assert_int_equal(tf_cluster_find("p300", &cluster, &message), TF_OK);
    tf_system_config_init(&config);
    config.cluster = &cluster;
    config.on_chip = note_chip;
    config.user = made;
    struct tf_system_config broken = config;
    broken.struct_bytes = 1;
    assert_int_equal(tf_system_files_open(&wish, &broken, &files, &message), TF_EINVAL);
    assert_int_equal(tf_system_files_open(&wish, &config, &files, &message), TF_OK);
    assert_int_equal(tf_system_create(&config, &system, &message), TF_OK);
    assert_true(made[0] == 1 && made[1] == 1);
    assert_int_equal(tf_system_files_write(files, NULL, &message), TF_EINVAL); /* not attached */
    assert_int_equal(tf_system_files_attach(files, system, NULL, &message), TF_OK);
    struct tf_chip *chip = tf_system_chip(system, 1);
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 0, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, PROGRAM, program, sizeof program), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, PROGRAM), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_system_run(system, NULL, NULL), TF_OK);
    assert_int_equal(tf_system_files_write(files, NULL, &message), TF_OK);
    assert_true(has("r.html", "[\"chips\",\"2\"]") && has("t", "chip 1") && has("p.folded", "B"));
    assert_int_equal(tf_system_files_write(files, NULL, &message), TF_EINVAL);
    tf_system_destroy(system);
    tf_system_files_close(files);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(unlink((const char *[]){"t", "r.html", "p.folded", "c", "n.json"}[i]), 0);
}

/* A pipe is written, and stays one. */
static void test_pipe(void **state)
{
    struct tf_config config;
    struct tf_files *files;
    struct stat status;
    char data[64];
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    tf_config_init(&config);
    assert_int_equal(tf_files_open(&(struct tf_files_wish){.profile = "pipe"}, &config, &files, NULL), TF_OK);
    struct tf_chip *chip = chip_of(&config);
    assert_int_equal(tf_files_attach(files, chip, NULL), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(tf_files_write(files, NULL, NULL), TF_OK);
    assert_true(read(reader, data, sizeof data) > 0);
    assert_true(stat("pipe", &status) == 0 && S_ISFIFO(status.st_mode));
    close(reader);
    tf_chip_destroy(chip);
    tf_files_close(files);
    assert_int_equal(unlink("pipe"), 0);
}

static void expect_refused(struct tf_config *config, const struct tf_files_wish *wanted, int error, const char *why)
{
    struct tf_files *files = NULL;
    struct tf_message message = {.text = ""};
    assert_int_equal(tf_files_open(wanted, config, &files, &message), error);
    assert_non_null(strstr(message.text, why));
    assert_null(files);
}

/* Refused files do not stay; neither do files that no one writes. */
static void test_refused(void **state)
{
    struct tf_config config;
    struct tf_files *files;
    (void)state;
    tf_config_init(&config);
    expect_refused(&config, &(struct tf_files_wish){.report = "r", .profile = "none/p"}, TF_EIO, "none/p");
    config.mode = TF_MODE_RELAXED;
    expect_refused(&config, &wish, TF_EINVAL, "relaxed");
    assert_int_equal(tf_files_open(&(struct tf_files_wish){.profile = "p"}, &config, &files, NULL), TF_OK);
    tf_files_close(files);
    tf_files_close(NULL);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0); /* which is empty */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_written), cmocka_unit_test(test_system),
                                       cmocka_unit_test(test_pipe), cmocka_unit_test(test_refused)};
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
