/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/mutants.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/mix.h"
#include "host/shared.h"
#include "noc/atomic.h"
#include "tile/arch.h"

static const struct {
    const char *text;
    unsigned period;
} mutant[TF_MUTANT_COUNT] = {
#define X(name, text_, period_) [TF_MUTANT_##name] = {.text = (text_), .period = (period_)},
    TF_MUTANT_LIST(X)
#undef X
};

static unsigned chosen = TF_MUTANT_COUNT;

/* How long a torn step leaves its window open, in turns of an empty loop. */
static unsigned window;

/*
 * Where all threads have one core, a window is of use only if another thread runs while it is open. That is so for
 * every window as wide as this, and for one of so many others.
 */
#define WIDE 1000u
#define ONE_IN 512u

#define THREADS_MAX 64u
#define NAPS_MAX 40u /* 2 ms, and more on a loaded host */

static atomic_uint reached, opened;

/* The seed of the pauses; 0: there are none. */
static uint32_t pauses;

__attribute__((constructor)) static void choose(void)
{
    const char *seed = getenv("TILEFARM_PAUSES");
    pauses = seed ? (uint32_t)atoi(seed) : 0;
    const char *name = getenv("TILEFARM_MUTANT"), *open = getenv("TILEFARM_MUTANT_WINDOW");
    window = open ? (unsigned)atoi(open) : 0;
    if (!name)
        return;
    for (chosen = 0; chosen < TF_MUTANT_COUNT && strcmp(mutant[chosen].text, name) != 0; chosen++)
        ;
    if (chosen == TF_MUTANT_COUNT)
        abort();
}

/* The store buffer of a worker: see tf_mutant_holds(). */
static _Thread_local struct {
    uint8_t *to;
    uint32_t length;
    uint8_t data[TF_PACKET_BYTES_MAX];
} held;

static void store_held(void)
{
    if (held.to == NULL)
        return;
    tf_shared_copy(held.to, held.data, held.length);
    held.to = NULL;
}

bool tf_mutant_holds(uint8_t *to, const uint8_t *from, uint32_t length)
{
    store_held();
    if (chosen != TF_MUTANT_UNFENCED_WRITE || pauses == 0 || length > sizeof held.data)
        return false;
    tf_shared_copy(held.data, from, length);
    held.length = length;
    held.to = to;
    return true;
}

/* A count would be a fence. */
bool tf_mutant_acts(enum tf_mutant which)
{
    if (which == TF_MUTANT_TORN_TRANSACTION) /* an atomic of the host comes next: it empties the store buffer */
        store_held();
    if (which != chosen || mutant[which].period == 1)
        return which == chosen;
    return atomic_fetch_add(&reached, 1) % mutant[which].period == mutant[which].period - 1;
}

bool tf_mutant_tears(const struct tf_noc_atomic *op, bool beside)
{
    if (beside)
        return chosen == TF_MUTANT_TORN_BESIDE;
    switch (op->kind) {
    case TF_NOC_AT_INCREMENT: return chosen == TF_MUTANT_TORN_INCREMENT;
    case TF_NOC_AT_POINTER: return chosen == TF_MUTANT_TORN_POINTER;
    case TF_NOC_AT_COMPARE_SWAP: return chosen == TF_MUTANT_TORN_CAS;
    case TF_NOC_AT_SWAP: return chosen == TF_MUTANT_TORN_SWAP;
    case TF_NOC_AT_ZAAMO: return chosen == TF_MUTANT_TORN_ZAAMO;
    case TF_NOC_AT_SWAP_MASK: return chosen == TF_MUTANT_TORN_SWAP_MASK;
    case TF_NOC_AT_ACCUMULATE: return chosen == TF_MUTANT_TORN_ACCUMULATE;
    default: return false;
    }
}

static void wait(void)
{
    for (volatile unsigned i = 0; i < window; i++)
        ;
    if (window >= WIDE || atomic_fetch_add_explicit(&opened, 1, memory_order_relaxed) % ONE_IN == ONE_IN - 1)
        sched_yield();
}

void tf_mutant_pause(enum tf_mutant which)
{
    if (which == chosen)
        wait();
}

/* How often each thread has passed a place. It counts by plain moves, since an atomic addition is a fence. Of more than
   THREADS_MAX threads two may share a count, and lose some. */
static struct {
    _Alignas(64) uint64_t passed;
} thread[THREADS_MAX];

static uint64_t passed_by_others(unsigned self)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < THREADS_MAX; i++)
        sum += i == self ? 0 : __atomic_load_n(&thread[i].passed, __ATOMIC_RELAXED);
    return sum;
}

/*
 * Sleep until other threads have passed some places: what they do then falls into the pause, however loaded the host
 * is. If they sleep, too, go on after a while.
 */
static void meet(unsigned self, unsigned places)
{
    static const struct timespec nap = {.tv_nsec = 50000};
    const uint64_t until = passed_by_others(self) + places;
    for (unsigned naps = 0; naps < NAPS_MAX && passed_by_others(self) < until; naps++)
        nanosleep(&nap, NULL);
}

/*
 * One visit of a place in eight is paused: for up to 2 us, sometimes for 30 us, which is as long as an idle worker
 * spins, and then until other threads have run, as often as TF_PAUSE_LIST says.
 */
void tf_mutant_dawdle(enum tf_pause place)
{
    static const uint8_t meets[TF_PAUSE_COUNT] = {
#define X(name, meets_) [TF_PAUSE_##name] = (meets_),
        TF_PAUSE_LIST(X)
#undef X
    };
    static _Thread_local uint64_t state;
    static _Thread_local unsigned self;
    static atomic_uint threads;
    if (pauses == 0)
        return;
    if (place == TF_PAUSE_GATHERED || place == TF_PAUSE_LEAVE)
        store_held();
    if (state == 0) {
        self = atomic_fetch_add(&threads, 1);
        state = tf_mix(((uint64_t)pauses << 32) | (self + 1));
        self %= THREADS_MAX;
    }
    uint64_t *passed = &thread[self].passed;
    __atomic_store_n(passed, __atomic_load_n(passed, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    state = tf_mix(state + place + 1);
    const uint32_t random = (uint32_t)(state >> 32);
    uint32_t turns = random >> 8 & 2047;
    if ((random & 7) != 0)
        return;
    if ((random >> 3 & 31) == 0)
        turns *= 16;
    for (volatile uint32_t i = 0; i < turns; i++)
        ;
    if ((random >> 20) % meets[place] == 0)
        meet(self, 1 + (random >> 26 & 7));
}

uint32_t tf_mutant_word(const struct tf_noc_atomic *op, uint32_t *word)
{
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    wait();
    __atomic_store_n(word, tf_noc_atomic_word(op, old), __ATOMIC_RELAXED);
    return old;
}

uint32_t tf_mutant_line(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t address)
{
    _Alignas(16) uint8_t copy[16];
    uint8_t *line = l1 + (address & ~15u);
    struct tf_noc_atomic_effect effect;
    for (unsigned i = 0; i < 4; i++)
        ((uint32_t *)(void *)copy)[i] = __atomic_load_n((uint32_t *)(void *)line + i, __ATOMIC_RELAXED);
    wait();
    uint32_t answer = tf_noc_atomic_apply(op, copy, sizeof copy, address % 16, false, &effect);
    for (unsigned i = 0; i < 4; i++)
        __atomic_store_n((uint32_t *)(void *)line + i, ((uint32_t *)(void *)copy)[i], __ATOMIC_RELAXED);
    return answer;
}
