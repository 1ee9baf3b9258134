/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreter: threaded code over the operations of decoded pages.
 *
 * Time is not counted. `end` is the position of `op` at the limit if no jump came. A jump moves both by its distance,
 * and `end` by one operation less. So (end - op) / 16 is always the rest of the limit; cycle and instret follow from
 * it. Only control transfers test it.
 *
 * The file is compiled six times. With TF_COUNTED it reports each stretch to the tile's counter (count.h). With
 * TF_CHECKED it reports each access to the race checker (tile/check.h). With TF_EXPLORED tf_exec() does the
 * accesses that other orders delay (tile/explore), and reports them. With TF_ORDERED it does all loads and stores,
 * since it claims those of memory (tile/order/order.h). TF_INTERP is the name of an instance.
 */
#include "tile/explore/cores/cores.h"
#include "tile/riscv/interp/instances.h"
#include "tile/riscv/interp/interp.h"

#include <stddef.h>

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/interp/count.h"
#include "tile/riscv/exec/exec.h"
#include "tile/riscv/interp/forms.h"
#include "tile/riscv/code/lower.h"
#include "tile/riscv/code/page.h"
#include "tile/order/register.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/isa/decode.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/push.h"
#include "tile/tensix/whole/tensix.h"
#include "tile/state.h"

#ifndef TF_INTERP
#define TF_INTERP tf_interp_uncounted
#define TF_INTERP_HANDLERS tf_interp_handlers
#endif
#ifndef TF_COUNTED
#define TF_COUNTED 0
#endif
#ifndef TF_CHECKED
#define TF_CHECKED 0
#endif
#ifndef TF_EXPLORED
#define TF_EXPLORED 0
#endif
#ifndef TF_ORDERED
#define TF_ORDERED 0
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

_Static_assert(offsetof(struct tf_hart, f) == offsetof(struct tf_hart, x) + TF_OP_F * 4, "f after x");

/* Record the fault that says why the hart cannot execute at its pc. */
static __attribute__((cold)) void fault_at_fetch(struct tf_tile *tile, const struct tf_hart *hart)
{
    uint32_t pc = hart->pc;
    if (pc & 3)
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, 0, pc, "misaligned instruction address");
    else if (tf_code_fetches(tile, hart, pc))
        tf_tile_fault(tile, hart->core, TF_FAULT_HOST, 0, pc, "the host has no memory for decoded code");
    else
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, 0, pc, "instruction fetch outside L1");
}

/* op_at() outside the decoded pages of L1. */
static __attribute__((noinline)) const struct tf_op *op_of_other_page(struct tf_tile *tile, const struct tf_hart *hart)
{
    uint32_t pc = hart->pc;
    bool fetches = tf_code_fetches(tile, hart, pc);
    struct tf_code_page *page = fetches ? tf_code_page_make(tile, tf_code_place(tile->arch, pc)) : NULL;
    if (page != NULL)
        return &page->op[pc / 4 % TF_CODE_WORDS];
    fault_at_fetch(tile, hart);
    return NULL;
}

/* The operation at hart->pc; NULL after a fault. It is inline for row `barrier-700`. */
static inline __attribute__((always_inline)) const struct tf_op *op_at(struct tf_tile *tile, const struct tf_hart *hart)
{
    struct tf_code_page **map = tile->code.page;
    uint32_t pc = hart->pc;
    tile->cycle = hart->cycle;
    if (UNLIKELY((pc & 3) != 0 || pc >= tile->arch->l1_bytes || map == NULL || map[pc / TF_CODE_PAGE_BYTES] == NULL))
        return op_of_other_page(tile, hart);
    return &map[pc / TF_CODE_PAGE_BYTES]->op[pc / 4 % TF_CODE_WORDS];
}

static inline uint32_t pc_of(const struct tf_op *op)
{
    return tf_page_of(op)->base + tf_page_index(op) * 4;
}

static inline uint32_t rotate_right(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

static __attribute__((noinline)) bool beside_code(const struct tf_tile *tile, uint32_t address)
{
    return tf_code_is_beside(tile, address);
}

/* Push .ttinsn from op on, one a cycle, while the FIFO is open. Returns their number. 0 means that tf_exec() must
   execute op. */
static __attribute__((noinline)) unsigned push_run(struct tf_tile *tile, const struct tf_hart *hart,
                                                   const struct tf_op *op, uint64_t cycle)
{
    struct tf_fifo *fifo = tf_tensix_push_open(tile, hart->core);
    if (fifo == NULL)
        return 0;
    const void *ttinsn = tf_op_handler(op);
    uint64_t above = (uint64_t)pc_of(op) << 32, arrival = cycle;
    struct tf_push *room = tf_fifo_room(fifo);
    uint32_t unbatched = 0;
    unsigned left = TF_FIFO_OPEN + 1u - fifo->count;
    do {
        /* This inner loop ends at the end of the FIFO's memory, which saves a test for each push (row `thcon`). */
        unsigned adjacent = (unsigned)(fifo->entry + TF_FIFO_ENTRIES - room);
        const struct tf_op *end = op + tf_min(left, adjacent);
        left -= tf_min(left, adjacent);
        do {
            unbatched |= tf_push_unbatched(op->rd);
            tf_push_set(room, (uint32_t)op->imm, op->rd, arrival, above);
            room++;
            arrival++;
            above += UINT64_C(4) << 32;
            op++;
        } while (op < end && tf_op_handler(op) == ttinsn);
        room = fifo->entry;
    } while (left != 0 && tf_op_handler(op) == ttinsn);
    unsigned count = (unsigned)(arrival - cycle);
    tf_fifo_pushed(fifo, count, unbatched);
    tile->cycle = cycle + count - 1;
    return count;
}

/* The address of the operation's load or store. */
static inline uint32_t address_of(const uint32_t *x, const struct tf_op *op)
{
    return x[op->rs1] + (uint32_t)op->imm;
}

static bool is_push(const uint32_t *x, const struct tf_op *op)
{
    return (address_of(x, op) & 0xFFFF0003u) == TF_INSTRN_BUF_BASE && x[op->rs2] >> 24 != TF_OP_RESOURCEDECL;
}

/* The word in the form that a FIFO takes. Returns false if it must be refused. */
static inline bool to_push(const struct tf_tile *tile, uint32_t *word)
{
    return LIKELY(tile->arch->opcode == NULL) || tf_family_word(tile->arch, word) == TF_WORD_RIGHT;
}

/*
 * A T core's stores of words to its instruction buffer, from op on, one a cycle, while the FIFO is open. is_push() is
 * true for the first one. Returns their number. 0 means that another handler must execute the first one. `sw` and
 * `sw_sw` are the handlers of operations that begin with a store of a word. Bench rows vector (17 % of its
 * instructions) and mvmul-bf16-0 (10 %) pay for it.
 */
static __attribute__((noinline)) unsigned push_stored(struct tf_tile *tile, const struct tf_hart *hart,
                                                      const struct tf_op *op, uint64_t cycle, const void *sw,
                                                      const void *sw_sw)
{
    const uint32_t *x = hart->x;
    struct tf_fifo *fifo = tf_tensix_push_open(tile, hart->core);
    if (fifo == NULL)
        return 0;
    uint32_t pc = pc_of(op), word = x[op->rs2];
    struct tf_push *room = tf_fifo_room(fifo);
    unsigned count = 0, most = TF_FIFO_OPEN + 1u - fifo->count;
    while (to_push(tile, &word)) {
        tf_push_set(room, word, TF_PUSH_UNCLASSIFIED, cycle + count, (uint64_t)(pc + count * 4) << 32);
        room = tf_fifo_next(fifo, room);
        count++;
        if (count == most || (tf_op_handler(op + count) != sw_sw && tf_op_handler(op + count) != sw) ||
            !is_push(x, op + count))
            break;
        word = x[op[count].rs2];
    }
    if (count == 0)
        return 0;
    tf_fifo_pushed(fifo, count, tf_push_unbatched(TF_PUSH_UNCLASSIFIED));
    tile->cycle = cycle + count - 1;
    return count;
}

/*
 * A burst: store words to storable registers of a line of fast words, from op on. The address of op is `target`, and
 * its register has the word `at`. op->rd is the number of stores. Their immediates differ only in bits 5:2, so a base
 * that is a multiple of TF_FAST_LINE_BYTES keeps them in one line. Returns the number of stores done, 1 for another
 * base.
 */
static inline __attribute__((always_inline)) unsigned store_burst(const struct tf_fast *fast, uint32_t *at,
                                                                  const uint32_t *x, const struct tf_op *op,
                                                                  uint32_t target)
{
    unsigned stores = op->rd;
    if (UNLIKELY(x[op->rs1] % TF_FAST_LINE_BYTES != 0)) {
        *at = x[op->rs2];
        tf_fast_stored(fast, at, target);
        return 1;
    }
    const uintptr_t base = (uintptr_t)at - (uintptr_t)(intptr_t)op->imm;
    const struct tf_op *end = op + stores;
    switch (stores) {
#define STORE_WORD(count)                                                                    \
    case count:                                                                              \
        *(uint32_t *)(base + (uintptr_t)(intptr_t)end[-(count)].imm) = x[end[-(count)].rs2]; \
        __attribute__((fallthrough));
        STORE_WORD(16)
        STORE_WORD(15)
        STORE_WORD(14)
        STORE_WORD(13)
        STORE_WORD(12)
        STORE_WORD(11)
        STORE_WORD(10)
        STORE_WORD(9)
        STORE_WORD(8)
        STORE_WORD(7)
        STORE_WORD(6)
        STORE_WORD(5)
        STORE_WORD(4)
        STORE_WORD(3)
        STORE_WORD(2)
        STORE_WORD(1)
#undef STORE_WORD
    default: break;
    }
    tf_fast_stored(fast, at, target);
    return stores;
}

_Static_assert(TF_BURST_MAX == 16, "store_burst() has a case for each length");

enum after_step {
    AFTER_GO_ON,    /* continue at op + 1 */
    AFTER_RESYNC,   /* continue at hart->pc, cycle and instret; op may be invalid */
    AFTER_TRANSFER, /* as AFTER_RESYNC; the turn may end there */
    AFTER_STOP,     /* as AFTER_RESYNC; the hart does not run */
};

/* Set pc, cycle and instret of the hart for the operation op in `cycle`. */
static inline void sync_hart(struct tf_hart *hart, const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    hart->pc = pc_of(op);
    hart->cycle = cycle;
    hart->instret = cycle + bias;
}

/* Decide how to go on after an instruction that ended as `how` says. `generation` is tile->code_generation before
   it. */
static inline enum after_step after_insn(const struct tf_tile *tile, struct tf_hart *hart, enum tf_step how,
                                         uint32_t generation)
{
    if (LIKELY(how == TF_STEP_NEXT && hart->state == TF_CORE_RUNNING && generation == tile->code_generation))
        return AFTER_GO_ON;
    if (how == TF_STEP_STOP)
        return AFTER_STOP;
    hart->cycle++;
    hart->instret++;
    if (how == TF_STEP_TRANSFER)
        return AFTER_TRANSFER;
    hart->pc += 4;
    return hart->state == TF_CORE_RUNNING ? AFTER_RESYNC : AFTER_STOP;
}

/* Execute one instruction by tf_exec(), at op. */
static __attribute__((noinline)) enum after_step step(struct tf_tile *tile, struct tf_hart *hart,
                                                      const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    struct tf_rv_insn insn = tf_page_of(op)->insn[tf_page_index(op)];
    uint32_t generation = tile->code_generation;
    sync_hart(hart, op, cycle, bias);
    return after_insn(tile, hart, tf_exec(tile, hart, &insn), generation);
}

/*
 * Claim the push of the .ttinsn at op into a closed FIFO. AFTER_GO_ON means that the coprocessor has opened the FIFO,
 * and that nothing has been pushed. Other results are those of step(). Bench rows `thcon` and `vector` pay for it.
 */
static __attribute__((noinline)) enum after_step claim_push(struct tf_tile *tile, struct tf_hart *hart,
                                                            const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    struct tf_rv_insn insn = tf_page_of(op)->insn[tf_page_index(op)];
    uint32_t generation = tile->code_generation;
    sync_hart(hart, op, cycle, bias);
    if (tf_order_claim_push(tile, hart) != TF_ACCESS_OK)
        return AFTER_STOP;
    if (LIKELY(hart->state == TF_CORE_RUNNING && generation == tile->code_generation &&
               !tf_tensix_push_closed(tile, hart->core)))
        return AFTER_GO_ON;
    return after_insn(tile, hart, tf_exec_push_claimed(tile, hart, &insn), generation);
}

/* Store an aligned word to a register, at op. This is step() without decoding. Bench row `atomic-inc-spread` pays for
   it. */
static inline __attribute__((always_inline)) enum after_step store_register(struct tf_tile *tile, struct tf_hart *hart,
                                                                            const struct tf_op *op, uint32_t address,
                                                                            uint64_t cycle, uint64_t bias)
{
    const uint32_t *x = hart->x; /* registers of f follow x, so rs2 may be one of f */
    uint32_t generation = tile->code_generation, value = x[op->rs2];
    sync_hart(hart, op, cycle, bias);
    if (TF_CHECKED)
        tile->check->storing(tile->check, hart->core, hart->pc, address, value);
    return after_insn(tile, hart, tf_register_store(tile, hart, address, 4, value), generation);
}

/* Is the address aligned to 4, and beyond the window of fast words? Neither L1 nor the core's own RAM lies there. */
static inline bool is_past_fast(uint32_t address)
{
    const uint32_t first = TF_FAST_BASE + TF_FAST_BYTES;
    _Static_assert(TF_LOCAL_BASE < TF_FAST_BASE, "the core's own RAM comes before");
    return rotate_right(address - first, 2) < (0 - first) / 4;
}

/* Load an aligned word from a register, at op. This is step() without decoding. Bench row `cb` pays for it. */
static __attribute__((noinline)) enum after_step load_register(struct tf_tile *tile, struct tf_hart *hart,
                                                               const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    uint32_t generation = tile->code_generation, value;
    unsigned rd = op->rd;  /* the load may run the coprocessor, whose store to code releases op */
    uint32_t *x = hart->x; /* registers of f follow x, so rd may be one of f */
    bool pure;
    sync_hart(hart, op, cycle, bias);
    uint32_t address = address_of(hart->x, op);
    enum tf_step how = tf_register_load(tile, hart, address, 4, &value, &pure);
    if (TF_CHECKED && how == TF_STEP_NEXT)
        tile->check->loaded(tile->check, hart->core, hart->pc, address, value);
    if (how == TF_STEP_NEXT)
        x[rd] = value;
    return after_insn(tile, hart, how, generation);
}

/* Run a hart. With tile NULL, return the table of handlers. */
static const void *const *run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    /* clang-format off */
    static const void *const handlers[TF_H_COUNT] = {
        TF_ALU_BINARY(ADDRESS) TF_ALU_UNARY(ADDRESS) TF_ALU_IMMEDIATE(ADDRESS) TF_BRANCHES(ADDRESS)
        TF_BRANCHES(ADDRESS_FAR) TF_LOADS(ADDRESS) TF_STORES(ADDRESS) TF_AMOS(ADDRESS) TF_FUSED(ADDRESS_FUSED)
        TF_CHAINED(ADDRESS_CHAINED)
        TF_SINGLE_HANDLERS(ADDRESS) ADDRESS(SLOW)
    };
    /* clang-format on */
    if (tile == NULL)
        return handlers;

    const uint64_t instret = hart->instret;
    const uint64_t bias = hart->instret - hart->cycle; /* instret - cycle is constant while instructions retire */
    uint32_t *const x = hart->x;
    uint8_t *const l1 = tile->l1;
    const uint32_t l1_bytes = tile->arch->l1_bytes, l1_words = l1_bytes / 4;
    const struct tf_op *op;
    uintptr_t end;
    const uint32_t *word;
    uint32_t *at, target, result;
    enum after_step after;
    struct tf_check *const check = TF_CHECKED ? tile->check : NULL;
    struct tf_counter *const counter = TF_COUNTED ? tf_counter_of(tile, hart->core) : NULL;
    uint32_t first = hart->pc, stepped_pc = 0; /* where the stretch began; stepped_pc: that of one instruction */

resync:
    op = op_at(tile, hart);
    if (op == NULL)
        goto leave;
    end = (uintptr_t)op + (uintptr_t)((limit - hart->cycle) * sizeof *op);
    DISPATCH();

    TF_ALU_BINARY(HANDLE_R)
    TF_ALU_IMMEDIATE(HANDLE_I)
    TF_ALU_UNARY(HANDLE_U)
    TF_BRANCHES(HANDLE_B)
    TF_LOADS(HANDLE_LOAD)
    TF_STORES(HANDLE_STORE)
    TF_AMOS(HANDLE_AMO)
    TF_FUSED(HANDLE_FUSED)
    TF_CHAINED(HANDLE_CHAINED)
    HANDLE(CONST, DO_C(CONST))
    HANDLE(MOVE, DO_M(MOVE))

#include "tile/riscv/interp/handlers.h"

leave_at_op:
    sync_hart(hart, op, CYCLE(), bias);
leave:
    if (TF_COUNTED && counter != NULL && hart->pc != first)
        counter->ran(counter, hart->core, first, hart->pc, hart->pc | TF_STRETCH_PAUSES, hart->cycle);
    tile->figures.executed += hart->instret - instret;
    return NULL;
}

const void *const *TF_INTERP_HANDLERS(void)
{
    return run(NULL, NULL, 0);
}

void TF_INTERP(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    run(tile, hart, limit);
}

#if !TF_EXPLORED && !TF_ORDERED && !TF_COUNTED && !TF_CHECKED
void tf_interp_unobserved(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    if (tf_code_timed(&tile->code)) { /* its operations are those of riscv/interp/timed.c, which could not fetch one */
        tile->cycle = hart->cycle;
        fault_at_fetch(tile, hart);
    } else if (tf_code_ordered(&tile->code))
        tf_interp_ordered(tile, hart, limit);
    else if (tf_code_explored(&tile->code))
        tf_interp_explored(tile, hart, limit);
    else if (tf_code_counted(&tile->code) && tf_code_checked(&tile->code))
        tf_interp_both(tile, hart, limit);
    else if (tf_code_counted(&tile->code))
        tf_interp_counted(tile, hart, limit);
    else if (tf_code_checked(&tile->code))
        tf_interp_checked(tile, hart, limit);
    else
        run(tile, hart, limit);
}
#endif
