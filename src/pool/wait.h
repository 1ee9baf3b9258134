/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts that threads wait for: they spin for a while, and then sleep. They are event counts of CK (ck_ec), whose upper
 * bit says that somebody sleeps. ThreadSanitizer does not understand CK's assembly, so these functions tell it what a
 * count orders: what a thread does before it advances a count, a thread sees that sees the new value. Any thread.
 */
#ifndef POOL_WAIT_H
#define POOL_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <ck_ec.h>

#include "pool/queue.h"

/* All zero: the count is 0. */
struct tf_count {
    struct ck_ec32 events;
};

#define TF_COUNT_BITS 0x7FFFFFFFu /* of a value */

/* The value before and after another one. */
static inline unsigned tf_count_before(unsigned value)
{
    return (value - 1) & TF_COUNT_BITS;
}

static inline unsigned tf_count_after(unsigned value)
{
    return (value + 1) & TF_COUNT_BITS;
}

static inline unsigned tf_count_value(const struct tf_count *count)
{
    unsigned value = ck_ec32_value(&count->events);
    TF_ORDERS_AFTER((void *)(uintptr_t)count);
    return value;
}

/* Set a count for which nobody waits. */
static inline void tf_count_set(struct tf_count *count, unsigned value)
{
    TF_ORDERS_BEFORE(count);
    ck_pr_store_32(&count->events.counter, value & TF_COUNT_BITS);
}

extern const struct ck_ec_mode tf_count_mode;

/* Add one, and wake all threads that sleep until the count changes. */
static inline void tf_count_advance(struct tf_count *count)
{
    TF_ORDERS_BEFORE(count);
    ck_ec32_inc(&count->events, &tf_count_mode);
}

/* Does a thread sleep until the count changes? */
static inline bool tf_count_awaited(const struct tf_count *count)
{
    return ck_ec32_has_waiters(&count->events);
}

/* Wait until a count differs from a value: spin at most `spins` times, then sleep, but no longer than the timeout
   (NULL: none). While it sleeps, the thread counts in *sleepers (NULL: nowhere). Adds to *spun and *slept. */
void tf_count_wait(struct tf_count *count, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept);

/* Tell the CPU that this thread spins. */
static inline void tf_pause_cpu(void)
{
    ck_pr_stall();
}

#endif
