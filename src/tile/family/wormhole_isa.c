/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's Tensix instructions: which opcodes there are, and where their fields lie. Sources: Diagrams/Src/Bits32.lua
 * of the ISA documentation; data/wh/tensix_isa.json of ttsim.
 */
#include "tile/family/wormhole_isa.h"

#include <stddef.h>

#include "tile/tensix/isa/isa.h"

/* Opcodes that the coprocessor lacks. */
#define ABSENT(X)   \
    X(CFGSHIFTMASK) \
    X(MOVDBGB2D)    \
    X(RESOURCEDECL) \
    X(SFPARECIP)    \
    X(SFPGT)        \
    X(SFPLE)        \
    X(SFPMUL24)     \
    X(STREAMWAIT)   \
    X(STREAMWRCFG)

const uint8_t tf_wormhole_opcodes[256] = {
#define X(name) [TF_OP_##name] = TF_OPCODE_ABSENT,
    ABSENT(X)
#undef X
};

/* clang-format off */
/* Instructions of the matrix unit have two bits of address modifier where Blackhole has three. These are the low two
   bits of the three. */
#define ADDR_MOD {15, 2, 14}
static const struct tf_field_move matrix_math[] = {{0, 10, 0}, ADDR_MOD, {19, 5, 19}, {0, 0, 0}};
static const struct tf_field_move matrix_move[] = {{0, 10, 0}, {12, 2, 12}, ADDR_MOD, {17, 7, 17}, {0, 0, 0}};
static const struct tf_field_move matrix_b2a[] = {{0, 6, 0}, {12, 2, 12}, ADDR_MOD, {17, 6, 17}, {0, 0, 0}};
static const struct tf_field_move matrix_b2d[] = {{0, 10, 0}, {12, 3, 11}, ADDR_MOD, {17, 7, 17}, {0, 0, 0}};
static const struct tf_field_move matrix_pool[] = {{0, 10, 0}, {14, 3, 14}, {19, 1, 19}, {22, 2, 22}, {0, 0, 0}};
static const struct tf_field_move matrix_rotate[] = {{0, 6, 0}, {10, 1, 10}, ADDR_MOD, {0, 0, 0}};
static const struct tf_field_move zeroacc[] = {
    {0, 10, 0}, ADDR_MOD, {18, 1, 17}, {19, 2, 19}, {21, 1, 18}, {0, 0, 0},
};

/* Instructions of the vector unit. Kernels of tt-llk set bits above the ten of an address. */
static const struct tf_field_move vector_move[] = {
    {0, 10, 0}, {10, 4, TF_MOVE_IGNORED}, {14, 2, 13}, {16, 8, 16}, {0, 0, 0},
};
static const struct tf_field_move vector_bits[] = {{4, 8, 4}, {0, 0, 0}};
static const struct tf_field_move vector_mad[] = {{2, 18, 2}, {0, 0, 0}};
static const struct tf_field_move vector_immediate[] = {{2, 22, 2}, {0, 0, 0}};
static const struct tf_field_move vector_shift[] = {{0, 1, 0}, {4, 20, 4}, {0, 0, 0}};
static const struct tf_field_move vector_cast[] = {{0, 1, 0}, {4, 8, 4}, {0, 0, 0}};
static const struct tf_field_move vector_push[] = {{4, 4, 4}, {0, 0, 0}};
static const struct tf_field_move vector_table[] = {{0, 8, 0}, {0, 0, 0}};
static const struct tf_field_move vector_round[] = {{0, 22, 0}, {0, 0, 0}};

/* UNPACR lacks srcb_bcast. */
static const struct tf_field_move unpacr[] = {{0, 5, 0}, {6, 8, 6}, {15, 9, 15}, {0, 0, 0}};

/* UNPACR_NOP_*.md: the low bits are the form. */
static const struct tf_field_move clear_message[] = {{0, 3, 0}, {23, 1, 23}, {0, 0, 0}};
static const struct tf_field_move clear_messages[] = {{0, 3, 0}, {4, 11, 4}, {16, 6, 16}, {23, 1, 23}, {0, 0, 0}};
static const struct tf_field_move clear_source[] = {{0, 3, 0}, {3, 1, 4}, {4, 1, 5}, {23, 1, 23}, {0, 0, 0}};
static const struct tf_field_move set_register[] = {{0, 15, 0}, {16, 8, 16}, {0, 0, 0}};
/* The common form is 1 with both bits of clr_to1_fmt_ctrl. */
static const struct tf_field_move set_valid[] = {{0, 1, 0}, {1, 2, 6}, {23, 1, 23}, {0, 0, 0}};

/* Bits 8 to 11 are a mask of packers. */
static const struct tf_field_move pacr[] = {{0, 2, 0}, {4, 1, 4}, {7, 6, 7}, {15, 2, 15}, {0, 0, 0}};

/* STALLWAIT.md, "Condition mask": C3 to C6 are the four packers. In the common form, the bits of packers 1 to 3 follow
   all others (gate.h). */
static const struct tf_field_move stallwait[] = {{0, 4, 0}, {4, 3, 12}, {7, 8, 4}, {15, 9, 15}, {0, 0, 0}};

#define END {0, 0, NULL}
#define ONE(moves) (const struct tf_opcode_form[]){{0, 0, moves}, END}
/* clang-format on */

const struct tf_field_name tf_wormhole_field_names[] = {
    {TF_OP_MOP, 0, 0, "zmask_lo16"},
    {TF_OP_ZEROACC, 0, 0, "dst"},
    {TF_OP_MOVB2D, 11, 0, "instr_mod"},
    {TF_OP_MPOOL3S1, 15, 0, "addr_mode"},
    {TF_OP_APOOL3S1, 15, 0, "addr_mode"},
    {TF_OP_MPOOL3S2, 15, 0, "addr_mode"},
    {TF_OP_APOOL3S2, 15, 0, "addr_mode"},
    {TF_OP_GMPOOL, 15, 0, "addr_mode"},
    {TF_OP_GAPOOL, 15, 0, "addr_mode"},
    {TF_OP_PACR, 8, 0, "pack_sel"},
    {TF_OP_UNPACR_NOP, 0, 23, "no_op"},
    {TF_OP_UNPACR_NOP, 23, 0, "unpack_block_selection"},
    {0, 0, 0, NULL},
};

const struct tf_opcode_form *const tf_wormhole_forms[256] = {
    [TF_OP_MOVD2A] = ONE(matrix_move),
    [TF_OP_MOVDBGA2D] = ONE(matrix_move),
    [TF_OP_MOVD2B] = ONE(matrix_move),
    [TF_OP_MOVB2A] = ONE(matrix_b2a),
    [TF_OP_ZEROACC] = ONE(zeroacc),
    [TF_OP_MOVA2D] = ONE(matrix_move),
    [TF_OP_MOVB2D] = ONE(matrix_b2d),
    [TF_OP_SHIFTXB] = ONE(matrix_rotate),
    [TF_OP_MVMUL] = ONE(matrix_math),
    [TF_OP_ELWMUL] = ONE(matrix_math),
    [TF_OP_ELWADD] = ONE(matrix_math),
    [TF_OP_DOTPV] = ONE(matrix_math),
    [TF_OP_ELWSUB] = ONE(matrix_math),
    [TF_OP_GMPOOL] = ONE(matrix_pool),
    [TF_OP_GAPOOL] = ONE(matrix_pool),
    [TF_OP_UNPACR] = ONE(unpacr),
    [TF_OP_UNPACR_NOP] = (const struct tf_opcode_form[]){{3, 1, clear_source},
                                                         {7, 0, clear_message},
                                                         {7, 2, clear_message}, /* does nothing */
                                                         {7, 3, clear_messages},
                                                         {7, 4, set_register},
                                                         {7, 7, set_valid},
                                                         END},
    [TF_OP_PACR] = ONE(pacr),
    [TF_OP_SFPLOAD] = ONE(vector_move),
    [TF_OP_SFPSTORE] = ONE(vector_move),
    [TF_OP_SFPLOADMACRO] = ONE(vector_move),
    [TF_OP_SFPMULI] = ONE(vector_immediate),
    [TF_OP_SFPADDI] = ONE(vector_immediate),
    [TF_OP_SFPSHFT] = ONE(vector_shift),
    [TF_OP_SFPAND] = ONE(vector_bits),
    [TF_OP_SFPOR] = ONE(vector_bits),
    [TF_OP_SFPMAD] = ONE(vector_mad),
    [TF_OP_SFPADD] = ONE(vector_mad),
    [TF_OP_SFPMUL] = ONE(vector_mad),
    [TF_OP_SFPPUSHC] = ONE(vector_push),
    [TF_OP_SFP_STOCH_RND] = ONE(vector_round),
    [TF_OP_SFPCAST] = ONE(vector_cast),
    [TF_OP_SFPLUTFP32] = ONE(vector_table),
    [TF_OP_STALLWAIT] = ONE(stallwait),
};
