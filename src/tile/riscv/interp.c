/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreter: threaded code over the operations of decoded pages.
 *
 * Time is not counted. `end` is where `op` would be at the limit if it moved on without a jump: a jump moves both by
 * the same distance less one operation, so that (end - op) / 16 is always what is left of the limit, and cycle and
 * instret at any instruction follow from it. Only control transfers look at it.
 */
#include "tile/riscv/interp.h"

#include <stddef.h>

#include "tile/riscv/exec.h"
#include "tile/riscv/page.h"
#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/tensix.h"
#include "tile/tile.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

_Static_assert(offsetof(struct tf_hart, f) == offsetof(struct tf_hart, x) + TF_OP_F * 4, "f behind x");

static struct tf_code_page *page_at(struct tf_tile *tile, uint32_t pc)
{
    struct tf_code_page **map = tile->code.page;
    if (LIKELY(map != NULL && pc < tile->arch->l1_bytes && map[pc / TF_CODE_PAGE_BYTES] != NULL))
        return map[pc / TF_CODE_PAGE_BYTES];
    return pc < tile->arch->l1_bytes ? tf_code_page_make(tile, pc) : NULL;
}

/* The operation at hart->pc; NULL after a fault. */
static const struct tf_op *op_at(struct tf_tile *tile, struct tf_hart *hart)
{
    uint32_t pc = hart->pc;
    tile->now = hart->cycle;
    if (UNLIKELY(pc & 3)) {
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, 0, pc, "misaligned instruction address");
        return NULL;
    }
    struct tf_code_page *page = page_at(tile, pc);
    if (LIKELY(page != NULL))
        return &page->op[pc / 4 % TF_CODE_WORDS];
    if (pc < tile->arch->l1_bytes)
        tf_tile_fault(tile, hart->core, TF_FAULT_HOST, 0, pc, "no memory for decoded code");
    else
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, 0, pc, "instruction fetch outside L1");
    return NULL;
}

static inline uint32_t pc_of(const struct tf_op *op)
{
    return tf_page_of(op)->base + tf_page_index(op) * 4;
}

static inline uint32_t rotate_right(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

/* Whether the word, in a decoded page, is known to be no code that has been executed: it may be written at will. */
static __attribute__((noinline)) bool beside_code(const struct tf_tile *tile, uint32_t address)
{
    return tile->code.page[address / TF_CODE_PAGE_BYTES]->op[address / 4 % TF_CODE_WORDS].stale;
}

/* Push .ttinsn from op on, one a cycle, while there is room. How many: 0 is for tf_exec(). */
static __attribute__((noinline)) unsigned push_run(struct tf_tile *tile, const struct tf_hart *hart,
                                                   const struct tf_op *op, uint64_t cycle)
{
    struct tf_fifo *fifo = tf_tensix_push_open(tile, hart->core, cycle);
    if (fifo == NULL)
        return 0;
    const void *ttinsn = tf_op_handler(op);
    uint32_t pc = pc_of(op);
    const struct tf_op *end = op + (TF_FIFO_OPEN + 1u - fifo->count);
    struct tf_push *room = tf_fifo_room(fifo);
    uint64_t arrival = cycle;
    do {
        tf_push_set(room, (uint32_t)op->imm, op->rd, arrival++, pc);
        room = tf_fifo_next(fifo, room);
        pc += 4;
        op++;
    } while (op < end && tf_op_handler(op) == ttinsn);
    unsigned count = (unsigned)(arrival - cycle);
    fifo->count = (uint8_t)(fifo->count + count);
    tile->now = arrival - 1;
    return count;
}

/* Where the operation's load or store goes. */
static inline uint32_t address_of(const uint32_t *x, const struct tf_op *op)
{
    return x[op->rs1] + (uint32_t)op->imm;
}

static bool is_push(const uint32_t *x, const struct tf_op *op)
{
    return (address_of(x, op) & 0xFFFF0003u) == TF_INSTRN_BUF_BASE &&
           x[op->rs2] >> 24 != TF_OP_RESOURCEDECL;
}

/*
 * A T core's stores of words to its instruction buffer, from op on, one a cycle, while there is room. How many: 0 is
 * for others to look at. `sw` and `sw_sw` are handlers of operations that begin with a store of a word.
 */
static __attribute__((noinline)) unsigned push_stored(struct tf_tile *tile, const struct tf_hart *hart,
                                                      const struct tf_op *op, uint64_t cycle, const void *sw,
                                                      const void *sw_sw)
{
    const uint32_t *x = hart->x;
    if (!is_push(x, op))
        return 0;
    struct tf_fifo *fifo = tf_tensix_push_open(tile, hart->core, cycle);
    if (fifo == NULL)
        return 0;
    uint32_t pc = pc_of(op);
    struct tf_push *room = tf_fifo_room(fifo);
    unsigned count = 0, most = TF_FIFO_OPEN + 1u - fifo->count;
    do {
        tf_push_set(room, x[op[count].rs2], TF_KIND_UNKNOWN, cycle + count, pc + count * 4);
        room = tf_fifo_next(fifo, room);
        count++;
    } while (count < most && (tf_op_handler(op + count) == sw_sw || tf_op_handler(op + count) == sw) &&
             is_push(x, op + count));
    fifo->count = (uint8_t)(fifo->count + count);
    tile->now = cycle + count - 1;
    return count;
}

/*
 * Stores of words to an initiator from op on, where the first is to a register that tf_port_keeps(): so are all in its
 * row if their base is that of an initiator's registers, as the sum has no carry then. How many.
 */
static inline __attribute__((always_inline)) unsigned keep_run(uint32_t *words, const uint32_t *x,
                                                               const struct tf_op *op)
{
    unsigned stores = op->rd;
    if (UNLIKELY((x[op->rs1] & TF_PORT_OFFSET_MASK) != 0)) {
        tf_port_keep(words, address_of(x, op) & TF_PORT_OFFSET_MASK, x[op->rs2]);
        tf_port_kept(words);
        return 1;
    }
    const struct tf_op *end = op + stores;
    switch (stores) {
#define KEEP(count)                                                                                              \
    case count:                                                                                                  \
        tf_port_keep(words, (uint32_t)end[-(count)].imm & TF_PORT_OFFSET_MASK, x[end[-(count)].rs2]);            \
        __attribute__((fallthrough));
        KEEP(16) KEEP(15) KEEP(14) KEEP(13) KEEP(12) KEEP(11) KEEP(10) KEEP(9)
        KEEP(8) KEEP(7) KEEP(6) KEEP(5) KEEP(4) KEEP(3) KEEP(2) KEEP(1)
#undef KEEP
    default:
        break;
    }
    tf_port_kept(words);
    return stores;
}

_Static_assert(TF_STORE_RUN_MAX == 16, "keep_run() has so many cases");

enum after_step {
    AFTER_GO_ON,    /* at op + 1 */
    AFTER_RESYNC,   /* hart->pc, cycle and instret say where; op may be gone */
    AFTER_TRANSFER, /* likewise, and the turn may end there */
    AFTER_STOP,     /* likewise, and the hart does not run */
};

/* One instruction by tf_exec(), at op. */
static __attribute__((noinline)) enum after_step step(struct tf_tile *tile, struct tf_hart *hart,
                                                      const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    struct tf_rv_insn insn = tf_page_of(op)->insn[tf_page_index(op)];
    uint32_t generation = tile->code_generation;
    hart->pc = pc_of(op);
    hart->cycle = cycle;
    hart->instret = cycle + bias;
    enum tf_step how = tf_exec(tile, hart, &insn);
    if (how == TF_STEP_STOP)
        return AFTER_STOP;
    if (how == TF_STEP_NEXT && hart->state == TF_CORE_RUNNING && generation == tile->code_generation)
        return AFTER_GO_ON;
    hart->cycle = cycle + 1;
    hart->instret = cycle + 1 + bias;
    if (how == TF_STEP_TRANSFER)
        return AFTER_TRANSFER;
    hart->pc += 4;
    return hart->state == TF_CORE_RUNNING ? AFTER_RESYNC : AFTER_STOP;
}

/* Store to a NIU's register, at op, without the long way round: cores that move data spend most of their time there. */
static inline enum after_step store_niu(struct tf_tile *tile, struct tf_hart *hart,
                                                           const struct tf_op *op, uint64_t cycle, uint64_t bias)
{
    uint32_t address = address_of(hart->x, op);
    uint32_t generation = tile->code_generation;
    if (tile->port.store == NULL)
        return step(tile, hart, op, cycle, bias);
    hart->pc = pc_of(op);
    hart->cycle = tile->now = cycle;
    hart->instret = cycle + bias;
    enum tf_access access = tile->port.store(tile->port.niu[address >> 16 & 1], address & 0xFFFFu, hart->x[op->rs2],
                                             hart->core, hart->pc);
    if (LIKELY(access == TF_ACCESS_OK && hart->state == TF_CORE_RUNNING && generation == tile->code_generation))
        return AFTER_GO_ON;
    if (access == TF_ACCESS_FAULT)
        tf_hart_stop(hart);
    if (access != TF_ACCESS_OK || hart->state == TF_CORE_RESET)
        return AFTER_STOP;
    hart->cycle++;
    hart->instret++;
    hart->pc += 4;
    return hart->state == TF_CORE_RUNNING ? AFTER_RESYNC : AFTER_STOP;
}

/* Load from one. False: nothing has happened yet, and tf_exec() tells what is wrong. */
static __attribute__((noinline)) bool load_niu(struct tf_tile *tile, struct tf_hart *hart, const struct tf_op *op,
                                               uint64_t cycle)
{
    uint32_t address = address_of(hart->x, op), value;
    bool pure;
    tile->now = cycle;
    if (tile->port.load == NULL ||
        tile->port.load(tile->port.niu[address >> 16 & 1], address & 0xFFFFu, &value, &pure) != TF_ACCESS_OK)
        return false;
    hart->x[op->rd] = value;
    return true;
}

/* Where the status at an address lies, which is likely to be the one that the operation names. NULL: it is none. */
static inline const uint32_t *status_at(const struct tf_noc_port *port, const struct tf_op *op, uint32_t address)
{
#define LINE(i) \
    TF_PORT_STATUS_ADDRESS(i), TF_PORT_STATUS_ADDRESS((i) + 1), TF_PORT_STATUS_ADDRESS((i) + 2), \
        TF_PORT_STATUS_ADDRESS((i) + 3)
    static const uint32_t likely[] = {LINE(0), LINE(4), LINE(8), LINE(12)};
#undef LINE
    _Static_assert(sizeof likely / sizeof likely[0] == TF_PORT_STATUSES, "each has its line");
    unsigned number = tf_op_number(op) % TF_PORT_STATUSES;
    return LIKELY(address == likely[number]) ? port->status[number] : tf_port_status(port, address);
}

/* Types and sizes of the memory accesses that are fused. */
#define TYPE_LW uint32_t
#define SHIFT_LW 2
#define TYPE_LBU uint8_t
#define SHIFT_LBU 0
#define TYPE_SW uint32_t
#define SHIFT_SW 2
#define TYPE_SB uint8_t
#define SHIFT_SB 0

/* Runs; or with tile NULL gives the table of handlers. */
static const void *const *run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    static const void *const handlers[TF_H_COUNT] = {
#define X(id, ...) [TF_H_##id] = &&do_##id,
        TF_ALU_BINARY(X)
        TF_ALU_UNARY(X)
        TF_ALU_IMMEDIATE(X)
        TF_BRANCHES(X)
        TF_LOADS(X)
        TF_STORES(X)
        TF_AMOS(X)
#undef X
#define X(id, ...) [TF_H_##id##_FAR] = &&do_##id##_FAR,
        TF_BRANCHES(X)
#undef X
#define X(form, id, form_of_next, next) [TF_H_##id##_##next] = &&do_##id##_##next,
        TF_FUSED(X)
#undef X
        [TF_H_CONST] = &&do_CONST,
        [TF_H_MOVE] = &&do_MOVE,
        [TF_H_NOP] = &&do_NOP,
        [TF_H_JUMP] = &&do_JUMP,
        [TF_H_JAL] = &&do_JAL,
        [TF_H_JAL_FAR] = &&do_JAL_FAR,
        [TF_H_JALR] = &&do_JALR,
        [TF_H_TTINSN] = &&do_TTINSN,
        [TF_H_SLOW] = &&do_SLOW,
        [TF_H_LW_STATUS] = &&do_LW_STATUS,
        [TF_H_LW_COUNTER] = &&do_LW_COUNTER,
        [TF_H_POLL_STATUS_2] = &&do_POLL_STATUS_2,
        [TF_H_POLL_STATUS_3] = &&do_POLL_STATUS_3,
        [TF_H_POLL_COUNTER_2] = &&do_POLL_COUNTER_2,
        [TF_H_POLL_COUNTER_3] = &&do_POLL_COUNTER_3,
        [TF_H_SW_PORT] = &&do_SW_PORT,
        [TF_H_SW_COMMAND] = &&do_SW_COMMAND,
        [TF_H_STALE] = &&do_STALE,
        [TF_H_NEXT_PAGE] = &&do_NEXT_PAGE,
    };
    if (tile == NULL)
        return handlers;

    const uint64_t instret = hart->instret;
    const uint64_t bias = hart->instret - hart->cycle; /* instret - cycle stays what it is while instructions retire */
    uint32_t *const x = hart->x;
    uint8_t *const l1 = tile->l1;
    const uint32_t l1_bytes = tile->arch->l1_bytes;
    const struct tf_op *op;
    uintptr_t end;
    const uint32_t *word;
    uint32_t *kept, target;
    enum after_step after;

#define DISPATCH() goto *tf_op_handler(op)
#define NEXT()      \
    do {            \
        op++;       \
        DISPATCH(); \
    } while (0)
#define CYCLE() (limit - (uint64_t)((intptr_t)(end - (uintptr_t)op) >> 4))
/* A control transfer has retired, and op is where it leads. */
#define TRANSFERRED()                           \
    do {                                        \
        if (UNLIKELY((uintptr_t)op >= end))     \
            goto leave_at_op;                   \
        DISPATCH();                             \
    } while (0)
#define GO_NEAR(distance)                                            \
    do {                                                             \
        end = end + (uintptr_t)(intptr_t)(distance) - sizeof *op;    \
        op = (const void *)((uintptr_t)op + (uintptr_t)(intptr_t)(distance)); \
        TRANSFERRED();                                               \
    } while (0)
/* To an address; what is not decoded yet, or is no place for code, goes the long way round. */
#define GO(where)                                                                           \
    do {                                                                                    \
        target = (where);                                                                   \
        uint32_t word_ = rotate_right(target, 2);                                           \
        struct tf_code_page **map_ = tile->code.page;                                       \
        if (UNLIKELY(word_ >= l1_bytes / 4 || map_[word_ / TF_CODE_WORDS] == NULL))      \
            goto transfer_to_target;                                                        \
        const struct tf_op *to_ = &map_[word_ / TF_CODE_WORDS]->op[word_ % TF_CODE_WORDS];  \
        end += (uintptr_t)to_ - (uintptr_t)op - sizeof *op;                                 \
        op = to_;                                                                           \
        TRANSFERRED();                                                                      \
    } while (0)

resync:
    op = op_at(tile, hart);
    if (op == NULL)
        goto leave;
    end = (uintptr_t)op + (uintptr_t)((limit - hart->cycle) * sizeof *op);
    DISPATCH();

/*
 * What an operation does, by the forms of TF_FUSED; op is at it. Rotated, a misaligned address is beyond everything. A
 * load or store that is not for L1 or local RAM, or that changes code, is left to tf_exec().
 */
#define DO_R(id) x[op->rd] = tf_alu_##id(x[op->rs1], x[op->rs2])
#define DO_I(id) x[op->rd] = tf_alu_##id(x[op->rs1], (uint32_t)op->imm)
#define DO_U(id) x[op->rd] = tf_alu_##id(x[op->rs1], 0)
#define DO_C(id) x[op->rd] = (uint32_t)op->imm
#define DO_M(id) x[op->rd] = x[op->rs1]
#define DO_J(id) GO_NEAR(op->imm)
#define DO_B(id)                                   \
    do {                                           \
        if (tf_alu_##id(x[op->rs1], x[op->rs2]))   \
            GO_NEAR(op->imm);                      \
        op++;                                      \
        TRANSFERRED();                             \
    } while (0)
#define DO_B_FAR(id)                               \
    do {                                           \
        if (tf_alu_##id(x[op->rs1], x[op->rs2]))   \
            GO((uint32_t)op->imm);                 \
        op++;                                      \
        TRANSFERRED();                             \
    } while (0)
#define FAR_FROM_MEMORY(shift, where) \
    do {                              \
        if ((shift) == 2)             \
            goto where;               \
        goto do_SLOW;                 \
    } while (0)
#define DO_L(id) LOAD(TYPE_##id, SHIFT_##id)
#define LOAD(type, shift)                                                                               \
    do {                                                                                                \
        uint32_t address_ = x[op->rs1] + (uint32_t)op->imm;                                             \
        uint32_t at_ = rotate_right(address_, shift);                                                   \
        const type *from_ = (const type *)(const void *)l1;                                             \
        if (UNLIKELY(at_ >= l1_bytes >> (shift))) {                                                  \
            at_ = rotate_right(address_ - TF_LOCAL_BASE, shift);                                        \
            from_ = (const type *)(const void *)hart->local;                                            \
            if (UNLIKELY(at_ >= hart->local_bytes >> (shift)))                                          \
                FAR_FROM_MEMORY(shift, load_elsewhere);                                                 \
        }                                                                                               \
        x[op->rd] = (uint32_t)__atomic_load_n(from_ + at_, __ATOMIC_RELAXED);                           \
    } while (0)
#define DO_S(id) STORE(TYPE_##id, SHIFT_##id)
#define STORE(type, shift)                                                                              \
    do {                                                                                                \
        uint32_t address_ = x[op->rs1] + (uint32_t)op->imm;                                             \
        uint32_t at_ = rotate_right(address_, shift);                                                   \
        type *to_ = (type *)(void *)l1;                                                                 \
        if (LIKELY(at_ < l1_bytes >> (shift))) {                                                     \
            if (UNLIKELY(tile->code.decoded[address_ / TF_CODE_PAGE_BYTES]) && !beside_code(tile, address_)) \
                goto do_SLOW;                                                                           \
        } else {                                                                                        \
            at_ = rotate_right(address_ - TF_LOCAL_BASE, shift);                                        \
            to_ = (type *)(void *)hart->local;                                                          \
            if (UNLIKELY(at_ >= hart->local_bytes >> (shift))) {                                        \
                FAR_FROM_MEMORY(shift, store_elsewhere);                                                \
            }                                                                                           \
        }                                                                                               \
        __atomic_store_n(to_ + at_, (type)x[op->rs2], __ATOMIC_RELAXED);                                \
    } while (0)

#define X(id, ...)   \
    do_##id:         \
        DO_R(id);    \
        NEXT();
    TF_ALU_BINARY(X)
#undef X

#define X(id, ...)   \
    do_##id:         \
        DO_I(id);    \
        NEXT();
    TF_ALU_IMMEDIATE(X)
#undef X

#define X(id, ...)   \
    do_##id:         \
        DO_U(id);    \
        NEXT();
    TF_ALU_UNARY(X)
#undef X

#define X(id, ...)       \
    do_##id:             \
        DO_B(id);        \
    do_##id##_FAR:       \
        DO_B_FAR(id);
    TF_BRANCHES(X)
#undef X

#define X(id, type, shift)     \
    do_##id:                   \
        LOAD(type, shift);     \
        NEXT();
    TF_LOADS(X)
#undef X

#define X(id, type, shift)     \
    do_##id:                   \
        STORE(type, shift);    \
        NEXT();
    TF_STORES(X)
#undef X

/* In L1, beside code, and nobody else's at the same time. */
#define X(id, ...)                                                                              \
    do_##id:                                                                                    \
        target = x[op->rs1];                                                                    \
        if (UNLIKELY(rotate_right(target, 2) >= l1_bytes / 4 || tile->shared ||                 \
                     (tile->code.decoded[target / TF_CODE_PAGE_BYTES] && !beside_code(tile, target)))) \
            goto do_SLOW;                                                                       \
        kept = (uint32_t *)(void *)(l1 + target);                                               \
        target = __atomic_load_n(kept, __ATOMIC_RELAXED);                                       \
        __atomic_store_n(kept, tf_alu_##id(target, x[op->rs2]), __ATOMIC_RELAXED);              \
        x[op->rd] = target;                                                                     \
        NEXT();
    TF_AMOS(X)
#undef X

#define X(form, id, form_of_next, next)   \
    do_##id##_##next:                     \
        DO_##form(id);                    \
        op++;                             \
        DO_##form_of_next(next);          \
        NEXT();
    TF_FUSED(X)
#undef X

do_CONST:
    DO_C(CONST);
    NEXT();

do_MOVE:
    DO_M(MOVE);
    NEXT();

do_NOP:
    NEXT();

do_JUMP:
    GO_NEAR(op->imm);

do_JAL:
    x[op->rd] = pc_of(op) + 4;
    GO_NEAR(op->imm);

do_JAL_FAR:
    x[op->rd] = pc_of(op) + 4;
    GO((uint32_t)op->imm);

do_JALR:
    target = (x[op->rs1] + (uint32_t)op->imm) & ~1u;
    x[op->rd] = pc_of(op) + 4;
    GO(target);

do_TTINSN: {
    unsigned pushed = push_run(tile, hart, op, CYCLE());
    if (UNLIKELY(pushed == 0))
        goto do_SLOW;
    op += pushed;
    DISPATCH();
}

/* The registers of a request are written in a row, and NOC_CMD_CTRL behind them. */
do_SW_PORT:
    target = address_of(x, op);
    kept = tf_port_initiator(&tile->port, target);
    if (UNLIKELY(kept == NULL || kept[TF_PORT_CMD_CTRL] != 0 || !tf_port_keeps(target & TF_PORT_OFFSET_MASK)))
        goto do_SW_COMMAND;
    op += keep_run(kept, x, op);
    DISPATCH();

do_SW_COMMAND:
    if (UNLIKELY(!tf_port_reaches(address_of(x, op))))
        goto do_SW;
    after = store_niu(tile, hart, op, CYCLE(), bias);
    goto stepped;

store_elsewhere:
    if (tf_port_reaches(address_of(x, op))) {
        word = tf_port_status(&tile->port, address_of(x, op));
        tf_page_expect(op, word != NULL ? TF_H_SW_COMMAND : TF_H_SW_PORT, 0);
        DISPATCH();
    }
    target = push_stored(tile, hart, op, CYCLE(), &&do_SW, &&do_SW_SW);
    op += target;
    if (target != 0)
        DISPATCH();
    goto do_SLOW;

/* A word of a NIU that is read without further ado; where a loop polls it, and it is 0, the rest of the loop, too. */
#define LOOK(where)                                            \
    do {                                                       \
        word = (where);                                        \
        if (UNLIKELY(word == NULL))                            \
            goto do_LW;                                        \
        x[op->rd] = __atomic_load_n(word, __ATOMIC_RELAXED);   \
    } while (0)
#define POLL(where, count)        \
    do {                          \
        LOOK(where);              \
        if (x[op->rd] != 0)       \
            NEXT();               \
        op += (count);            \
        TRANSFERRED();            \
    } while (0)
#define STATUS() status_at(&tile->port, op, address_of(x, op))
#define COUNTER() tf_port_counter(&tile->port, address_of(x, op))

do_LW_STATUS:
    LOOK(STATUS());
    NEXT();

do_LW_COUNTER:
    LOOK(COUNTER());
    NEXT();

do_POLL_STATUS_2:
    POLL(STATUS(), 2);

do_POLL_STATUS_3:
    POLL(STATUS(), 3);

do_POLL_COUNTER_2:
    POLL(COUNTER(), 2);

do_POLL_COUNTER_3:
    POLL(COUNTER(), 3);

load_elsewhere:
    if (!tf_port_reaches(address_of(x, op)))
        goto do_SLOW;
    if (tf_port_status(&tile->port, address_of(x, op)) != NULL)
        tf_page_expect(op, TF_H_LW_STATUS, tf_port_status_number(address_of(x, op)));
    else if (tf_port_counter(&tile->port, address_of(x, op)) != NULL)
        tf_page_expect(op, TF_H_LW_COUNTER, 0);
    if (load_niu(tile, hart, op, CYCLE()))
        NEXT();
    goto do_SLOW;

do_SLOW:
    after = step(tile, hart, op, CYCLE(), bias);
stepped:
    switch (after) {
    case AFTER_GO_ON:
        NEXT();
    case AFTER_TRANSFER:
        if (hart->cycle >= limit)
            goto leave;
        goto resync;
    case AFTER_RESYNC:
        goto resync;
    case AFTER_STOP:
        goto leave;
    }
    goto leave;

do_STALE:
    tf_code_refresh(tile, tf_page_of(op), tf_page_index(op));
    DISPATCH();

do_NEXT_PAGE:
    hart->pc = pc_of(op);
    hart->cycle = CYCLE();
    hart->instret = hart->cycle + bias;
    goto resync;

transfer_to_target:
    hart->pc = target;
    hart->cycle = CYCLE() + 1;
    hart->instret = hart->cycle + bias;
    if (hart->cycle >= limit)
        goto leave;
    goto resync;

leave_at_op:
    hart->pc = pc_of(op);
    hart->cycle = CYCLE();
    hart->instret = hart->cycle + bias;
leave:
    tile->executed += hart->instret - instret;
    return NULL;
}

const void *const *tf_interp_handlers(void)
{
    return run(NULL, NULL, 0);
}

void tf_interp(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    run(tile, hart, limit);
}
