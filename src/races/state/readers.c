/* SPDX-License-Identifier: Apache-2.0 */
#include "races/state/readers.h"

#include <stddef.h>

#include "tilefarm_address.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"

#define CONTEXT(side, number) BIT(UNPACKS(side) + 1 + (number))
#define TWO_CONTEXTS(side, first) (CONTEXT(side, first) | CONTEXT(side, (first) + 4))
#define FOUR_CONTEXTS(side, first) (TWO_CONTEXTS(side, first) | TWO_CONTEXTS(side, (first) + 1))

/* Ranges of words: of one word; of several, with the last one; of several, with the one after them. */
#define WORD(name, by) [TF_CFG_WORD(name)] = (by)
#define WORDS(first, last, by) [TF_CFG_WORD(first)... TF_CFG_WORD(last)] = (by)
#define BEFORE(first, next, by) [TF_CFG_WORD(first)... TF_CFG_WORD(next) - 1] = (by)

/* Words of THCON that belong to an unpacker, its contexts, packers and the mover. */
/* clang-format off */
#define SECTION(side)                                                                                           \
    BEFORE(THCON_SEC##side##_REG0_TileDescriptor, THCON_SEC##side##_REG1_Row_start_section_size,                \
           ALL_CONTEXTS(side)),                                                                                 \
    BEFORE(THCON_SEC##side##_REG1_Row_start_section_size, THCON_SEC##side##_REG1_Unp_LF8_4b_exp, BIT(PACKS)),   \
    WORD(THCON_SEC##side##_REG1_Unp_LF8_4b_exp, BIT(PACKS)),                                                    \
    BEFORE(THCON_SEC##side##_REG2_Out_data_format, THCON_SEC##side##_REG3_Base_address, ALL_CONTEXTS(side)),    \
    WORD(THCON_SEC##side##_REG3_Base_address, CONTEXT(side, 0)),                                                \
    WORD(THCON_SEC##side##_REG3_Base_cntx1_address, CONTEXT(side, 1)),                                          \
    WORD(THCON_SEC##side##_REG3_Base_cntx2_address, CONTEXT(side, 2)),                                          \
    WORD(THCON_SEC##side##_REG3_Base_cntx3_address, CONTEXT(side, 3)),                                          \
    WORD(THCON_SEC##side##_REG4_Base_cntx4_address, CONTEXT(side, 4)),                                          \
    WORD(THCON_SEC##side##_REG4_Base_cntx5_address, CONTEXT(side, 5)),                                          \
    WORD(THCON_SEC##side##_REG4_Base_cntx6_address, CONTEXT(side, 6)),                                          \
    WORD(THCON_SEC##side##_REG4_Base_cntx7_address, CONTEXT(side, 7)),                                          \
    WORD(THCON_SEC##side##_REG5_Dest_cntx0_address, FOUR_CONTEXTS(side, 0)),                                    \
    WORD(THCON_SEC##side##_REG5_Dest_cntx2_address, FOUR_CONTEXTS(side, 2)),                                    \
    WORD(THCON_SEC##side##_REG5_Tile_x_dim_cntx0, FOUR_CONTEXTS(side, 0)),                                      \
    WORD(THCON_SEC##side##_REG5_Tile_x_dim_cntx2, FOUR_CONTEXTS(side, 2)),                                      \
    BEFORE(THCON_SEC##side##_REG6_Source_address, THCON_SEC##side##_REG7_Offset_address, BIT(MOVES)),           \
    WORD(THCON_SEC##side##_REG7_Offset_address, TWO_CONTEXTS(side, 0)),                                         \
    WORD(THCON_SEC##side##_REG7_Offset_cntx1_address, TWO_CONTEXTS(side, 1)),                                   \
    WORD(THCON_SEC##side##_REG7_Offset_cntx2_address, TWO_CONTEXTS(side, 2)),                                   \
    WORD(THCON_SEC##side##_REG7_Offset_cntx3_address, TWO_CONTEXTS(side, 3)),                                   \
    BEFORE(THCON_SEC##side##_REG8_Row_start_section_size, THCON_SEC##side##_REG10_Unpack_limit_address,         \
           BIT(PACKS)),                                                                                         \
    BEFORE(THCON_SEC##side##_REG10_Unpack_limit_address, THCON_SEC##side##_REG10_Packer_Reg_Wr_Addr,            \
           ALL_CONTEXTS(side)),                                                                                 \
    WORD(THCON_SEC##side##_REG10_Packer_Reg_Wr_Addr, BIT(PACKS)),                                               \
    WORDS(THCON_SEC##side##_REG11_Metadata_l1_addr, THCON_SEC##side##_REG11_Metadata_cntxt_switch_unpacr_count, \
          ALL_CONTEXTS(side))

static const uint32_t readers_of[TF_CFG_WORDS] = {
    WORD(ALU_FORMAT_SPEC_REG_SrcA_val, BIT(COMPUTES) | BIT(PACKS)),
    WORD(ALU_FORMAT_SPEC_REG0_SrcAUnsigned, BIT(COMPUTES) | BIT(PACKS)),
    WORD(STACC_RELU_ReluThreshold, BIT(COMPUTES)),
    WORD(STATE_RESET_EN, ALL_READERS),
    WORDS(DEST_OFFSET_Enable, DEST_SP_BASE_Base, BIT(COMPUTES)),
    BEFORE(INT_DESCALE_Enable, UNP0_ADDR_CTRL_XY_REG_0_Xstride, BIT(PACKS)),
    BEFORE(UNP0_ADDR_CTRL_XY_REG_0_Xstride, UNP1_ADDR_CTRL_XY_REG_0_Xstride, ALL_CONTEXTS(0)),
    BEFORE(UNP1_ADDR_CTRL_XY_REG_0_Xstride, UNP0_ADDR_BASE_REG_0_Base, ALL_CONTEXTS(1)),
    BEFORE(UNP0_ADDR_BASE_REG_0_Base, UNP1_ADDR_CTRL_XY_REG_1_Xstride, ALL_CONTEXTS(0)),
    BEFORE(UNP1_ADDR_CTRL_XY_REG_1_Xstride, THCON_SEC0_REG0_TileDescriptor, ALL_CONTEXTS(1)),
    SECTION(0),
    SECTION(1),
    WORDS(DEST_TARGET_REG_CFG_PACK_SEC0_Offset, DEST_TARGET_REG_CFG_PACK_SEC3_Offset, BIT(PACKS)),
    WORDS(INT_DESCALE_VALUES_SEC0_Value, INT_DESCALE_VALUES_SEC15_Value, BIT(PACKS)),
    WORD(DEST_ACCESS_CFG_swizzle_32b, BIT(COMPUTES) | BIT(PACKS) | ALL_CONTEXTS(0)),
};
/* clang-format on */

#define FIRST_BP_BIT (TF_CFG_DISABLE_RISC_BP_Disable_main >> 8 & 0xFF)

/*
 * Fields with other readers than the rest of their words. The packer alone reads the format of Dst
 * (Packers/FormatConversion.md, ReLU.md), and the matrix unit and the vector unit alone read those of sources.
 */
static const struct {
    enum tf_cfg_field field;
    uint32_t readers;
} field_readers[] = {
    {TF_CFG_ALU_FORMAT_SPEC_REG_SrcA_val, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG_SrcA_override, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG_SrcB_val, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG_SrcB_override, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG_Dstacc_val, BIT(PACKS)},
    {TF_CFG_ALU_FORMAT_SPEC_REG_Dstacc_override, BIT(PACKS)},
    {TF_CFG_ALU_ROUNDING_MODE_Gasket_srnd_en, BIT(PACKS)},
    {TF_CFG_ALU_ROUNDING_MODE_Packer_srnd_en, BIT(PACKS)},
    {TF_CFG_ALU_FORMAT_SPEC_REG0_SrcAUnsigned, BIT(COMPUTES) | BIT(PACKS) | ALL_CONTEXTS(0) | ALL_CONTEXTS(1)},
    {TF_CFG_ALU_FORMAT_SPEC_REG0_SrcBUnsigned, BIT(COMPUTES) | BIT(PACKS) | ALL_CONTEXTS(0) | ALL_CONTEXTS(1)},
    {TF_CFG_ALU_FORMAT_SPEC_REG0_SrcA, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB, BIT(COMPUTES)},
    {TF_CFG_ALU_FORMAT_SPEC_REG2_Dstacc, BIT(PACKS)},
    {TF_CFG_STACC_RELU_ApplyRelu, BIT(PACKS)},
    {TF_CFG_STACC_RELU_ReluThreshold, BIT(PACKS)},
    {TF_CFG_THCON_SEC0_REG1_Unp_LF8_4b_exp, BIT(PACKS) | ALL_CONTEXTS(0)},
    {TF_CFG_THCON_SEC1_REG1_Unp_LF8_4b_exp, BIT(PACKS) | ALL_CONTEXTS(1)},
};

/* Readers of one of Blackhole's words. In one word, some bits concern only the branch predictors of cores. A store that
   changes nothing counts for all readers but unpackers, where these read single fields. */
static uint32_t common_readers(unsigned word, uint32_t changed)
{
    uint32_t readers = 0, rest = changed;
    bool apart = false;
    if (word == TF_CFG_WORD(DISABLE_RISC_BP_Disable_main) && (changed & ((1u << FIRST_BP_BIT) - 1)) == 0)
        return 0;
    for (unsigned i = 0; i < sizeof field_readers / sizeof field_readers[0]; i++) {
        const uint32_t bits = tf_cfg_put(0, field_readers[i].field, UINT32_MAX);
        if ((unsigned)field_readers[i].field >> 16 != word)
            continue;
        if (changed == 0 || (changed & bits) != 0)
            readers |= field_readers[i].readers;
        rest &= ~bits;
        apart = true;
    }
    if (rest != 0 || changed == 0)
        readers |= readers_of[word];
    return changed == 0 && apart ? readers & ~(ALL_CONTEXTS(0) | ALL_CONTEXTS(1)) : readers;
}

/* A word of a family's own has the readers of the words to which its fields go (config/family.h). Fields that Blackhole
   lacks lie beside others of the packers, or say where cores start. */
uint32_t config_readers(const struct tf_config_arch *arch, unsigned word, uint32_t changed)
{
    uint32_t readers = 0;
    if (arch->place == NULL)
        return common_readers(word, changed);
    const struct tf_cfg_place *place = tf_cfg_places_of(arch->place, arch->ends, word);
    const struct tf_cfg_place *end = arch->place + arch->places;
    while (place < end && place->word == word) {
        struct tf_cfg_bits bits;
        place = tf_cfg_gather(place, end, changed, &bits);
        readers |= common_readers(bits.word, bits.value);
    }
    return readers;
}
