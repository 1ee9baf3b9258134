/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/wait.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int now(const struct ck_ec_ops *ops, struct timespec *out)
{
    (void)ops;
    return clock_gettime(CLOCK_MONOTONIC, out);
}

static void sleep_on(const struct ck_ec_wait_state *state, const uint32_t *word, uint32_t value,
                     const struct timespec *deadline)
{
    (void)state;
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, deadline, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(const struct ck_ec_ops *ops, const uint32_t *word)
{
    (void)ops;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0);
}

/* Threads have spun before. Sleepers look again after a second only, and then sleep without end: counts are advanced by
   locked instructions, which lose no wake. */
static const struct ck_ec_ops system_ops = {
    .gettime = now,
    .wait32 = sleep_on,
    .wake32 = wake,
    .busy_loop_iter = 1,
    .initial_wait_ns = 1000000000,
};

const struct ck_ec_mode tf_count_mode = {.ops = &system_ops, .single_producer = false};

void tf_count_wait(struct tf_count *count, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept)
{
    struct timespec deadline;
    for (unsigned i = 0; i < spins; i++) {
        if (tf_count_value(count) != value) {
            *spun += i;
            return;
        }
        tf_pause_cpu();
    }
    *spun += spins;
    if (tf_count_value(count) != value)
        return;
    ++*slept;
    if (sleepers != NULL)
        atomic_fetch_add_explicit(sleepers, 1, memory_order_relaxed);
    if (timeout != NULL)
        ck_ec_deadline(&deadline, &tf_count_mode, timeout);
    ck_ec32_wait(&count->events, &tf_count_mode, value, timeout != NULL ? &deadline : NULL);
    TF_ORDERS_AFTER(count);
    if (sleepers != NULL)
        atomic_fetch_sub_explicit(sleepers, 1, memory_order_relaxed);
}
