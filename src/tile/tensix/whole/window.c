/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor's windows in the cores' address space. */
#include "host/extremes.h"
#include "tile/explore/transfers.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/window.h"
#include "tilefarm_address.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/sync/sync.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/scalar/thcon.h"
#include "tile/tensix/state.h"
#include "tile/tensix/whole/tensix.h"

static enum tf_access refuse_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)value, (void)pure;
    return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "a load from the coprocessor's write-only registers");
}

static unsigned thread_of(unsigned from)
{
    return from - TF_CORE_T0;
}

static enum tf_access store_mop_config(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned t = thread_of(from), index = (address & 0xFF) / 4;
    if (index >= TF_MOP_COUNTS && tile->arch->opcode != NULL && !tf_tensix_of_family(tile, from, &value))
        return TF_ACCESS_FAULT;
    tf_frontend_flush_mops(tile, t);
    tile->tensix->thread[t].mop.config[index] = value;
    return TF_ACCESS_OK;
}

static bool waits_for_thread(struct tf_tile *tile, unsigned t, uint32_t address)
{
    if (tf_mmio_override_busy(&tile->mmio, t))
        return false;
    return address == TF_DONE_CHECK ? !tf_tensix_thread_idle(tile, t, UINT64_MAX)
                                    : !tf_frontend_mops_done(&tile->tensix->thread[t]);
}

/* The load waits. The store before it only keeps the order (ManualTTSync.md). */
static enum tf_access load_done(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)tile, (void)from, (void)address;
    *value = 0;
    *pure = false;
    return TF_ACCESS_OK;
}

static bool done_blocks(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return waits_for_thread(tile, thread_of(from), address);
}

static enum tf_access discard_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    (void)tile, (void)from, (void)address, (void)value;
    return TF_ACCESS_OK;
}

/* Users of a window. BY_MAP: those that the tile's map names (map.c tests it), and the scalar unit as TF_FROM_NOC
   (LOADREG, STOREREG). */
enum reach { BY_T, BY_B_AND_T, BY_MAP };

static const struct window {
    uint32_t first, last;
    uint8_t reach;
    bool synced; /* Auto TTSync may hold accesses to this window */
    enum tf_access (*load)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
    bool (*load_blocks)(struct tf_tile *tile, unsigned from, uint32_t address);
} windows[] = {
#define WINDOW(region) region##_BASE, region##_BASE + (region##_BYTES - 1)
    {WINDOW(TF_TDMA), BY_MAP, true, tf_tdma_load, tf_tdma_store, tf_tdma_load_blocks},
    {WINDOW(TF_MOP_CFG), BY_T, false, refuse_load, store_mop_config, NULL},
    {WINDOW(TF_GPR), BY_B_AND_T, true, tf_gpr_load, tf_gpr_store, NULL},
    {TF_DONE_CHECK, TF_MOP_DONE_CHECK + 3, BY_T, false, load_done, discard_store, done_blocks},
    {WINDOW(TF_SEMAPHORE), BY_T, false, tf_semaphore_load, tf_semaphore_store, NULL},
    {WINDOW(TF_CFG), BY_B_AND_T, true, tf_config_load, tf_config_store, NULL},
#undef WINDOW
};

static bool reaches(const struct window *window, unsigned from)
{
    if ((from >= TF_CORE_T0 && from <= TF_CORE_T2) || window->reach == BY_MAP)
        return true;
    return from == TF_CORE_B && window->reach != BY_T;
}

static const struct window *find(unsigned from, uint32_t address)
{
    for (unsigned i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (address >= windows[i].first && address <= windows[i].last)
            return reaches(&windows[i], from) ? &windows[i] : NULL;
    return NULL;
}

static enum tf_access no_window(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                         "the coprocessor has no register there for this core");
}

/* If other orders are explored: are results of the scalar unit under way to GPRs that Auto TTSync tracks? */
static bool awaits_results(struct tf_tile *tile, unsigned from, uint32_t address)
{
    const unsigned tracked = TF_TRISC_SYNC_TRACK_INSTRUCTIONS | TF_TRISC_SYNC_TRACK_GPR;
    return from >= TF_CORE_T0 && from <= TF_CORE_T2 && address >= TF_GPR_BASE && address < TF_GPR_BASE + TF_GPR_BYTES &&
           (tile->tensix->config->thread[thread_of(from)][TF_THREAD_CFG_TRISC_SYNC] & tracked) == tracked &&
           tf_explored_requesting(tile, thread_of(from));
}

/* Auto TTSync blocks an access until the thread has passed the conflicting instructions. */
static bool sync_holds(struct tf_tile *tile, const struct window *window, unsigned from, uint32_t address, bool store)
{
    return window->synced && (tf_ttsync_conflicts(tile->tensix, from, address, store) ||
                              (TF_HOOK(tile->explore) != NULL && awaits_results(tile, from, address)));
}

/* Must an access wait? */
static inline bool blocks(struct tf_tile *tile, const struct window *window, unsigned from, uint32_t address,
                          bool store)
{
    if (!store && window->load_blocks != NULL && window->load_blocks(tile, from, address))
        return true;
    return sync_holds(tile, window, from, address, store);
}

/* With late completion, a T core's access counts as emitted but not processed for some cycles (STALLWAIT's C10). */
static void note_access(struct tf_tile *tile, const struct window *window, unsigned from)
{
    struct tf_tensix *tensix = tile->tensix;
    if (!window->synced || tensix->delay_cycles == 0 || from < TF_CORE_T0 || from > TF_CORE_T2)
        return;
    tf_gate_before_change(tile, TF_CHANGE_ALL);
    uint64_t *until = &tensix->busy->until[TF_BUSY_RISCV][thread_of(from)];
    *until = tf_max(*until, tile->cycle + tensix->delay_cycles); /* a later store may still be under way */
}

enum tf_access tf_tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const struct window *window = find(from, address);
    *pure = false;
    if (window == NULL)
        return no_window(tile, from, address);
    if (blocks(tile, window, from, address, false))
        return TF_ACCESS_BLOCK;
    note_access(tile, window, from);
    return window->load(tile, from, address, value, pure);
}

enum tf_access tf_tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    const struct window *window = find(from, address);
    if (window == NULL)
        return no_window(tile, from, address);
    if (blocks(tile, window, from, address, true))
        return TF_ACCESS_BLOCK;
    note_access(tile, window, from);
    return window->store(tile, from, address, value);
}

bool tf_tensix_access_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    const struct window *window = find(from, address);
    return window != NULL && blocks(tile, window, from, address, store);
}
