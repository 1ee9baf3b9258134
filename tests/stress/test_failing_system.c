/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host refuses memory to a system of two chips: the n-th allocation of a call fails, for each n. The call then says
 * so, or does without. The system and a save that is there are as before, and the next call succeeds. It leaks nothing.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/systems/links.h"
#include "failing.h"
#include "system_wish.h"

#define CHIPS 2u
#define CYCLES 6000u /* packets are under way */

static char folder[] = "/tmp/tilefarm.failing.XXXXXX";
static char path[80];
static struct tf_system *subject, *other; /* with different states */
static uint64_t hash, other_hash;

static int create(struct tf_system **system)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_message message = {""};
    int result = tf_cluster_find("n300", &cluster, &message);
    if (result != TF_OK)
        return result;
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    result = system_wish_create(&config, system, &message);
    assert_true(result == TF_OK || message.text[0] != '\0');
    return result;
}

static int try_create(void)
{
    struct tf_system *system = NULL;
    int result = create(&system);
    tf_system_destroy(system);
    return result;
}

static struct tf_system *make(uint64_t cycles)
{
    struct tf_workload_options options = {.scale = 2, .seed = 7};
    struct tf_system_run_options run = {.run = {.cycles_max = cycles}};
    struct tf_system *system = NULL;
    struct tf_message message = {""};
    void *work = NULL;
    assert_int_equal(create(&system), TF_OK);
    assert_int_equal(tf_system_ring.setup(system, &options, &work, &message), TF_OK);
    tf_system_ring.release(work);
    assert_int_equal(tf_system_run(system, &run, NULL), TF_OK);
    return system;
}

/* The saved system: one file, and one for each chip. */
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

/* The save that is there stays whole: a system gets its state. */
static int try_save(void)
{
    struct tf_message message = {""};
    int result = tf_system_save(subject, path, &message);
    const unsigned kept = fails_at;
    fails_at = 0;
    assert_true(result == TF_OK || message.text[0] != '\0');
    assert_int_equal(files(), CHIPS + 1);
    assert_true(tf_system_hash(subject) == hash);
    assert_int_equal(tf_system_restore(other, path, NULL), TF_OK);
    assert_true(tf_system_hash(other) == hash);
    fails_at = kept;
    return result;
}

static int try_restore(void)
{
    struct tf_message message = {""};
    int result = tf_system_restore(other, path, &message);
    fails_at = 0;
    assert_true(result == TF_OK || message.text[0] != '\0');
    assert_true(tf_system_hash(other) == (result == TF_OK ? hash : other_hash));
    other_hash = tf_system_hash(other);
    return result;
}

static int try_fork(void)
{
    struct tf_message message = {""};
    struct tf_system *fork = NULL;
    int result = system_wish_fork(subject, NULL, &fork, &message);
    fails_at = 0;
    assert_true((fork != NULL) == (result == TF_OK) && (result == TF_OK || message.text[0] != '\0'));
    assert_true(fork == NULL || tf_system_hash(fork) == hash);
    assert_true(tf_system_hash(subject) == hash);
    tf_system_destroy(fork);
    return result;
}

static void systems_are_forked(void **state)
{
    (void)state;
    fail_each(try_fork, TF_ENOMEM, 10);
}

static void systems_are_created(void **state)
{
    (void)state;
    fail_each(try_create, TF_ENOMEM, 10);
}

static void systems_are_restored(void **state)
{
    (void)state;
    fail_each(try_restore, TF_ENOMEM, 10);
}

static void systems_are_saved(void **state)
{
    (void)state;
    fail_each(try_save, TF_ENOMEM, 5);
}

static void begin_all(void)
{
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/system.tfs", folder);
    subject = make(CYCLES);
    other = make(2 * CYCLES);
    hash = tf_system_hash(subject);
    other_hash = tf_system_hash(other);
    assert_true(hash != other_hash);
    assert_int_equal(tf_system_save(subject, path, NULL), TF_OK);
}

static void end_all(void)
{
    DIR *all = opendir(folder);
    const struct dirent *entry;
    char name[400];
    while (all != NULL && (entry = readdir(all)) != NULL)
        if (entry->d_name[0] != '.' && snprintf(name, sizeof name, "%s/%s", folder, entry->d_name) < (int)sizeof name)
            unlink(name);
    if (all != NULL)
        closedir(all);
    rmdir(folder);
    tf_system_destroy(subject);
    tf_system_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_are_created),
        cmocka_unit_test(systems_are_forked),
        cmocka_unit_test(systems_are_restored),
        cmocka_unit_test(systems_are_saved),
    };
    begin_all();
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    end_all();
    return result;
}
