/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload that is saved at several cycles and restored in another process, on another number of threads; and forked.
 * The restored runs, the forks and the continued run end in the state of an uninterrupted run.
 *
 *   golden_saved WORKLOAD [FAMILY]   golden_saved --go-on FILE THREADS SERIAL      restore, run until quiet, print the
 * state hash and the cycles
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "random.h"
#include "tilefarm/tilefarm_chip.h"

#define POINTS 4u

struct trial {
    const char *program; /* this one */
    const struct tf_workload *workload;
    const struct tf_arch *arch;
    uint32_t variant;
    char name[64];
};

/* The result of a run. */
struct outcome {
    uint64_t hash, cycles, instructions;
};

static struct outcome outcome_of(struct tf_chip *chip)
{
    struct tf_stats stats;
    tf_stats(chip, &stats);
    return (struct outcome){tf_state_hash(chip), stats.cycles, stats.instructions};
}

/* A chip that is set up. NULL: the family lacks what the variant needs. */
static struct tf_chip *begin(const struct trial *trial, unsigned threads, void **state)
{
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.arch = trial->arch;
    config.threads = threads;
    struct tf_workload_options options = {.scale = trial->workload->scale_test,
                                          .seed = 1,
                                          .variant = trial->variant,
                                          .atomics = config.atomics};
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_OK);
    if (trial->workload->setup(chip, &options, state, &message) == TF_OK)
        return chip;
    if (trial->arch == NULL || strstr(message.text, " has no ") == NULL)
        fail_msg("%s", message.text);
    trial->workload->release(*state);
    tf_chip_destroy(chip);
    return NULL;
}

/* Restore a chip, and run it to its end. */
static int go_on(const char *path, unsigned threads, bool serial)
{
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = threads;
    config.serial_delivery = serial;
    int error = chip_wish_saved(path, &config, &message);
    if (error == TF_OK)
        error = chip_wish_create(&config, &chip, &message);
    if (error == TF_OK)
        error = tf_chip_restore(chip, path, &message);
    if (error != TF_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    enum tf_end end;
    tf_run(chip, NULL, &end);
    struct outcome outcome = outcome_of(chip);
    printf("%d %llx %llu %llu\n", (int)end, (unsigned long long)outcome.hash, (unsigned long long)outcome.cycles,
           (unsigned long long)outcome.instructions);
    tf_chip_destroy(chip);
    return 0;
}

/* go_on() in another process. */
static struct outcome gone_on(const struct trial *trial, const char *path, unsigned threads, bool serial)
{
    int channel[2], status = 0, end = -1;
    char number[16];
    snprintf(number, sizeof number, "%u", threads);
    assert_int_equal(pipe(channel), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(channel[1], STDOUT_FILENO);
        execl(trial->program, trial->program, "--go-on", path, number, serial ? "1" : "0", (char *)NULL);
        _exit(127);
    }
    close(channel[1]);
    FILE *results = fdopen(channel[0], "r");
    unsigned long long hash = 0, cycles = 0, instructions = 0;
    assert_int_equal(fscanf(results, "%d %llx %llu %llu", &end, &hash, &cycles, &instructions), 4);
    fclose(results);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(end, TF_END_QUIET);
    return (struct outcome){hash, cycles, instructions};
}

static void expect_same(const struct trial *trial, const char *what, uint64_t cycle, struct outcome is,
                        struct outcome should_be)
{
    if (is.hash != should_be.hash || is.cycles != should_be.cycles || is.instructions != should_be.instructions)
        fail_msg("%s, saved from cycle %llu on, %s: state %016llx, %llu cycles, %llu instructions, not %016llx, %llu, "
                 "%llu",
                 trial->name, (unsigned long long)cycle, what, (unsigned long long)is.hash,
                 (unsigned long long)is.cycles, (unsigned long long)is.instructions, (unsigned long long)should_be.hash,
                 (unsigned long long)should_be.cycles, (unsigned long long)should_be.instructions);
}

static struct tf_chip *fork_of(struct tf_chip *chip, unsigned threads, bool serial)
{
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *fork = NULL;
    chip_wish_init(&config);
    config.arch = tf_chip_arch(chip);
    config.threads = threads;
    config.serial_delivery = serial;
    if (chip_wish_fork(chip, &config, &fork, &message) != TF_OK)
        fail_msg("%s", message.text);
    return fork;
}

static void *run_fork(void *fork)
{
    tf_run(fork, NULL, NULL);
    return NULL;
}

/* Each run ends by its limit of time, after one epoch. */
static void run_by_epochs(struct tf_chip *chip)
{
    enum tf_end end;
    do
        assert_int_equal(tf_run(chip, &(struct tf_run_options){.wall_s_max = 1e-9}, &end), TF_OK);
    while (end == TF_END_TIME);
    assert_int_equal(end, TF_END_QUIET);
}

static void save_at(const struct trial *trial, uint64_t cycle, unsigned number, struct outcome whole)
{
    static const unsigned threads[] = {1, 3, 2, 8};
    struct tf_message message = {""};
    void *state = NULL;
    enum tf_end end;
    char path[] = "/tmp/tilefarm.golden_saved.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct tf_chip *chip = begin(trial, threads[number % 4], &state);
    tf_run(chip, &(struct tf_run_options){.pause_cycle = cycle}, &end);
    if (end != TF_END_CYCLES && end != TF_END_QUIET)
        fail_msg("%s: the run ended by %d", trial->name, (int)end);
    if (tf_chip_save(chip, path, &message) != TF_OK)
        fail_msg("%s", message.text);
    expect_same(trial, "restored", cycle, gone_on(trial, path, threads[(number + 1) % 4], number % 4 == 3), whole);
    struct tf_chip *fork = fork_of(chip, threads[(number + 2) % 4], false);
    struct tf_chip *second = fork_of(fork, threads[(number + 3) % 4], number % 2 == 1);
    pthread_t thread; /* the chip and its fork run at the same time */
    assert_int_equal(pthread_create(&thread, NULL, run_fork, fork), 0);
    if (number == 0)
        run_by_epochs(chip);
    else
        tf_run(chip, NULL, &end);
    pthread_join(thread, NULL);
    expect_same(trial, "gone on", cycle, outcome_of(chip), whole);
    expect_same(trial, "forked", cycle, outcome_of(fork), whole);
    tf_chip_destroy(chip);
    if (number == 0) {
        tf_run(second, NULL, &end);
        expect_same(trial, "a fork of a fork", cycle, outcome_of(second), whole);
    }
    tf_chip_destroy(second);
    tf_chip_destroy(fork);
    unlink(path);
    trial->workload->release(state);
}

static void test_saved(void **cmocka_state)
{
    const struct trial *trial = *cmocka_state;
    struct tf_message message = {""};
    void *state = NULL;
    enum tf_end end;
    struct tf_chip *chip = begin(trial, 2, &state);
    if (chip == NULL)
        return;
    tf_run(chip, NULL, &end);
    assert_int_equal(end, TF_END_QUIET);
    if (trial->workload->verify(chip, state, &message) != TF_OK)
        fail_msg("%s", message.text);
    struct outcome whole = outcome_of(chip);
    trial->workload->release(state);
    tf_chip_destroy(chip);
    uint64_t dice = test_seed(1) + trial->variant;
    unsigned points = trial->variant == 0 ? POINTS : 1;
    for (unsigned i = 0; i < points; i++) {
        uint64_t part = whole.cycles / points, cycle = 1 + part * i;
        save_at(trial, cycle + test_random64(&dice) % (part + 1), i + trial->variant, whole);
    }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--go-on") == 0)
        return go_on(argv[2], (unsigned)atoi(argv[3]), atoi(argv[4]) != 0);
    const struct tf_workload *workload = argc >= 2 ? tf_workload_find(argv[1]) : NULL;
    const char *family = argc == 3 ? argv[2] : NULL;
    if (workload == NULL || argc > 3 || (family != NULL && tf_arch_find(family) == NULL)) {
        fprintf(stderr, "usage: golden_saved WORKLOAD [FAMILY]\n");
        return 2;
    }
    uint32_t variants = tf_workload_variants(workload);
    struct trial *trial = calloc(variants, sizeof *trial);
    struct CMUnitTest *test = calloc(variants, sizeof *test);
    if (trial == NULL || test == NULL)
        return 2;
    for (uint32_t i = 0; i < variants; i++) {
        trial[i] = (struct trial){.program = argv[0],
                                  .workload = workload,
                                  .arch = family != NULL ? tf_arch_find(family) : NULL,
                                  .variant = i};
        snprintf(trial[i].name, sizeof trial[i].name, "%s/%s", workload->name, tf_workload_names(workload)[i]);
        test[i] = (struct CMUnitTest){.name = trial[i].name, .test_func = test_saved, .initial_state = &trial[i]};
    }
    int failed = _cmocka_run_group_tests(workload->name, test, variants, NULL, NULL);
    free(trial);
    free(test);
    return failed;
}
