/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/private.h"

#include "host/extremes.h"

#define BLOCK 64u /* bytes by which a span grows */

/* The most slices in order after one that was undone. */
#define PATIENCE_MOST 255u

void tf_timed_widen(struct tf_timed_span *span, uint32_t address)
{
    const uint32_t low = address & ~(BLOCK - 1);
    const uint32_t first = (uint32_t)tf_min(span->first, low);
    const uint32_t last = span->extent == 0 ? low : (uint32_t)tf_max(span->first + span->extent, low);
    *span = (struct tf_timed_span){first, (last | (BLOCK - 1)) - first};
}

/* Do two spans have an address in common? */
static inline bool meet(const struct tf_timed_span *a, const struct tf_timed_span *b)
{
    return a->extent != 0 && a->first <= b->first + b->extent && b->first <= a->first + a->extent;
}

/* Let a span cover another one, and what lies between. */
static inline void join(struct tf_timed_span *span, const struct tf_timed_span *other)
{
    if (other->extent == 0)
        return;
    const uint32_t end = other->first + other->extent, own = span->extent == 0 ? 0 : span->first + span->extent;
    const uint32_t first = (uint32_t)tf_min(span->first, other->first);
    *span = (struct tf_timed_span){first, (uint32_t)tf_max(own, end) - first};
}

bool tf_timed_private_tries(struct tf_timing *timing)
{
    struct tf_timed_tile *whole = tf_timed_whole(timing);
    if (whole->coarse || whole->rests == 0)
        return !whole->coarse;
    whole->rests--;
    return false;
}

void tf_timed_private_open(const struct tf_tile *tile, unsigned cores, struct tf_timed_private *private)
{
    private->left = cores;
    private->ran = private->lost = 0;
    private->failed = false;
    private->changes = 0;
    private->executed = tile->figures.executed;
    private->all_loads = private->all_stores = TF_TIMED_NOWHERE;
}

/* As memcpy(), which the compiler would make a loop of words. */
static inline __attribute__((always_inline)) void copy(void *to, const void *from, size_t bytes)
{
    size_t at = 0;
    for (; at + 64 <= bytes; at += 64)
        memcpy((uint8_t *)to + at, (const uint8_t *)from + at, 64);
    memcpy((uint8_t *)to + at, (const uint8_t *)from + at, bytes - at);
}

struct tf_hart *tf_timed_private_begin(struct tf_tile *tile, struct tf_timed_private *private)
{
    const unsigned core = (unsigned)__builtin_ctz(private->left);
    struct tf_hart *hart = &tile->hart[core];
    const struct tf_core_timing *timing = &tile->timing->core[core];
    struct tf_timed_kept *kept = &private->kept[core];
    private->ran |= 1u << core;
    kept->cycle = hart->cycle;
    kept->instret = hart->instret;
    kept->issued = timing->spent[TF_TIME_RV_ISSUE];
    copy(kept->x, hart->x, sizeof kept->x);
    kept->pc = hart->pc;
    kept->yielded = hart->yielded;
#define X(first, behind) copy(kept->first, &timing->first, sizeof kept->first);
    TF_TIMED_KEPT(X)
#undef X
    tile->turn = (uint8_t)core;
    return hart;
}

void tf_timed_private_lose(const struct tf_tile *tile, struct tf_timed_private *private, unsigned core)
{
    if ((private->lost >> core & 1) != 0)
        return;
    private->lost |= 1u << core;
    memcpy(private->kept[core].spent, tile->timing->core[core].spent, sizeof private->kept[core].spent);
}

/* Has a core touched what another one stored, or stored what another one touched? */
static bool is_shared(const struct tf_timed_private *private, unsigned core)
{
    const struct tf_timed_span *loads = &private->loads[core], *stores = &private->stores[core];
    for (unsigned others = private->ran & ~(1u << core); others != 0; others &= others - 1) {
        const unsigned other = (unsigned)__builtin_ctz(others);
        if (meet(stores, &private->stores[other]) || meet(stores, &private->loads[other]) ||
            meet(loads, &private->stores[other]))
            return true;
    }
    return false;
}

bool tf_timed_private_end(struct tf_timed_private *private, unsigned core, const struct tf_timed_span *loads,
                          const struct tf_timed_span *stores)
{
    private->left &= ~(1u << core);
    private->loads[core] = *loads;
    private->stores[core] = *stores;
    if ((meet(stores, &private->all_stores) || meet(stores, &private->all_loads) ||
         meet(loads, &private->all_stores)) &&
        is_shared(private, core))
        return false;
    join(&private->all_loads, loads);
    join(&private->all_stores, stores);
    return true;
}

static void restore(struct tf_tile *tile, const struct tf_timed_private *private, unsigned core)
{
    const struct tf_timed_kept *kept = &private->kept[core];
    struct tf_hart *hart = &tile->hart[core];
    struct tf_core_timing *timing = &tile->timing->core[core];
    hart->cycle = kept->cycle;
    hart->instret = kept->instret;
    copy(hart->x, kept->x, sizeof kept->x);
    hart->pc = kept->pc;
    hart->yielded = kept->yielded;
    if ((private->lost >> core & 1) != 0)
        memcpy(timing->spent, kept->spent, sizeof kept->spent);
    timing->spent[TF_TIME_RV_ISSUE] = kept->issued;
#define X(first, behind) copy(&timing->first, kept->first, sizeof kept->first);
    TF_TIMED_KEPT(X)
#undef X
}

bool tf_timed_private_settle(struct tf_tile *tile, struct tf_timed_private *private)
{
    struct tf_timed_tile *whole = tf_timed_whole(tile->timing);
    if (!private->failed) {
        whole->patience = 0;
        return true;
    }
    for (unsigned cores = private->ran; cores != 0; cores &= cores - 1)
        restore(tile, private, (unsigned)__builtin_ctz(cores));
    while (private->changes != 0) {
        const struct tf_timed_change *change = &private->change[--private->changes];
        memcpy(change->at, &change->before, sizeof change->before);
    }
    tile->figures.executed = private->executed;
    whole->patience = (uint8_t)tf_min(whole->patience * 2u + 1u, PATIENCE_MOST);
    whole->rests = whole->patience;
    return false;
}
