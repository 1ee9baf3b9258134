/* SPDX-License-Identifier: Apache-2.0 */
/* Finds runs that do not end. */
#ifndef CLI_CHECK_STALL_H
#define CLI_CHECK_STALL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A thread that ends the process when a run does not end. */
struct tf_stall {
    pthread_t thread;
    atomic_uint runs; /* changes when a run begins or ends; odd: one is under way */
    atomic_bool ending;
    void (*tell)(void *user, const char *what); /* called by the thread before it ends the process */
    void *user;
    bool on;
};

/*
 * Between start and end, runs are watched. A run stalls if no thread of the process takes processor time for some
 * seconds, or if it takes minutes. The thread then calls tell(), and ends the process with TF_EXIT_FAILED. Returns
 * false if the host refuses the thread.
 */
bool tf_stall_start(struct tf_stall *stall, void (*tell)(void *user, const char *what), void *user);
void tf_stall_end(struct tf_stall *stall);

/* A run begins, or the one under way has ended. By one thread. */
void tf_stall_mark(struct tf_stall *stall);

#endif
