/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a MOP expander. It is read while a MOP is expanded, so a core may change it only when all MOPs
   that it has pushed have been expanded (MOPExpander.md, "Configuration"). */
#include "races/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

/* Finds a MOP that the thread has not expanded: the one under way, or the first in its FIFO. Returns false if there is
   none. */
static bool is_pending(const struct tf_tensix_thread *thread, uint32_t *pc)
{
    *pc = thread->mop.pc;
    if (thread->mop.remaining != 0)
        return true;
    for (unsigned i = 0; i < thread->fifo.count; i++) {
        const struct tf_push *push = &thread->fifo.entry[(thread->fifo.first + i) % TF_FIFO_ENTRIES];
        *pc = push->pc;
        if (push->word >> 24 == TF_OP_MOP)
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
    if (!is_pending(&tensix->thread[t], &mop))
        return;
    found(site, TF_RACE_DATA, address,
          tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, mop, time_at(site, site->tile->cycle)), &who);
}
