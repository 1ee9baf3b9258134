/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a MOP expander. It is read while a MOP is expanded, so a core may change it only when all MOPs
   that it has pushed have been expanded (MOPExpander.md, "Configuration"). */
#include "races/tensix/mops.h"
#include "races/state/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

/* Is it a MOP that arrived after a cycle? 0: at any. */
static bool is_mop(const struct tf_push *push, uint64_t after)
{
    return push->word >> 24 == TF_OP_MOP && (after == 0 || push->arrival > after);
}

/*
 * Finds a MOP that was pushed after a cycle (0: at any), and that the thread has not expanded: the one under way, or
 * the first in its FIFO. MOPExpanderDoneCheck waits until all that MOPs emit fits behind the expander, so it does not
 * end an expansion. Returns false if there is none.
 */
static bool is_pending(const struct tf_tensix_thread *thread, uint64_t after, uint32_t *pc)
{
    const struct tf_fifo *fifo = &thread->fifo;
    *pc = thread->mop.pc;
    for (unsigned i = 0; i < TF_FIFO_ENTRIES && thread->mop.remaining != 0; i++)
        if (after == 0 || is_mop(&fifo->entry[i], after)) /* the FIFO keeps what it has handed on */
            return true;
    for (unsigned i = 0; i < fifo->count; i++) {
        const struct tf_push *push = &fifo->entry[(fifo->first + i) % TF_FIFO_ENTRIES];
        *pc = push->pc;
        if (is_mop(push, after))
            return true;
    }
    return false;
}

void mop_configured(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    const unsigned t = core - TF_CORE_T0;
    const struct tf_tensix *tensix = site->tile->tensix;
    const struct who who = {
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, core_time(site, core)),
        .write = true,
        .before = "MOP",
        .fix = "the MOP may not have been expanded: load from MOPExpanderDoneCheck, and use the value, before changing "
               "its configuration",
    };
    uint32_t mop;
    if (tensix == NULL || t >= THREADS)
        return;
    if (!is_pending(&tensix->thread[t], site->core[core].mops_done, &mop))
        return;
    found(site, TF_RACE_DATA, address,
          tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, mop, time_at(site, site->tile->cycle)), &who);
}
