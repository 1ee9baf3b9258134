/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/process.h"
#include "cli/text.h"
#include "host/clock.h"
#include "host/file.h"
#include "system/saved/saved.h"
#include "tilefarm/tilefarm_system_run.h"

/* The signal that ends the thread. */
#define SIGNAL_END SIGUSR1

/* Signals so soon after the first are the same one: timeout(1) sends its signal to the process, then to its group. */
#define SAME_S 0.1

/* The exit code that a shell reports after a signal. */
static int code_of(int signal)
{
    return 128 + signal;
}

static const char *name_of(int signal)
{
    return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

/* nohup ignores SIGHUP; the end of the terminal must then not end the run. */
static void awaited_signals(sigset_t *set)
{
    struct sigaction hangup;
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(set, SIGHUP);
    sigaddset(set, SIGNAL_END);
}

/* Remove temporary files by name only, because another thread or process may be writing to them. */
static void remove_files(const struct tf_output *outputs, unsigned output_count)
{
    for (unsigned i = 0; i < output_count; i++)
        if (outputs[i].to != NULL && outputs[i].to->temporary != NULL)
            unlink(outputs[i].to->temporary);
}

/* Chips that are being saved. Only the library knows their temporary files. */
static void remove_saves(const struct tf_interrupt *interrupt)
{
    for (unsigned i = 0; i < interrupt->saves; i++)
        tf_replace_abandon(interrupt->save[i].path);
}

/* Another thread may be saving a system. It writes nothing more, so it completes no save whose parts are removed. */
static void stop_writing(void)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
        limit.rlim_cur = 0;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
}

/* End the process without its outputs. The lock is held. */
_Noreturn static void end_now(const struct tf_interrupt *interrupt, int number)
{
    remove_files(interrupt->outputs, interrupt->output_count);
    remove_saves(interrupt);
    if (interrupt->system_save != NULL) {
        stop_writing();
        tf_system_abandon_save(interrupt->system_save);
    }
    _exit(code_of(number));
}

static void *interrupt_thread(void *argument)
{
    struct tf_interrupt *interrupt = argument;
    sigset_t set;
    awaited_signals(&set);
    for (;;) {
        int number;
        if (sigwait(&set, &number) != 0)
            continue;
        pthread_mutex_lock(&interrupt->lock);
        if (interrupt->ending) { /* a signal that came just before is for the caller of end_thread() */
            if (number != SIGNAL_END && interrupt->signal == 0)
                interrupt->signal = number;
            pthread_mutex_unlock(&interrupt->lock);
            if (number != SIGNAL_END)
                continue;
            return NULL;
        }
        const double now_s = tf_seconds();
        const bool same = interrupt->signal != 0 && now_s - interrupt->signal_s < SAME_S;
        if (number != SIGNAL_END && interrupt->signal != 0 && !same)
            end_now(interrupt, interrupt->signal);
        if (number != SIGNAL_END && interrupt->opening)
            end_now(interrupt, number);
        if (number != SIGNAL_END && !same) {
            interrupt->signal = number;
            interrupt->signal_s = now_s;
        }
        if (interrupt->chip != NULL)
            tf_stop(interrupt->chip);
        if (interrupt->system != NULL)
            tf_system_stop(interrupt->system);
        pthread_mutex_unlock(&interrupt->lock);
    }
}

bool tf_interrupt_start(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count)
{
    *interrupt = (struct tf_interrupt){.outputs = outputs, .output_count = output_count};
    sigset_t set;
    awaited_signals(&set);
    pthread_mutex_init(&interrupt->lock, NULL);
    int error = pthread_sigmask(SIG_BLOCK, &set, &interrupt->before);
    if (error == 0) {
        error = pthread_create(&interrupt->thread, NULL, interrupt_thread, interrupt);
        if (error != 0)
            pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    }
    interrupt->on = error == 0;
    if (interrupt->on) /* a closed stdout must not end the process before its files are complete */
        interrupt->pipe_before = signal(SIGPIPE, SIG_IGN);
    else
        tf_cli_error("the host refuses to wait for signals: %s", strerror(error));
    return interrupt->on;
}

bool tf_interrupt_open(struct tf_interrupt *interrupt, struct tf_output *output, const char *path)
{
    struct tf_output opened;
    pthread_mutex_lock(&interrupt->lock);
    if (interrupt->signal != 0)
        end_now(interrupt, interrupt->signal);
    interrupt->opening = true;
    const bool whole = tf_file_is_replaceable(path); /* a signal waits until the temporary file can be removed */
    bool fine = whole && tf_output_open(output, path);
    pthread_mutex_unlock(&interrupt->lock);
    if (!whole) /* a pipe may wait for its reader */
        fine = tf_output_open(&opened, path);
    pthread_mutex_lock(&interrupt->lock);
    if (!whole)
        *output = opened;
    interrupt->opening = false;
    pthread_mutex_unlock(&interrupt->lock);
    return fine;
}

void tf_interrupt_none(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count)
{
    *interrupt = (struct tf_interrupt){.outputs = outputs, .output_count = output_count};
    pthread_mutex_init(&interrupt->lock, NULL);
}

/* Wait until the child ends, or until a signal comes. Then end in the same way as the child, or interrupted. */
_Noreturn static void guard(pid_t child, const sigset_t *set, const struct tf_output *outputs, unsigned output_count)
{
    int number, status;
    do {
        if (sigwait(set, &number) != 0)
            continue;
        if (number != SIGCHLD) {
            kill(child, SIGKILL);
            tf_process_end(child);
            remove_files(outputs, output_count);
            if (isatty(STDERR_FILENO) == 1)
                tf_cli_progress_end();
            tf_cli_error("interrupted by %s", name_of(number));
            _exit(code_of(number));
        }
    } while (waitpid(child, &status, WNOHANG) != child);
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    remove_files(outputs, output_count);
    if (WTERMSIG(status) == SIGPIPE) { /* a closed stdout: end as the child has */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    tf_cli_error("ended by signal %d", WTERMSIG(status));
    _exit(TF_EXIT_FAILED);
}

/* End the thread. Signals stay blocked. */
static void end_thread(struct tf_interrupt *interrupt)
{
    pthread_mutex_lock(&interrupt->lock);
    interrupt->ending = true;
    pthread_mutex_unlock(&interrupt->lock);
    pthread_kill(interrupt->thread, SIGNAL_END);
    pthread_join(interrupt->thread, NULL);
    pthread_mutex_destroy(&interrupt->lock);
    interrupt->on = false;
    signal(SIGPIPE, interrupt->pipe_before); /* the next write to a closed stdout ends the process */
}

bool tf_interrupt_guard(struct tf_interrupt *interrupt)
{
    sigset_t set, before = interrupt->before;
    pid_t parent = getpid();
    end_thread(interrupt);
    if (interrupt->signal != 0)
        end_now(interrupt, interrupt->signal);
    awaited_signals(&set);
    sigdelset(&set, SIGNAL_END);
    sigaddset(&set, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); /* the signal would never come if it were ignored */
    sigprocmask(SIG_BLOCK, &set, NULL);
    fflush(NULL);
    pid_t child = tf_process_begin(parent);
    if (child > 0)
        guard(child, &set, interrupt->outputs, interrupt->output_count);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child == 0;
}

void tf_interrupt_saves(struct tf_interrupt *interrupt, const struct tf_save *save, unsigned saves)
{
    if (interrupt == NULL)
        return;
    pthread_mutex_lock(&interrupt->lock);
    interrupt->save = save;
    interrupt->saves = saves;
    pthread_mutex_unlock(&interrupt->lock);
}

void tf_interrupt_system_save(struct tf_interrupt *interrupt, const char *path)
{
    pthread_mutex_lock(&interrupt->lock);
    interrupt->system_save = path;
    pthread_mutex_unlock(&interrupt->lock);
}

void tf_interrupt_system(struct tf_interrupt *interrupt, struct tf_system *system)
{
    pthread_mutex_lock(&interrupt->lock);
    interrupt->system = system;
    if (system != NULL && interrupt->signal != 0)
        tf_system_stop(system);
    pthread_mutex_unlock(&interrupt->lock);
}

void tf_interrupt_chip(struct tf_interrupt *interrupt, struct tf_chip *chip)
{
    if (interrupt == NULL)
        return;
    pthread_mutex_lock(&interrupt->lock);
    interrupt->chip = chip;
    if (chip != NULL && interrupt->signal != 0)
        tf_stop(chip);
    pthread_mutex_unlock(&interrupt->lock);
}

const char *tf_interrupt_name(struct tf_interrupt *interrupt)
{
    if (interrupt == NULL)
        return NULL;
    pthread_mutex_lock(&interrupt->lock);
    const int signal = interrupt->signal;
    pthread_mutex_unlock(&interrupt->lock);
    return signal != 0 ? name_of(signal) : NULL;
}

bool tf_interrupt_received(struct tf_interrupt *interrupt)
{
    return tf_interrupt_name(interrupt) != NULL;
}

void tf_interrupt_forget(struct tf_interrupt *interrupt)
{
    if (interrupt == NULL)
        return;
    pthread_mutex_lock(&interrupt->lock);
    interrupt->signal = 0;
    pthread_mutex_unlock(&interrupt->lock);
}

bool tf_interrupt_commit(struct tf_interrupt *interrupt)
{
    bool fine = true;
    pthread_mutex_lock(&interrupt->lock);
    for (unsigned i = 0; i < interrupt->output_count; i++)
        fine &= tf_output_commit(&interrupt->outputs[i]);
    pthread_mutex_unlock(&interrupt->lock);
    return fine;
}

int tf_interrupt_end(struct tf_interrupt *interrupt, int code)
{
    if (!interrupt->on)
        return code;
    pthread_mutex_lock(&interrupt->lock);
    for (unsigned i = 0; i < interrupt->output_count; i++)
        tf_output_discard(&interrupt->outputs[i]);
    pthread_mutex_unlock(&interrupt->lock);
    end_thread(interrupt);
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    return code == TF_EXIT_INTERRUPTED && interrupt->signal != 0 ? code_of(interrupt->signal) : code;
}
