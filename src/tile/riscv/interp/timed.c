/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of timing mode: threaded code over the operations of decoded pages, as in interp.c. Operations that touch
 * registers, local RAM or L1 alone are executed here, with the parts of model.h inlined; all others by tf_exec(),
 * between tf_timed_issue() and tf_timed_retired(). Cycle, pc and counts of the core are in variables of the host until
 * something else needs them. Row `timing-mixed` pays for it.
 */
#include "tile/riscv/interp/timed.h"

#include "tile/order/earliest.h"
#include "tile/order/order.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/exec/exec.h"
#include "tile/riscv/hart/block_end.h"
#include "tile/riscv/hart/memory.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/isa/alu.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/riscv/interp/timed_lane.h"
#include "tile/riscv/timed/model.h"
#include "tile/riscv/timed/private.h"
#include "tile/riscv/timed/timed.h"

/* Each handler ends with its own jump, and variables stay where they are. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-crossjumping", "no-gcse")
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline))

/* What run_on() has at hand, beside its variables. */
struct run {
    struct tf_tile *tile;
    const uint16_t *value; /* durations */
    uint8_t *l1;
    uint32_t l1_bytes;
    uint32_t predicted;                 /* tf_timed_predicted_mask() */
    uint64_t loads_until, stores_until; /* before this cycle accesses to L1 and local RAM need no claim */
    bool unordered;                     /* coarse mode, or a private slice */
    struct tf_timed_private *private;   /* NULL: the slice is not */
    struct tf_timed_span loads, stores; /* of the core, in a private slice */
    struct tf_timed_cache cache;        /* of the core's instructions */
    struct tf_timed_lanes lanes;
};

/* What follows an instruction that may not be executed here. */
enum then {
    NEXT,   /* it may */
    OTHER,  /* nothing has happened: it is none of these here */
    YIELDS, /* nothing has happened: other cores of the tile come first */
};

/* --- memory --- */

/* The first cycle in which another core comes first; 0: tf_exec() must find out. */
static uint64_t horizon_of(struct tf_tile *tile, const struct tf_hart *hart, uint64_t cycle)
{
    if (tile->slice.horizon == 0 && tf_tensix_asleep(tile))
        tile->slice.horizon = tf_order_horizon(tile, hart->core);
    if (tile->slice.horizon == 0)
        tf_order_is_free(tile, hart, cycle); /* it keeps the answer */
    return tile->slice.horizon;
}

/* Something else may have changed the order of the tile's accesses (order/order.h). */
INLINE void find_limits(struct run *run)
{
    const struct tf_tile *tile = run->tile;
    run->loads_until = run->unordered ? tile->limit : tf_tensix_asleep(tile) ? tile->slice.horizon : 0;
    run->stores_until = tile->pollers && run->private == NULL ? 0 : run->loads_until;
}

/* The limits are unknown. NEXT: the core may access memory all the same. OTHER: tf_exec() must claim it. */
static __attribute__((noinline)) enum then find_late(struct run *run, const struct tf_hart *hart, uint64_t cycle)
{
    const uint64_t horizon = horizon_of(run->tile, hart, cycle);
    find_limits(run);
    if (cycle < horizon)
        return tf_tensix_asleep(run->tile) ? NEXT : OTHER;
    return horizon != 0 ? YIELDS : OTHER;
}

/* The cycle is not before the limits. */
INLINE enum then claim_late(struct run *run, const struct tf_hart *hart, uint64_t cycle, bool stores)
{
    if (stores && run->tile->pollers)
        return OTHER;
    return LIKELY(run->loads_until != 0) ? YIELDS : find_late(run, hart, cycle);
}

INLINE uint32_t load_as(unsigned id, const uint8_t *data)
{
    switch (id) {
#define X(name, type, shift) \
    case TF_RV_##name: return (uint32_t)__atomic_load_n((const type *)(const void *)data, __ATOMIC_RELAXED);
        TF_LOADS(X)
#undef X
    default: return 0;
    }
}

INLINE void store_as(unsigned id, uint8_t *data, uint32_t value)
{
    switch (id) {
#define X(name, type, shift) \
    case TF_RV_##name: __atomic_store_n((type *)(void *)data, (type)value, __ATOMIC_RELAXED); break;
        TF_STORES(X)
#undef X
    default: break;
    }
}

/* Out of line, since it is rare. */
static __attribute__((noinline)) bool beside_code(const struct tf_tile *tile, uint32_t address)
{
    return tf_code_is_beside(tile, address);
}

INLINE bool is_aligned(uint32_t address, unsigned log2)
{
    return (address & ((1u << log2) - 1)) == 0;
}

/* The places of a line of code are about to change, in a private slice. Returns false if they cannot be noted. */
static bool note_set(struct tf_timed_private *private, struct tf_core_timing *timing,
                     const struct tf_timed_cache *cache, uint32_t pc)
{
    _Static_assert(TF_TIMED_WAYS == 2, "both in eight bytes, or in two times eight");
    const uint32_t *set = tf_timed_set(timing, cache, pc);
    if (!tf_timed_has_room(private))
        return false;
    tf_timed_note(private, set);
    tf_timed_note(private, set + 1);
    return true;
}

/* --- the loop --- */

/* The operation at a pc in L1. NULL: there is none. */
INLINE const struct tf_op *find(const struct tf_tile *tile, uint32_t pc)
{
    if (UNLIKELY(pc % 4 != 0 || pc >= tile->arch->l1_bytes || tile->code.page == NULL))
        return NULL;
    const struct tf_code_page *page = tile->code.page[pc / TF_CODE_PAGE_BYTES];
    return LIKELY(page != NULL) ? &page->op[pc / 4 % TF_CODE_WORDS] : NULL;
}

/* What follows step(). */
enum after { RUNS_ON, RETURNS, FAULTS };

/* Execute one instruction of any kind. */
static __attribute__((noinline)) enum after step(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    struct tf_code_page *page = NULL;
    const struct tf_rv_insn *found = tf_code_fetches(tile, hart, hart->pc) ? tf_code_insn(tile, hart->pc, &page) : NULL;
    if (found == NULL)
        return FAULTS;
    const struct tf_rv_insn insn = *found; /* its page may be released */
    struct tf_timed timed;
    tf_timed_issue(tile, hart, &insn, &timed);
    const enum tf_step how = tf_exec(tile, hart, &insn);
    if (how == TF_STEP_STOP)
        return RETURNS;
    if (how == TF_STEP_NEXT)
        hart->pc += 4;
    tf_hart_retired(tile, hart, 1);
    tf_timed_retired(tile, hart, &insn, &timed);
    const bool ends = how == TF_STEP_TRANSFER && hart->cycle >= limit;
    return !ends && hart->state == TF_CORE_RUNNING && tf_timed_runs(tile, hart, tf_timed_unobserved(tile)) ? RUNS_ON
                                                                                                           : RETURNS;
}

/* A branch or jump goes another way than last time. Returns the cycles that it loses. */
static __attribute__((noinline)) unsigned remember(const struct run *run, struct tf_core_timing *timing, uint32_t pc,
                                                   bool jumps, uint32_t target)
{
    struct tf_timed_private *private = run->private;
    if (tf_timed_remember(run->predicted, timing, pc, jumps, target, private))
        return 0;
    timing->spent[TF_TIME_RV_MISPREDICT] += run->value[TF_TIME_RV_MISPREDICT];
    return run->value[TF_TIME_RV_MISPREDICT];
}

/*
 * Variables of run_on():
 *
 *   op             the present operation
 *   shift          the difference between its pc and a quarter of its address, in the present page
 *   cycle          of the core
 *   idle           the cycle less the instructions since the core's lane was opened
 *   hart, timing: of the core
 *   a, b           the numbers of the registers that the operation reads
 */
#define PC() tf_timed_pc(op, shift)

/* Time passes up to a cycle, without an instruction. */
#define LOSE(until)                                               \
    do {                                                          \
        if (run.private != NULL)                                  \
            tf_timed_private_lose(tile, run.private, hart->core); \
        const uint64_t until_ = (until);                          \
        idle += until_ - cycle;                                   \
        cycle = until_;                                           \
    } while (0)
#define WAIT(until, row)                                       \
    do {                                                       \
        const uint64_t wait_ = (until);                        \
        if (UNLIKELY(wait_ > cycle))                           \
            LOSE(tf_timed_waits(timing, cycle, wait_, (row))); \
    } while (0)

/* Await operands, and find their numbers. */
#define AWAIT()                                         \
    do {                                                \
        a = op->rs1;                                    \
        if (UNLIKELY(timing->ready[a] > cycle))         \
            LOSE(tf_timed_await_one(timing, cycle, a)); \
    } while (0)
#define AWAIT_BOTH()                                                                  \
    do {                                                                              \
        a = op->rs1;                                                                  \
        b = op->rs2;                                                                  \
        if (UNLIKELY(timing->ready[a] > cycle) || UNLIKELY(timing->ready[b] > cycle)) \
            LOSE(tf_timed_await_two(timing, cycle, a, b));                            \
    } while (0)

/* The core comes to an operation that may be in another line. */
#define COMES(pc)                                                                        \
    do {                                                                                 \
        if (!tf_timed_fetches(timing, &run.cache, (pc), cycle)) {                        \
            if (run.private != NULL && !note_set(run.private, timing, &run.cache, (pc))) \
                goto step;                                                               \
            LOSE(tf_timed_fetch_late(tile, timing, &run.cache, (pc), cycle));            \
        }                                                                                \
    } while (0)

/* Go on at the next operation. */
#define DISPATCH() goto *tf_op_handler(op)
#define GO_ON()                                                                    \
    do {                                                                           \
        op++;                                                                      \
        if (UNLIKELY(((uintptr_t)op & (TF_TIMED_LINE / 4 * sizeof *op - 1)) == 0)) \
            goto line;                                                             \
        DISPATCH();                                                                \
    } while (0)

/* The operands are known, and the instruction has a result. */
#define RESULT(id, result)                                                                    \
    do {                                                                                      \
        const size_t rd_ = op->rd;                                                            \
        hart->x[rd_] = (result);                                                              \
        timing->ready[rd_] = 0;                                                               \
        if (tf_timed_multiplies(id)) {                                                        \
            tf_timed_known_after(run.value, timing, rd_, cycle, TF_TIME_RV_MULTIPLY_LATENCY); \
            cycle++;                                                                          \
            WAIT(cycle - 1 + run.value[TF_TIME_RV_MULTIPLY], TF_TIME_RV_MULTIPLY);            \
            GO_ON();                                                                          \
        }                                                                                     \
        cycle++;                                                                              \
        if (tf_timed_divides(id))                                                             \
            WAIT(cycle - 1 + takes, TF_TIME_RV_DIVIDE_STEP);                                  \
        GO_ON();                                                                              \
    } while (0)

/* A branch or jump at from_ retires: predict it, and go on as `then` says. */
#define PREDICT(jumps, to)                                                                \
    do {                                                                                  \
        cycle++;                                                                          \
        if (UNLIKELY(!tf_timed_remembers(run.predicted, timing, from_, (jumps), (to)))) { \
            const unsigned wait_ = remember(&run, timing, from_, (jumps), (to));          \
            idle += wait_;                                                                \
            cycle += wait_;                                                               \
        }                                                                                 \
    } while (0)
#define JUMP(target)                  \
    do {                              \
        const uint32_t from_ = PC();  \
        pc = (target);                \
        PREDICT(true, pc);            \
        if (UNLIKELY(cycle >= limit)) \
            goto ends;                \
        goto arrive;                  \
    } while (0)
/* By a distance in bytes of operations. */
#define JUMP_NEAR(distance)                                          \
    do {                                                             \
        const uint32_t from_ = PC();                                 \
        const intptr_t by_ = (distance);                             \
        pc = from_ + (uint32_t)(by_ >> 2);                           \
        PREDICT(true, pc);                                           \
        op = (const struct tf_op *)((uintptr_t)op + (uintptr_t)by_); \
        if (UNLIKELY(cycle >= limit))                                \
            goto ends;                                               \
        COMES(pc);                                                   \
        DISPATCH();                                                  \
    } while (0)
#define PASS()                          \
    do {                                \
        const uint32_t from_ = PC();    \
        PREDICT(false, from_ + 4);      \
        if (UNLIKELY(cycle >= limit)) { \
            pc = from_ + 4;             \
            goto ends;                  \
        }                               \
        GO_ON();                        \
    } while (0)

#define CLAIM(stores)                                                             \
    do {                                                                          \
        if (UNLIKELY(cycle >= ((stores) ? run.stores_until : run.loads_until))) { \
            then = claim_late(&run, hart, cycle, (stores));                       \
            if (then != NEXT)                                                     \
                goto stops;                                                       \
        }                                                                         \
    } while (0)

#define CLAIM_STORE()                                                         \
    do {                                                                      \
        CLAIM(true);                                                          \
        if (run.private != NULL && UNLIKELY(!tf_timed_has_room(run.private))) \
            goto other;                                                       \
    } while (0)

/* Find an aligned access in the core's local RAM, or leave it to tf_exec(). */
#define FIND_LOCAL(log2)                                                          \
    do {                                                                          \
        const uint32_t offset_ = address - TF_LOCAL_BASE;                         \
        if (UNLIKELY(!is_aligned(offset_, log2) || offset_ >= hart->local_bytes)) \
            goto other;                                                           \
        data = hart->local + offset_;                                             \
    } while (0)

/* A core touches an address of L1, in a private slice. */
#define TOUCH(span, address)                              \
    do {                                                  \
        if (UNLIKELY(!tf_timed_covers(&(span), address))) \
            tf_timed_widen(&(span), address);             \
    } while (0)

/* Handlers of the lists in alu.h. */
#define ADDRESS(id, ...) [TF_H_##id] = &&do_##id,
#define ADDRESS_FAR(id, ...) [TF_H_##id##_FAR] = &&do_##id##_FAR,
#define OTHERS(id, ...) [TF_H_##id] = &&other,
#define BINARY(id, ...)                                                           \
    do_##id : AWAIT_BOTH();                                                       \
    if (tf_timed_divides(TF_RV_##id))                                             \
        takes = tf_timed_division(run.value, TF_RV_##id, hart->x[a], hart->x[b]); \
    RESULT(TF_RV_##id, tf_alu_##id(hart->x[a], hart->x[b]));
#define UNARY(id, ...) \
    do_##id : AWAIT(); \
    RESULT(TF_RV_##id, tf_alu_##id(hart->x[a], (uint32_t)op->imm));
#define BRANCH(id, ...)                      \
    do_##id : AWAIT_BOTH();                  \
    timing->ready[TF_OP_SINK] = 0;           \
    if (tf_alu_##id(hart->x[a], hart->x[b])) \
        JUMP_NEAR(op->imm);                  \
    PASS();                                  \
    do_##id##_FAR : AWAIT_BOTH();            \
    timing->ready[TF_OP_SINK] = 0;           \
    if (tf_alu_##id(hart->x[a], hart->x[b])) \
        JUMP((uint32_t)op->imm);             \
    PASS();
#define LOAD(id, type, log2)                                                                            \
    do_##id : AWAIT();                                                                                  \
    address = hart->x[a] + (uint32_t)op->imm;                                                           \
    row = TF_TIME_RV_LOAD_LOCAL;                                                                        \
    if (LIKELY(is_aligned(address, log2) && address < run.l1_bytes)) {                                  \
        if (UNLIKELY(!tf_timed_has_place(timing, cycle)))                                               \
            LOSE(tf_timed_waits(timing, cycle, *tf_timed_load_place(timing), TF_TIME_RV_LOADS));        \
        CLAIM(false);                                                                                   \
        TOUCH(run.loads, address);                                                                      \
        data = run.l1 + address;                                                                        \
        row = tf_timed_has_l0(tile, hart) && tf_timed_finds_line(timing, address) ? TF_TIME_RV_LOAD_L0  \
                                                                                  : TF_TIME_RV_LOAD_L1; \
    } else {                                                                                            \
        FIND_LOCAL(log2);                                                                               \
        CLAIM(false);                                                                                   \
    }                                                                                                   \
    hart->x[op->rd] = load_as(TF_RV_##id, data);                                                        \
    goto loaded;
#define STORE(id, type, log2)                                                            \
    do_##id : AWAIT_BOTH();                                                              \
    address = hart->x[a] + (uint32_t)op->imm;                                            \
    if (LIKELY(is_aligned(address, log2) && address < run.l1_bytes)) {                   \
        const bool joins_ = tf_timed_joins(run.value, timing, address);                  \
        if (!joins_)                                                                     \
            WAIT(timing->store[timing->next_store], TF_TIME_RV_STORE_L1);                \
        CLAIM_STORE();                                                                   \
        if (UNLIKELY(tf_code_near(&tile->code, address)) && !beside_code(tile, address)) \
            goto other;                                                                  \
        TOUCH(run.stores, address);                                                      \
        data = run.l1 + address;                                                         \
        tf_timed_stored(run.value, timing, cycle, address, joins_);                      \
    } else {                                                                             \
        FIND_LOCAL(log2);                                                                \
        CLAIM_STORE();                                                                   \
        timing->store_at = 0;                                                            \
    }                                                                                    \
    if (run.private != NULL)                                                             \
        tf_timed_note(run.private, data);                                                \
    store_as(TF_RV_##id, data, hart->x[b]);                                              \
    cycle++;                                                                             \
    GO_ON();

/* Out of line, so that the compiler keeps the address instead of its parts. */
static __attribute__((noinline)) struct tf_core_timing *timing_of(const struct tf_tile *tile,
                                                                  const struct tf_hart *hart)
{
    return &tile->timing->core[hart->core];
}

/* The lane of a core that comes to run, or on which something else may have acted. */
INLINE struct tf_core_timing *open_lane(struct run *run, const struct tf_hart *hart)
{
    struct tf_timed_lane *lane = &run->lanes.lane[hart->core];
    lane->timing = timing_of(run->tile, hart);
    lane->cache = run->cache = tf_timed_cache(run->value, hart->core);
    run->lanes.open |= 1u << hart->core;
    find_limits(run);
    return lane->timing;
}

/* A core stops at an operation. */
INLINE void keep_place(struct tf_timed_lane *lane, const struct tf_op *op, uint32_t shift, uint64_t idle)
{
    lane->op = op;
    lane->shift = shift;
    lane->idle = idle;
}

/* The next core by number has its turn. Returns NULL if it cannot run here. */
static struct tf_hart *begin_turn(struct tf_tile *tile, unsigned core, const struct tf_timed_turns *turns)
{
    struct tf_hart *next = &tile->hart[core];
    if (!tf_timed_goes_on(tile, next, turns->deadline, turns->unobserved))
        return NULL;
    tile->turn = (uint8_t)core;
    tile->slice.horizon = 0;
    return next;
}

/* The core that comes first has its turn. `hart` has ended one. Returns NULL if the first one cannot run here. */
INLINE struct tf_hart *take_first(struct run *run, const struct tf_hart *hart, const struct tf_timed_turns *turns)
{
    struct tf_tile *tile = run->tile;
    struct tf_timed_lanes *lanes = &run->lanes;
    if (hart->cycle < turns->deadline)
        tf_timed_queue(lanes, tf_timed_key(hart));
    if (lanes->first == lanes->end)
        return NULL;
    const unsigned core = *tf_timed_queued(lanes, lanes->first) & 7;
    struct tf_hart *first = &tile->hart[core];
    const bool goes_on = LIKELY((lanes->open >> core & 1) != 0)
                             ? first->cycle < first->park.probe_at
                             : tf_timed_goes_on(tile, first, turns->deadline, turns->unobserved);
    if (UNLIKELY(!goes_on))
        return NULL;
    lanes->first++;
    tile->slice.horizon = tf_timed_horizon(lanes, tile, core);
    return first;
}

/* The turn of a core in a private slice has ended. The next one; NULL: there is none. */
static struct tf_hart *follow_private(struct run *run, const struct tf_hart *hart)
{
    struct tf_timed_private *private = run->private;
    private->failed |= !tf_timed_private_end(private, hart->core, &run->loads, &run->stores);
    run->loads = run->stores = TF_TIMED_NOWHERE;
    return private->failed || private->left == 0 ? NULL : tf_timed_private_begin(run->tile, private);
}

/* The turn of a core has ended, and the queue is not made. The core that runs now; NULL: it is none that can run here.
 */
static __attribute__((noinline)) struct tf_hart *follow(struct run *run, const struct tf_hart *hart,
                                                        struct tf_timed_turns *turns)
{
    struct tf_tile *tile = run->tile;
    if (run->private != NULL)
        return follow_private(run, hart);
    if (!turns->in_order) {
        const unsigned left = tile->moving & ~1u << hart->core;
        turns->yielded |= hart->cycle < turns->deadline;
        if (left != 0)
            return begin_turn(tile, (unsigned)__builtin_ctz(left), turns);
        turns->in_order = true; /* all have had their turns by number: run/tile.c */
        tile->turn = TF_TILE_CORES;
    }
    tf_timed_queue_all(&run->lanes, tile, turns->deadline, hart->core);
    return take_first(run, hart, turns);
}

/* What run_on() returns. */
struct outcome {
    const void *const *handlers;
    struct tf_hart *hart; /* the last core that ran */
    enum after after;     /* what follows its run */
};

/* Run from hart->pc on, up to `limit`. turns: those of other cores follow; or NULL. With tile NULL, only return the
   table of handlers. */
static void run_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit, struct tf_timed_turns *turns,
                   struct outcome *outcome)
{
    /* Pairs of operations are not fused. */
    /* clang-format off */
    static const void *const handlers[TF_H_COUNT] = {
        TF_ALU_BINARY(ADDRESS) TF_ALU_UNARY(ADDRESS) TF_ALU_IMMEDIATE(ADDRESS) TF_BRANCHES(ADDRESS)
        TF_BRANCHES(ADDRESS_FAR) TF_LOADS(ADDRESS) TF_STORES(ADDRESS) TF_AMOS(OTHERS) OTHERS(SLOW) ADDRESS(CONST)
        ADDRESS(MOVE) OTHERS(NOP) ADDRESS(JUMP) [TF_H_SPIN] = &&do_JUMP, ADDRESS(JAL) ADDRESS(JAL_FAR) ADDRESS(JALR)
        OTHERS(TTINSN) OTHERS(STALE) OTHERS(NEXT_PAGE)
    };
    /* clang-format on */
    outcome->handlers = handlers;
    if (tile == NULL)
        return;
    const uint16_t *value = tile->arch->times->value;
    struct run run; /* lanes stay undefined until they are opened */
    run.tile = tile;
    run.value = value;
    run.l1 = tile->l1;
    run.l1_bytes = tile->arch->l1_bytes;
    run.predicted = tf_timed_predicted_mask(value);
    run.private = turns != NULL ? turns->private : NULL;
    run.unordered = tf_timed_is_coarse(tile->timing) || run.private != NULL;
    run.loads = run.stores = run.private != NULL ? TF_TIMED_NOWHERE : TF_TIMED_EVERYWHERE;
    run.lanes.open = 0;
    run.lanes.queued = false;
    struct tf_core_timing *timing;
    uint32_t pc, shift = 0, address;
    uint64_t cycle, idle;
    const struct tf_op *op;
    unsigned takes = 0; /* cycles of a division */
    enum then then;
    enum tf_time row;
    uint8_t *data;
    size_t a, b;

begins:
    timing = open_lane(&run, hart);
    pc = hart->pc;
    idle = cycle = hart->cycle;

arrive:
    op = find(tile, pc);
    if (UNLIKELY(op == NULL))
        goto step;
    shift = pc - (uint32_t)((uintptr_t)op / 4);
    COMES(pc);
    DISPATCH();

line:
    pc = PC();
    if (UNLIKELY(pc % TF_CODE_PAGE_BYTES == 0))
        goto arrive;
    if (UNLIKELY(!tf_timed_enters(timing, &run.cache, pc, cycle)))
        COMES(pc);
    DISPATCH();

    TF_ALU_BINARY(BINARY)
    TF_ALU_IMMEDIATE(UNARY)
    TF_ALU_UNARY(UNARY)
    TF_BRANCHES(BRANCH)
    TF_LOADS(LOAD)
    TF_STORES(STORE)

do_CONST:
    RESULT(TF_RV_LUI, (uint32_t)op->imm);

do_MOVE:
    AWAIT();
    RESULT(TF_RV_ADDI, hart->x[a]);

do_JUMP:
    timing->ready[TF_OP_SINK] = 0;
    JUMP_NEAR(op->imm);

do_JAL:
    hart->x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP_NEAR(op->imm);

do_JAL_FAR:
    hart->x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP((uint32_t)op->imm);

do_JALR:
    AWAIT();
    pc = (hart->x[a] + (uint32_t)op->imm) & ~1u;
    hart->x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP(pc);

loaded:
    tf_timed_known_after(value, timing, op->rd, cycle, row);
    if (tf_timed_takes_place(value, row))
        *tf_timed_load_place(timing) = cycle + value[row] - 1;
    cycle++;
    GO_ON();

ends:
    hart->cycle = cycle;
    tf_timed_close(&run.lanes, tile, hart, pc, idle);
    outcome->after = RETURNS;
    if (turns != NULL && cycle >= turns->deadline)
        goto follows;
    tf_timed_close_all(&run.lanes, tile);
    outcome->hart = hart;
    return;

stops:
    if (UNLIKELY(then == OTHER))
        goto other;
    hart->yielded = true;
    hart->cycle = cycle;
    keep_place(&run.lanes.lane[hart->core], op, shift, idle);
    outcome->after = RETURNS;
follows:
    outcome->hart = hart;
    if (run.lanes.queued)
        hart = take_first(&run, hart, turns);
    else
        hart = turns != NULL ? follow(&run, hart, turns) : NULL;
    if (UNLIKELY(hart == NULL)) {
        tf_timed_close_all(&run.lanes, tile);
        return;
    }
    hart->yielded = false;
    limit = tf_hart_block_end(hart, turns->deadline);
    if ((run.lanes.open >> hart->core & 1) == 0)
        goto begins;
    find_limits(&run);
    const struct tf_timed_lane *const lane = &run.lanes.lane[hart->core];
    run.cache = lane->cache;
    timing = lane->timing;
    op = lane->op;
    shift = lane->shift;
    cycle = hart->cycle;
    idle = lane->idle;
    DISPATCH();

other:
    pc = PC();
step:
    if (run.private != NULL) {
        run.private->failed = true;
        return;
    }
    hart->cycle = cycle;
    tf_timed_close(&run.lanes, tile, hart, pc, idle);
    tf_timed_close_all(&run.lanes, tile);
    outcome->after = step(tile, hart, limit);
    if (LIKELY(outcome->after == RUNS_ON))
        goto begins;
    if (outcome->after == RETURNS && hart->state == TF_CORE_RUNNING && hart->yielded)
        goto follows;
    outcome->hart = hart;
}

const void *const *tf_timed_handlers(void)
{
    struct outcome outcome;
    run_on(NULL, NULL, 0, NULL, &outcome);
    return outcome.handlers;
}

bool tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    /* After a wait, tf_timed_issue() says for what. */
    const bool waited = hart->cycle > tile->timing->core[hart->core].counted;
    struct outcome outcome = {.after = waited ? step(tile, hart, limit) : RUNS_ON};
    if (outcome.after == RUNS_ON)
        run_on(tile, hart, limit, NULL, &outcome);
    return outcome.after != FAULTS;
}

struct tf_hart *tf_timed_turns(struct tf_tile *tile, struct tf_hart *hart, struct tf_timed_turns *turns)
{
    struct outcome outcome;
    run_on(tile, hart, tf_hart_block_end(hart, turns->deadline), turns, &outcome);
    turns->faulted = outcome.after == FAULTS;
    return outcome.hart;
}

/* The cores that have cycles left, if each of them goes on up to the deadline. 0: the slice needs order. */
static unsigned private_cores(const struct tf_tile *tile, uint64_t deadline, unsigned parked)
{
    unsigned found = 0;
    for (unsigned cores = tile->moving & ~parked; cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        if (hart->cycle >= deadline && hart->state == TF_CORE_RUNNING)
            continue;
        if (hart->park.probe_at < deadline || !tf_timed_goes_on(tile, hart, deadline, true))
            return 0;
        found |= cores & -cores;
    }
    return found;
}

bool tf_timed_slice(struct tf_tile *tile, uint64_t deadline, struct tf_timed_private *private)
{
    const unsigned cores = private_cores(tile, deadline, private->parked);
    private->failed = false;
    if (cores == 0)
        return false;
    tf_timed_private_open(tile, cores, private);
    struct tf_timed_turns turns = {.deadline = deadline, .unobserved = true, .private = private};
    struct tf_hart *hart = tf_timed_private_begin(tile, private);
    struct outcome outcome;
    tile->limit = deadline;
    hart->yielded = false;
    run_on(tile, hart, tf_hart_block_end(hart, deadline), &turns, &outcome);
    if (private->failed)
        tf_timed_private_undo(tile, private);
    return !private->failed;
}
