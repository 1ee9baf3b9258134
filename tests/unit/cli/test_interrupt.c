/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/interrupt.h"

static void await(struct tf_interrupt *interrupt)
{
    while (!tf_interrupt_received(interrupt))
        usleep(1000);
}

/* A chip whose core B of tile 0 counts for ever. */
static struct tf_chip *busy_chip(void)
{
    static const uint32_t program[] = {0x00128293, 0xFFDFF06F}; /* addi t0,t0,1; j . - 4 */
    struct chip_wish config;
    chip_wish_init(&config);
    config.threads = 1;
    struct tf_chip *chip = NULL;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(tf_write(chip, (struct tf_coord){.x = 1, .y = 2}, 0, program, sizeof program), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    return chip;
}

static void *send_signal(void *unused)
{
    usleep(50000);
    kill(getpid(), SIGINT);
    return unused;
}

/* The first signal ends a run. */
static void test_stops_a_run(void **state)
{
    (void)state;
    struct tf_interrupt interrupt;
    struct tf_chip *chip = busy_chip();
    assert_true(tf_interrupt_start(&interrupt, NULL, 0));
    tf_interrupt_chip(&interrupt, chip);
    pthread_t sender;
    assert_int_equal(pthread_create(&sender, NULL, send_signal, NULL), 0);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    pthread_join(sender, NULL);
    assert_int_equal(end, TF_END_STOPPED);
    assert_true(tf_interrupt_received(&interrupt));
    tf_interrupt_chip(&interrupt, NULL);
    assert_int_equal(tf_interrupt_end(&interrupt, TF_EXIT_INTERRUPTED), TF_EXIT_INTERRUPTED);
    assert_int_equal(tf_interrupt_end(&interrupt, TF_EXIT_OK), TF_EXIT_OK);
    tf_chip_destroy(chip);
}

/* A signal that came before there was a chip stops the first chip. */
static void test_stops_a_later_run(void **state)
{
    (void)state;
    struct tf_interrupt interrupt;
    assert_true(tf_interrupt_start(&interrupt, NULL, 0));
    assert_false(tf_interrupt_received(&interrupt));
    kill(getpid(), SIGTERM);
    await(&interrupt);
    struct tf_chip *chip = busy_chip();
    tf_interrupt_chip(&interrupt, chip);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_STOPPED);
    tf_interrupt_chip(&interrupt, NULL);
    assert_int_equal(tf_interrupt_end(&interrupt, TF_EXIT_INTERRUPTED), 143);
    tf_chip_destroy(chip);
}

/* A signal that the thread has taken, but not looked at, when the command ends the thread: `run --gdb` would wait for
   GDB for ever. */
static void test_comes_at_the_end(void **state)
{
    (void)state;
    struct tf_interrupt interrupt;
    sigset_t pending;
    assert_true(tf_interrupt_start(&interrupt, NULL, 0));
    pthread_mutex_lock(&interrupt.lock);
    kill(getpid(), SIGTERM);
    do {
        sched_yield();
        sigpending(&pending);
    } while (sigismember(&pending, SIGTERM));
    interrupt.ending = true;
    pthread_mutex_unlock(&interrupt.lock);
    assert_int_equal(tf_interrupt_end(&interrupt, TF_EXIT_INTERRUPTED), 143);
}

/* The second signal ends the process in any state, and leaves no half-written file. */
static void test_second_signal(void **state)
{
    (void)state;
    char folder[] = "/tmp/tilefarm-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    pid_t child = fork();
    if (child == 0) {
        struct tf_output output;
        struct tf_interrupt interrupt;
        if (chdir(folder) != 0 || !tf_output_open(&output, "file") || !tf_interrupt_start(&interrupt, &output, 1))
            _exit(1);
        fputs("half", output.file);
        fflush(output.file);
        kill(getpid(), SIGTERM);
        await(&interrupt);
        kill(getpid(), SIGTERM); /* still the first one: timeout(1) sends two */
        usleep(200000);
        kill(getpid(), SIGTERM);
        for (;;)
            pause();
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 143);
    assert_int_equal(rmdir(folder), 0); /* empty */
}

/* The same while the library saves a chip. */
static void test_second_signal_saving(void **state)
{
    (void)state;
    char folder[] = "/tmp/tilefarm-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    pid_t child = fork();
    if (child == 0) {
        const struct tf_save save[2] = {{.path = "other"}, {.path = "file"}};
        struct tf_replaced file;
        struct tf_interrupt interrupt;
        if (chdir(folder) != 0 || tf_replace_open(&file, "file") != 0 || !tf_interrupt_start(&interrupt, NULL, 0))
            _exit(1);
        tf_interrupt_saves(&interrupt, save, 2);
        kill(getpid(), SIGTERM);
        await(&interrupt);
        kill(getpid(), SIGTERM); /* still the first one: timeout(1) sends two */
        usleep(200000);
        kill(getpid(), SIGTERM);
        for (;;)
            pause();
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 143);
    assert_int_equal(rmdir(folder), 0); /* empty */
}

static void make_file(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT, 0666);
    if (fd < 0 || write(fd, "whole", 5) != 5)
        _exit(1);
    close(fd);
}

/* The same while a system is saved: the first chip is complete, and the second one is being written. */
static void test_second_signal_saving_a_system(void **state)
{
    (void)state;
    char folder[] = "/tmp/tilefarm-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    pid_t child = fork();
    if (child == 0) {
        struct tf_replaced chip, system;
        struct tf_interrupt interrupt;
        if (chdir(folder) != 0 || tf_replace_open(&chip, "file.1.chip1") != 0 || tf_replace_open(&system, "file") != 0)
            _exit(1);
        make_file("file.1.chip0");
        if (!tf_interrupt_start(&interrupt, NULL, 0))
            _exit(1);
        tf_interrupt_system_save(&interrupt, "file");
        kill(getpid(), SIGTERM);
        await(&interrupt);
        usleep(200000);
        kill(getpid(), SIGTERM);
        for (;;)
            pause();
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 143);
    assert_int_equal(rmdir(folder), 0); /* empty */
}

/* The end discards outputs that were not committed, and restores the signal mask. */
static void test_end(void **state)
{
    (void)state;
    char folder[] = "/tmp/tilefarm-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    struct tf_output output[2];
    struct tf_interrupt interrupt;
    assert_true(tf_output_open(&output[0], "one"));
    assert_true(tf_output_open(&output[1], "two"));
    assert_true(tf_interrupt_start(&interrupt, output, 2));
    tf_interrupt_end(&interrupt, TF_EXIT_OK);
    tf_interrupt_end(&interrupt, TF_EXIT_OK);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(chdir("/"), 0);
    sigset_t mask;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    assert_false(sigismember(&mask, SIGINT));
    assert_false(sigismember(&mask, SIGTERM));
}

/* Under nohup a run outlives its terminal. */
static void test_hangup_ignored(void **state)
{
    (void)state;
    struct tf_interrupt interrupt;
    assert_ptr_not_equal(signal(SIGHUP, SIG_IGN), SIG_ERR);
    assert_true(tf_interrupt_start(&interrupt, NULL, 0));
    kill(getpid(), SIGHUP);
    usleep(50000);
    assert_false(tf_interrupt_received(&interrupt));
    tf_interrupt_end(&interrupt, TF_EXIT_OK);
    assert_ptr_not_equal(signal(SIGHUP, SIG_DFL), SIG_ERR);
    assert_true(tf_interrupt_start(&interrupt, NULL, 0));
    kill(getpid(), SIGHUP);
    await(&interrupt);
    tf_interrupt_end(&interrupt, TF_EXIT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_a_run),
        cmocka_unit_test(test_stops_a_later_run),
        cmocka_unit_test(test_comes_at_the_end),
        cmocka_unit_test(test_second_signal),
        cmocka_unit_test(test_second_signal_saving),
        cmocka_unit_test(test_second_signal_saving_a_system),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_hangup_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
