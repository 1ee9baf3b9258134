/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of timing mode: threaded code over the operations of decoded pages, as in interp.c. Operations that touch
 * registers, local RAM or L1 alone are executed here, with the parts of model.h inlined; all others by tf_exec(),
 * between tf_timed_issue() and tf_timed_retired(). Cycle, pc and counts of the core are in variables of the host until
 * something else needs them. Row `timing-mixed` pays for it.
 */
#include "tile/riscv/timed/run.h"

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
#include "tile/riscv/timed/model.h"
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
    struct tf_hart *hart;
    const uint16_t *value; /* durations */
    uint8_t *l1, *local;
    uint32_t l1_bytes, local_bytes;
    uint64_t loads_until, stores_until; /* before this cycle accesses to L1 and local RAM need no claim */
    struct tf_timed_cache cache;        /* of instructions */
    uint32_t predicted;                 /* tf_timed_predicted_mask() */
    bool coarse, has_l0;
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
    run->loads_until = run->coarse ? tile->limit : tf_tensix_asleep(tile) ? tile->slice.horizon : 0;
    run->stores_until = tile->pollers ? 0 : run->loads_until;
}

/* Another core runs, or something else may have changed the core and its tile. */
INLINE void begin(struct run *run, struct tf_hart *hart)
{
    run->hart = hart;
    run->local = hart->local;
    run->local_bytes = hart->local_bytes;
    run->cache = tf_timed_cache(run->value, hart->core);
    run->has_l0 = tf_timed_has_l0(run->tile, hart);
    find_limits(run);
}

/* The cycle is not before those limits. NEXT: the core may access memory all the same. OTHER: tf_exec() must claim
   it. */
static __attribute__((noinline)) enum then claim_late(struct run *run, uint64_t cycle, bool stores)
{
    struct tf_tile *tile = run->tile;
    if (stores && tile->pollers)
        return OTHER;
    if (run->coarse)
        return YIELDS;
    const uint64_t horizon = horizon_of(tile, run->hart, cycle);
    find_limits(run);
    if (cycle < horizon)
        return tf_tensix_asleep(tile) ? NEXT : OTHER;
    return horizon != 0 ? YIELDS : OTHER;
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

INLINE bool is_aligned(uint32_t address, unsigned log2)
{
    return (address & ((1u << log2) - 1)) == 0;
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
    return !ends && hart->state == TF_CORE_RUNNING && tf_timed_runs(tile, hart, tf_timed_unseen(tile)) ? RUNS_ON
                                                                                                       : RETURNS;
}

/*
 * Variables of run_on():
 *
 *   op             the present operation
 *   shift          the difference between its pc and a quarter of its address, in the present page
 *   cycle          of the core
 *   begun, lost    cycle when instructions were last counted; those since then in which no instruction issued
 *   x, timing      of the core
 */
#define PC() ((uint32_t)((uintptr_t)op / 4) + shift)

/* Time passes up to a cycle, without an instruction. */
#define LOSE(until)                      \
    do {                                 \
        const uint64_t until_ = (until); \
        lost += until_ - cycle;          \
        cycle = until_;                  \
    } while (0)
#define WAIT(until, row)                                       \
    do {                                                       \
        const uint64_t wait_ = (until);                        \
        if (UNLIKELY(wait_ > cycle))                           \
            LOSE(tf_timed_waits(timing, cycle, wait_, (row))); \
    } while (0)

/* Await operands. */
#define AWAIT(a)                                                 \
    do {                                                         \
        if (UNLIKELY(timing->ready[a] > cycle))                  \
            LOSE(tf_timed_await_late(timing, cycle, (a), 0, 0)); \
    } while (0)
#define AWAIT_BOTH(a, b)                                                              \
    do {                                                                              \
        if (UNLIKELY(timing->ready[a] > cycle) || UNLIKELY(timing->ready[b] > cycle)) \
            LOSE(tf_timed_await_late(timing, cycle, (a), (b), 0));                    \
    } while (0)

/* The core comes to an operation that may be in another line. */
#define COMES(pc)                                                             \
    do {                                                                      \
        if (!tf_timed_fetches(timing, &run.cache, (pc), cycle))               \
            LOSE(tf_timed_fetch_late(tile, timing, &run.cache, (pc), cycle)); \
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
        const unsigned rd_ = op->rd;                                                          \
        x[rd_] = (result);                                                                    \
        timing->ready[rd_] = 0;                                                               \
        if (tf_timed_multiplies(id)) {                                                        \
            tf_timed_known_after(run.value, timing, rd_, cycle, TF_TIME_RV_MULTIPLY_LATENCY); \
            cycle++;                                                                          \
            WAIT(cycle - 1 + run.value[TF_TIME_RV_MULTIPLY], TF_TIME_RV_MULTIPLY);            \
            GO_ON();                                                                          \
        }                                                                                     \
        cycle++;                                                                              \
        GO_ON();                                                                              \
    } while (0)

/* A branch or jump at from_ retires: predict it, and go on as `then` says. */
#define PREDICT(jumps, to)                                                              \
    do {                                                                                \
        cycle++;                                                                        \
        if (UNLIKELY(!tf_timed_predicted(run.predicted, timing, from_, (jumps), (to)))) \
            WAIT(cycle + run.value[TF_TIME_RV_MISPREDICT], TF_TIME_RV_MISPREDICT);      \
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
            then = claim_late(&run, cycle, (stores));                             \
            if (then != NEXT)                                                     \
                goto stops;                                                       \
        }                                                                         \
    } while (0)

/* Find an aligned access in the core's local RAM, or leave it to tf_exec(). */
#define FIND_LOCAL(log2)                                                        \
    do {                                                                        \
        const uint32_t offset_ = address - TF_LOCAL_BASE;                       \
        if (UNLIKELY(!is_aligned(offset_, log2) || offset_ >= run.local_bytes)) \
            goto other;                                                         \
        data = run.local + offset_;                                             \
    } while (0)

/* Handlers of the lists in alu.h. Divisions are left to tf_exec(). */
#define ADDRESS(id, ...) [TF_H_##id] = &&do_##id,
#define ADDRESS_FAR(id, ...) [TF_H_##id##_FAR] = &&do_##id##_FAR,
#define OTHERS(id, ...) [TF_H_##id] = &&other,
#define BINARY(id, ...)                                     \
    do_##id : if (tf_timed_divides(TF_RV_##id)) goto other; \
    AWAIT_BOTH(op->rs1, op->rs2);                           \
    RESULT(TF_RV_##id, tf_alu_##id(x[op->rs1], x[op->rs2]));
#define UNARY(id, ...)        \
    do_##id : AWAIT(op->rs1); \
    RESULT(TF_RV_##id, tf_alu_##id(x[op->rs1], (uint32_t)op->imm));
#define BRANCH(id, ...)                           \
    do_##id : AWAIT_BOTH(op->rs1, op->rs2);       \
    timing->ready[TF_OP_SINK] = 0;                \
    if (tf_alu_##id(x[op->rs1], x[op->rs2]))      \
        JUMP_NEAR(op->imm);                       \
    PASS();                                       \
    do_##id##_FAR : AWAIT_BOTH(op->rs1, op->rs2); \
    timing->ready[TF_OP_SINK] = 0;                \
    if (tf_alu_##id(x[op->rs1], x[op->rs2]))      \
        JUMP((uint32_t)op->imm);                  \
    PASS();
#define LOAD(id, type, log2)                                                                                \
    do_##id : AWAIT(op->rs1);                                                                               \
    address = x[op->rs1] + (uint32_t)op->imm;                                                               \
    row = TF_TIME_RV_LOAD_LOCAL;                                                                            \
    if (LIKELY(is_aligned(address, log2) && address < run.l1_bytes)) {                                      \
        if (UNLIKELY(!tf_timed_has_place(timing, cycle)))                                                   \
            LOSE(tf_timed_waits(timing, cycle, *tf_timed_load_place(timing), TF_TIME_RV_LOADS));            \
        CLAIM(false);                                                                                       \
        data = run.l1 + address;                                                                            \
        row = run.has_l0 && tf_timed_finds_line(timing, address) ? TF_TIME_RV_LOAD_L0 : TF_TIME_RV_LOAD_L1; \
    } else {                                                                                                \
        FIND_LOCAL(log2);                                                                                   \
        CLAIM(false);                                                                                       \
    }                                                                                                       \
    x[op->rd] = load_as(TF_RV_##id, data);                                                                  \
    goto loaded;
#define STORE(id, type, log2)                                             \
    do_##id : AWAIT_BOTH(op->rs1, op->rs2);                               \
    address = x[op->rs1] + (uint32_t)op->imm;                             \
    if (LIKELY(is_aligned(address, log2) && address < run.l1_bytes)) {    \
        const bool joins_ = tf_timed_joins(run.value, timing, address);   \
        if (!joins_)                                                      \
            WAIT(timing->store[timing->next_store], TF_TIME_RV_STORE_L1); \
        CLAIM(true);                                                      \
        if (UNLIKELY(tf_code_near(&tile->code, address)))                 \
            goto other;                                                   \
        data = run.l1 + address;                                          \
        tf_timed_stored(run.value, timing, cycle, address, joins_);       \
    } else {                                                              \
        FIND_LOCAL(log2);                                                 \
        CLAIM(true);                                                      \
        timing->store_at = 0;                                             \
    }                                                                     \
    store_as(TF_RV_##id, data, x[op->rs2]);                               \
    cycle++;                                                              \
    GO_ON();

/* Write to the core what its run has. */
INLINE void sync(const struct run *run, struct tf_core_timing *timing, uint32_t pc, uint64_t cycle, uint64_t retired)
{
    run->hart->pc = pc;
    run->hart->cycle = cycle;
    run->hart->instret += retired;
    run->tile->figures.executed += retired;
    timing->spent[TF_TIME_RV_ISSUE] += retired;
    timing->counted = cycle;
}

/* Out of line, so that the compiler keeps the address instead of its parts. */
static __attribute__((noinline)) struct tf_core_timing *timing_of(const struct tf_tile *tile,
                                                                  const struct tf_hart *hart)
{
    return &tile->timing->core[hart->core];
}

/* The turn of a core has ended. The core that runs now; NULL: it is none that can run here. */
static __attribute__((noinline)) struct tf_hart *follow(struct tf_tile *tile, const struct tf_hart *hart,
                                                        struct tf_timed_turns *turns)
{
    struct tf_hart *next;
    if (turns->in_order) {
        next = tf_order_earliest(tile, turns->deadline);
        return next != NULL && tf_timed_goes_on(tile, next, turns->deadline, turns->unseen) ? next : NULL;
    }
    turns->yielded |= hart->cycle < turns->deadline;
    const unsigned left = tile->moving & ~1u << hart->core;
    if (left == 0)
        return NULL;
    next = &tile->hart[__builtin_ctz(left)];
    if (!tf_timed_goes_on(tile, next, turns->deadline, turns->unseen))
        return NULL;
    tile->turn = next->core;
    tile->slice.horizon = 0;
    return next;
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
    struct run run = {.tile = tile,
                      .value = value,
                      .l1 = tile->l1,
                      .l1_bytes = tile->arch->l1_bytes,
                      .predicted = tf_timed_predicted_mask(value),
                      .coarse = tf_timed_is_coarse(tile->timing)};
    struct tf_core_timing *timing;
    uint32_t *x, pc, shift = 0, address;
    uint64_t cycle, begun, lost;
    const struct tf_op *op;
    enum then then;
    enum tf_time row;
    uint8_t *data;

begins:
    timing = timing_of(tile, hart);
    x = hart->x;
resume:
    pc = hart->pc;
    begun = cycle = hart->cycle;
    lost = 0;
    begin(&run, hart);

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
    AWAIT(op->rs1);
    RESULT(TF_RV_ADDI, x[op->rs1]);

do_JUMP:
    timing->ready[TF_OP_SINK] = 0;
    JUMP_NEAR(op->imm);

do_JAL:
    x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP_NEAR(op->imm);

do_JAL_FAR:
    x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP((uint32_t)op->imm);

do_JALR:
    AWAIT(op->rs1);
    pc = (x[op->rs1] + (uint32_t)op->imm) & ~1u;
    x[op->rd] = PC() + 4;
    timing->ready[op->rd] = 0;
    JUMP(pc);

loaded:
    tf_timed_known_after(value, timing, op->rd, cycle, row);
    if (tf_timed_takes_place(value, row))
        *tf_timed_load_place(timing) = cycle + value[row] - 1;
    cycle++;
    GO_ON();

ends:
    sync(&run, timing, pc, cycle, cycle - begun - lost);
    outcome->after = RETURNS;
    if (turns != NULL && cycle >= turns->deadline)
        goto follows;
    outcome->hart = hart;
    return;

stops:
    if (then == OTHER)
        goto other;
    hart->yielded = true;
    sync(&run, timing, PC(), cycle, cycle - begun - lost);
    outcome->after = RETURNS;
follows:
    outcome->hart = hart;
    hart = turns != NULL ? follow(tile, hart, turns) : NULL;
    if (hart == NULL)
        return;
    hart->yielded = false;
    limit = tf_hart_block_end(hart, turns->deadline);
    goto begins;

other:
    pc = PC();
step:
    sync(&run, timing, pc, cycle, cycle - begun - lost);
    outcome->after = step(tile, hart, limit);
    if (LIKELY(outcome->after == RUNS_ON))
        goto resume;
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
