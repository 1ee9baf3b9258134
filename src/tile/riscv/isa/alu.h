/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The results of integer instructions. The interpreter's handlers and the single-step executor are made from these
 * lists. Source: the RISC-V ISA manual (20240411) and, for grevi, Bitmanip 0.94-draft.
 */
#ifndef TILE_RISCV_ISA_ALU_H
#define TILE_RISCV_ISA_ALU_H

#include <stdint.h>

static inline uint32_t tf_div(uint32_t a, uint32_t b)
{
    if (b == 0)
        return UINT32_MAX;
    if (a == 0x80000000u && b == UINT32_MAX)
        return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t tf_rem(uint32_t a, uint32_t b)
{
    if (b == 0)
        return a;
    if (a == 0x80000000u && b == UINT32_MAX)
        return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint32_t tf_rol(uint32_t a, uint32_t b)
{
    return a << (b & 31) | a >> (-b & 31);
}

static inline uint32_t tf_ror(uint32_t a, uint32_t b)
{
    return a >> (b & 31) | a << (-b & 31);
}

static inline uint32_t tf_grev(uint32_t a, uint32_t b)
{
    if (b & 1)
        a = (a & 0x55555555u) << 1 | (a & 0xaaaaaaaau) >> 1;
    if (b & 2)
        a = (a & 0x33333333u) << 2 | (a & 0xccccccccu) >> 2;
    if (b & 4)
        a = (a & 0x0f0f0f0fu) << 4 | (a & 0xf0f0f0f0u) >> 4;
    if (b & 8)
        a = (a & 0x00ff00ffu) << 8 | (a & 0xff00ff00u) >> 8;
    if (b & 16)
        a = a << 16 | a >> 16;
    return a;
}

/* Each byte becomes 0xff if any of its bits is set. */
static inline uint32_t tf_orc_b(uint32_t a)
{
    a |= a >> 1 & 0x7f7f7f7fu;
    a |= a >> 2 & 0x3f3f3f3fu;
    a |= a >> 4 & 0x0f0f0f0fu;
    return (a & 0x01010101u) * 0xffu;
}

/* X(id, result of operands a and b) */
/* clang-format off */
#define TF_ALU_BINARY(X)                                                \
    X(ADD, a + b)                                                       \
    X(SUB, a - b)                                                       \
    X(SLL, a << (b & 31))                                               \
    X(SLT, (int32_t)a < (int32_t)b)                                     \
    X(SLTU, a < b)                                                      \
    X(XOR, a ^ b)                                                       \
    X(SRL, a >> (b & 31))                                               \
    X(SRA, (uint32_t)((int32_t)a >> (b & 31)))                          \
    X(OR, a | b)                                                        \
    X(AND, a & b)                                                       \
    X(MUL, a * b)                                                       \
    X(MULH, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32)) \
    X(MULHSU, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int64_t)b) >> 32)) \
    X(MULHU, (uint32_t)((uint64_t)a * b >> 32))                         \
    X(DIV, tf_div(a, b))                                                \
    X(DIVU, b == 0 ? UINT32_MAX : a / b)                                \
    X(REM, tf_rem(a, b))                                                \
    X(REMU, b == 0 ? a : a % b)                                         \
    X(SH1ADD, (a << 1) + b)                                             \
    X(SH2ADD, (a << 2) + b)                                             \
    X(SH3ADD, (a << 3) + b)                                             \
    X(ANDN, a & ~b)                                                     \
    X(ORN, a | ~b)                                                      \
    X(XNOR, ~(a ^ b))                                                   \
    X(MIN, (int32_t)a < (int32_t)b ? a : b)                             \
    X(MINU, a < b ? a : b)                                              \
    X(MAX, (int32_t)a > (int32_t)b ? a : b)                             \
    X(MAXU, a > b ? a : b)                                              \
    X(ROL, tf_rol(a, b))                                                \
    X(ROR, tf_ror(a, b))                                                \
    X(PACK, (a & 0xffff) | b << 16)
/* clang-format on */

/* X(id, result of register a and immediate b) */
/* clang-format off */
#define TF_ALU_IMMEDIATE(X)                 \
    X(ADDI, a + b)                          \
    X(SLTI, (int32_t)a < (int32_t)b)        \
    X(SLTIU, a < b)                         \
    X(XORI, a ^ b)                          \
    X(ORI, a | b)                           \
    X(ANDI, a & b)                          \
    X(SLLI, a << (b & 31))                  \
    X(SRLI, a >> (b & 31))                  \
    X(SRAI, (uint32_t)((int32_t)a >> (b & 31))) \
    X(RORI, tf_ror(a, b))                   \
    X(GREVI, tf_grev(a, b))
/* clang-format on */

/* X(id, result of register a) */
/* clang-format off */
#define TF_ALU_UNARY(X)                                \
    X(CLZ, a == 0 ? 32 : (uint32_t)__builtin_clz(a))   \
    X(CTZ, a == 0 ? 32 : (uint32_t)__builtin_ctz(a))   \
    X(CPOP, (uint32_t)__builtin_popcount(a))           \
    X(SEXT_B, (uint32_t)(int8_t)a)                     \
    X(SEXT_H, (uint32_t)(int16_t)a)                    \
    X(ORC_B, tf_orc_b(a))
/* clang-format on */

/* X(id, condition on registers a and b) */
/* clang-format off */
#define TF_BRANCHES(X)                  \
    X(BEQ, a == b)                      \
    X(BNE, a != b)                      \
    X(BLT, (int32_t)a < (int32_t)b)     \
    X(BGE, (int32_t)a >= (int32_t)b)    \
    X(BLTU, a < b)                      \
    X(BGEU, a >= b)
/* clang-format on */

/* X(id, type in memory, log2 of its size) */
/* clang-format off */
#define TF_LOADS(X)      \
    X(LB, int8_t, 0)     \
    X(LH, int16_t, 1)    \
    X(LW, uint32_t, 2)   \
    X(LBU, uint8_t, 0)   \
    X(LHU, uint16_t, 1)
/* clang-format on */

/* clang-format off */
#define TF_STORES(X)     \
    X(SB, uint8_t, 0)    \
    X(SH, uint16_t, 1)   \
    X(SW, uint32_t, 2)
/* clang-format on */

/* X(id, new value of the word a, given register b) */
/* clang-format off */
#define TF_AMOS(X)                                      \
    X(AMOADD_W, a + b)                                  \
    X(AMOSWAP_W, b)                                     \
    X(AMOXOR_W, a ^ b)                                  \
    X(AMOOR_W, a | b)                                   \
    X(AMOAND_W, a & b)                                  \
    X(AMOMIN_W, (int32_t)a < (int32_t)b ? a : b)        \
    X(AMOMAX_W, (int32_t)a > (int32_t)b ? a : b)        \
    X(AMOMINU_W, a < b ? a : b)                         \
    X(AMOMAXU_W, a > b ? a : b)
/* clang-format on */

/* tf_alu_ADD(a, b), ...; tf_alu_CLZ(a, anything), ...; tf_alu_BEQ(a, b) says whether the branch is taken. */
#define X(id, expression)                                      \
    static inline uint32_t tf_alu_##id(uint32_t a, uint32_t b) \
    {                                                          \
        (void)a, (void)b;                                      \
        return (uint32_t)(expression);                         \
    }
TF_ALU_BINARY(X)
TF_ALU_IMMEDIATE(X)
TF_ALU_UNARY(X)
TF_BRANCHES(X)
TF_AMOS(X)
#undef X

#endif
