/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/trail.h"

#include "tile/timing.h"
#include "tile/state.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/state.h"

_Static_assert(TF_CHANGE_ALL == (1 << TF_PATH_CHANGES) - 1, "a node for each change");

/* Remember why the instruction does not pass, and since when. */
static void hold(struct tf_path_held *held, uint64_t cycle, enum tf_path_kind what, struct tf_path_node *cause)
{
    if (held->what == 0)
        held->since = cycle;
    held->what = (uint8_t)what;
    if (cause != NULL)
        tf_path_set(&held->cause, cause);
}

/* A change has released the instruction from the gate: find who made the last one. */
static void find_change(struct tf_path *path, struct tf_path_held *held, uint64_t now)
{
    struct tf_path_node *last = NULL;
    for (unsigned i = 0; i < TF_PATH_CHANGES; i++) {
        struct tf_path_node *by = path->changed[i];
        if ((held->changes >> i & 1) != 0 && by != NULL && by->end >= held->since && by->end <= now &&
            (last == NULL || by->end > last->end))
            last = by;
    }
    held->changes = 0;
    if (last != NULL)
        tf_path_set(&held->cause, tf_path_ref(last));
}

void tf_trail_gate(struct tf_tile *tile, struct tf_path *path, unsigned t, uint32_t changes)
{
    hold(&path->held[t], tile->tensix->thread[t].cycle, TF_PATH_GATE, NULL);
    path->held[t].changes = changes;
}

void tf_trail_held(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op,
                   enum tf_path_kind what, int side)
{
    const uint64_t cycle = tile->tensix->thread[t].cycle;
    if (path->held[t].changes != 0)
        find_change(path, &path->held[t], cycle);
    struct tf_path_node *bank = side < 0 ? NULL : path->bank[side][tile->tensix->src->matrix_bank[side]];
    hold(&path->held[t], cycle, what, tf_path_ref(bank));
    path->held[t].unit = op->unit;
}

/* The push that the instruction at the gate comes from. NULL: not known. */
static struct tf_path_node *fed_by(const struct tf_path *path, unsigned t, uint32_t pc, uint64_t now)
{
    for (unsigned i = 1; i <= TF_PATH_PUSHES; i++) {
        const struct tf_path_push *push = &path->push[t][(path->next_push[t] - i) % TF_PATH_PUSHES];
        if (push->by != NULL && push->pc == pc && push->by->end <= now)
            return push->by;
    }
    return NULL;
}

void tf_trail_passes(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const uint32_t pc = thread->gate.pc;
    struct tf_path_node **present = &path->thread[t];
    struct tf_path_held *held = &path->held[t];
    if (*present == NULL)
        *present = tf_path_new_at(path, path->start, TF_PATH_AT_THREAD, t);
    if (*present == NULL) {
        path->lost = true;
        return;
    }
    if (held->changes != 0)
        find_change(path, held, thread->cycle);
    const uint64_t first = held->what != 0 ? held->since : thread->cycle;
    bool done = tf_path_follow(present, held->cause, (*present)->end, thread->cycle);
    if (!done && first > (*present)->end) {
        done = tf_path_follow(present, fed_by(path, t, pc, thread->cycle), (*present)->end, thread->cycle);
        path->lost |= !tf_path_spend(*present, done ? TF_PATH_FEED : TF_PATH_PASSED, op->unit, pc, first);
    }
    path->lost |= !tf_path_spend(*present, held->what, held->what == TF_PATH_GATE ? 0 : held->unit, pc, thread->cycle);
    tf_path_unref(held->cause);
    *held = (struct tf_path_held){.what = 0};
}

void tf_trail_passed(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op,
                     uint32_t events)
{
    struct tf_path_node **present = &path->thread[t];
    if (*present == NULL)
        return;
    for (unsigned i = 0; i < TF_PATH_CHANGES; i++)
        if ((tile->tensix->events & ~events) >> i & 1)
            tf_path_set(&path->changed[i], tf_path_past(present));
    if (op->unit == TF_UNIT_PACK || op->unit == TF_UNIT_SCALAR || op->unit == TF_UNIT_MOVER)
        tf_path_wrote_l1(path, tile->l1, TF_PATH_NO_CORE, 0, tile->arch->l1_bytes, present);
    tf_path_wrote_window(path, TF_PATH_NO_CORE, TF_PATH_ALL_WINDOWS, present);
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    path->lost |= !tf_path_spend(*present, TF_PATH_PASSED, op->unit, thread->gate.pc, thread->cycle);
}

void tf_trail_unpacks(struct tf_tile *tile, struct tf_path *path, unsigned t, unsigned side)
{
    tf_path_set(&path->bank[side][tile->tensix->src->unpack_bank[side]], tf_path_past(&path->thread[t]));
}
