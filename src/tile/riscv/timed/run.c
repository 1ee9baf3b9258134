/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of timing mode. Instructions that touch registers, local RAM or L1 alone are executed here, with the parts
 * of model.h inlined; all others by tf_exec(), between tf_timed_issue() and tf_timed_retired(). Cycle, pc and counts of
 * the core are in variables of the host until something else needs them. Row `mixed`, timed, pays for it.
 */
#include "tile/riscv/timed/run.h"

#include "tile/order/order.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/exec/exec.h"
#include "tile/riscv/hart/memory.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/isa/alu.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/riscv/timed/model.h"
#include "tile/riscv/timed/timed.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define INLINE static inline __attribute__((always_inline))

/* A core that runs. What is known of it is in variables of the host, and not in the core. */
struct run {
    struct tf_tile *tile;
    struct tf_hart *hart;
    struct tf_core_timing *timing;
    const uint16_t *value;       /* durations */
    struct tf_timed_cache cache; /* of instructions */
    bool coarse;
    uint64_t cycle;
};

/* What follows an instruction. */
enum then {
    NEXT,   /* the next one */
    OTHER,  /* nothing has happened: it is none of these here */
    YIELDS, /* nothing has happened: other cores of the tile come first */
};

/* Write to the core what its run has. */
INLINE void sync(const struct run *run, uint32_t pc, uint64_t retired)
{
    run->hart->pc = pc;
    run->hart->cycle = run->cycle;
    run->hart->instret += retired;
    run->tile->figures.executed += retired;
    run->timing->spent[TF_TIME_RV_ISSUE] += retired;
    run->timing->counted = run->cycle;
}

/* --- computation --- */

INLINE unsigned written(const struct tf_rv_insn *insn)
{
    return insn->rd == 0 ? TF_OP_SINK : insn->rd;
}

INLINE void await(struct run *run, unsigned a)
{
    if (!LIKELY(run->timing->ready[a] <= run->cycle))
        run->cycle = tf_timed_await_late(run->timing, run->cycle, a, 0, 0);
}

INLINE void await_both(struct run *run, unsigned a, unsigned b)
{
    if (!LIKELY(tf_max(run->timing->ready[a], run->timing->ready[b]) <= run->cycle))
        run->cycle = tf_timed_await_late(run->timing, run->cycle, a, b, 0);
}

/* The operands are known, and the instruction has a result. */
INLINE void computed(struct run *run, const struct tf_rv_insn *insn, const unsigned id, uint32_t result)
{
    const unsigned r = written(insn);
    run->hart->x[r] = result;
    run->timing->ready[r] = 0;
    if (tf_timed_multiplies(id))
        tf_timed_known_after(run->value, run->timing, r, run->cycle, TF_TIME_RV_MULTIPLY_LATENCY);
    run->cycle++;
    if (tf_timed_multiplies(id))
        tf_timed_occupy(run->timing, &run->cycle, run->value[TF_TIME_RV_MULTIPLY], TF_TIME_RV_MULTIPLY);
}

/* The core comes to an instruction that may be in another line. */
INLINE void comes(struct run *run, uint32_t pc)
{
    run->cycle = tf_timed_fetch(run->tile, run->timing, &run->cache, pc, run->cycle);
}

/* --- memory --- */

/* The first cycle in which another core comes first; 0: tf_exec() must find out. */
static __attribute__((noinline)) uint64_t horizon_of(struct tf_tile *tile, const struct tf_hart *hart, uint64_t cycle)
{
    tf_order_is_free(tile, hart, cycle); /* it keeps the answer */
    return tile->slice.horizon;
}

/* May the core access L1 or its local RAM in this cycle (order/order.h)? NEXT: yes. OTHER: tf_exec() must claim it. */
INLINE enum then claim(const struct run *run)
{
    if (run->coarse)
        return LIKELY(run->cycle < run->tile->limit) ? NEXT : YIELDS;
    uint64_t horizon = run->tile->slice.horizon;
    if (__builtin_expect(horizon == 0, 0))
        horizon = horizon_of(run->tile, run->hart, run->cycle);
    if (LIKELY(run->cycle < horizon))
        return LIKELY(tf_tensix_asleep(run->tile)) ? NEXT : OTHER;
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

/* Where is the place of an aligned access in the core's local RAM? NULL: not there. */
INLINE uint8_t *in_local(const struct run *run, uint32_t address, unsigned shift)
{
    const uint32_t offset = address - TF_LOCAL_BASE;
    return (offset & ((1u << shift) - 1)) == 0 && offset < run->hart->local_bytes ? run->hart->local + offset : NULL;
}

INLINE bool in_l1(const struct run *run, uint32_t address, unsigned shift)
{
    return (address & ((1u << shift) - 1)) == 0 && address < run->tile->arch->l1_bytes;
}

INLINE enum then load(struct run *run, const struct tf_rv_insn *insn, unsigned r, const unsigned id,
                      const unsigned shift)
{
    const uint32_t address = run->hart->x[insn->rs1] + (uint32_t)insn->imm;
    const uint8_t *data;
    enum tf_time row = TF_TIME_RV_LOAD_LOCAL;
    await(run, insn->rs1);
    if (in_l1(run, address, shift)) {
        tf_timed_wait(run->timing, &run->cycle, *tf_timed_load_place(run->value, run->timing), TF_TIME_RV_LOADS);
        const enum then claimed = claim(run);
        if (claimed != NEXT)
            return claimed;
        data = run->tile->l1 + address;
        row = tf_timed_in_l0(run->tile, run->hart, run->timing, address) ? TF_TIME_RV_LOAD_L0 : TF_TIME_RV_LOAD_L1;
    } else {
        data = in_local(run, address, shift);
        const enum then claimed = data != NULL ? claim(run) : OTHER;
        if (claimed != NEXT)
            return claimed;
    }
    run->hart->x[r] = load_as(id, data);
    tf_timed_loaded(run->value, run->timing, r, run->cycle, row);
    run->cycle++;
    return NEXT;
}

INLINE enum then store(struct run *run, const struct tf_rv_insn *insn, const unsigned id, const unsigned shift)
{
    struct tf_tile *tile = run->tile;
    const uint32_t address = run->hart->x[insn->rs1] + (uint32_t)insn->imm;
    uint8_t *data;
    await_both(run, insn->rs1, insn->rs2);
    if (tile->pollers)
        return OTHER;
    if (in_l1(run, address, shift)) {
        tf_timed_await_queue(run->value, run->timing, &run->cycle, address);
        const enum then claimed = claim(run);
        if (claimed != NEXT)
            return claimed;
        if (tf_code_near(&tile->code, address))
            return OTHER;
        data = tile->l1 + address;
        tf_timed_stored(run->value, run->timing, run->cycle, address);
    } else {
        data = in_local(run, address, shift);
        const enum then claimed = data != NULL ? claim(run) : OTHER;
        if (claimed != NEXT)
            return claimed;
        run->timing->store_at = 0;
    }
    store_as(id, data, run->hart->x[insn->rs2]);
    run->cycle++;
    return NEXT;
}

/* --- the loop --- */

INLINE uint32_t pc_of(const struct tf_rv_insn *insn)
{
    const uintptr_t page_at = (uintptr_t)insn & ~(uintptr_t)(TF_PAGE_ALIGN - 1); /* also behind its last one */
    const struct tf_code_page *page = (const struct tf_code_page *)page_at;
    return page->base + (uint32_t)(insn - page->insn) * 4;
}

/* Must the instruction be decoded anew? It is as far from its operation as any other one of the page. */
INLINE bool is_stale(const struct tf_rv_insn *insn)
{
    _Static_assert(sizeof *insn == sizeof(struct tf_op), "equal strides");
    const size_t before = offsetof(struct tf_code_page, insn) - offsetof(struct tf_code_page, op);
    return ((const struct tf_op *)(const void *)((const uint8_t *)insn - before))->stale != 0;
}

/* Is the instruction the first one of a line? bytes: of that line, in the decoded page. */
INLINE bool begins_line(const struct tf_rv_insn *insn, uintptr_t bytes)
{
    return (((uintptr_t)insn - offsetof(struct tf_code_page, insn)) & (bytes - 1)) == 0;
}

/* The decoded instruction at a pc in L1. NULL: there is none. */
INLINE const struct tf_rv_insn *find(const struct tf_tile *tile, uint32_t pc)
{
    if (__builtin_expect(pc % 4 != 0 || pc >= tile->arch->l1_bytes || tile->code.page == NULL, 0))
        return NULL;
    const struct tf_code_page *page = tile->code.page[pc / TF_CODE_PAGE_BYTES];
    return LIKELY(page != NULL) ? &page->insn[pc / 4 % TF_CODE_WORDS] : NULL;
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
    return !ends && hart->state == TF_CORE_RUNNING && tf_timed_runs(tile, hart) ? RUNS_ON : RETURNS;
}

/* Go on at the next instruction. `first` is that of the stretch of instructions without a jump. */
#define DISPATCH()                                 \
    do {                                           \
        const void *handler_ = handlers[insn->id]; \
        if (is_stale(insn) || handler_ == NULL)    \
            goto other;                            \
        goto *handler_;                            \
    } while (0)
#define GO_ON()                                            \
    do {                                                   \
        insn++;                                            \
        if (__builtin_expect(begins_line(insn, bytes), 0)) \
            goto line;                                     \
        DISPATCH();                                        \
    } while (0)
#define JUMP(target)                                                         \
    do {                                                                     \
        const uint32_t from_ = pc_of(insn);                                  \
        pc = (target);                                                       \
        run.cycle++;                                                         \
        tf_timed_jumped(run.value, run.timing, &run.cycle, from_, true, pc); \
        goto jumped;                                                         \
    } while (0)

/* Handlers of the lists in alu.h. Divisions are left to tf_exec(). */
#define ADDRESS(id, ...) [TF_RV_##id] = &&do_##id,
#define BINARY(id, ...)                                                        \
    do_##id : if (tf_timed_divides(TF_RV_##id)) goto other;                    \
    await_both(&run, insn->rs1, insn->rs2);                                    \
    computed(&run, insn, TF_RV_##id, tf_alu_##id(x[insn->rs1], x[insn->rs2])); \
    GO_ON();
#define UNARY(id, ...)                                                                \
    do_##id : await(&run, insn->rs1);                                                 \
    computed(&run, insn, TF_RV_##id, tf_alu_##id(x[insn->rs1], (uint32_t)insn->imm)); \
    GO_ON();
#define BRANCH(id, ...)                               \
    do_##id : await_both(&run, insn->rs1, insn->rs2); \
    timing->ready[TF_OP_SINK] = 0;                    \
    if (tf_alu_##id(x[insn->rs1], x[insn->rs2]))      \
        JUMP(pc_of(insn) + (uint32_t)insn->imm);      \
    goto passed;
#define LOAD(id, type, shift)                                            \
    do_##id : then = load(&run, insn, written(insn), TF_RV_##id, shift); \
    if (LIKELY(then == NEXT))                                            \
        GO_ON();                                                         \
    goto stops;
#define STORE(id, type, shift)                             \
    do_##id : then = store(&run, insn, TF_RV_##id, shift); \
    if (LIKELY(then == NEXT))                              \
        GO_ON();                                           \
    goto stops;

/* Run from hart->pc on. */
static enum after run_on(struct tf_tile *tile, struct tf_hart *hart, struct tf_core_timing *timing, uint64_t limit)
{
    /* clang-format off */
    static const void *const handlers[TF_RV_COUNT] = {
        TF_ALU_BINARY(ADDRESS) TF_ALU_UNARY(ADDRESS) TF_ALU_IMMEDIATE(ADDRESS) TF_BRANCHES(ADDRESS) TF_LOADS(ADDRESS)
        TF_STORES(ADDRESS) ADDRESS(LUI) ADDRESS(AUIPC) ADDRESS(JAL) ADDRESS(JALR)
    };
    /* clang-format on */
    const uint16_t *value = tile->arch->times->value;
    struct run run = {.tile = tile,
                      .hart = hart,
                      .timing = timing,
                      .value = value,
                      .cache = tf_timed_cache(value, hart->core),
                      .coarse = tf_timed_is_coarse(tile->timing),
                      .cycle = hart->cycle};
    const uintptr_t bytes = value[TF_TIME_RV_FETCH_LINE] / 4 * sizeof(struct tf_rv_insn);
    const uint32_t *x = hart->x;
    uint32_t pc = hart->pc;
    uint64_t retired = 0;
    const struct tf_rv_insn *insn, *first;
    enum then then;
    enum after after;

arrive:
    insn = first = find(tile, pc);
    if (__builtin_expect(insn == NULL, 0))
        goto step;
    comes(&run, pc);
    DISPATCH();

line:
    pc = pc_of(insn);
    if (pc % TF_CODE_PAGE_BYTES == 0) {
        retired += (uint64_t)(insn - first);
        goto arrive;
    }
    comes(&run, pc);
    DISPATCH();

jumped:
    retired += (uint64_t)(insn - first) + 1;
    if (LIKELY(run.cycle < limit))
        goto arrive;
    sync(&run, pc, retired);
    return RETURNS;

passed: /* a branch */
    run.cycle++;
    tf_timed_jumped(value, timing, &run.cycle, pc_of(insn), false, pc_of(insn) + 4);
    if (LIKELY(run.cycle < limit))
        GO_ON();
    insn++;
    sync(&run, pc_of(insn), retired + (uint64_t)(insn - first));
    return RETURNS;

    TF_ALU_BINARY(BINARY)
    TF_ALU_IMMEDIATE(UNARY)
    TF_ALU_UNARY(UNARY)
    TF_BRANCHES(BRANCH)
    TF_LOADS(LOAD)
    TF_STORES(STORE)

do_LUI:
    computed(&run, insn, TF_RV_LUI, (uint32_t)insn->imm);
    GO_ON();

do_AUIPC:
    computed(&run, insn, TF_RV_AUIPC, pc_of(insn) + (uint32_t)insn->imm);
    GO_ON();

do_JAL:
    hart->x[written(insn)] = pc_of(insn) + 4;
    timing->ready[written(insn)] = 0;
    JUMP(pc_of(insn) + (uint32_t)insn->imm);

do_JALR:
    await(&run, insn->rs1);
    pc = (x[insn->rs1] + (uint32_t)insn->imm) & ~1u;
    hart->x[written(insn)] = pc_of(insn) + 4;
    timing->ready[written(insn)] = 0;
    JUMP(pc);

stops:
    if (then == OTHER)
        goto other;
    hart->yielded = true;
    sync(&run, pc_of(insn), retired + (uint64_t)(insn - first));
    return RETURNS;

other:
    pc = pc_of(insn);
    retired += (uint64_t)(insn - first);
step:
    sync(&run, pc, retired);
    after = step(tile, hart, limit);
    if (after != RUNS_ON)
        return after;
    retired = 0;
    run.cycle = hart->cycle;
    pc = hart->pc;
    goto arrive;
}

bool tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    /* After a wait, tf_timed_issue() says for what. */
    const enum after first = hart->cycle > timing->counted ? step(tile, hart, limit) : RUNS_ON;
    return (first == RUNS_ON ? run_on(tile, hart, timing, limit) : first) != FAULTS;
}
