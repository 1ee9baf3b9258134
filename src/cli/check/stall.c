/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/check/stall.h"
#include "cli/cli.h"
#include "host/clock.h"

#define LOOK_EVERY_MS 50u
#define ASLEEP_MS 1500u   /* without processor time: no worker will ever wake another one */
#define BUSY_S 120.0      /* a run takes a fraction of a second, or seconds with a sanitizer */
#define ASLEEP_CPU_S 1e-3 /* what this thread takes itself in LOOK_EVERY_MS, at most */

static double busy_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Looks, not times, are counted: a stopped process does not look. */
static void *stall_thread(void *argument)
{
    struct tf_stall *stall = argument;
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    unsigned run = 0, asleep_ms = 0;
    double began_s = tf_seconds(), cpu_s = busy_s();
    while (!atomic_load(&stall->ending)) {
        nanosleep(&pause, NULL);
        unsigned now = atomic_load(&stall->runs);
        double now_s = busy_s();
        if (now != run || now % 2 == 0)
            began_s = tf_seconds();
        asleep_ms = now == run && now % 2 != 0 && now_s - cpu_s < ASLEEP_CPU_S ? asleep_ms + LOOK_EVERY_MS : 0;
        run = now;
        cpu_s = now_s;
        bool asleep = asleep_ms >= ASLEEP_MS;
        if (!asleep && tf_seconds() - began_s < BUSY_S)
            continue;
        stall->tell(stall->user, asleep ? "a run has not ended, and all workers sleep" : "a run does not end");
        fflush(NULL);
        _exit(TF_EXIT_FAILED);
    }
    return NULL;
}

bool tf_stall_start(struct tf_stall *stall, void (*tell)(void *user, const char *what), void *user)
{
    *stall = (struct tf_stall){.tell = tell, .user = user};
    stall->on = pthread_create(&stall->thread, NULL, stall_thread, stall) == 0;
    return stall->on;
}

void tf_stall_end(struct tf_stall *stall)
{
    atomic_store(&stall->ending, true);
    if (stall->on)
        pthread_join(stall->thread, NULL);
}

void tf_stall_mark(struct tf_stall *stall)
{
    atomic_fetch_add(&stall->runs, 1);
}
