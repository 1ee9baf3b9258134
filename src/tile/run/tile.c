/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/mmio/map/map.h"
#include "tile/run/order_run.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/hart/beat.h"
#include "tile/riscv/hart/doze.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/waits/waits.h"
#include "tile/run/ahead.h"
#include "tile/run/slice.h"
#include "tile/run/tile.h"

#include "host/extremes.h"
#include "host/zeroed.h"
#include "tile/eth/eth.h"
#include "tile/eth/late.h"
#include "tile/explore/cores/explore.h"
#include "tile/order/order.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/interp/timed.h"
#include "tile/riscv/timed/timed.h"
#include "tile/tensix/asleep.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/status.h"
#include "tile/tensix/whole/tensix.h"

static size_t whole_pages(size_t bytes)
{
    return (bytes + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES * TF_ZEROED_PAGE_BYTES;
}

/* Notes begin on a page of the host. Most waits touch only their first pages. */
#define NOTES_BYTES whole_pages(sizeof(struct tf_park_notes))

/* The vector registers of a core are on a page of the host that most programs do not touch. */
static size_t vector_bytes(const struct tf_tile_arch *arch, unsigned core)
{
    return arch->extensions[core] & TF_EXT_V ? TF_ZEROED_PAGE_BYTES : 0;
}

/* The table of decoded pages, by address: programs touch its first page. */
#define CODE_ROOM_BYTES whole_pages(TF_CODE_PAGES * sizeof(struct tf_code_page *))

_Static_assert(TF_V_FILE_BYTES <= TF_ZEROED_PAGE_BYTES, "vector registers fill a page at most");

struct tf_tile_room tf_tile_room(const struct tf_tile_arch *arch)
{
    struct tf_tile_room room = {.cores = CODE_ROOM_BYTES + arch->cores * NOTES_BYTES};
    for (unsigned core = 0; core < arch->cores; core++) {
        room.cores += arch->local_bytes[core];
        room.body += vector_bytes(arch, core);
    }
    room.cores = whole_pages(room.cores);
    if (arch->coprocessor) {
        room.head = tf_tensix_head_bytes(arch);
        room.body += whole_pages(tf_tensix_body_bytes());
    }
    return room;
}

struct tf_tile_memory tf_tile_memory_in(const struct tf_tile_arch *arch, void *memory)
{
    const struct tf_tile_room room = tf_tile_room(arch);
    uint8_t *body = (uint8_t *)memory + room.cores;
    return (struct tf_tile_memory){.cores = memory, .body = body, .head = body + room.body};
}

size_t tf_tile_memory_bytes(const struct tf_tile_arch *arch)
{
    const struct tf_tile_room room = tf_tile_room(arch);
    return whole_pages(room.cores + room.body + room.head);
}

bool tf_tile_init(struct tf_tile *tile, const struct tf_tile_arch *arch, struct tf_coord coord, uint16_t index,
                  uint8_t *l1, struct tf_tile_memory memory, struct tf_code_cache *code,
                  const struct tf_tile_rules *rules)
{
    tile->memory = memory.cores;
    tile->l1 = l1;
    tile->arch = arch;
    tile->coord = coord;
    tile->index = index;
    tile->mode.shared = rules->shared;
    tile->mode.as_silicon = rules->as_silicon;
    tile->mode.parking = rules->parking;
    tile->ordered = rules->ordered;
    tile->code.cache = code;
    tile->code.room = (struct tf_code_page **)(void *)memory.cores;
    memory.cores += CODE_ROOM_BYTES;
    tile->fast.map = &tf_fast_none;
    tile->limit = UINT64_MAX;
    tile->turn = TF_TILE_CORES;
    tf_tile_unsettle(tile);
    for (unsigned core = 0; core < arch->cores; core++) {
        struct tf_park_notes *notes = (struct tf_park_notes *)(memory.cores + arch->local_bytes[core]);
        tf_hart_init(&tile->hart[core], core, memory.cores, arch->local_bytes[core], notes);
        memory.cores += arch->local_bytes[core] + NOTES_BYTES;
        if (vector_bytes(arch, core) != 0)
            tile->hart[core].v = memory.body;
        memory.body += vector_bytes(arch, core);
    }
    if (rules->timed && !tf_timed_create(tile, rules->timed_coarse))
        return false;
    if (tile->arch->kind == TF_TILE_ETH && !tf_eth_create(tile)) {
        tf_timed_destroy(tile);
        return false;
    }
    tf_mmio_init(tile);
    if (!arch->coprocessor)
        return true;
    tf_tensix_create(tile, memory.head, memory.body);
    if (rules->late_cycles != 0)
        tf_tensix_delay(tile, rules->late_cycles);
    if (rules->timed)
        tf_tensix_delay(tile, 1); /* units complete late; tf_timed_under_way() says when */
    return true;
}

void tf_tile_fini(struct tf_tile *tile)
{
    tf_explore_detach(tile);
    tf_tensix_destroy(tile);
    tf_mmio_fini(tile);
    tf_eth_destroy(tile);
    tf_timed_destroy(tile);
    tf_code_drop(tile);
}

/* Is the tile observed, or does it explore? If not, the instance without these tests runs. */
static inline bool has_observers(const struct tf_tile *tile)
{
    return TF_HOOK(tile->observer) != NULL;
}

/* Let time pass for a stopped hart, and remove it from the moving harts. Returns false if the hart may have a turn. */
static inline bool pass_stopped(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                const bool with_observers)
{
    if (!tf_hart_is_stopped(hart) || hart->cycle >= deadline)
        return false;
    tile->slice.horizon = 0;
    hart->cycle = deadline;
    if (!with_observers || (tile->check == NULL && tile->explore == NULL)) /* these cores read cycles */
        tile->moving &= (uint8_t) ~(1u << hart->core);
    return true;
}

/*
 * Lets the host fetch what a turn of each core begins with. All cores of a chip are more than its caches hold near it:
 * rows `barrier-700` and `mixed` pay for it. The turn of a single core begins without a prefetch.
 */
static inline void prefetch_harts(const struct tf_tile *tile)
{
    for (unsigned cores = tile->moving; cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        __builtin_prefetch(&hart->cycle);
        __builtin_prefetch(&hart->park);
        __builtin_prefetch(&hart->park.memo_round[0].word_test);
    }
}

/* How a tile runs. */
enum how {
    OBSERVED, /* tests for observers */
    PLAIN,
    DOZING, /* harts may doze: hart/doze.h */
};

/* tf_tile_quiet(), if the cores in `waiting` are known to wait. */
static inline __attribute__((always_inline)) bool quiet(struct tf_tile *tile, unsigned waiting, const enum how how)
{
    const bool with_observers = how == OBSERVED;
    unsigned asked = tile->moving & ~waiting;
    if (with_observers && tile->explore != NULL &&
        (tf_explore_pending(tile) || (tile->mmio.eth != NULL && tf_eth_late_pending(tile))))
        return false;
    for (unsigned cores = asked; cores != 0; cores &= cores - 1) {
        const unsigned core = (unsigned)__builtin_ctz(cores);
        if (how == DOZING && tf_hart_look_dozing(tile, &tile->hart[core]) == TF_PARK_SAME)
            asked &= ~(1u << core);
        else if (tile->hart[core].state == TF_CORE_RUNNING)
            return false;
    }
    for (; asked != 0; asked &= asked - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(asked)];
        if (!tf_hart_is_stopped(hart) && !tf_hart_waiting(tile, hart))
            return false;
    }
    if (__builtin_expect(tile->beats, 0) && tf_beat_is_polled(tile))
        return false;
    return tf_tensix_asleep(tile) || tf_tensix_waiting(tile);
}

/* The turns of a slice. Sets of cores are bits. */
struct turns {
    unsigned left;    /* cores whose turns are to come */
    unsigned waiting; /* cores that certainly wait: nothing has acted since their turns reported it */
    unsigned any;     /* what a turn returned */
    unsigned each;    /* what all turns returned */
};

/* Execute the turn of a core that is not stopped. If it starts another core that comes later, that core has its turn in
   this slice. */
static inline __attribute__((always_inline)) void act(struct tf_tile *tile, unsigned core, uint64_t deadline,
                                                      struct turns *turns,
                                                      unsigned turn_of(struct tf_tile *, struct tf_hart *, uint64_t))
{
    _Static_assert(TF_TURN_WAITS == 1, "core 0's bit");
    tile->turn = (uint8_t)core;
    const unsigned turn = turn_of(tile, &tile->hart[core], deadline);
    turns->waiting = turn & TF_TURN_ACTED ? 0 : turns->waiting;
    turns->waiting |= (turn & TF_TURN_WAITS) << core;
    turns->any |= turn;
    turns->each &= turn;
    turns->left = tile->moving & ~1u << core;
}

/* Execute the turn of a core that is not stopped, in timing mode, and perhaps those of the next ones. */
static void act_timed(struct tf_tile *tile, unsigned core, uint64_t deadline, struct turns *turns)
{
    tile->turn = (uint8_t)core;
    const unsigned turn = tf_hart_turns_timed(tile, &tile->hart[core], deadline, &core);
    turns->waiting = turn & TF_TURN_ACTED ? 0 : turns->waiting;
    turns->waiting |= (turn & TF_TURN_WAITS) << core;
    turns->any |= turn;
    turns->each &= turn;
    turns->left = tile->moving & ~1u << core;
}

/* Execute the turn of the next core. */
static inline __attribute__((always_inline)) void take_turn(struct tf_tile *tile, uint64_t deadline,
                                                            struct turns *turns, const enum how how)
{
    const unsigned core = (unsigned)__builtin_ctz(turns->left);
    struct tf_hart *hart = &tile->hart[core];
    const enum tf_park_look look = how == DOZING ? tf_hart_look_dozing(tile, hart) : TF_PARK_UNKNOWN;
    if (look == TF_PARK_SAME) {
        turns->any |= TF_TURN_DOZES;
        turns->waiting |= 1u << core;
        turns->left &= turns->left - 1;
    } else if (look == TF_PARK_CHANGED) {
        act(tile, core, deadline, turns, tf_hart_turn_woken);
    } else if (pass_stopped(tile, hart, deadline, how == OBSERVED)) {
        turns->waiting |= 1u << core;
        turns->left = tile->moving & ~1u << core;
    } else if (how == OBSERVED && tile->timing != NULL) {
        act_timed(tile, core, deadline, turns);
    } else {
        act(tile, core, deadline, turns, how == DOZING ? tf_hart_turn_dozing : tf_hart_turn);
    }
}

/* Let time pass up to the end of the slice for harts that doze. Others of the tile may act on them, or read them. */
static __attribute__((noinline)) void rouse_all(struct tf_tile *tile)
{
    for (unsigned cores = tile->moving; cores != 0; cores &= cores - 1)
        tf_hart_rouse(tile, &tile->hart[__builtin_ctz(cores)]);
}

static inline void rouse(struct tf_tile *tile, const struct turns *turns)
{
    if ((turns->any & TF_TURN_DOZES) != 0)
        rouse_all(tile);
}

/* The turns that are left in a slice. Returns whether the tile is quiet after the slice. */
static inline __attribute__((always_inline)) bool end_slice(struct tf_tile *tile, uint32_t ticks, uint64_t deadline,
                                                            struct turns *turns, const enum how how)
{
    while (turns->left != 0)
        take_turn(tile, deadline, turns, how);
    tile->turn = TF_TILE_CORES;
    if ((turns->any & TF_TURN_YIELDED) != 0) {
        rouse(tile, turns);
        if (how == OBSERVED && tile->timing != NULL)
            tf_order_run_timed(tile, deadline);
        else
            tf_order_run(tile, deadline);
        turns->waiting = 0;
    }
    if (!tf_tensix_sleeps(tile, deadline)) {
        rouse(tile, turns);
        if (tf_tensix_turn(tile, deadline))
            turns->waiting = 0;
    }
    tile->slice.tick += ticks;
    return quiet(tile, turns->waiting, how);
}

/* Accesses that are due take effect. */
static __attribute__((noinline)) void explore(struct tf_tile *tile)
{
    tf_explore_slice(tile);
    if (tile->mmio.eth != NULL)
        tf_eth_late_due(tile);
}

/* Returns whether the tile is quiet after the slice. */
static inline __attribute__((always_inline)) bool run_slice(struct tf_tile *tile, uint32_t ticks, uint64_t deadline,
                                                            struct turns *turns, const enum how how)
{
    const bool with_observers = how == OBSERVED;
    if (__builtin_expect(__atomic_load_n(&tile->stale, __ATOMIC_RELAXED) != 0, 0))
        tf_code_drop_stale(tile);
    if (with_observers && tile->explore != NULL)
        explore(tile);
    tile->slice.begin = tile->slice.deadline;
    tile->slice.deadline = deadline;
    if (with_observers && tile->timing != NULL)
        tile->limit = deadline; /* packets may arrive in that cycle */
    *turns = (struct turns){.left = tile->moving, .each = TF_TURN_DOZES};
    if ((turns->left & (turns->left - 1)) != 0)
        prefetch_harts(tile);
    return end_slice(tile, ticks, deadline, turns, how);
}

bool tf_tile_quiet(struct tf_tile *tile)
{
    return quiet(tile, 0, has_observers(tile) ? OBSERVED : PLAIN);
}

/* Ticks of the next slice, of `passed` ticks since the run began and `left` to its end. */
static inline uint32_t slice_ticks(const struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t passed,
                                   uint64_t left)
{
    uint64_t ticks = tile->computes ? schedule->slice_ticks : tf_max(passed, UINT64_C(1) << tile->slice_log2);
    return (uint32_t)tf_min(tf_min(ticks, schedule->slice_ticks), left);
}

/* The most wakes before a shorter first slice is tried. A try in vain costs a slice. */
#define PATIENCE_MOST 64u

/*
 * The tile was woken, and is quiet after `passed` ticks. The first slice of the next wake has as many, so that it is
 * enough for most wakes. If it is, a shorter one is tried from time to time, and less often after each try in vain.
 * Only what is true at the ends of slices counts: the cycle in which a hart parks depends on memos and observers.
 */
static inline void note_wake(struct tf_tile *tile, uint64_t passed)
{
    const uint64_t first = UINT64_C(1) << tile->slice_log2;
    tile->computes = false;
    if (passed > first) {
        tile->slice_log2 = (uint8_t)(64 - (unsigned)__builtin_clzll(passed - 1));
        tile->patience = (uint8_t)tf_min(tile->patience * 2u + 1u, PATIENCE_MOST);
        tile->wakes = 0;
    } else if (tile->slice_log2 != 0 && ++tile->wakes > tile->patience) {
        tile->slice_log2--;
        tile->wakes = 0;
    }
}

void tf_tile_fetch_timed(const struct tf_tile *tile)
{
    tf_fetch_to_write(tile);
    tf_fetch_to_write(&tile->cycle);
    tf_fetch_to_write(&tile->port);
    for (unsigned cores = tile->moving; cores != 0; cores &= cores - 1) {
        const unsigned core = (unsigned)__builtin_ctz(cores);
        const struct tf_hart *hart = &tile->hart[core];
        const struct tf_core_timing *timing = &tile->timing->core[core];
        tf_fetch_to_write(hart->x);
        tf_fetch_to_write(&hart->x[16]);
        tf_fetch_to_write(&hart->cycle);
        tf_fetch_to_write(&hart->park);
        tf_fetch_to_write(timing);
        for (unsigned r = 0; r < 33; r += 8)
            tf_fetch_to_write(&timing->ready[r]);
        tf_fetch_to_write(timing->load);
        tf_fetch_to_write(&timing->stored);
        tf_fetch_to_write(timing->store);
        tf_fetch_to_write(timing->l0);
    }
}

/* tf_tile_run() for a tile that has run since tick `first`. */
static inline __attribute__((always_inline)) bool run(struct tf_tile *tile, const struct tf_schedule *schedule,
                                                      uint64_t first, uint64_t tick_end, struct turns *turns,
                                                      const enum how how)
{
    const bool runs = how == OBSERVED && tile->timing != NULL && first < tick_end;
    if (runs && tf_ahead_run(tile, schedule, tick_end)) {
        tile->computes = true;
        return false;
    }
    while (tile->slice.tick < tick_end) {
        const uint64_t tick = tile->slice.tick;
        const uint32_t ticks = slice_ticks(tile, schedule, tick - first, tick_end - tick);
        tile->place = tick == first ? 0 : (uint32_t)((tick - first) >> __builtin_ctz(schedule->slice_ticks));
        if (run_slice(tile, ticks, tf_tick_end_next(schedule, tick + ticks - 1), turns, how)) {
            note_wake(tile, tile->slice.tick - first);
            return true;
        }
    }
    tile->computes = true;
    return false;
}

static __attribute__((noinline)) bool run_with_observers(struct tf_tile *tile, const struct tf_schedule *schedule,
                                                         uint64_t tick_end)
{
    struct turns turns;
    return run(tile, schedule, tile->slice.tick, tick_end, &turns, OBSERVED);
}

static __attribute__((noinline)) bool run_from(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t first,
                                               uint64_t tick_end)
{
    struct turns turns;
    return run(tile, schedule, first, tick_end, &turns, PLAIN);
}

bool tf_tile_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end)
{
    if (__builtin_expect(has_observers(tile), 0))
        return run_with_observers(tile, schedule, tick_end);
    return run_from(tile, schedule, tile->slice.tick, tick_end);
}

/* End a visit. `quiet`: the tile is. A tile that is not quiet is visited in the next epoch: no time passes until then,
   and harts that doze may go on to doze beside others. */
static inline bool leave(struct tf_tile *tile, bool quiet, const struct turns *turns, uint64_t *next)
{
    const unsigned turn = quiet ? turns->each : turns->any;
    if ((turn & TF_TURN_DOZES) != 0 && tile->moving != 0 && tf_tensix_asleep(tile))
        tile->turn = TF_TILE_DOZES;
    else
        rouse(tile, turns);
    *next = tile->slice.tick;
    return quiet;
}

bool tf_tile_visit_awake(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end, uint64_t *next)
{
    if (__builtin_expect(!tf_tile_may_doze(tile), 0)) {
        const bool quiet = tf_tile_run(tile, schedule, tick_end);
        *next = tile->slice.tick;
        return quiet;
    }
    /* Inlined: rows `atomic-inc-*` pay for it. */
    struct turns turns = {.left = 0};
    const bool quiet = run(tile, schedule, tile->slice.tick, tick_end, &turns, DOZING);
    return leave(tile, quiet, &turns, next);
}

/* The only core of a tile that dozed had its turn in a slice, and the tile may not wait. Do the rest of the visit. */
static __attribute__((noinline)) bool visit_on(struct tf_tile *tile, const struct tf_schedule *schedule,
                                               uint64_t tick_end, uint32_t ticks, unsigned turn, uint64_t *next)
{
    const unsigned core = tile->turn;
    const uint64_t deadline = tile->slice.deadline, first = tile->slice.tick;
    struct turns turns = {.left = tile->moving & ~1u << core,
                          .waiting = (turn & TF_TURN_WAITS) << core,
                          .any = turn,
                          .each = turn & TF_TURN_DOZES};
    bool quiet = end_slice(tile, ticks, deadline, &turns, DOZING);
    if (quiet)
        note_wake(tile, ticks);
    else
        quiet = run(tile, schedule, first, tick_end, &turns, DOZING);
    return leave(tile, quiet, &turns, next);
}

/* A visit of a tile that dozes, and whose only core may not go on to doze. */
static inline bool visit_alone(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick,
                               uint64_t tick_end, uint32_t ticks, uint64_t *next)
{
    const unsigned moving = tile->moving, core = (unsigned)__builtin_ctz(moving);
    const uint64_t begin = tf_tick_begin_now(schedule, tick);
    const uint64_t deadline = tf_tick_end_next(schedule, tick + ticks - 1);
    tile->slice.begin = begin;
    tile->slice.deadline = deadline;
    tile->slice.tick = tick;
    tile->turn = (uint8_t)core;
    tile->asleep_until = tf_max(tile->asleep_until, begin);
    const unsigned dozes = TF_TURN_WAITS | TF_TURN_DOZES;
    const unsigned turn = tf_hart_turn_dozing(tile, &tile->hart[core], deadline);
    if ((turn & dozes) != dozes || tile->moving != moving || !tf_tensix_asleep(tile))
        return visit_on(tile, schedule, tick_end, ticks, turn, next);
    tile->turn = TF_TILE_DOZES;
    note_wake(tile, ticks);
    *next = tick + ticks;
    return true;
}

bool tf_tile_visit_dozing(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick, uint64_t tick_end,
                          uint64_t *next)
{
    if (__builtin_expect(has_observers(tile), 0)) {
        tf_tile_catch_up(tile, schedule, tick);
        return tf_tile_visit_awake(tile, schedule, tick_end, next);
    }
    const uint32_t ticks = slice_ticks(tile, schedule, 0, tick_end - tick);
    if (tf_hart_look_dozing(tile, &tile->hart[__builtin_ctz(tile->moving)]) != TF_PARK_SAME)
        return visit_alone(tile, schedule, tick, tick_end, ticks, next);
    note_wake(tile, ticks);
    *next = tick + ticks;
    return true;
}

/* Run a slice of any tile. */
static void run_any(struct tf_tile *tile, uint32_t ticks, uint64_t deadline)
{
    struct turns turns;
    run_slice(tile, ticks, deadline, &turns, OBSERVED);
}

void tf_tile_run_to(struct tf_tile *tile, uint64_t cycle)
{
    if (cycle > tile->slice.deadline)
        run_any(tile, 0, cycle);
}

/* Let a core wait that is not stopped. Most cores doze. */
static inline void catch_up(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline, bool with_observers)
{
    if (!with_observers && hart->state == TF_CORE_PARKED && hart->park.words_only && !hart->park.beats)
        tf_park_advance(hart, deadline);
    else if (with_observers && tile->timing != NULL && hart->state == TF_CORE_PARKED)
        tf_timed_rest(tile, hart, deadline);
    else
        tf_hart_catch_up(tile, hart, deadline);
}

/* Let time pass for all cores that wait, and the coprocessor. */
static __attribute__((noinline)) void let_all_pass(struct tf_tile *tile, uint64_t deadline)
{
    const bool with_observers = has_observers(tile);
    for (unsigned cores = tile->moving; cores != 0; cores &= cores - 1) {
        struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        if (!pass_stopped(tile, hart, deadline, with_observers))
            catch_up(tile, hart, deadline, with_observers);
    }
    if (tile->tensix != NULL)
        tf_tensix_catch_up(tile, deadline);
}

static __attribute__((noinline)) void run_until(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick)
{
    while (tile->slice.tick < tick) {
        const uint32_t ticks = (uint32_t)tf_min(tick - tile->slice.tick, schedule->slice_ticks);
        run_any(tile, ticks, tf_tick_end(schedule, tile->slice.tick + ticks - 1));
    }
}

void tf_tile_catch_up(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick)
{
    const bool lags = tile->slice.tick < tick;
    if (!lags && !tf_tile_dozes(tile))
        return;
    if (!tile->mode.parking) {
        run_until(tile, schedule, tick);
        return;
    }
    tile->turn = TF_TILE_CORES;
    if (lags) {
        tile->slice.tick = tick;
        tile->slice.deadline = tf_tick_begin_now(schedule, tick);
    }
    if (lags)
        let_all_pass(tile, tile->slice.deadline);
    else
        rouse_all(tile);
}

void tf_tile_rouse(struct tf_tile *tile)
{
    tile->turn = TF_TILE_CORES;
    rouse_all(tile);
}

void tf_tile_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    tf_tile_settle(tile);
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        tf_hart_hash(tile, &tile->hart[core], hash);
        tf_hash_bytes(hash, tile->hart[core].local, tile->hart[core].local_bytes);
    }
    tf_timed_hash(tile, hash);
    tf_mmio_hash(tile, hash);
    if (tile->mmio.eth != NULL)
        tf_eth_hash(tile, hash);
    if (tile->tensix != NULL)
        tf_tensix_hash(tile, hash);
    tf_hash_u32(hash, tile->irq_lines);
    if (tile->hart[TF_CORE_B].searches)
        tf_hash_bytes(hash, tile->search, sizeof tile->search);
    tf_hash_memory(hash, tile->l1, tf_code_bytes(tile->arch));
}
