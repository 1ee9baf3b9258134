/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/wait.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* timeout: NULL for none. */
static void futex_wait(atomic_uint *word, unsigned value, const struct timespec *timeout)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout, NULL, 0);
}

void tf_wait_while(atomic_uint *word, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept)
{
    for (unsigned i = 0; i < spins; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != value) {
            *spun += i;
            return;
        }
        tf_pause_cpu();
    }
    *spun += spins;
    /* Sequentially consistent on both sides: either the waker sees the sleeper or the sleeper the new value. */
    atomic_fetch_add(sleepers, 1);
    while (atomic_load(word) == value) {
        ++*slept;
        futex_wait(word, value, timeout);
        if (timeout != NULL)
            break;
    }
    atomic_fetch_sub(sleepers, 1);
}

bool tf_wake(atomic_uint *word, atomic_uint *sleepers)
{
    if (atomic_load(sleepers) == 0)
        return false;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0);
    return true;
}
