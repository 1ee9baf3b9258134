/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* The signal that ends the thread. */
#define SIGNAL_END SIGUSR1

/* nohup ignores SIGHUP; then the end of the terminal must not end the run. */
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
        if (interrupt->ending) {
            pthread_mutex_unlock(&interrupt->lock);
            return NULL;
        }
        if (number != SIGNAL_END && interrupt->signals++ > 0) {
            /* Remove the files by name only: another thread may be writing to them. */
            for (unsigned i = 0; i < interrupt->output_count; i++)
                if (interrupt->outputs[i].temporary != NULL)
                    unlink(interrupt->outputs[i].temporary);
            _exit(TF_EXIT_INTERRUPTED);
        }
        if (interrupt->chip != NULL)
            tf_stop(interrupt->chip);
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
    if (!interrupt->on)
        tf_cli_error("cannot wait for signals: %s", strerror(error));
    return interrupt->on;
}

void tf_interrupt_none(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count)
{
    *interrupt = (struct tf_interrupt){.outputs = outputs, .output_count = output_count};
    pthread_mutex_init(&interrupt->lock, NULL);
}

void tf_interrupt_chip(struct tf_interrupt *interrupt, struct tf_chip *chip)
{
    if (interrupt == NULL)
        return;
    pthread_mutex_lock(&interrupt->lock);
    interrupt->chip = chip;
    if (chip != NULL && interrupt->signals > 0)
        tf_stop(chip);
    pthread_mutex_unlock(&interrupt->lock);
}

bool tf_interrupt_came(struct tf_interrupt *interrupt)
{
    if (interrupt == NULL)
        return false;
    pthread_mutex_lock(&interrupt->lock);
    bool interrupted = interrupt->signals > 0;
    pthread_mutex_unlock(&interrupt->lock);
    return interrupted;
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

void tf_interrupt_end(struct tf_interrupt *interrupt)
{
    if (!interrupt->on)
        return;
    pthread_mutex_lock(&interrupt->lock);
    for (unsigned i = 0; i < interrupt->output_count; i++)
        tf_output_discard(&interrupt->outputs[i]);
    interrupt->ending = true;
    pthread_mutex_unlock(&interrupt->lock);
    pthread_kill(interrupt->thread, SIGNAL_END);
    pthread_join(interrupt->thread, NULL);
    pthread_mutex_destroy(&interrupt->lock);
    interrupt->on = false;
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
