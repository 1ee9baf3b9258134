/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host refuses memory: the n-th allocation of a call fails, for each n. The call then says so, or does without. It
 * loses nothing: chips, and a file that is there, are as before, and the next call succeeds. It leaks nothing.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chip_wish.h"
#include "failing.h"
#include "noc_emit.h"
#include "places.h"

#define TILES 6u
#define CYCLES 20000u

/* Each tile increments a word of the next one for ever, and writes to it. */
static void load(struct tf_chip *chip)
{
    for (unsigned tile = 0; tile < TILES; tile++) {
        uint32_t word[256], next = xy((tile + 1) % TILES);
        struct code code = {.word = word, .capacity = 256};
        fill(&code, 0, &(struct request){0x4000, next, 0x4100, xy(tile), INCREMENT_CTRL, INCREMENT_LENGTH});
        fill(&code, 1, &(struct request){0x8000, xy(tile), 0x10000, next, 2, 4096});
        li(&code, 8, initiator_at(0));
        li(&code, 9, initiator_at(1));
        unsigned loop = code.count;
        send(&code, 8);
        send(&code, 9);
        jump_to(&code, 0, loop);
        assert_int_equal(tf_write(chip, at(tile), 0x100, word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, 0x100), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
}

static void run(struct tf_chip *chip)
{
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, NULL), TF_OK);
}

static struct tf_chip *make(void)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    load(chip);
    run(chip);
    return chip;
}

static char folder[] = "/tmp/tilefarm.failing.XXXXXX";
static char path[80];

static unsigned files(void)
{
    unsigned count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    while (readdir(all) != NULL)
        count++;
    closedir(all);
    return count - 2;
}

static struct tf_chip *subject;
static uint64_t hash;

static int try_create(void)
{
    static const struct tf_coord dram = {0, 0};
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = 1;
    config.check = true;
    int result = chip_wish_create(&config, &chip, NULL);
    if (result == TF_OK)
        result = tf_write(chip, dram, 0x100000, "word", 4);
    tf_chip_destroy(chip);
    return result;
}

static int try_save(void)
{
    struct stat before, after;
    struct tf_message message = {""};
    assert_int_equal(stat(path, &before), 0);
    int result = tf_chip_save(subject, path, &message);
    fails_at = 0;
    assert_true(result == TF_OK || message.text[0] != '\0');
    assert_int_equal(stat(path, &after), 0);
    assert_true(result == TF_OK || before.st_ino == after.st_ino);
    assert_int_equal(files(), 1);
    assert_true(tf_state_hash(subject) == hash);
    return result;
}

static int try_saved_config(void)
{
    struct chip_wish config;
    chip_wish_init(&config);
    return chip_wish_saved(path, &config, NULL);
}

static struct tf_chip *other; /* with another state */
static uint64_t other_hash;

static int try_restore(void)
{
    int result = tf_chip_restore(other, path, NULL);
    fails_at = 0;
    assert_true(tf_state_hash(other) == (result == TF_OK ? hash : other_hash));
    other_hash = tf_state_hash(other);
    return result;
}

/* A fork is made, or refused. Where it runs, it ends as the chip does, or says that it has no memory. */
static int try_fork(void)
{
    struct tf_chip *fork = NULL;
    int result = chip_wish_fork(subject, NULL, &fork, NULL);
    if (result == TF_OK)
        result = tf_run(fork, &(struct tf_run_options){.cycles_max = CYCLES}, NULL);
    fails_at = 0;
    if (result == TF_OK && tf_fault_count(fork) != 0) /* of a core whose request found no memory */
        result = TF_ENOMEM;
    if (result == TF_OK) {
        run(other);
        assert_true(tf_state_hash(fork) == tf_state_hash(other));
        assert_int_equal(tf_chip_restore(other, path, NULL), TF_OK);
    }
    tf_chip_destroy(fork);
    assert_true(tf_state_hash(subject) == hash);
    return result;
}

static void *begin_all(void)
{
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/chip.tfs", folder);
    subject = make();
    hash = tf_state_hash(subject);
    assert_int_equal(tf_chip_save(subject, path, NULL), TF_OK);
    other = make();
    run(other);
    other_hash = tf_state_hash(other);
    return NULL;
}

static void chips_are_created(void **state)
{
    (void)state;
    fail_each(try_create, TF_ENOMEM, 5);
}

static void chips_are_saved(void **state)
{
    (void)state;
    fail_each(try_save, TF_ENOMEM, 2);
}

static void configurations_are_read(void **state)
{
    (void)state;
    fail_each(try_saved_config, TF_ENOMEM, 1);
}

static void chips_are_restored(void **state)
{
    (void)state;
    fail_each(try_restore, TF_ENOMEM, 2);
}

static void chips_are_forked(void **state)
{
    (void)state;
    assert_int_equal(tf_chip_restore(other, path, NULL), TF_OK);
    fail_each(try_fork, TF_ENOMEM, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_are_created),       cmocka_unit_test(chips_are_saved),
        cmocka_unit_test(configurations_are_read), cmocka_unit_test(chips_are_restored),
        cmocka_unit_test(chips_are_forked),
    };
    begin_all();
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    tf_chip_destroy(subject);
    tf_chip_destroy(other);
    unlink(path);
    rmdir(folder);
    return result;
}
