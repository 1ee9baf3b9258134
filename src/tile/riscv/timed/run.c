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
#include "tile/riscv/interp/interp.h"
#include "tile/riscv/isa/alu.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/riscv/timed/model.h"
#include "tile/riscv/timed/timed.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define INLINE static inline __attribute__((always_inline))

bool tf_timed_runs(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return tf_path_of(tile->timing) == NULL && tile->explore == NULL && tile->check == NULL && tile->counter == NULL &&
           !hart->watched && !hart->searches && !hart->overtaken && !tf_observes(tile, hart);
}

/* A core that runs. */
struct run {
    struct tf_tile *tile;
    struct tf_hart *hart;
    struct tf_core_timing *timing;
    const uint16_t *value; /* durations */
    uint64_t cycle;        /* of hart->cycle, while it is not written */
    uint32_t pc;           /* likewise */
    uint32_t retired;      /* instructions that hart->instret lacks */
    const struct tf_code_page *page;
    const struct tf_rv_insn *insn; /* at pc, in that page */
};

/* What follows an instruction. */
enum then {
    NEXT,     /* the next one */
    TRANSFER, /* pc is where the core has branched or jumped to, or the next one after a branch */
    OTHER,    /* nothing has happened: it is none of these here */
    YIELDS,   /* nothing has happened: other cores of the tile come first */
};

/* Write to the core what its run has. */
INLINE void sync(struct run *run)
{
    run->hart->pc = run->pc;
    run->hart->cycle = run->cycle;
    run->hart->instret += run->retired;
    run->tile->figures.executed += run->retired;
    run->timing->spent[TF_TIME_RV_ISSUE] += run->retired;
    run->timing->counted = run->cycle;
    run->retired = 0;
}

INLINE void await(struct run *run, unsigned a, unsigned b)
{
    run->cycle = tf_timed_await(run->timing, run->cycle, a, b, 0);
}

/* --- computation --- */

/* The instruction has a result for register r. */
INLINE enum then computed(struct run *run, unsigned r, uint32_t result)
{
    run->hart->x[r] = result;
    run->timing->ready[r] = 0;
    run->cycle++;
    return NEXT;
}

INLINE enum then multiplied(struct run *run, unsigned r, uint32_t result)
{
    run->hart->x[r] = result;
    tf_timed_known_after(run->value, run->timing, r, run->cycle, TF_TIME_RV_MULTIPLY_LATENCY);
    run->cycle++;
    tf_timed_occupy(run->timing, &run->cycle, run->value[TF_TIME_RV_MULTIPLY], TF_TIME_RV_MULTIPLY);
    return NEXT;
}

INLINE enum then jumped(struct run *run, bool jumps, uint32_t target)
{
    run->timing->ready[TF_OP_SINK] = 0;
    run->cycle++;
    tf_timed_jumped(run->value, run->timing, &run->cycle, run->pc, jumps, target);
    run->pc = target;
    return TRANSFER;
}

INLINE enum then linked(struct run *run, unsigned r, uint32_t target)
{
    run->hart->x[r] = run->pc + 4;
    run->timing->ready[r] = 0;
    run->cycle++;
    tf_timed_jumped(run->value, run->timing, &run->cycle, run->pc, true, target);
    run->pc = target;
    return TRANSFER;
}

/* --- memory --- */

/* May the core access L1 or its local RAM in this cycle (order/order.h)? NEXT: yes. OTHER: tf_exec() must claim it. */
INLINE enum then claim(const struct run *run)
{
    const uint64_t horizon = run->tile->slice.horizon;
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
    await(run, insn->rs1, 0);
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
    await(run, insn->rs1, insn->rs2);
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

/* --- any of these --- */

INLINE enum then binary(struct run *run, const struct tf_rv_insn *insn, unsigned r, const unsigned id, uint32_t result)
{
    await(run, insn->rs1, insn->rs2);
    return tf_timed_multiplies(id) ? multiplied(run, r, result) : computed(run, r, result);
}

INLINE enum then unary(struct run *run, const struct tf_rv_insn *insn, unsigned r, uint32_t result)
{
    await(run, insn->rs1, 0);
    return computed(run, r, result);
}

INLINE enum then branch(struct run *run, const struct tf_rv_insn *insn, bool jumps)
{
    await(run, insn->rs1, insn->rs2);
    return jumped(run, jumps, run->pc + (jumps ? (uint32_t)insn->imm : 4));
}

INLINE enum then jump(struct run *run, const struct tf_rv_insn *insn, unsigned r)
{
    const uint32_t target = (run->hart->x[insn->rs1] + (uint32_t)insn->imm) & ~1u;
    await(run, insn->rs1, 0);
    return linked(run, r, target);
}

/* Execute the instruction at pc. */
INLINE enum then execute(struct run *run)
{
    const struct tf_rv_insn *insn = run->insn;
    const uint32_t *x = run->hart->x;
    const uint32_t a = x[insn->rs1], b = x[insn->rs2], imm = (uint32_t)insn->imm;
    const unsigned r = insn->rd == 0 ? TF_OP_SINK : insn->rd;
    switch (insn->id) {
#define X(id, expression)                 \
    case TF_RV_##id:                      \
        if (tf_timed_divides(TF_RV_##id)) \
            return OTHER;                 \
        return binary(run, insn, r, TF_RV_##id, tf_alu_##id(a, b));
        TF_ALU_BINARY(X)
#undef X
#define X(id, expression) \
    case TF_RV_##id: return unary(run, insn, r, tf_alu_##id(a, 0));
        TF_ALU_UNARY(X)
#undef X
#define X(id, expression) \
    case TF_RV_##id: return unary(run, insn, r, tf_alu_##id(a, imm));
        TF_ALU_IMMEDIATE(X)
#undef X
#define X(id, condition) \
    case TF_RV_##id: return branch(run, insn, tf_alu_##id(a, b));
        TF_BRANCHES(X)
#undef X
#define X(id, type, shift) \
    case TF_RV_##id: return load(run, insn, r, TF_RV_##id, shift);
        TF_LOADS(X)
#undef X
#define X(id, type, shift) \
    case TF_RV_##id: return store(run, insn, TF_RV_##id, shift);
        TF_STORES(X)
#undef X
    case TF_RV_LUI: return computed(run, r, imm);
    case TF_RV_AUIPC: return computed(run, r, run->pc + imm);
    case TF_RV_JAL: return linked(run, r, run->pc + imm);
    case TF_RV_JALR: return jump(run, insn, r);
    default: return OTHER;
    }
}

/* --- the loop --- */

/* Find the decoded instruction at pc. Returns false if there is none, or it is not in L1. */
INLINE bool find(struct run *run)
{
    const struct tf_tile *tile = run->tile;
    if (__builtin_expect(run->page == NULL || run->pc - run->page->base >= TF_CODE_PAGE_BYTES, 0)) {
        if (run->pc >= tile->arch->l1_bytes || tile->code.page == NULL)
            return false;
        run->page = tile->code.page[run->pc / TF_CODE_PAGE_BYTES];
        if (run->page == NULL)
            return false;
    }
    run->insn = &run->page->insn[run->pc / 4 % TF_CODE_WORDS];
    return run->pc % 4 == 0;
}

/* Must the instruction be decoded anew? It is as far from its operation as any other one of the page. */
INLINE bool is_stale(const struct tf_rv_insn *insn)
{
    _Static_assert(sizeof *insn == sizeof(struct tf_op), "equal strides");
    const size_t before = offsetof(struct tf_code_page, insn) - offsetof(struct tf_code_page, op);
    return ((const struct tf_op *)(const void *)((const uint8_t *)insn - before))->stale != 0;
}

/* Execute one instruction of any kind. Returns whether the core runs on. */
static __attribute__((noinline)) bool step(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    struct tf_code_page *page = NULL;
    const struct tf_rv_insn *found = tf_code_fetches(tile, hart, hart->pc) ? tf_code_insn(tile, hart->pc, &page) : NULL;
    if (found == NULL) {
        tf_interp_unobserved(tile, hart, hart->cycle + 1); /* this records the fault */
        return false;
    }
    const struct tf_rv_insn insn = *found; /* its page may be released */
    struct tf_timed timed;
    tf_timed_issue(tile, hart, &insn, &timed);
    const enum tf_step how = tf_exec(tile, hart, &insn);
    if (how == TF_STEP_STOP)
        return false;
    if (how == TF_STEP_NEXT)
        hart->pc += 4;
    tf_hart_retired(tile, hart, 1);
    tf_timed_retired(tile, hart, &insn, &timed);
    return hart->state == TF_CORE_RUNNING && tf_timed_runs(tile, hart) &&
           !(how == TF_STEP_TRANSFER && hart->cycle >= limit);
}

void tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    if (hart->cycle > timing->counted && !step(tile, hart, limit)) /* tf_timed_issue() says what it has waited for */
        return;
    struct run run = {.tile = tile,
                      .hart = hart,
                      .timing = timing,
                      .value = tile->arch->times->value,
                      .cycle = hart->cycle,
                      .pc = hart->pc};
    const uint32_t line = run.value[TF_TIME_RV_FETCH_LINE];
    for (bool comes = true;;) { /* to another line, or elsewhere */
        enum then then = OTHER;
        if (!comes || LIKELY(find(&run))) {
            if (comes)
                run.cycle = tf_timed_fetch(tile, hart->core, timing, run.pc, run.cycle);
            if (LIKELY(!is_stale(run.insn)))
                then = execute(&run);
        }
        if (LIKELY(then == NEXT)) {
            run.retired++;
            run.pc += 4;
            run.insn++;
            comes = (run.pc & (line - 1)) == 0; /* a power of two: times.c */
        } else if (LIKELY(then == TRANSFER)) {
            run.retired++;
            comes = true;
            if (run.cycle >= limit)
                break;
        } else if (then == YIELDS) {
            hart->yielded = true;
            break;
        } else {
            sync(&run);
            if (!step(tile, hart, limit))
                return;
            run.cycle = hart->cycle;
            run.pc = hart->pc;
            run.page = NULL; /* it may be released */
            comes = true;
        }
    }
    sync(&run);
}
