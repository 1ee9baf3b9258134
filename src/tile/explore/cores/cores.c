/* SPDX-License-Identifier: Apache-2.0 */
/* Stores and loads of a core, by the Load/Store Unit of MemoryOrdering.md. */
#include <string.h>

#include "tile/explore/cores/cores.h"
#include "tile/explore/decide.h"
#include "tile/explore/noted.h"
#include "tile/explore/state.h"
#include "tile/explore/units.h"
#include "host/extremes.h"
#include "tilefarm/tilefarm_explore.h"
#include "tilefarm_address.h"
#include "tile/mmio/mailbox.h"
#include "tile/mmio/map/map.h"
#include "tile/state.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/memory.h"
#include "tile/order/register.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/state.h"

#define REGION_L1 TF_AT_NOTHING
#define STALE_HITS_MAX 4096u

static struct tf_explored_core *core_of(struct tf_tile *tile, const struct tf_hart *hart)
{
    return &tile->explore->core[hart->core];
}

static struct tf_decide_where at(const struct tf_hart *hart, uint32_t address)
{
    return (struct tf_decide_where){.pc = hart->pc, .cycle = hart->cycle, .address = address};
}

unsigned tf_explored_region(const struct tf_tile *tile, uint32_t address)
{
    return address < tile->arch->l1_bytes ? REGION_L1 : tf_map_find(tile->arch->map, address);
}

/* Does a mailbox have room for one more value, besides those under way? Only its writer fills it. */
static bool mailbox_has_room(struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_explored_core *core = core_of(tile, hart);
    unsigned under_way = 0;
    for (unsigned i = 0; i < core->pending_count; i++)
        under_way += core->pending[i].region == TF_AT_MAILBOX;
    return tf_mailbox_room(tile, hart->core) > under_way;
}

/* Is it a window whose stores STALLWAIT's C10 and Auto TTSync track? */
static bool is_synchronized(unsigned region)
{
    return region == TF_AT_GPRS || region == TF_AT_CONFIG || region == TF_AT_TDMA;
}

/* If Auto TTSync is active, instructions wait for the stores of their core, and stores may block. */
static bool has_auto_ttsync(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return hart->core >= TF_CORE_T0 && tile->tensix != NULL &&
           (tile->tensix->config->thread[hart->core - TF_CORE_T0][TF_THREAD_CFG_TRISC_SYNC] &
            TF_TRISC_SYNC_TRACK_INSTRUCTIONS) != 0;
}

/* May a store to the region be processed after its core has gone on? Such a store neither blocks nor pops. */
static bool may_pend(struct tf_tile *tile, const struct tf_hart *hart, unsigned region, uint32_t address)
{
    switch (region) {
    case REGION_L1:
    case TF_AT_NIU0:
    case TF_AT_NIU1:
    case TF_AT_OVERLAY: return true;
    case TF_AT_GPRS:
    case TF_AT_TDMA:
    case TF_AT_CONFIG: return !has_auto_ttsync(tile, hart);
    case TF_AT_PCBUF0: return hart->core != TF_CORE_B && address >= TF_SEMAPHORE_BASE; /* the rest is a FIFO */
    case TF_AT_MAILBOX: return mailbox_has_room(tile, hart);
    default: return false;
    }
}

/* Note that a core's access to L1 took effect. */
static void see(struct tf_tile *tile, const struct tf_hart *hart, enum tf_noted_kind kind, uint32_t pc,
                uint32_t address, unsigned size, uint32_t value)
{
    if (tile->explore->noted == NULL)
        return;
    const struct tf_noted_access access = {.cycle = hart->cycle,
                                           .address = address,
                                           .pc = pc,
                                           .value = value,
                                           .tile = tile->index,
                                           .core = hart->core,
                                           .kind = (uint8_t)kind};
    tf_noted_add(tile, &access, size);
}

static void flush_line(struct tf_explored_core *core, uint32_t address)
{
    for (unsigned i = 0; i < TF_L0_LINES; i++)
        if (core->line[i].address == (address & ~(TF_L0_BYTES - 1)))
            core->line[i].valid = false;
}

static void flush_lines(struct tf_explored_core *core)
{
    for (unsigned i = 0; i < TF_L0_LINES; i++)
        core->line[i].valid = false;
}

/* Process a late store. The caller has claimed the access. */
static void process(struct tf_tile *tile, struct tf_hart *hart, const struct tf_pending_store *store)
{
    if (store->region == REGION_L1) {
        tf_hart_store_memory(tile, store->address, tile->l1 + store->address, store->size, store->value);
        flush_line(core_of(tile, hart), store->address);
        see(tile, hart, TF_NOTED_STORE, store->pc, store->address, store->size, 0);
        return;
    }
    uint32_t pc = hart->pc;
    hart->pc = store->pc;
    tile->cycle = hart->cycle;
    if (tf_mmio_store_at(tile, hart->core, (enum tf_window_id)store->region, store->address, store->size,
                         store->value) == TF_ACCESS_FAULT)
        tf_hart_stop(hart);
    else
        hart->pc = pc;
}

static void process_at(struct tf_tile *tile, struct tf_hart *hart, unsigned index)
{
    struct tf_explored_core *core = core_of(tile, hart);
    struct tf_pending_store store = core->pending[index];
    core->pending_count--;
    memmove(&core->pending[index], &core->pending[index + 1], (core->pending_count - index) * sizeof store);
    process(tile, hart, &store);
}

/* Process the late stores of a region up to the entry `last`; all of them if `last` is UINT_MAX. */
static void process_region(struct tf_tile *tile, struct tf_hart *hart, unsigned region, unsigned last)
{
    struct tf_explored_core *core = core_of(tile, hart);
    for (unsigned i = 0, seen = 0; i < core->pending_count && seen <= last; seen++) {
        if (core->pending[i].region == region)
            process_at(tile, hart, i);
        else
            i++;
    }
}

void tf_explored_due(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_explored_core *core = core_of(tile, hart);
    for (unsigned i = 0; i < core->pending_count;) {
        if (core->pending[i].due <= tile->slice.tick)
            process_at(tile, hart, i);
        else
            i++;
    }
}

/* Note a core's access to a register. Others may see its store, or change what it loads; only time changes clocks. */
static void see_register(struct tf_tile *tile, const struct tf_hart *hart, unsigned region, uint32_t address,
                         bool store)
{
    struct tf_noted_accesses *noted = tile->explore->noted;
    if (noted == NULL || region == REGION_L1 || region == TF_AT_OWN_LOCAL)
        return;
    if (region == TF_AT_NIU0 || region == TF_AT_NIU1)
        tf_noted_niu(noted, hart->cycle, hart->core, address, store);
    else
        tf_noted_order_matters(noted, hart->cycle);
}

/* The last late store of a region; NULL if there is none. */
static struct tf_pending_store *last_of(struct tf_explored_core *core, unsigned region)
{
    for (unsigned i = core->pending_count; i-- > 0;)
        if (core->pending[i].region == region)
            return &core->pending[i];
    return NULL;
}

/* Coprocessor registers are accessed in the order of the tile (tile/order/order.h). */
static bool claims(struct tf_tile *tile, struct tf_hart *hart, unsigned region, uint32_t address)
{
    return region == REGION_L1 || tf_order_claim(tile, hart, (enum tf_window_id)region, address, true) == TF_ACCESS_OK;
}

/* If the queue is full, process its oldest store. Returns false if the core must stop. */
static bool make_room(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_explored_core *core = core_of(tile, hart);
    if (core->pending_count < TF_PENDING_STORES)
        return true;
    if (!claims(tile, hart, core->pending[0].region, core->pending[0].address))
        return false;
    process_at(tile, hart, 0);
    return hart->state == TF_CORE_RUNNING;
}

static enum tf_step perform_store(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                                  uint32_t value)
{
    if (address >= tile->arch->l1_bytes)
        return tf_register_store(tile, hart, address, size, value);
    tf_hart_store_memory(tile, address, tile->l1 + address, size, value);
    see(tile, hart, TF_NOTED_STORE, hart->pc, address, size, 0);
    return TF_STEP_NEXT;
}

/* One more store follows the late stores, and leaves the queue after them. */
static void follow(const struct tf_tile *tile, struct tf_explored_core *core)
{
    for (unsigned i = 0; i < core->pending_count; i++)
        core->pending[i].emitted |= ++core->pending[i].others >= tf_stores_emit(tile->arch);
}

/* Note that a store was processed when it retired. A load of its bytes follows all earlier loads. */
static void follow_prompt_store(struct tf_explored_core *core, uint32_t address)
{
    for (unsigned i = 0; i < core->pending_count; i++)
        core->pending[i].followed = true;
    core->prompt_address = address;
}

/* A store that cannot be late follows the late stores of its region. Returns false if the core must stop. */
static bool process_predecessors(struct tf_tile *tile, struct tf_hart *hart, unsigned region, uint32_t address)
{
    if (last_of(core_of(tile, hart), region) == NULL)
        return true;
    if (!claims(tile, hart, region, address))
        return false;
    process_region(tile, hart, region, UINT32_MAX);
    return hart->state == TF_CORE_RUNNING;
}

enum tf_step tf_explored_store(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                               uint32_t value)
{
    struct tf_explored_core *core = core_of(tile, hart);
    unsigned region = tf_explored_region(tile, address);
    if (region == REGION_L1)
        flush_line(core, address);
    see_register(tile, hart, region, address, true);
    if (!may_pend(tile, hart, region, address)) {
        if (!process_predecessors(tile, hart, region, address))
            return TF_STEP_STOP;
        enum tf_step step = perform_store(tile, hart, address, size, value);
        if (step == TF_STEP_NEXT) {
            follow(tile, core);
            follow_prompt_store(core, address);
        }
        return step;
    }
    if (!make_room(tile, hart))
        return TF_STEP_STOP;
    follow(tile, core);
    uint32_t slices = tf_decide(&tile->explore->decider, TF_FREE_STORE, hart->core, at(hart, address));
    const struct tf_pending_store *before = last_of(core, region);
    if (slices == 0 && before == NULL) {
        enum tf_step step = perform_store(tile, hart, address, size, value);
        if (step == TF_STEP_NEXT)
            follow_prompt_store(core, address);
        return step;
    }
    struct tf_pending_store pending = {.due = tile->slice.tick + slices,
                                       .address = address,
                                       .value = value,
                                       .pc = hart->pc,
                                       .size = (uint8_t)size,
                                       .region = (uint8_t)region};
    if (before != NULL && before->due > pending.due)
        pending.due = before->due;
    core->pending[core->pending_count++] = pending;
    if (is_synchronized(region))
        tf_explored_delay_register(tile, hart, pending.due - tile->slice.tick);
    return TF_STEP_NEXT;
}

/* Does a load wait until the store has left the queue? Wormhole compares only the first bytes. */
static bool conflicts(const struct tf_tile *tile, const struct tf_pending_store *store, uint32_t address, unsigned size)
{
    if (tile->arch->no_l0)
        return store->address == address;
    return store->address < address + size && address < store->address + store->size;
}

/* If this bit is set, a load waits until the store queue is empty. */
static void wait_for_queue(struct tf_tile *tile, const struct tf_hart *hart)
{
    struct tf_explored_core *core = core_of(tile, hart);
    bool waits = (hart->csr.word[TF_CSR_CFG0] & TF_CFG0_LOADS_WAIT) != 0;
    for (unsigned i = 0; i < core->pending_count; i++)
        core->pending[i].emitted |= waits;
}

/* Count the late stores of a region that must be processed before a load. */
static unsigned stores_before(const struct tf_tile *tile, struct tf_explored_core *core, unsigned region,
                              uint32_t address, unsigned size)
{
    unsigned count = 0;
    bool emits = false;
    for (unsigned i = core->pending_count; i-- > 0;) {
        struct tf_pending_store *store = &core->pending[i];
        emits |= conflicts(tile, store, address, size) || (store->followed && address == core->prompt_address);
        store->emitted |= emits; /* stores leave the queue in order */
        if (store->region == region && store->emitted && count == 0)
            count = i + 1;
    }
    return count;
}

static uint32_t word_at(const uint8_t *bytes, unsigned size)
{
    uint32_t word;
    uint16_t half;
    switch (size) {
    case 1: return *bytes;
    case 2: memcpy(&half, bytes, sizeof half); return half;
    default: memcpy(&word, bytes, sizeof word); return word;
    }
}

/* The line of an address; NULL if L0 does not have it. */
static struct tf_l0_line *line_of(struct tf_explored_core *core, uint32_t address)
{
    for (unsigned i = 0; i < TF_L0_LINES; i++)
        if (core->line[i].valid && core->line[i].address == (address & ~(TF_L0_BYTES - 1)))
            return &core->line[i];
    return NULL;
}

static void fetch(const struct tf_tile *tile, struct tf_explored_core *core, uint32_t address)
{
    uint32_t first = address & ~(TF_L0_BYTES - 1);
    struct tf_l0_line *line = &core->line[core->next_line++ % TF_L0_LINES];
    *line = (struct tf_l0_line){.valid = true, .address = first};
    memcpy(line->bytes, tile->l1 + first, TF_L0_BYTES);
}

/* L0 has the line, and the load conflicts with no store. Returns whether the load hits. If not, L0 is flushed. */
static bool is_hit(struct tf_tile *tile, struct tf_hart *hart, struct tf_l0_line *line, uint32_t address, unsigned size)
{
    if (word_at(line->bytes + address % TF_L0_BYTES, size) == word_at(tile->l1 + address, size))
        return true;
    if (line->stale_hits == 0)
        line->stale_hits = tf_decide(&tile->explore->decider, TF_FREE_STALE, hart->core, at(hart, address));
    if (line->stale_hits >= STALE_HITS_MAX)
        return true;
    if (line->stale_hits > 0 && --line->stale_hits > 0)
        return true;
    flush_lines(core_of(tile, hart)); /* a hit may flush all lines */
    return false;
}

static bool has_l0(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return !tile->arch->no_l0 && (hart->csr.word[TF_CSR_CFG0] & TF_CFG0_NO_L0) == 0;
}

bool tf_explored_hits(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address)
{
    return address < tile->arch->l1_bytes && has_l0(tile, hart) && line_of(core_of(tile, hart), address) != NULL;
}

static uint32_t load_l1(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size)
{
    struct tf_explored_core *core = core_of(tile, hart);
    bool with_l0 = has_l0(tile, hart), waits = false;
    unsigned count = 0;
    if (core->pending_count != 0) {
        for (unsigned i = 0; i < core->pending_count; i++)
            waits |= conflicts(tile, &core->pending[i], address, size);
        wait_for_queue(tile, hart);
        count = stores_before(tile, core, REGION_L1, address, size);
    }
    struct tf_l0_line *line = with_l0 && !waits ? line_of(core, address) : NULL;
    if (line != NULL && is_hit(tile, hart, line, address, size))
        return word_at(line->bytes + address % TF_L0_BYTES, size);
    if (count != 0)
        process_region(tile, hart, REGION_L1, count - 1);
    if (with_l0 && line == NULL)
        fetch(tile, core, address);
    return word_at(tile->l1 + address, size);
}

/* May an access of the core take effect without the explorer? Returns true if none of the core's stores is late, no
   pause is to come, its accesses need no fence, and no observer records or checks accesses. */
static bool is_direct(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_explored_core *core = &tile->explore->core[hart->core];
    return core->pending_count == 0 && core->pause.accesses == 0 && tile->explore->noted == NULL &&
           tile->check == NULL && !tf_csr_strongly_ordered(&hart->csr);
}

bool tf_explored_load_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size)
{
    struct tf_explored_core *core = core_of(tile, hart);
    if (!is_direct(tile, hart))
        return false;
    const struct tf_l0_line *line = has_l0(tile, hart) ? line_of(core, address) : NULL;
    if (line != NULL)
        return word_at(line->bytes + address % TF_L0_BYTES, size) == word_at(tile->l1 + address, size);
    if (!tf_decide_default(&tile->explore->decider, TF_FREE_LOAD, hart->core))
        return false;
    if (has_l0(tile, hart))
        fetch(tile, core, address);
    return true;
}

bool tf_explored_store_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address)
{
    struct tf_explored_core *core = core_of(tile, hart);
    if (!is_direct(tile, hart) || !tf_decide_default(&tile->explore->decider, TF_FREE_STORE, hart->core))
        return false;
    flush_line(core, address);
    follow_prompt_store(core, address);
    return true;
}

/* The place of a pause in reports is that of the access. */
static void place_pause(struct tf_decider *decider, const struct tf_core_pause *pause, const struct tf_hart *hart,
                        uint32_t address)
{
    struct tf_decision *made = pause->decision == 0 ? NULL : &decider->made[pause->decision - 1];
    if (made == NULL || made->freedom != TF_FREE_CORE || made->actor != hart->core)
        return;
    made->pc = hart->pc;
    made->cycle = hart->cycle;
    made->address = address;
}

/* Only accesses count, because another core sees no difference between pauses before and after other instructions. */
bool tf_explored_pauses(struct tf_tile *tile, struct tf_hart *hart, uint32_t address)
{
    struct tf_core_pause *pause = &core_of(tile, hart)->pause;
    if (pause->accesses == 0 || hart->overtaken || hart->watched || hart->searches ||
        pause->counted == hart->instret + 1 || tf_explored_region(tile, address) == TF_AT_OWN_LOCAL)
        return false;
    pause->counted = hart->instret + 1;
    if (--pause->accesses != 0)
        return false;
    place_pause(&tile->explore->decider, pause, hart, address);
    hart->cycle = tf_max(hart->cycle, tile->slice.deadline) + (uint64_t)pause->slices * tile->explore->slice_cycles;
    hart->yielded = true; /* the block ends here */
    return true;
}

uint32_t tf_explored_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size)
{
    uint32_t value = load_l1(tile, hart, address, size);
    see(tile, hart, TF_NOTED_LOAD, hart->pc, address, size, value);
    return value;
}

void tf_explored_amo(struct tf_tile *tile, struct tf_hart *hart, uint32_t address)
{
    see(tile, hart, TF_NOTED_AMO, hart->pc, address, 4, 0);
}

bool tf_explored_load_register(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size)
{
    struct tf_explored_core *core = core_of(tile, hart);
    unsigned region = tf_explored_region(tile, address);
    see_register(tile, hart, region, address, false);
    wait_for_queue(tile, hart);
    unsigned count = core->pending_count == 0 ? 0 : stores_before(tile, core, region, address, size);
    if (count == 0)
        return true;
    if (!claims(tile, hart, region, address))
        return false;
    process_region(tile, hart, region, count - 1);
    return hart->state == TF_CORE_RUNNING;
}

void tf_explored_csr(struct tf_tile *tile, const struct tf_hart *hart)
{
    if (tile->explore->noted != NULL)
        tf_noted_order_matters(tile->explore->noted, hart->cycle);
}

void tf_explored_fence(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_explored_core *core = core_of(tile, hart);
    for (unsigned i = 0; i < core->pending_count; i++)
        core->pending[i].emitted = true;
    flush_lines(core);
}

void tf_explored_atomic(struct tf_tile *tile, struct tf_hart *hart)
{
    tf_explored_fence(tile, hart);
    process_region(tile, hart, REGION_L1, UINT32_MAX);
}

uint64_t tf_explored_reset(struct tf_tile *tile, unsigned core)
{
    struct tf_explorer *explorer = tile->explore;
    tile->hart[core].overtaken = false;
    if (!explorer->decider.plan->running) {
        explorer->released |= (uint8_t)(1u << core);
        return 0;
    }
    /* A core takes hundreds of cycles to leave reset. So late stores of the other cores to L1 and to the coprocessor
       are processed before it starts. */
    static const uint8_t regions[] = {REGION_L1, TF_AT_GPRS, TF_AT_CONFIG, TF_AT_TDMA};
    for (unsigned other = 0; other < tile->arch->cores; other++)
        for (unsigned i = 0; i < sizeof regions && other != core; i++)
            process_region(tile, &tile->hart[other], regions[i], UINT32_MAX);
    return (uint64_t)tf_decide(&explorer->decider, TF_FREE_RESET, core, at(&tile->hart[core], 0)) *
           explorer->slice_cycles;
}
