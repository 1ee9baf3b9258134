/* SPDX-License-Identifier: Apache-2.0 */
/* A claim on what one thread at a time may have: a spinlock of CK that nobody waits for. Any thread. */
#ifndef POOL_CLAIM_H
#define POOL_CLAIM_H

#include <stdbool.h>

#include <ck_spinlock.h>

#include "pool/queue.h"

/* All zero: free. */
struct tf_claim {
    ck_spinlock_fas_t lock;
};

/* Claim it. Returns false if another thread has it. */
static inline bool tf_claim_take(struct tf_claim *claim)
{
    bool taken = ck_spinlock_fas_trylock(&claim->lock);
    if (taken)
        TF_ORDERS_AFTER(claim);
    return taken;
}

static inline void tf_claim_leave(struct tf_claim *claim)
{
    TF_ORDERS_BEFORE(claim);
    ck_spinlock_fas_unlock(&claim->lock);
}

/* Has a thread claimed it? The answer may be out of date when it returns. */
static inline bool tf_claim_taken(struct tf_claim *claim)
{
    return ck_spinlock_fas_locked(&claim->lock);
}

#endif
