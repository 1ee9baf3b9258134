/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources: WormholeB0/TensixTile/TensixCoprocessor/{UNPACR_Regular,PACR,RWCs}.md of the public ISA documentation. The
 * configuration is that of kernels/include/tilefarm_compute.h, with words of 32 bits on both ways.
 */
#include "record/unit_rig.h"

#include "tilefarm_tensix_ops.h"
#include "tilefarm_address.h"

#define CONFIG TF_CFG_BASE
#define PUSH TF_INSTRN_BUF_BASE
#define IDLE TF_DONE_CHECK /* PCBuf: a load from it waits for the thread's instructions */

#define L1_FIELD(address) ((address) / 16 - 1)
#define UNPACK(unpacker, valid) TT_OP_UNPACR(unpacker, 0, 0, 0, 0, 1, valid, 0, 0, 0, 0, 0, 1)
#if PEER_PACKERS > 1
/* Configuration of the packers after the first: all must agree on formats, and libraries insist on it. */
static const uint8_t other_packers[PEER_PACKERS - 1] = {
    TT_CFG_THCON_SEC0_REG8_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG1_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG8_Row_start_section_size_WORD,
};
#endif
#define SETC16_FIELD(name, value) \
    TT_OP_SETC16(TT_THREAD_CFG_##name##_WORD, (uint32_t)(value) << TT_THREAD_CFG_##name##_SHIFT)

void rig_push(struct peer_code *code, uint32_t word)
{
    peer_store(code, PUSH, word);
    peer_wait(code, IDLE);
}

void rig_config(struct peer_code *code, unsigned word, uint32_t value)
{
    peer_store(code, CONFIG + 4 * word, value);
    peer_wait(code, IDLE);
}

static void clear_counters(struct peer_code *code, unsigned users)
{
    rig_push(code, TT_OP_SETADCXY(users, 0, 0, 0, 0, 0, 0xA));
    rig_push(code, TT_OP_SETADCZW(users, 0, 0, 0, 0, 0, 0xF));
}

static void configure_unpacker(struct peer_code *code, unsigned unpacker, enum rig_format from, enum rig_format to,
                               bool to_dst)
{
    uint32_t descriptor = from | 1u << 4 | 256u << 16, planes = 1u | 4u << 16;
    unsigned at = unpacker == 0 ? TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD
                                : TT_CFG_THCON_SEC1_REG0_TileDescriptor_WORD;
    rig_config(code, at, descriptor);
    rig_config(code, at + 1, planes);
    rig_config(code,
               unpacker == 0 ? TT_CFG_THCON_SEC0_REG2_Out_data_format_WORD
                             : TT_CFG_THCON_SEC1_REG2_Out_data_format_WORD,
               RIG_FIELD(THCON_SEC0_REG2_Out_data_format, to) | RIG_FIELD(THCON_SEC0_REG2_Throttle_mode, 2));
    rig_config(code,
               unpacker == 0 ? TT_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_WORD
                             : TT_CFG_THCON_SEC1_REG2_Disable_zero_compress_cntx0_WORD,
               RIG_FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1) |
                   RIG_FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx0, to_dst));
    rig_push(code, SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, !to_dst));
    rig_push(code, TT_OP_SETADCXX(3, 1023, 0));
    clear_counters(code, 3);
}

static void unpack(struct peer_code *code, unsigned unpacker, uint32_t address, bool valid)
{
    rig_config(code,
               unpacker == 0 ? TT_CFG_THCON_SEC0_REG3_Base_address_WORD : TT_CFG_THCON_SEC1_REG3_Base_address_WORD,
               L1_FIELD(address));
    rig_push(code, UNPACK(unpacker, valid));
}

void rig_math(struct peer_code *code, enum rig_format src, bool wide, uint32_t other)
{
    rig_config(code, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD,
               RIG_FIELD(ALU_FORMAT_SPEC_REG0_SrcA, src) | RIG_FIELD(ALU_FORMAT_SPEC_REG1_SrcB, src) |
                   RIG_FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, RIG_INT32) |
                   RIG_FIELD(ALU_ACC_CTRL_Fp32_enabled, wide && src != RIG_INT8) |
                   RIG_FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, wide) |
                   RIG_FIELD(ALU_ACC_CTRL_INT8_math_enabled, src == RIG_INT8) | other);
}

void rig_begin(struct peer_code *code)
{
    rig_config(code, TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD,
               RIG_FIELD(THCON_SEC0_REG5_Dest_cntx0_address, 4 * 16));
    rig_config(code, TT_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_WORD, RIG_FIELD(THCON_SEC0_REG5_Tile_x_dim_cntx0, 256));
    rig_config(code, TT_CFG_UNP0_ADDR_CTRL_ZW_REG_1_Zstride_WORD, RIG_FIELD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 256 * 2));
    rig_config(code, TT_CFG_UNP1_ADDR_CTRL_ZW_REG_1_Zstride_WORD, RIG_FIELD(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 256 * 2));
    rig_config(code, TT_CFG_UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_WORD,
               RIG_FIELD(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    rig_math(code, RIG_INT32, true, 0);
    configure_unpacker(code, 0, RIG_INT32, RIG_INT32, true);
    unpack(code, 0, RIG_DST_DATA, false);
    rig_push(code, TT_OP_SETRWC(0, 0, 0, 0, 0, 0xF));
    rig_push(code, SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, 0));
}

void rig_unpack(struct peer_code *code, unsigned unpacker, enum rig_format from, enum rig_format to)
{
    configure_unpacker(code, unpacker, from, to, false);
    unpack(code, unpacker, unpacker == 0 ? RIG_A_DATA : RIG_B_DATA, true);
}

#if PEER_PACKERS > 1
static void configure_others(struct peer_code *code, const struct rig_packer *packer)
{
    for (unsigned i = 0; i < PEER_PACKERS - 1; i++) {
        rig_config(code, other_packers[i] + 2u,
                   RIG_FIELD(THCON_SEC0_REG1_In_data_format, packer->from) |
                       RIG_FIELD(THCON_SEC0_REG1_Out_data_format, packer->to) |
                       RIG_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1));
        rig_config(code, TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD + 1 + i,
                   RIG_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16));
    }
}
#endif

void rig_pack(struct peer_code *code, const struct rig_packer *packer)
{
    unsigned bytes = packer->wide ? 4 : 2; /* of a number in Dst */
    rig_config(code, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD,
               RIG_FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, packer->from) |
                   RIG_FIELD(ALU_ACC_CTRL_Fp32_enabled, packer->wide) |
                   RIG_FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, packer->wide));
    rig_config(code, TT_CFG_STACC_RELU_ApplyRelu_WORD,
               RIG_FIELD(STACC_RELU_ApplyRelu, packer->relu) | RIG_FIELD(STACC_RELU_ReluThreshold, packer->threshold));
    rig_config(code, TT_CFG_PCK0_ADDR_CTRL_XY_REG_0_Xstride_WORD,
               RIG_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Xstride, bytes) |
                   RIG_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Ystride, bytes * 16));
    rig_config(code, TT_CFG_PCK_DEST_RD_CTRL_Read_32b_data_WORD,
               RIG_FIELD(PCK_DEST_RD_CTRL_Read_32b_data, packer->wide));
    rig_config(code, TT_CFG_PCK_EDGE_OFFSET_SEC0_mask_WORD, RIG_FIELD(PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF));
    rig_config(code, TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD,
               RIG_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16));
    bool blocks = packer->to == 6 || packer->to == 7 || packer->to == 15; /* exponents come first: a line of them */
    rig_config(code, TT_CFG_THCON_SEC0_REG1_Exp_section_size_WORD, RIG_FIELD(THCON_SEC0_REG1_Exp_section_size, blocks));
    rig_config(code, TT_CFG_THCON_SEC0_REG1_In_data_format_WORD,
               RIG_FIELD(THCON_SEC0_REG1_In_data_format, packer->from) |
                   RIG_FIELD(THCON_SEC0_REG1_Out_data_format, packer->to) |
                   RIG_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1));
    rig_config(code, TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD, packer->first_row);
    rig_config(code, TT_CFG_THCON_SEC0_REG1_L1_Dest_addr_WORD, L1_FIELD(RIG_RESULT));
#if PEER_PACKERS > 1
    configure_others(code, packer);
#endif
    rig_push(code, TT_OP_SETADCXX(4, PEER_PACK_NUMBERS - 1, 0));
    clear_counters(code, 4);
    rig_push(code, SETC16_FIELD(ADDR_MOD_PACK_SEC0_YsrcIncr, 4));
    for (unsigned row = 0; row < packer->rows; row += 4)
        rig_push(code, TT_OP_PACR(0, 0, 0, 0, 0, 0, PEER_PACK_SELECT, 0, 0, 0, 0, row + 4 == packer->rows));
}

void rig_end(struct peer_code *code)
{
    const struct rig_packer words = {.wide = true, .from = RIG_INT32, .to = RIG_INT32, .rows = RIG_ROWS};
    rig_pack(code, &words);
}
