/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/private.h"

#include "host/extremes.h"

#define BLOCK 64u /* bytes by which a span grows */

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

void tf_timed_private_add(struct tf_timed_private *private, unsigned core, const struct tf_timed_span *polls)
{
    private->parked |= 1u << core;
    private->loads[core] = *polls;
    private->stores[core] = TF_TIMED_NOWHERE;
}

void tf_timed_private_open(const struct tf_tile *tile, unsigned cores, struct tf_timed_private *private)
{
    private->left = cores;
    private->ran = private->lost = 0;
    private->changes = 0;
    private->executed = tile->figures.executed;
    private->all_loads = private->all_stores = TF_TIMED_NOWHERE;
    for (unsigned parked = private->parked; parked != 0; parked &= parked - 1)
        join(&private->all_loads, &private->loads[__builtin_ctz(parked)]);
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
    kept->mispredicted = timing->spent[TF_TIME_RV_MISPREDICT];
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
    for (unsigned others = (private->ran | private->parked) & ~(1u << core); others != 0; others &= others - 1) {
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
    timing->spent[TF_TIME_RV_MISPREDICT] = kept->mispredicted;
#define X(first, behind) copy(&timing->first, kept->first, sizeof kept->first);
    TF_TIMED_KEPT(X)
#undef X
}

void tf_timed_private_undo(struct tf_tile *tile, struct tf_timed_private *private)
{
    while (private->changes != 0) {
        const struct tf_timed_change *change = &private->change[--private->changes];
        memcpy(change->at, &change->before, sizeof change->before);
    }
    /* After that, since the eight bytes of a change may have some of these. */
    for (unsigned cores = private->ran; cores != 0; cores &= cores - 1)
        restore(tile, private, (unsigned)__builtin_ctz(cores));
    tile->figures.executed = private->executed;
}
