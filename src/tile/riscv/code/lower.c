/* SPDX-License-Identifier: Apache-2.0 */
/* From decoded instructions to the interpreter's operations. */
#include "tile/riscv/code/lower.h"
#include "tile/fast.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/push.h"

/* The other kinds of instructions have TF_H_SLOW. */
static const uint8_t handler_of[TF_RV_COUNT] = {
#define X(id, ...) [TF_RV_##id] = TF_H_##id,
    TF_ALU_BINARY(X) TF_ALU_UNARY(X) TF_ALU_IMMEDIATE(X) TF_BRANCHES(X) TF_LOADS(X) TF_STORES(X) TF_AMOS(X)
#undef X
        [TF_RV_FENCE] = TF_H_NOP,
    [TF_RV_LUI] = TF_H_CONST,
    [TF_RV_AUIPC] = TF_H_CONST,
    [TF_RV_JAL] = TF_H_JAL,
    [TF_RV_JALR] = TF_H_JALR,
    [TF_RV_FLW] = TF_H_LW,
    [TF_RV_FSW] = TF_H_SW,
};

/* Set the target of a jump or branch by `offset` bytes. Within the page it is the distance in bytes of operations;
   otherwise it is an address. */
static unsigned lower_target(struct tf_op *op, const struct tf_code_page *page, unsigned index, int32_t offset,
                             unsigned near, unsigned far)
{
    int32_t to = (int32_t)index * 4 + offset;
    if (offset % 4 == 0 && to >= 0 && to < (int32_t)TF_CODE_PAGE_BYTES) {
        op->imm = offset * (int32_t)(sizeof(struct tf_op) / 4);
        return near;
    }
    op->imm = (int32_t)(page->base + (uint32_t)to);
    return far;
}

static bool stores_word(const struct tf_code_page *page, unsigned index)
{
    return handler_of[page->insn[index].id] == TF_H_SW && !page->op[index].stale;
}

/* Does `b` store to a storable word in the same line of fast words as `a`? The base is a multiple of
   TF_FAST_LINE_BYTES. */
static bool shares_burst(const struct tf_code_page *page, const struct tf_rv_insn *a, const struct tf_rv_insn *b)
{
    return a->rs1 == b->rs1 && ((uint32_t)(a->imm ^ b->imm) & ~(TF_FAST_LINE_BYTES - 4)) == 0 &&
           (page->in_burst >> (uint32_t)b->imm % TF_FAST_LINE_BYTES / 4 & 1);
}

static unsigned store_run(const struct tf_code_page *page, unsigned index)
{
    unsigned count = 1;
    while (count < TF_BURST_MAX && index + count < TF_CODE_WORDS && stores_word(page, index + count) &&
           shares_burst(page, &page->insn[index], &page->insn[index + count]))
        count++;
    return count;
}

/* An instruction that a family lacks is refused when it is executed. */
static unsigned lower_push(struct tf_op *op, const struct tf_code_page *page, uint32_t word)
{
    if (page->family != NULL && tf_family_word(page->family, &word) != TF_WORD_RIGHT)
        return TF_H_SLOW;
    op->rd = tf_push_classify(word);
    op->imm = (int32_t)word;
    return word >> 24 != TF_OP_RESOURCEDECL ? TF_H_TTINSN : TF_H_SLOW;
}

static unsigned lower_jump(const struct tf_rv_insn *insn)
{
    if (insn->rd != 0)
        return TF_H_JAL;
    return insn->imm == 0 ? TF_H_SPIN : TF_H_JUMP;
}

static unsigned lower_one(struct tf_op *op, const struct tf_code_page *page, unsigned index)
{
    const struct tf_rv_insn *insn = &page->insn[index];
    unsigned handler = handler_of[insn->id];
    bool to_f = insn->id == TF_RV_FLW;
    op->rd = (uint8_t)(to_f ? TF_OP_F + insn->rd : insn->rd == 0 ? TF_OP_SINK : insn->rd);
    op->rs1 = insn->rs1;
    op->rs2 = (uint8_t)(insn->id == TF_RV_FSW ? TF_OP_F + insn->rs2 : insn->rs2);
    op->stale = 0;
    op->imm = insn->imm;
    switch (insn->id) {
#define X(id, ...) \
    case TF_RV_##id: return lower_target(op, page, index, insn->imm, TF_H_##id, TF_H_##id##_FAR);
        TF_BRANCHES(X)
#undef X
    case TF_RV_JAL: return lower_target(op, page, index, insn->imm, lower_jump(insn), TF_H_JAL_FAR);
    case TF_RV_AUIPC: op->imm = (int32_t)(page->base + index * 4 + (uint32_t)insn->imm); return handler;
    case TF_RV_ADDI:
        if (insn->rs1 == 0)
            return TF_H_CONST;
        return insn->imm == 0 ? TF_H_MOVE : handler;
    case TF_RV_SW:
    case TF_RV_FSW: op->rd = (uint8_t)store_run(page, index); return handler;
    case TF_RV_TTINSN: return lower_push(op, page, (uint32_t)insn->imm);
    default: return handler;
    }
}

/* The handler of a pair of TF_FUSED; that of the first operation if there is none. */
static unsigned fused(unsigned first, unsigned second)
{
    switch (first << 8 | second) {
#define X(form, id, form_of_next, next) \
    case TF_H_##id << 8 | TF_H_##next: return TF_H_##id##_##next;
        TF_FUSED(X)
#undef X
    default: return first;
    }
}

enum operand { R1, R2, I1 = R1, L1 = R1, S2 = R2, B1 = R1, B2 = R2 };

/* The handler of a pair of TF_CHAINED, whose second operation takes the result as this operand; or 0. */
static unsigned chained(unsigned first, unsigned second, enum operand operand)
{
    switch (first << 9 | second << 1 | operand) {
#define X(form, id, form_of_next, next) \
    case TF_H_##id << 9 | TF_H_##next << 1 | form_of_next: return TF_H_##id##_##next##_##form_of_next;
        TF_CHAINED(X)
#undef X
    default: return 0;
    }
}

_Static_assert(TF_H_COUNT <= 256, "handlers are numbered in 8 bits");

/* The handler of a pair of TF_CHAINED. Returns 0 if the second operation does not use the result of the first. */
static unsigned chain(const struct tf_op *op, unsigned first, const struct tf_op *next, unsigned second)
{
    const unsigned pair = next->rs1 == op->rd ? chained(first, second, R1) : 0;
    return pair == 0 && next->rs2 == op->rd ? chained(first, second, R2) : pair;
}

static unsigned fuse_with_next(const struct tf_code_page *page, unsigned index, unsigned handler)
{
    struct tf_op next;
    unsigned second = lower_one(&next, page, index + 1);
    unsigned pair = chain(&page->op[index], handler, &next, second);
    return pair != 0 ? pair : fused(handler, second);
}

void tf_page_lower(struct tf_code_page *page, unsigned index, bool fuse)
{
    struct tf_op *op = &page->op[index];
    unsigned handler = lower_one(op, page, index);
    if (fuse && index + 1 < TF_CODE_WORDS)
        handler = fuse_with_next(page, index, handler);
    __atomic_store_n(&op->handler, page->handlers[handler], __ATOMIC_RELAXED);
}

/* Is it a branch back by `count` instructions while a register is not 0? */
static bool loops_until_zero(const struct tf_code_page *page, unsigned index, unsigned reg, unsigned distance)
{
    const struct tf_rv_insn *insn = &page->insn[index];
    return index < TF_CODE_WORDS && !page->op[index].stale && insn->id == TF_RV_BNE && insn->rs1 == reg &&
           insn->rs2 == 0 && insn->imm == -4 * (int32_t)distance;
}

/* ANDI of a register to itself keeps 0 as 0. */
static bool masks(const struct tf_code_page *page, unsigned index, unsigned reg)
{
    const struct tf_rv_insn *insn = &page->insn[index];
    return index < TF_CODE_WORDS && !page->op[index].stale && insn->id == TF_RV_ANDI && insn->rs1 == reg &&
           insn->rd == reg;
}

/* The number of instructions in the polling loop that begins with the load; 0 if there is no such loop. */
static unsigned poll_at(const struct tf_code_page *page, unsigned index)
{
    unsigned reg = page->insn[index].rd;
    if (page->insn[index].id != TF_RV_LW || reg == 0)
        return 0;
    if (loops_until_zero(page, index + 1, reg, 1))
        return 2;
    return masks(page, index + 1, reg) && loops_until_zero(page, index + 2, reg, 2) ? 3 : 0;
}

static bool is_poll_of_3(const struct tf_op *op)
{
    return op->handler == tf_page_of(op)->handlers[TF_H_POLL_FAST_3];
}

void tf_page_stale(struct tf_code_page *page, unsigned index)
{
    page->op[index].handler = page->handlers[TF_H_STALE];
    page->op[index].stale = 1;
    for (unsigned i = index; i-- > 0 && stores_word(page, i) && page->op[i].rd > index - i;)
        page->op[i].rd = (uint8_t)(index - i);
    if (index > 0 && !page->op[index - 1].stale)
        tf_page_lower(page, index - 1, false);
    if (index > 1 && is_poll_of_3(&page->op[index - 2]))
        tf_page_lower(page, index - 2, false);
}

static enum tf_handler with_poll(const struct tf_code_page *page, unsigned index, enum tf_handler handler)
{
    unsigned count = handler == TF_H_LW_FAST ? poll_at(page, index) : 0;
    return count == 0 ? handler : count == 2 ? TF_H_POLL_FAST_2 : TF_H_POLL_FAST_3;
}

void tf_page_expect(const struct tf_op *op, enum tf_handler handler)
{
    struct tf_code_page *page = tf_page_of(op);
    const void *const *handlers = page->handlers;
    unsigned index = tf_page_index(op);
    struct tf_op before;
    __atomic_store_n(&page->op[index].handler, handlers[with_poll(page, index, handler)], __ATOMIC_RELAXED);
    if (index == 0)
        return;
    unsigned single = lower_one(&before, page, index - 1);
    unsigned pair = fuse_with_next(page, index - 1, single);
    if (tf_op_handler(&page->op[index - 1]) == handlers[pair])
        __atomic_store_n(&page->op[index - 1].handler, handlers[single], __ATOMIC_RELAXED);
}
