/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPRs that instructions of a thread and cores share. A result of the scalar unit's memory requests comes after its
 * instruction (LOADIND.md, LOADREG.md, ATINCGET.md). A pushed instruction comes later than its push. A store of core B
 * may arrive later than the message that announces it. Stores that a T core's own instructions overtake are in
 * registers.c.
 */
#include "races/tensix/config.h"
#include "races/tensix/gprs.h"
#include "races/state/spin.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/config/state.h"
#include "tile/run/tile.h"

#define ACTOR_GPRS(site) TF_ACTOR((site)->number, SLOT_GPRS_OF_B)

static const char late_result[] = "the result may arrive after its instruction: first execute a STALLWAIT on C0, or "
                                  "wait until the thread is idle";
static const char late_store[] = "the store may arrive after the message that announces it: load the register back, "
                                 "and use the value, before the message";

/* An instruction uses a GPR: has what cores and the scalar unit have put there arrived? */
static void meet(struct site *site, unsigned t, struct shared_gpr *gpr, unsigned number, struct who *who)
{
    const struct tf_view *view = &site->thread[t].view;
    const uint32_t address = TF_GPR_BASE + number * 4;
    if (gpr->stored == 0 && gpr->result == 0)
        return;
    thread_sync(site, t);
    if (gpr->stored != 0 && !tf_view_knows(view, ACTOR_GPRS(site), tf_trace_time(gpr->stored))) {
        who->fix = late_store;
        found(site, TF_RACE_DATA, address, gpr->stored, who);
    }
    if (gpr->result != 0 && !is_ordered(site, who, gpr->result)) {
        who->fix = late_result;
        found(site, TF_RACE_DATA, address, gpr->result, who);
    }
    gpr->stored = gpr->result = 0;
}

void gprs_passed(struct site *site, unsigned t, const struct tf_gpr_uses *uses, uint32_t pc, uint64_t cycle)
{
    const unsigned slot = SLOT_OF_PUSHED(t);
    const uint32_t time = time_at(site, cycle);
    struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, TF_WORD_BYTES, pc, time),
    };
    const uint64_t reads = uses->reads | uses->others;
    for (uint64_t left = reads | uses->writes; left != 0; left &= left - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(left);
        struct shared_gpr *gpr = &site->gpr[t][number];
        who.write = (reads >> number & 1) == 0;
        meet(site, t, gpr, number, &who);
        if ((uses->writes >> number & 1) == 0)
            gpr->read = who.trace;
        else
            gpr->written = who.trace;
    }
    if (uses->late == 0)
        return;
    const tf_trace result = tf_trace_make(SLOT_OF_UNIT(t, TF_CHECK_SCALAR), TF_WORD_BYTES, pc, time);
    site->thread[t].last[TF_CHECK_SCALAR] = result;
    for (uint64_t left = uses->late; left != 0; left &= left - 1)
        site->gpr[t][__builtin_ctzll(left)].result = result;
}

/* The GPR of a core's address. Returns NULL if there is none, or if Auto TTSync orders all accesses of the core to
   it. */
static struct shared_gpr *gpr_at(struct site *site, unsigned core, uint32_t address)
{
    const unsigned index = (address - TF_GPR_BASE) / 4, t = core == TF_CORE_B ? index / 64 : core - TF_CORE_T0;
    if (t >= THREADS || stores_synchronized(site, core, TF_TRISC_SYNC_TRACK_GPR))
        return NULL;
    return &site->gpr[t][index % 64];
}

/* An access of a core and an earlier one of the thread. */
static void meet_thread(struct site *site, const struct who *who, uint32_t address, tf_trace before)
{
    if (before != 0 && !is_ordered(site, who, before))
        found(site, TF_RACE_DATA, address, before, who);
}

void gpr_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct shared_gpr *gpr = gpr_at(site, core, address);
    const uint32_t time = core_time(site, core);
    const struct who who = {
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, time),
        .write = true,
    };
    if (gpr == NULL)
        return;
    meet_thread(site, &who, address, gpr->read);
    meet_thread(site, &who, address, gpr->written);
    gpr->read = gpr->written = 0;
    if (core != TF_CORE_B)
        return;
    gpr->stored = who.trace;
    site->core[core].shared = time;
}

void gpr_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct race_core *of = &site->core[core];
    struct shared_gpr *gpr = gpr_at(site, core, address);
    struct who who = {
        .view = &of->view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make(SLOT_CORE + core, TF_WORD_BYTES, pc, core_time(site, core)),
    };
    if (core == TF_CORE_B && of->shared != 0) {
        tf_view_learn(&of->view, ACTOR_GPRS(site), of->emitted);
        of->shared = of->shared <= of->emitted ? 0 : of->shared;
    }
    if (gpr == NULL || (gpr->written == 0 && gpr->result == 0))
        return;
    if (spins(site->tile, pc)) { /* the loop goes on until the core has seen the instruction's result */
        tf_view_learn(&of->view, TF_ACTOR(site->number, tf_trace_slot(gpr->written)), tf_trace_time(gpr->written));
        return;
    }
    meet_thread(site, &who, address, gpr->written);
    who.fix = late_result;
    meet_thread(site, &who, address, gpr->result);
}

/*
 * A T core stores to GPRs, and tells of it by a message that reaches the host, which reads it. Then the host writes to
 * the tile. A read takes 671 ns at least (WormholeB0/PCIExpressTile/README.md, "Host-initiated reads and writes"). A
 * store to a GPR usually takes less than the path of an instruction (ScalarUnit.md). Firmware that clears GPRs as it
 * boots relies on that.
 */
void gprs_told(struct site *site)
{
    const struct tf_view *host = &site->all->host;
    for (unsigned core = TF_CORE_T0; core < cores_of(site); core++) {
        struct race_core *of = &site->core[core];
        for (uint64_t left = of->gprs; left != 0; left &= left - 1) {
            const unsigned gpr = (unsigned)__builtin_ctzll(left);
            if (tf_view_knows(host, TF_ACTOR(site->number, SLOT_CORE + core), of->gpr_time[gpr]))
                of->gprs &= ~(1ull << gpr);
        }
    }
}
