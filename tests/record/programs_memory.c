/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of many instructions of unpackers, packers, and the scalar and configuration units: see programs.c. */
#include "record/making.h"
#include "tilefarm_tensix_ops.h"
#include "tilefarm_address.h"

#define L1_FIELD(address) ((address) / 16 - 1)

/* ---- Unpackers ---- */

enum { UNPACK_STEPS = 4, ROWS_OF_STEP = 16 };

struct unpack {
    unsigned unpacker, from, to, context, count, first_row, force; /* force: of unpacker 0, a shared exponent */
    bool to_dst, transpose, strided;
};

static unsigned bits_of(unsigned format)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    return bits[format];
}

static struct unpack choose_unpack(struct making *m)
{
    static const uint8_t ways[][2] = {{0, 4}, {0, 5},   {0, 1},   {1, 1},   {5, 5}, {6, 6}, {7, 7},
                                      {9, 9}, {10, 10}, {14, 14}, {15, 15}, {0, 0}, {8, 8}};
    const unsigned count = sizeof ways / sizeof ways[0];
    struct unpack unpack = {
        .unpacker = below(m, 2),
        .context = below(m, 2),
    };
    unpack.force = unpack.unpacker == 0 && below(m, 4) == 0 ? 1 + below(m, 255) : 0;
    unsigned way = below(m, unpack.unpacker == 0 ? count : count - 2);
    unpack.from = ways[way][0];
    unpack.to = ways[way][1];
    unpack.to_dst = way >= count - 2 || (way == 0 && unpack.unpacker == 0 && below(m, 2));
    unpack.transpose = unpack.unpacker == 0 && !unpack.to_dst && below(m, 4) == 0;
    unpack.strided = unpack.unpacker == 0 && bits_of(unpack.from) >= 8 && below(m, 4) == 0;
    unpack.count = PICK(m, 16, 32, 64, 128, 255) + 1u;
    if (unpack.count != 256)
        unpack.count--;
    unpack.first_row = below(m, 3) * 8;
    return unpack;
}

static void configure_unpack(struct making *m, const struct unpack *unpack)
{
    bool a = unpack->unpacker == 0;
    unsigned offset = a ? below(m, 3) : 0, c = unpack->context; /* libraries have offsets of unpacker 0 */
    struct peer_code *code = m->code;
    rig_config(code, a ? TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD : TT_CFG_THCON_SEC1_REG0_TileDescriptor_WORD,
               unpack->from | 1u << 4 | 256u << 16);
    rig_config(code, (a ? TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD : TT_CFG_THCON_SEC1_REG0_TileDescriptor_WORD) + 1,
               1u | 4u << 16);
    rig_config(code, a ? TT_CFG_THCON_SEC0_REG2_Out_data_format_WORD : TT_CFG_THCON_SEC1_REG2_Out_data_format_WORD,
               RIG_FIELD(THCON_SEC0_REG2_Out_data_format, unpack->to) |
                   RIG_FIELD(THCON_SEC0_REG2_Throttle_mode, below(m, 3)) |
                   RIG_FIELD(THCON_SEC0_REG2_Haloize_mode, unpack->transpose) |
                   RIG_FIELD(THCON_SEC0_REG2_Tileize_mode, unpack->strided) |
                   RIG_FIELD(THCON_SEC0_REG2_Shift_amount_cntx0, unpack->strided ? 4 + below(m, 4) : 0));
    rig_config(code,
               a ? TT_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_WORD
                 : TT_CFG_THCON_SEC1_REG2_Disable_zero_compress_cntx0_WORD,
               RIG_FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1) << c |
                   RIG_FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx0, unpack->to_dst) << c |
                   RIG_FIELD(THCON_SEC0_REG2_Force_shared_exp, unpack->force != 0));
    if (a)
        rig_config(code, TT_CFG_UNP0_FORCED_SHARED_EXP_shared_exp_WORD, unpack->force);
    rig_config(code, a ? TT_CFG_UNP0_ADDR_CTRL_ZW_REG_1_Zstride_WORD : TT_CFG_UNP1_ADDR_CTRL_ZW_REG_1_Zstride_WORD,
               RIG_FIELD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * 8 * ((bits_of(unpack->to) + 7) / 8)));
    rig_config(code, (a ? TT_CFG_THCON_SEC0_REG3_Base_address_WORD : TT_CFG_THCON_SEC1_REG3_Base_address_WORD) + c,
               L1_FIELD(a ? RIG_A_DATA : RIG_B_DATA) - offset);
    if (!a)
        return;
    rig_config(code, TT_CFG_THCON_SEC0_REG7_Offset_address_WORD + c, offset);
    rig_config(code, TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, 64u << 16 | 64);
    rig_config(code, TT_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_WORD, 256u << 16 | 256);
}

/* Where unpacker 0 writes to Dst, that shows by itself. */
static void show_source(struct making *m, const struct unpack *unpack, unsigned step)
{
    unsigned dst = step * ROWS_OF_STEP;
    if (unpack->to_dst)
        return;
    /* The matrix unit takes 16 bits of any format as they are. */
    enum rig_format as = unpack->to == 14 || unpack->to == 10 ? RIG_FP16 : unpack->to == RIG_TF32 ? RIG_TF32 : RIG_BF16;
    rig_math(m->code, unpack->to == RIG_FP16 ? RIG_FP16 : as, as == RIG_TF32, 0);
    for (unsigned row = 0; row < ROWS_OF_STEP; row += 8)
        if (unpack->unpacker == 0)
            rig_push(m->code, TT_OP_MOVA2D(0, unpack->first_row + row, 0, 2, dst + row));
        else
            for (unsigned i = 0; i < 8; i += 4)
                rig_push(m->code, TT_OP_MOVB2D(0, unpack->first_row + row + i, 0, 4, dst + row + i));
    rig_push(m->code, TT_OP_CLEARDVALID(1u << unpack->unpacker, 0));
}

static void unpack_step(struct making *m, unsigned step)
{
    const struct unpack unpack = choose_unpack(m);
    configure_unpack(m, &unpack);
    /* All others are 16 bytes or more apart, as modes of unpacker 0 ask for. */
    unsigned x = unpack.transpose || unpack.strided ? 0 : below(m, 2) * 16, y = 0, z = below(m, 3);
    rig_push(m->code, TT_OP_SETC16(TT_THREAD_CFG_SRCA_SET_SetOvrdWithAddr_WORD,
                                   (uint32_t)!unpack.to_dst << TT_THREAD_CFG_SRCA_SET_SetOvrdWithAddr_SHIFT));
    rig_push(m->code,
             TT_OP_SETC16(TT_THREAD_CFG_UNPACK_MISC_CFG_CfgContextOffset_0_WORD, unpack.context << 8 | unpack.context));
    rig_push(m->code, TT_OP_SETADCXX(1u << unpack.unpacker, x + unpack.count - 1, x));
    rig_push(m->code, TT_OP_SETADCXY(1u << unpack.unpacker, 0, 0, 0, y, 0, 0xA));
    rig_push(m->code, TT_OP_SETADCZW(1u << unpack.unpacker, 0, 0, unpack.first_row / 8, 0, z, 0xF));
    test_word(m, TT_OP_UNPACR(unpack.unpacker, below(m, 256), 0, 0, 0, 1, !unpack.to_dst, 0, 0, 0, 0, 0, 1));
    show_source(m, &unpack, step);
}

static uint32_t any(struct making *m)
{
    return below(m, 2) ? number(m) : test_random(&m->random);
}

void make_unpacks(struct making *m)
{
    fill_data(m, any);
    rig_begin(m->code);
    for (unsigned step = 0; step < UNPACK_STEPS; step++)
        unpack_step(m, step);
}

/* ---- Packers ---- */

#if PEER_PACKERS > 1
enum { PACK_STEPS = 3, REGION = 336, PACKER_WORDS = 4 };

static const uint8_t sections[PEER_PACKERS] = {
    TT_CFG_THCON_SEC0_REG1_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC0_REG8_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG1_Row_start_section_size_WORD,
    TT_CFG_THCON_SEC1_REG8_Row_start_section_size_WORD,
};

/* Dst as words or not, the format of Dst, that of L1 */
static const uint8_t pack_ways[][3] = {{0, 1, 0}, {0, 1, 1},  {0, 1, 5}, {0, 2, 6},  {0, 5, 0},  {0, 5, 5}, {0, 5, 6},
                                       {0, 5, 7}, {0, 5, 15}, {0, 6, 0}, {0, 6, 5},  {0, 6, 6},  {0, 6, 7}, {0, 9, 9},
                                       {1, 0, 0}, {1, 0, 1},  {1, 0, 6}, {1, 0, 7},  {1, 0, 15}, {1, 5, 5}, {1, 6, 6},
                                       {1, 6, 7}, {1, 8, 8},  {1, 9, 9}, {1, 14, 14}};

static bool has_exponents(unsigned format)
{
    return format == 6 || format == 7 || format == 15;
}

static void configure_pack(struct making *m, const uint8_t *way, unsigned step)
{
    bool wide = way[0], relative = below(m, 4) == 0,
         accumulate = (way[2] == 0 || way[2] == 1 || way[2] == 5) && below(m, 3) == 0;
    unsigned bytes = bits_of(way[1]) / 8, relu = way[1] == 9 || way[1] == 14 ? 0
                                                 : way[1] == 8               ? below(m, 2)
                                                                             : below(m, 4);
    unsigned planes = 1 + below(m, 16);
    struct peer_code *code = m->code;
    rig_config(code, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD,
               RIG_FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, way[1]) | RIG_FIELD(ALU_ACC_CTRL_Fp32_enabled, wide) |
                   RIG_FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, wide));
    rig_config(code, TT_CFG_STACC_RELU_ApplyRelu_WORD,
               RIG_FIELD(STACC_RELU_ApplyRelu, relu) |
                   RIG_FIELD(STACC_RELU_ReluThreshold, relu < 2                     ? 0
                                                       : way[1] == 1 || way[1] == 2 ? 0x3400 + below(m, 0x800)
                                                                                    : 0x3E80 + below(m, 0x180)));
    rig_config(code, TT_CFG_PCK0_ADDR_CTRL_XY_REG_0_Xstride_WORD,
               RIG_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Xstride, bytes) |
                   RIG_FIELD(PCK0_ADDR_CTRL_XY_REG_0_Ystride, bytes * 16));
    rig_config(code, TT_CFG_PCK0_ADDR_CTRL_ZW_REG_0_Zstride_WORD,
               RIG_FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, bytes * 16 * (1 + below(m, 8))) |
                   RIG_FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, bytes * 16 * below(m, 8)));
    rig_config(code, TT_CFG_PCK_DEST_RD_CTRL_Read_32b_data_WORD,
               RIG_FIELD(PCK_DEST_RD_CTRL_Read_32b_data, wide) |
                   RIG_FIELD(PCK_DEST_RD_CTRL_Read_unsigned, way[1] == 14 && below(m, 2)));
    /* Edge masks: rows of a face take mask 0 or 1. */
    bool masked = below(m, 2);
    rig_config(code, TT_CFG_PCK_EDGE_OFFSET_SEC0_mask_WORD,
               RIG_FIELD(PCK_EDGE_OFFSET_SEC0_mask, below(m, 4) == 0 ? 1 : 0xFFFF) |
                   RIG_FIELD(PCK_EDGE_TILE_ROW_SET_SELECT_select, masked ? test_random(&m->random) & 0x55 : 0));
    rig_config(code, TT_CFG_PCK_EDGE_OFFSET_SEC1_mask_WORD, PICK(m, 0, 1));
    rig_config(code, TT_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_0_WORD,
               masked ? test_random(&m->random) & 0x55555555 : 0);
    rig_config(code, TT_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_0_WORD + 1,
               masked ? test_random(&m->random) & 0x55555555 : 0);
    uint32_t first = L1_FIELD(RIG_RESULT + step * PEER_PACKERS * REGION);
    for (unsigned i = 0; i < PEER_PACKERS; i++) {
        rig_config(code, sections[i], RIG_FIELD(THCON_SEC0_REG1_Exp_section_size, has_exponents(way[2])));
        rig_config(code, sections[i] + 1u,
                   relative && i == 0 ? first | 0x80000000
                   : relative         ? L1_FIELD(i * REGION)
                                      : first + i * (REGION / 16));
        rig_config(code, sections[i] + 2u,
                   RIG_FIELD(THCON_SEC0_REG1_In_data_format, way[1]) |
                       RIG_FIELD(THCON_SEC0_REG1_Out_data_format, way[2]) |
                       RIG_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1));
        rig_config(code, sections[i] + 3u, RIG_FIELD(THCON_SEC0_REG1_Pack_L1_Acc, accumulate));
        rig_config(code, TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD + i,
                   RIG_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, planes));
        rig_config(code, TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD + i, below(m, 24));
    }
}

static void pack_step(struct making *m, unsigned step)
{
    const uint8_t *way = pack_ways[below(m, sizeof pack_ways / sizeof pack_ways[0])];
    unsigned numbers = PICK(m, 16, 32, 64), times = 1 + below(m, 3), select = PICK(m, 1, 3, 15);
    while (times * numbers * bits_of(way[2]) / 8 > REGION - 32)
        times == 1 ? (numbers /= 2) : times--;
    configure_pack(m, way, step);
    rig_push(m->code, TT_OP_SETADCXX(4, numbers - 1, 0));
    rig_push(m->code, TT_OP_SETADCXY(4, 0, 0, 0, below(m, 4), 0, 0xA));
    rig_push(m->code, TT_OP_SETADCZW(4, 0, 0, 0, below(m, 2), below(m, 3), 0xF));
    for (unsigned i = 0; i < 4; i++) /* Y of the source: step, go back, clear; Z: step, clear */
        rig_push(m->code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_WORD + i,
                                       below(m, 5) | (below(m, 4) == 0) << 4 | (below(m, 8) == 0) << 5 |
                                           below(m, 2) << 12 | (below(m, 8) == 0) << 13));
    for (unsigned i = 0; i < times; i++)
        test_word(m, TT_OP_PACR(0, 0, 0, below(m, 4), 0, 0, select, 0, 0, 0, 0, i + 1 == times));
}

void make_packs(struct making *m)
{
    fill_data(m, number);
    rig_begin(m->code);
    rig_math(m->code, RIG_BF16, true, 0);
    for (unsigned i = 0; i < 3; i++)
        rig_push(m->code, TT_OP_ZEROACC(0, 0, 0, 0, below(m, 64)));
    for (unsigned step = 0; step < PACK_STEPS; step++)
        pack_step(m, step);
}
#else
void make_packs(struct making *m)
{
    rig_begin(m->code);
}
#endif

/* ---- Scalar and configuration units ---- */

#define GPR_BASE TF_GPR_BASE
#define CONFIG_BASE TF_CFG_BASE

/* Words that libraries let be read and written whole. */
static const uint8_t config_words[] = {8,  9,  20, 21, 22, 23, 24, 25, 26, 27,  44,
                                       45, 64, 65, 72, 74, 84, 85, 92, 96, 104, 105};

static void config_step(struct making *m)
{
    uint32_t random = test_random(&m->random), a = random & 63, b = random >> 6 & 63, c = random >> 12 & 63;
    uint32_t word = pick(m, config_words, sizeof config_words);
    switch (below(m, 9)) {
    case 0:
    case 1: test_word(m, TT_OP_SETDMAREG(random >> 18 & 3, random >> 4 & 0x3FFF, 0, random >> 20 & 127)); break;
    case 2: test_word(m, TT_OP_ADDDMAREG(0, a, b, c)); break;
    case 3: test_word(m, TT_OP_MULDMAREG(0, a, b, c)); break;
    case 4:
    case 5: test_word(m, TT_OP_WRCFG(a, 0, word)); break;
    case 6: test_word(m, TT_OP_RDCFG(a, word)); break;
    case 7: {
        uint32_t byte = below(m, 4) << 24;
        test_word(m, TT_OP_RMWCIB0(random >> 8, random >> 16, word) + byte);
        break;
    }
    default: test_word(m, TT_OP_WRCFG(a & ~3u, 1, PICK(m, 20, 24)));
    }
}

void make_configs(struct making *m)
{
    for (unsigned i = 0; i < 64; i++)
        peer_store(m->code, GPR_BASE + 4 * i, number(m));
    for (unsigned i = 0; i < sizeof config_words; i++)
        rig_config(m->code, config_words[i], 0);
    for (unsigned i = 0; i < 40; i++)
        config_step(m);
    peer_wait(m->code, TF_DONE_CHECK);
    for (unsigned i = 0; i < 64; i++)
        peer_copy(m->code, RIG_RESULT + 4 * i, GPR_BASE + 4 * i);
    for (unsigned i = 0; i < sizeof config_words; i++)
        peer_copy(m->code, RIG_RESULT + 0x100 + 4 * i, CONFIG_BASE + 4u * config_words[i]);
}
