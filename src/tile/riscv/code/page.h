/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded page, as the interpreter sees it. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_CODE_PAGE_H
#define TILE_RISCV_CODE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/riscv/isa/alu.h"
#include "tile/riscv/code/map.h"
#include "tile/riscv/isa/decoded.h"

#define TF_CODE_WORDS (TF_CODE_PAGE_BYTES / 4)

/*
 * There is one operation for each instruction word, so pointers to operations count instructions. Registers: 0..31, 32
 * for writes to x0, 33..64 for f. A fused operation executes its word and the next one; a jump to the next word finds
 * that word's own operation. A word store has in rd the length of its burst: consecutive stores with one base, whose
 * immediates differ only in bits 5:2.
 */
struct tf_op {
    const void *handler; /* host atomics: see tf_page_expect() */
    uint8_t rd, rs1, rs2;
    uint8_t stale; /* the word has been written since: handler is TF_H_STALE */
    int32_t imm;
};

_Static_assert(sizeof(struct tf_op) == 16, "the interpreter scales by 16");

#define TF_OP_SINK 32u /* register number that swallows writes to x0 */
#define TF_OP_F 33u    /* register number of f0 */

/* Pages are aligned, so that an operation's address gives its page. */
#define TF_PAGE_ALIGN 16384u

struct tf_tile_arch;

struct tf_code_page {
    struct tf_code_page *next; /* next in its bucket of the cache */
    uint64_t hash;
    uint32_t references;               /* number of maps that have it; host atomics */
    uint32_t base;                     /* the address of its code */
    const void *const *handlers;       /* of the interpreter's instance that executes it, by enum tf_handler */
    const struct tf_tile_arch *family; /* brings .ttinsn into the common form; NULL: they are in it */
    uint16_t in_burst;                 /* registers of a line of fast words, as bits: see tf_code_cache_bursts() */
    bool own;                          /* belongs to one tile, and is changed in place; not in the cache */
    /* The last one continues in the next page. Aligned, so that none lies in two lines of the host's cache. */
    _Alignas(64) struct tf_op op[TF_CODE_WORDS + 1];
    struct tf_rv_insn insn[TF_CODE_WORDS];
    uint32_t word[TF_CODE_WORDS]; /* what they were decoded from, in a page of the cache: to compare it at once */
};

_Static_assert(sizeof(struct tf_code_page) <= TF_PAGE_ALIGN, "one page in one aligned block");

/*
 * Pairs that are executed together: X(form and id of the first, form and id of the second), with the forms that lower.c
 * gives: R registers, I register and immediate, C constant, M move, L load, S store, B branch in the page. They are the
 * most frequent pairs in compiled code. Rows `l1-1x1` (27 %), `mixed` (22 %) and `mix-1x1` (20 %) pay for them.
 */
#define TF_FUSED_WITH_BRANCHES(X, form, id) \
    X(form, id, B, BEQ)                     \
    X(form, id, B, BNE)                     \
    X(form, id, B, BLT)                     \
    X(form, id, B, BGE)                     \
    X(form, id, B, BLTU)                    \
    X(form, id, B, BGEU)

#define TF_FUSED_WITH_SIMPLE(X, form, id) \
    X(form, id, I, ADDI)                  \
    X(form, id, R, ADD)                   \
    X(form, id, C, CONST)                 \
    X(form, id, M, MOVE)                  \
    X(form, id, L, LW)                    \
    X(form, id, S, SW)

#define TF_FUSED(X)                    \
    TF_FUSED_WITH_BRANCHES(X, I, ADDI) \
    TF_FUSED_WITH_BRANCHES(X, I, ANDI) \
    TF_FUSED_WITH_BRANCHES(X, R, ADD)  \
    TF_FUSED_WITH_BRANCHES(X, L, LW)   \
    TF_FUSED_WITH_BRANCHES(X, L, LBU)  \
    TF_FUSED_WITH_SIMPLE(X, I, ADDI)   \
    TF_FUSED_WITH_SIMPLE(X, I, SLLI)   \
    TF_FUSED_WITH_SIMPLE(X, R, ADD)    \
    TF_FUSED_WITH_SIMPLE(X, R, SH2ADD) \
    TF_FUSED_WITH_SIMPLE(X, R, MUL)    \
    TF_FUSED_WITH_SIMPLE(X, C, CONST)  \
    TF_FUSED_WITH_SIMPLE(X, M, MOVE)   \
    TF_FUSED_WITH_SIMPLE(X, L, LW)     \
    TF_FUSED_WITH_SIMPLE(X, S, SW)     \
    X(S, SB, I, ADDI)                  \
    X(S, SB, R, ADD)                   \
    X(R, ADD, L, LBU)                  \
    X(R, ADD, S, SB)                   \
    X(I, ADDI, R, MUL)                 \
    X(I, ADDI, J, JUMP)                \
    X(R, ADD, J, JUMP)                 \
    X(I, ANDI, R, SH2ADD)              \
    X(R, XOR, I, ANDI)

/*
 * Pairs whose second operation takes the result of the first: X(form and id of the first, form and id of the second).
 * The form of the second says which operand that is: of registers R1 or R2, with an immediate I1, the base of a load
 * L1, the data of a store S2, of a branch B1 or B2. The host passes the result in a register, and not through `x`,
 * where it would wait for its own store. Rows `mix-1x1` and `mixed` pay for them.
 */
#define TF_CHAINED(X)    \
    X(I, SLLI, R1, ADD)  \
    X(I, SLLI, R2, ADD)  \
    X(I, SLLI, R2, XOR)  \
    X(I, SRLI, R1, XOR)  \
    X(I, SRLI, R2, XOR)  \
    X(I, ANDI, R1, ADD)  \
    X(I, ANDI, R2, ADD)  \
    X(I, ANDI, B1, BEQ)  \
    X(I, ANDI, B1, BNE)  \
    X(I, ADDI, B1, BNE)  \
    X(I, ADDI, B2, BNE)  \
    X(I, ADDI, B1, BLTU) \
    X(R, ADD, R1, ADD)   \
    X(R, ADD, I1, SRLI)  \
    X(R, ADD, L1, LW)    \
    X(R, ADD, S2, SW)    \
    X(R, XOR, I1, ANDI)  \
    X(R, XOR, R1, MUL)   \
    X(R, XOR, S2, SW)    \
    X(R, MUL, I1, SRLI)  \
    X(R, SH2ADD, L1, LW) \
    X(L, LW, R1, ADD)    \
    X(L, LW, R2, ADD)    \
    X(L, LW, I1, ADDI)   \
    X(L, LW, S2, SW)     \
    X(L, LW, B1, BEQ)    \
    X(L, LW, B1, BNE)

/*
 * Handlers that are not in the lists of alu.h: X(id).
 *   CONST          rd = imm
 *   MOVE           rd = rs1
 *   JUMP           within the page, without link
 *   SPIN           a jump to itself. Cores that are done spin for up to 16384 cycles before they park; rows `mop`,
 *                  `replay` and `alu-5x140` pay for it.
 *   JAL, JAL_FAR   with link; of the latter imm is the target
 *   TTINSN         imm is the Tensix instruction, rd its class for the frontend (tf_push_class)
 *   LW_FAST        LW from a fast word (fast.h), probably: see tf_page_expect()
 *   LW_REGISTER    LW from a register past the fast words' window, probably
 *   POLL_FAST_2, 3 LW_FAST in a loop of 2 or 3 instructions that ends when the word is 0. Bench row atomic-inc-1t pays
 *                  for it (64 % of its instructions).
 *   SW_FAST        SW to a fast word, probably
 *   SW_REGISTER    SW to another register of the fast words' window, probably
 *   STALE          the word has been written; decode it when it is executed
 */
#define TF_SINGLE_HANDLERS(X) \
    X(CONST)                  \
    X(MOVE)                   \
    X(NOP)                    \
    X(JUMP)                   \
    X(SPIN)                   \
    X(JAL)                    \
    X(JAL_FAR)                \
    X(JALR)                   \
    X(TTINSN)                 \
    X(LW_FAST)                \
    X(LW_REGISTER)            \
    X(POLL_FAST_2)            \
    X(POLL_FAST_3)            \
    X(SW_FAST)                \
    X(SW_REGISTER)            \
    X(STALE)                  \
    X(NEXT_PAGE)

/* Every handler of the interpreter. */
/* clang-format off */
enum tf_handler {
    TF_H_SLOW, /* one step of tf_exec() */
#define X(id, ...) TF_H_##id,
    TF_ALU_BINARY(X) TF_ALU_UNARY(X) TF_ALU_IMMEDIATE(X) TF_BRANCHES(X) TF_LOADS(X) TF_STORES(X) TF_AMOS(X)
#undef X
#define X(id, ...) TF_H_##id##_FAR,
    TF_BRANCHES(X)
#undef X
#define X(id) TF_H_##id,
    TF_SINGLE_HANDLERS(X)
#undef X
    TF_H_FUSED, /* those of TF_FUSED follow, in its order */
    TF_H_BEFORE_FUSED = TF_H_FUSED - 1,
#define X(form, id, form_of_next, next) TF_H_##id##_##next,
    TF_FUSED(X)
#undef X
    TF_H_CHAINED, /* those of TF_CHAINED follow, in its order */
    TF_H_BEFORE_CHAINED = TF_H_CHAINED - 1,
#define X(form, id, form_of_next, next) TF_H_##id##_##next##_##form_of_next,
    TF_CHAINED(X)
#undef X
    TF_H_COUNT,
};
/* clang-format on */

#define TF_BURST_MAX 16u

static inline const void *tf_op_handler(const struct tf_op *op)
{
    return __atomic_load_n(&op->handler, __ATOMIC_RELAXED);
}

static inline struct tf_code_page *tf_page_of(const struct tf_op *op)
{
    return (struct tf_code_page *)((uintptr_t)op & ~(uintptr_t)(TF_PAGE_ALIGN - 1));
}

static inline uint32_t tf_page_index(const struct tf_op *op)
{
    return (uint32_t)(((uintptr_t)op & (TF_PAGE_ALIGN - 1)) - offsetof(struct tf_code_page, op)) / 16;
}

#endif
