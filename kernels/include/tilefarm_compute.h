/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The five roles of the tensor workloads. B configures the coprocessor. B and NC move tiles between DRAM and circular
 * buffers. T0 unpacks, T1 computes, T2 packs. T1 and T2 share the halves of Dst; a semaphore counts the full ones.
 * Sources, in the public ISA documentation:
 * WormholeB0/TensixTile/TensixCoprocessor/{UNPACR_Regular,MVMUL,ELWADD,RWCs,PACR}.md. The configuration of real kernels
 * is in tenstorrent/tt-llk, tt_llk_blackhole/.
 */
#ifndef TILEFARM_COMPUTE_H
#define TILEFARM_COMPUTE_H

#include "tilefarm_tensix.h"
#include "tilefarm_tensor.h"

/*
 * ---- Data movement. tensor: enum tf_tensor. index: number of a tile. bytes: size of a tile. Addresses are in L1, and
 * multiples of 64. All use the core's default NOC ----
 */

/* Returns a node of the DRAM channel of a tile. */
static inline uint32_t tf_dram_xy(uint32_t index)
{
    uint32_t channel = index % TF_K_DRAM_CHANNELS;
    return TF_K_DRAM_XY(TF_NOC, channel);
}

/* Returns the address of a tile in its DRAM channel. */
static inline uint32_t tf_tensor_address(unsigned tensor, uint32_t index, uint32_t bytes)
{
    return TF_TENSOR_ADDRESS(tensor, index, TF_K_DRAM_CHANNELS, bytes);
}

/* Issue a read of a tile from DRAM. The data have landed when tf_noc_wait() returns. */
static inline void tf_tensor_fetch(unsigned tensor, uint32_t index, uint32_t bytes, uint32_t to)
{
    tf_noc_read(TF_NOC, tf_dram_xy(index), tf_tensor_address(tensor, index, bytes), to, bytes);
}

/* Issue an answered write of a tile to DRAM. */
static inline void tf_tensor_store(unsigned tensor, uint32_t index, uint32_t bytes, uint32_t from)
{
    tf_noc_write(TF_NOC, tf_dram_xy(index), tf_tensor_address(tensor, index, bytes), from, bytes);
}

/* Returns the address of page `count`, counted from 0 without wrapping. cb: enum tf_tensor_cb. bytes: of a page. */
static inline uint32_t tf_tensor_page(unsigned cb, uint32_t count, uint32_t bytes)
{
    return TF_TENSOR_CB(cb) + count % TF_TENSOR_PAGES * bytes;
}

/* Wait for page `count` of a circular buffer, write it to tile `index` of OUT, wait for the response, free the page. */
static inline void tf_tensor_drain(unsigned cb, uint32_t count, uint32_t index, uint32_t bytes)
{
    tf_cb_wait_front(cb, 1);
    tf_tensor_store(TF_TENSOR_OUT, index, bytes, tf_tensor_page(cb, count, bytes));
    tf_noc_wait(TF_NOC);
    tf_cb_pop_front(cb, 1);
}

/* ---- Configuration: B writes all of it before the other cores start ---- */

/* TF_FIELD: the value of a field of Config, shifted into place. TF_FIELD_WORD: store the word that has the field. */
#define TF_FIELD(name, value) ((uint32_t)(value) << TT_CFG_##name##_SHIFT & TT_CFG_##name##_MASK)
#define TF_FIELD_WORD(name, value) (TF_TT_CFG(0, TT_CFG_##name##_WORD) = (value))

/* B: configure both unpackers for a kind. transpose: unpacker 0 transposes each face on its way to SrcA. */
static inline void tf_configure_unpackers(const struct tf_tensor_kind *kind, bool transpose)
{
    /* A tile is 4 planes of 1 row of 256 numbers, and not compressed. */
    uint32_t descriptor = TF_FORMAT_FIELD(kind->in) | 1u << 4 | 256u << 16, planes = 1u | 4u << 16;
    uint32_t src = TF_FORMAT_FIELD(TF_TENSOR_SRC(kind)), tilize = kind->how == TF_HOW_TILIZE;
    TF_FIELD_WORD(THCON_SEC0_REG0_TileDescriptor, descriptor);
    TF_TT_CFG(0, TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD + 1) = planes;
    TF_FIELD_WORD(THCON_SEC1_REG0_TileDescriptor, descriptor);
    TF_TT_CFG(0, TT_CFG_THCON_SEC1_REG0_TileDescriptor_WORD + 1) = planes;
    TF_FIELD_WORD(THCON_SEC0_REG2_Out_data_format,
                  TF_FIELD(THCON_SEC0_REG2_Out_data_format, src) | TF_FIELD(THCON_SEC0_REG2_Throttle_mode, 2) |
                      TF_FIELD(THCON_SEC0_REG2_Haloize_mode, transpose) |
                      TF_FIELD(THCON_SEC0_REG2_Tileize_mode, tilize) |
                      TF_FIELD(THCON_SEC0_REG2_Shift_amount_cntx0, tilize ? TF_STRIP_ROW_BYTES / 16 : 0));
    TF_FIELD_WORD(THCON_SEC0_REG2_Disable_zero_compress_cntx0,
                  TF_FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1) |
                      TF_FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx0, kind->how == TF_HOW_TO_DST));
    TF_FIELD_WORD(THCON_SEC1_REG2_Out_data_format,
                  TF_FIELD(THCON_SEC1_REG2_Out_data_format, src) | TF_FIELD(THCON_SEC1_REG2_Throttle_mode, 2));
    TF_FIELD_WORD(THCON_SEC1_REG2_Disable_zero_compress_cntx0,
                  TF_FIELD(THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1));
#ifdef TT_CFG_THCON_SEC1_REG1_Unp_LF8_4b_exp_WORD
    TF_FIELD_WORD(THCON_SEC1_REG1_Unp_LF8_4b_exp, TF_FIELD(THCON_SEC1_REG1_Unp_LF8_4b_exp, kind->in == TF_FP8_E4M3));
#endif
    /* Rows 0 to 3 of the destination do not exist in SrcA: row 4 is the first row of SrcA. */
    TF_FIELD_WORD(THCON_SEC0_REG5_Dest_cntx0_address, TF_FIELD(THCON_SEC0_REG5_Dest_cntx0_address, 4 * 16));
    TF_FIELD_WORD(THCON_SEC0_REG5_Tile_x_dim_cntx0, TF_FIELD(THCON_SEC0_REG5_Tile_x_dim_cntx0, 256));
    TF_FIELD_WORD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, TF_FIELD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 256 * 2));
    TF_FIELD_WORD(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, TF_FIELD(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 256 * 2));
    TF_FIELD_WORD(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, TF_FIELD(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
}

/* Returns the format in which the packer reads Dst. */
static inline uint32_t tf_packed_from(const struct tf_tensor_kind *kind)
{
    uint32_t src = TF_TENSOR_SRC(kind);
    if (src == TF_INT8)
        return kind->out == TF_INT8 ? TF_INT8 : TF_INT32;
    if (TF_FORMAT_IS_INTEGER(src))
        return src;
    return kind->wide ? TF_FP32 : TF_FORMAT_IS_BFP(src) ? TF_BF16 : TF_FORMAT_FIELD(src) == TF_FP8 ? TF_FP16 : src;
}

/* Returns the last word of THCON_SEC0_REG1: accumulation in L1, and the fp8 formats of unpacker and packer. */
static inline uint32_t tf_packer_modes(const struct tf_tensor_kind *kind, bool accumulate)
{
#ifdef TT_CFG_THCON_SEC1_REG1_Unp_LF8_4b_exp_WORD
    return TF_FIELD(THCON_SEC0_REG1_Pack_L1_Acc, accumulate) |
           TF_FIELD(THCON_SEC0_REG1_Unp_LF8_4b_exp, kind->in == TF_FP8_E4M3) |
           TF_FIELD(THCON_SEC0_REG1_Pac_LF8_4b_exp, kind->out == TF_FP8_E4M3);
#else
    (void)kind;
    return TF_FIELD(THCON_SEC0_REG1_Pack_L1_Acc, accumulate);
#endif
}

/* B: configure formats and ReLU. Fields of ALU_FORMAT_SPEC, ALU_ACC_CTRL and STACC_RELU share two words. */
static inline void tf_configure_math(const struct tf_tensor_kind *kind)
{
    uint32_t src = TF_FORMAT_FIELD(TF_TENSOR_SRC(kind)), from = tf_packed_from(kind);
    TF_FIELD_WORD(ALU_FORMAT_SPEC_REG0_SrcA, TF_FIELD(ALU_FORMAT_SPEC_REG0_SrcA, src) |
                                                 TF_FIELD(ALU_FORMAT_SPEC_REG1_SrcB, src) |
                                                 TF_FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, from) |
                                                 TF_FIELD(ALU_ACC_CTRL_Fp32_enabled, kind->wide && src != TF_INT8) |
                                                 TF_FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, kind->wide) |
                                                 TF_FIELD(ALU_ACC_CTRL_INT8_math_enabled, src == TF_INT8));
    /* The bits of integers may look like denormal numbers, which must not be flushed. */
    TF_FIELD_WORD(STACC_RELU_ApplyRelu, TF_FIELD(ALU_ACC_CTRL_Zero_Flag_disabled_src, src == TF_UINT16) |
                                            TF_FIELD(STACC_RELU_ApplyRelu, kind->relu) |
                                            TF_FIELD(STACC_RELU_ReluThreshold, kind->relu < 2    ? 0
                                                                               : from == TF_FP16 ? 0x3800
                                                                                                 : 0x3F00));
}

#if TF_K_PACKERS == 4
/* Each of four packers takes a face. Bit 31 of the first packer's address makes the other addresses relative to it. */
#define TF_PACK_L1(address) (TF_TENSOR_L1(address) | 1u << 31)
#define TF_FACE_ROWS 16u
#define TF_FACE_LINES(format) (TF_FORMAT_BITS(format) * 2u)

static const uint8_t tf_other_packers[3] = {
    TT_CFG_THCON_SEC0_REG8_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG1_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG8_Row_start_section_size_WORD,
};

static inline void tf_configure_other_packers(const struct tf_tensor_kind *kind)
{
    bool bfp = TF_FORMAT_IS_BFP(kind->out);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t face = i + 1, lines = face * TF_FACE_LINES(kind->out);
        /* Lines are 16 bytes. A tile begins with a line of exponents for each face; the data follow. */
        TF_TT_CFG(0, tf_other_packers[i]) = TF_FIELD(THCON_SEC0_REG1_Exp_section_size,
                                                     bfp ? TF_TILE_EXPONENTS / 16 - face + lines : 0);
        TF_TT_CFG(0, tf_other_packers[i] + 1) = (bfp ? face : lines) - 1;
        TF_TT_CFG(0, TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD + face) = face * TF_FACE_ROWS;
        TF_TT_CFG(0, tf_other_packers[i] + 2) = TF_FIELD(THCON_SEC0_REG1_In_data_format, tf_packed_from(kind)) |
                                                TF_FIELD(THCON_SEC0_REG1_Out_data_format, TF_FORMAT_FIELD(kind->out)) |
                                                TF_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1);
        TF_TT_CFG(0, tf_other_packers[i] + 3) = tf_packer_modes(kind, false);
        TF_TT_CFG(0, TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD + 1 +
                         i) = TF_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    }
}
#else
#define TF_PACK_L1(address) TF_TENSOR_L1(address)
#define tf_configure_other_packers(kind) ((void)(kind))
#endif

/* B: configure all packers for a kind. */
static inline void tf_configure_packer(const struct tf_tensor_kind *kind)
{
    uint32_t from = tf_packed_from(kind), number = TF_FORMAT_BITS(from) / 8;
    bool by_rows = kind->how == TF_HOW_TILIZE || kind->how == TF_HOW_UNTILIZE;
    TF_FIELD_WORD(PCK0_ADDR_CTRL_XY_REG_0_Xstride, TF_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Xstride, number) |
                                                       TF_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Ystride, number * 16));
    TF_FIELD_WORD(PCK0_ADDR_CTRL_ZW_REG_0_Zstride,
                  TF_FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, number * (kind->how == TF_HOW_TILIZE ? 512 : 256)) |
                      TF_FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, number * (by_rows ? 512 : 1024)));
    TF_FIELD_WORD(PCK_DEST_RD_CTRL_Read_32b_data, TF_FIELD(PCK_DEST_RD_CTRL_Read_32b_data, kind->wide));
    TF_FIELD_WORD(PCK_EDGE_OFFSET_SEC0_mask, TF_FIELD(PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF));
    TF_FIELD_WORD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, TF_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16));
    TF_FIELD_WORD(THCON_SEC0_REG1_Exp_section_size,
                  TF_FIELD(THCON_SEC0_REG1_Exp_section_size, TF_FORMAT_IS_BFP(kind->out) ? TF_TILE_EXPONENTS / 16 : 0));
    TF_FIELD_WORD(THCON_SEC0_REG1_In_data_format,
                  TF_FIELD(THCON_SEC0_REG1_In_data_format, from) |
                      TF_FIELD(THCON_SEC0_REG1_Out_data_format, TF_FORMAT_FIELD(kind->out)) |
                      TF_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1));
    TF_FIELD_WORD(THCON_SEC0_REG1_Pack_L1_Acc, tf_packer_modes(kind, false));
    tf_configure_other_packers(kind);
}

/* B: configure the coprocessor, clear the counters of the circular buffers, and let the other cores start. */
static inline void tf_tensor_begin(const struct tf_tensor_kind *kind, bool transpose)
{
    tf_configure_unpackers(kind, transpose);
    tf_configure_math(kind);
    tf_configure_packer(kind);
    for (unsigned cb = 0; cb < TF_PAGES_COUNT; cb++) {
        TF_STREAM_REG(cb, TF_STREAM_ACKED) = 0;
        TF_STREAM_REG(cb, TF_STREAM_RECEIVED) = 0;
        tf_settle(TF_STREAM_REG_ADDRESS(cb, TF_STREAM_RECEIVED));
    }
    tf_fence(); /* the next load comes after the stores to its region */
    tf_settle((uint32_t)(uintptr_t)&TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD));
    tf_sem_set(TF_TENSOR_READY, 1);
}

/* Other cores: wait until B's tf_tensor_begin() ends. */
static inline void tf_tensor_wait_begin(void)
{
    tf_sem_wait_min(TF_TENSOR_READY, 1);
}

#if TF_CORE >= 2

/*
 * ---- T0..T2. The functions below push instructions to the core's own thread, and return before these have executed.
 * tf_tt_wait_idle() waits for them ----
 */

enum tf_compute_gpr { TF_GPR_VALUE = 16 };

/* Write a word of Config, when units are idle. after: bits of enum tf_tt_condition. Changes GPR TF_GPR_VALUE. */
static inline void tf_tensor_write_config(uint32_t word, uint32_t value, uint32_t after)
{
    tf_tt_push(TT_SET_GPR_LOW(TF_GPR_VALUE, value));
    tf_tt_push(TT_SET_GPR_HIGH(TF_GPR_VALUE, value));
    tf_tt_push(TT_STALLWAIT(TF_TT_BLOCK_CONFIG, TF_TT_SCALAR_MEMORY | after));
    tf_tt_push(TT_OP_WRCFG(TF_GPR_VALUE, 0, word));
    tf_tt_push(TT_NOP);
}

/* Convert an address in L1, a multiple of 16, to the form of the configuration of unpackers and packers. */
#define TF_TENSOR_L1(address) ((address) / 16 - 1)

/* ---- T0 ---- */

enum tf_unpacker { TF_UNPACKER_A, TF_UNPACKER_B };
/* Unpack. valid: 1 gives the bank of SrcA or SrcB to the matrix unit. */
#define TT_UNPACK(unpacker, addr_mode, valid) TT_OP_UNPACR(unpacker, addr_mode, 0, 0, 0, 1, valid, 0, 0, 0, 0, 0, 1)

/* Reset the counters of both unpackers. numbers: how many an UNPACR unpacks, 1024 for a tile, 256 for a face. */
#define TF_UNPACK_BEGIN(numbers)                                 \
    do {                                                         \
        TF_TT(SETADCXX(3, (numbers)-1, 0));                      \
        TF_TT(SETADCXY(3, 0, 0, 0, 0, 0, 0xA));                  \
        TF_TT(SETADCZW(3, 0, 0, 0, 0, 0, 0xF));                  \
        TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 1)); \
    } while (0)

/* Set the address of an unpacker's source, a multiple of 16 in L1, when the unpacker is idle. */
static inline void tf_unpack_from(unsigned unpacker, uint32_t address)
{
    bool a = unpacker == TF_UNPACKER_A;
    tf_tensor_write_config(a ? TT_CFG_THCON_SEC0_REG3_Base_address_WORD : TT_CFG_THCON_SEC1_REG3_Base_address_WORD,
                           TF_TENSOR_L1(address), a ? TF_TT_UNPACKER_0 : TF_TT_UNPACKER_1);
}

/* Unpack from an address into SrcA or SrcB, and give the bank to the matrix unit. */
static inline void tf_unpack_tile(unsigned unpacker, uint32_t address)
{
    tf_unpack_from(unpacker, address);
    tf_tt_push(TT_UNPACK(unpacker, 0, 1));
}

/* ---- T1 and T2 ---- */

enum tf_compute_sem { TF_SEM_DST = 1 }; /* halves of Dst that T1 has filled */
#define TF_DST_HALF 512u                /* rows */

/* Bits of ALU_ROUNDING_MODE: the units that round stochastically. */
enum tf_round { TF_ROUND_FPU = 1, TF_ROUND_GASKET = 2, TF_ROUND_PACKER = 4 };

/* Let units round stochastically from now on. seed: another one for each tile. */
static inline void tf_round_stochastically(uint32_t seed, uint32_t bits)
{
    tf_tensor_write_config(TT_CFG_PRNG_SEED_Seed_Val_WORD, seed, 0);
    tf_tt_push(TT_OP_RMWCIB0(bits, bits, TT_CFG_ALU_ROUNDING_MODE_Fpu_srnd_en_WORD));
}

/* ---- T1 ---- */

/*
 * Address modifiers: they move the counters of SrcA, SrcB and Dst, and the fidelity phase. On families with four
 * modifiers in an instruction, 0 to 3 mean modifiers 4 to 7 between TF_UPPER_MODIFIERS and TF_LOWER_MODIFIERS.
 */
#if TF_K_ADDR_MODS == 8
#define TF_MODIFIER_SWITCHES 0 /* number of instructions in both macros */
#define TF_UPPER_MODIFIERS ((void)0)
#define TF_LOWER_MODIFIERS ((void)0)
#else
#define TF_MODIFIER_SWITCHES 2
#define TF_UPPER_MODIFIERS TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_SET_Base, 1))
#define TF_LOWER_MODIFIERS TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_SET_Base, 0))
#endif
#define TF_INCREMENT(n) (n), 0
#define TF_CLEAR 0, 1
#define TF_ADDR_MOD_(i, a, a_clear, b, b_clear, d, d_clear, f, f_clear)                          \
    do {                                                                                         \
        TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_AB_SEC##i##_SrcAIncr_WORD,                           \
                     (a) << TT_THREAD_CFG_ADDR_MOD_AB_SEC##i##_SrcAIncr_SHIFT |                  \
                         (a_clear) << TT_THREAD_CFG_ADDR_MOD_AB_SEC##i##_SrcAClear_SHIFT |       \
                         (b) << TT_THREAD_CFG_ADDR_MOD_AB_SEC##i##_SrcBIncr_SHIFT |              \
                         (b_clear) << TT_THREAD_CFG_ADDR_MOD_AB_SEC##i##_SrcBClear_SHIFT));      \
        TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_DST_SEC##i##_DestIncr_WORD,                          \
                     (d) << TT_THREAD_CFG_ADDR_MOD_DST_SEC##i##_DestIncr_SHIFT |                 \
                         (d_clear) << TT_THREAD_CFG_ADDR_MOD_DST_SEC##i##_DestClear_SHIFT |      \
                         (f) << TT_THREAD_CFG_ADDR_MOD_DST_SEC##i##_FidelityIncr_SHIFT |         \
                         (f_clear) << TT_THREAD_CFG_ADDR_MOD_DST_SEC##i##_FidelityClear_SHIFT)); \
    } while (0)
/* Set modifier i, 0..7. Four of TF_INCREMENT(n) or TF_CLEAR follow: for SrcA, SrcB, Dst, and the fidelity phase. */
#define TF_ADDR_MOD(i, ...) TF_ADDR_MOD_(i, __VA_ARGS__)

/* Set the semaphore of Dst to 0 of 2, and the counters of rows to 0. */
static inline void tf_math_begin(void)
{
    TF_TT(SEMINIT(2, 0, TF_SEM_DST));
    TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
}

/* Wait until a half of Dst is free. Rows of instructions count from its first row. half: 0 and 1 in turn. */
static inline void tf_math_take(uint32_t half)
{
    TF_TTINSN(TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_MATRIX | TF_TT_BLOCK_VECTOR, TF_SEM_DST));
    tf_tt_push(TT_SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, half * TF_DST_HALF));
}

/* Zero a half of Dst. wide: rows of 32-bit numbers. */
static inline void tf_math_zero(uint32_t half, bool wide)
{
    tf_tt_push(TT_OP_ZEROACC(2, wide, 0, 0, half));
}

/* Give the half to T2, when the matrix unit and the vector unit are idle. */
static inline void tf_math_give(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX | TF_TT_VECTOR));
    TF_TT(SEMPOST(TF_SEM_DST));
}

/*
 * The product of two tiles, B in SrcA and A in SrcB. Face (i, j) of Dst adds up products of face (i, k) of A and face
 * (k, j) of B, eight rows with each MVMUL. Rows of SrcB are 0 8 32 40 for k = 0, and 16 24 48 56 for k = 1. Rows of
 * SrcA are 0 32 16 48.
 */
/* clang-format off */
#define TF_MULTIPLY_ROWS(mode, j) \
    TF_TT(MVMUL(0, 0, 0, (j) * 16)); TF_TT(MVMUL(0, 0, 1, (j) * 16 + 8)); TF_TT(MVMUL(0, 0, 0, (j) * 16 + 32)); \
    TF_TT(MVMUL(0, 0, mode, (j) * 16 + 40))
/* clang-format on */

/* tf_math_begin() for products: it also sets address modifiers 0 to 5, and records 15 instructions for REPLAY. */
static inline void tf_multiply_begin(void)
{
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(0), TF_INCREMENT(24), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(2, TF_INCREMENT(32), TF_INCREMENT(40), TF_INCREMENT(0), TF_INCREMENT(0)); /* B 40 to 16 */
    TF_ADDR_MOD(3, TF_INCREMENT(48), TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(0));  /* A 32 to 16, B 56 to 0 */
    TF_ADDR_MOD(4, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_INCREMENT(1));
    TF_ADDR_MOD(5, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_CLEAR);
    tf_math_begin();
    TF_TTINSN(TT_RECORD(0, 15));
    TF_MULTIPLY_ROWS(2, 0);
    TF_MULTIPLY_ROWS(3, 0);
    TF_MULTIPLY_ROWS(2, 1);
    TF_TT(MVMUL(0, 0, 0, 16));
    TF_TT(MVMUL(0, 0, 1, 24));
    TF_TT(MVMUL(0, 0, 0, 48));
}

/* Add the product of two tiles to a tile of Dst, and release SrcA. phases: of fidelity, 1 to 4. last: also release
   SrcB. */
static inline void tf_multiply_tiles(uint32_t phases, bool last)
{
    for (uint32_t phase = 1; phase < phases; phase++) {
        TF_TTINSN(TT_REPLAY(0, 15));
        TF_UPPER_MODIFIERS;
        TF_TT(MVMUL(0, 0, 4, 56));
        TF_LOWER_MODIFIERS;
    }
    TF_TTINSN(TT_REPLAY(0, 15));
    TF_UPPER_MODIFIERS;
    tf_tt_push(TT_OP_MVMUL(last ? 3 : 1, 0, 5, 56));
    TF_LOWER_MODIFIERS;
}

/* ---- T2 ---- */

/* Pack rows of Dst. last: 1 ends the tile. */
#define TT_PACK(addr_mode, last) TT_OP_PACR(0, 0, 0, addr_mode, 0, 0, TF_K_PACK_SELECT, 0, 0, 0, 0, last)

/* Set how many numbers each read interface gives to a PACR. */
#define TF_PACK_EACH(numbers) TF_TT(SETADCXX(4, (numbers)-1, 0))

/* Configure a MOP that packs a tile: 16 PACRs of four rows on one packer, or 4 of them on four packers. */
static inline void tf_pack_begin(void)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 1,
        .inner = 16 / TF_K_PACKERS,
        .start = TT_NOP,
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
        .loop_0 = TT_PACK(0, 0),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_PACK(1, 1),
        .loop_1_last = TT_PACK(1, 1),
    };
    TF_PACK_EACH(TF_K_PACK_ROWS);
    TF_TT(SETADCXY(4, 0, 0, 0, 0, 0, 0xA));
    TF_TT(SETADCZW(4, 0, 0, 0, 0, 0, 0xF));
    TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_PACK_SEC0_YsrcIncr, 4));
    TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1));
    tf_tt_mop_loop(&mop);
}

/* Set the first row of Dst, of each of four packers or of one, when packers are idle. */
#if TF_K_PACKERS == 4
static inline void tf_pack_rows(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
    enum { ROWS = TF_GPR_VALUE + 4 }; /* the high halves stay 0 */
    const uint32_t rows[TF_K_PACKERS] = {first, second, third, fourth};
    for (unsigned i = 0; i < TF_K_PACKERS; i++)
        tf_tt_push(TT_SET_GPR_LOW(ROWS + i, rows[i]));
    tf_tt_push(TT_STALLWAIT(TF_TT_BLOCK_CONFIG, TF_TT_SCALAR_MEMORY | TF_TT_PACKER));
    tf_tt_push(TT_OP_WRCFG(ROWS, 1, TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD));
    tf_tt_push(TT_NOP);
}

static inline void tf_pack_row(uint32_t row)
{
    tf_pack_rows(row, row + TF_FACE_ROWS, row + 2 * TF_FACE_ROWS, row + 3 * TF_FACE_ROWS);
}
#else
static inline void tf_pack_row(uint32_t row)
{
    tf_tensor_write_config(TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD, row, TF_TT_PACKER);
}
#endif

/* Set the address in L1, a multiple of 16, when packers are idle. */
static inline void tf_pack_to(uint32_t address)
{
    tf_tensor_write_config(TT_CFG_THCON_SEC0_REG1_L1_Dest_addr_WORD, TF_PACK_L1(address), TF_TT_PACKER);
}

/* Set the first row of Dst and the address in L1, when packers are idle. */
static inline void tf_pack_place(uint32_t row, uint32_t address)
{
    tf_pack_row(row);
    tf_pack_to(address);
}

/* Pack the tile that begins at a row of Dst, 0..1023, to an address in L1. tf_pack_begin() comes before. */
static inline void tf_pack_tile(uint32_t row, uint32_t address)
{
    tf_pack_place(row, address);
    TF_TTINSN(TT_MOP_LOOP);
}

/* Wait until T1 has filled a half of Dst. */
static inline void tf_pack_take(void)
{
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_PACK, TF_SEM_DST));
}

/* Free the half of Dst. When the function returns, the packed tiles are in L1. */
static inline void tf_pack_give(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
    TF_TT(SEMGET(TF_SEM_DST));
    tf_tt_wait_idle();
}
#endif

#endif
