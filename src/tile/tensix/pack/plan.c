/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's configuration, decoded, and cached until it changes. */
#include "tile/tensix/pack/plan.h"

#include <string.h>

#include "tile/accumulate.h"
#include "tile/tensix/pack/stream.h"

#define BIT(word, field) tf_cfg_cut((word), TF_CFG_##field)

/* The first word of each range that tf_pack_plan copies, and of each table in these ranges. */
enum {
    ALU_FIRST = TF_CFG_WORD(ALU_FORMAT_SPEC_REG_SrcA_val),
    READING_FIRST = TF_CFG_WORD(PCK_DEST_RD_CTRL_Read_32b_data),
    PACKER_FIRST = TF_CFG_WORD(THCON_SEC0_REG1_Out_data_format),
    ROW_SETS = TF_CFG_WORD(TILE_ROW_SET_MAPPING_0_row_set_mapping_0) - READING_FIRST,
    EDGE_MASKS = TF_CFG_WORD(PCK_EDGE_OFFSET_SEC0_mask) - READING_FIRST,
    FACE_SETS = TF_CFG_WORD(TILE_FACE_SET_MAPPING_0_face_set_mapping_0) - READING_FIRST,
};

#define READING(field) BIT(plan->reading[TF_CFG_WORD(field) - READING_FIRST], field)
#define PACKER(field) BIT(plan->packer[TF_CFG_WORD(field) - PACKER_FIRST], field)

/* Element 0..15 of a table of two-bit elements. Each names a set of rows or faces, 0..3. */
static unsigned set_in(const struct tf_pack_plan *plan, unsigned tables, unsigned table, unsigned element)
{
    return plan->reading[tables + table] >> element % 16 * 2 & 3;
}

static uint32_t edge_mask(const struct tf_pack_plan *plan, unsigned section)
{
    return plan->reading[EDGE_MASKS + section] & 0xFFFF;
}

static bool is_current(const struct tf_pack_plan *plan, const uint32_t *word)
{
    return plan->valid && memcmp(plan->alu, &word[ALU_FIRST], sizeof plan->alu) == 0 &&
           memcmp(plan->reading, &word[READING_FIRST], sizeof plan->reading) == 0 &&
           memcmp(plan->packer, &word[PACKER_FIRST], sizeof plan->packer) == 0 &&
           plan->descale == word[TF_CFG_WORD(INT_DESCALE_Enable)] &&
           plan->descale_value == word[TF_CFG_WORD(INT_DESCALE_VALUES_SEC0_Value)];
}

static void take_modes(const struct tf_pack_plan *plan, struct tf_pack_modes *modes)
{
    *modes = (struct tf_pack_modes){
        .intermediate = (uint8_t)(BIT(plan->alu[0], ALU_FORMAT_SPEC_REG_Dstacc_override)
                                      ? BIT(plan->alu[0], ALU_FORMAT_SPEC_REG_Dstacc_val)
                                      : BIT(plan->alu[1], ALU_FORMAT_SPEC_REG2_Dstacc)),
        .late_from = (uint8_t)PACKER(THCON_SEC0_REG1_In_data_format),
        .late_to = (uint8_t)PACKER(THCON_SEC0_REG1_Out_data_format),
        .wide = READING(PCK_DEST_RD_CTRL_Read_32b_data),
        .raw = READING(PCK_DEST_RD_CTRL_Read_int8),
        .is_unsigned = READING(PCK_DEST_RD_CTRL_Read_unsigned),
        .round_10b = READING(PCK_DEST_RD_CTRL_Round_10b_mant),
        .exponent_4b = PACKER(THCON_SEC0_REG1_Pac_LF8_4b_exp),
        .relu = BIT(plan->alu[2], STACC_RELU_ApplyRelu) & 3,
        .relu_threshold = (uint16_t)BIT(plan->alu[2], STACC_RELU_ReluThreshold),
        .descale_shift = BIT(plan->descale, INT_DESCALE_Enable) ? plan->descale_value & 31 : 0,
        .exponent_threshold_on = PACKER(THCON_SEC0_REG1_Exp_threshold_en),
        .exponent_threshold = (uint8_t)PACKER(THCON_SEC0_REG1_Exp_threshold),
    };
}

/* The page does not name the source of the shift with INT_DESCALE_Mode. */
static const char *why_not(const struct tf_pack_plan *plan, const struct tf_pack_format *format)
{
    bool shifts = format->early == TF_EARLY_32_INT8 || format->early == TF_EARLY_32_UINT8;
    if (shifts && BIT(plan->descale, INT_DESCALE_Enable) && BIT(plan->descale, INT_DESCALE_Mode))
        return "no page says which shift INT_DESCALE_Mode takes";
    if (format->bfp && PACKER(THCON_SEC0_REG1_Dis_shared_exp_assembler))
        return "no page says what Dis_shared_exp_assembler leaves of a BFP format";
    return NULL;
}

/* Between the two conversions, the specific kernels do no step but ReLU without a threshold, for floating-point
   numbers. */
static enum tf_pack_kernel kernel_of(const struct tf_pack_plan *plan, const struct tf_pack_format *format)
{
    static const struct {
        uint8_t early, late, bits;
        enum tf_pack_kernel kernel;
    } rows[] = {
        {TF_EARLY_16_BF16, TF_LATE_E8_BF16, 16, TF_PACK_BF16_TO_BF16},
        {TF_EARLY_16_BF16, TF_LATE_E8_BF16, 8, TF_PACK_BF16_TO_BFP8},
        {TF_EARLY_16_FP16, TF_LATE_AS_IS, 16, TF_PACK_FP16_TO_FP16},
        {TF_EARLY_32_AS_IS, TF_LATE_AS_IS, 32, TF_PACK_FP32_TO_FP32},
        {TF_EARLY_32_BF16, TF_LATE_E8_BF16, 16, TF_PACK_FP32_TO_BF16},
        {TF_EARLY_16_BF16, TF_LATE_E8_BF16, 4, TF_PACK_BF16_TO_BFP4},
        {TF_EARLY_16_BF16, TF_LATE_E8_BF16, 2, TF_PACK_BF16_TO_BFP2},
        {TF_EARLY_16_FP16, TF_LATE_E5_E4M3, 8, TF_PACK_FP16_TO_E4M3},
        {TF_EARLY_32_INT8, TF_LATE_AS_IS, 8, TF_PACK_INT32_TO_INT8},
    };
    /* The general path reports a fault if an integer meets a masked edge. */
    if (!plan->all_columns && READING(PCK_EDGE_MODE_mode) && format->kind >= TF_PACK_INT32)
        return TF_PACK_GENERIC;
    bool relu = format->relu > 1 || (format->relu == 1 && format->kind >= TF_PACK_INT32);
    if (!plan->all_columns || relu || format->exponent_threshold_on || format->descale_shift != 0)
        return TF_PACK_BY_LANES;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].early == format->early && rows[i].late == format->late && rows[i].bits == format->bits)
            return rows[i].kernel;
    return TF_PACK_BY_LANES;
}

/* Do the masks of all rows of all faces keep all columns? */
static bool takes_all_columns(const struct tf_pack_plan *plan)
{
    unsigned sets = 1u << (READING(PCK_EDGE_TILE_ROW_SET_SELECT_select) & 3);
    if (READING(PCK_EDGE_TILE_FACE_SET_SELECT_enable)) {
        unsigned faces = READING(PCK_EDGE_TILE_FACE_SET_SELECT_select) & 3;
        sets = 0;
        for (unsigned face = 0; face < 16; face++)
            sets |= 1u << set_in(plan, FACE_SETS, faces, face);
    }
    for (unsigned i = 0; i < 64; i++)
        if ((sets >> i / 16 & 1) != 0 && edge_mask(plan, set_in(plan, ROW_SETS, i / 16, i)) != 0xFFFF)
            return false;
    return true;
}

/* Pack_L1_Acc of an Out_data_format, as an enum of tile/accumulate.h. Returns TF_PACK_REPLACES if there is none. */
static unsigned accumulation(unsigned format)
{
    switch (format) {
    case TF_FORMAT_FP32: return TF_ACCUMULATE_FP32;
    case TF_FORMAT_FP16: return TF_ACCUMULATE_PACKED_FP16;
    case TF_FORMAT_BF16: return TF_ACCUMULATE_BF16;
    case TF_FORMAT_INT32: return TF_ACCUMULATE_U32;
    default: return TF_PACK_REPLACES;
    }
}

/* Conditions of pack_whole_rows() that depend only on configuration. */
static void note_shortcut(struct tf_pack_plan *plan)
{
    static const uint8_t shifts[4] = {2, 1, 0, 0};
    plan->shift = shifts[PACKER(THCON_SEC0_REG1_In_data_format) & 3];
    plan->accumulate = TF_PACK_REPLACES;
    bool accumulates = PACKER(THCON_SEC0_REG1_Pack_L1_Acc);
    if (accumulates)
        plan->accumulate = (uint8_t)accumulation(PACKER(THCON_SEC0_REG1_Out_data_format));
    plan->whole_rows = plan->kernel != TF_PACK_GENERIC && PACKER(THCON_SEC0_REG1_Disable_zero_compress) &&
                       !PACKER(THCON_SEC0_REG1_Source_interface_selection) &&
                       !PACKER(THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel) &&
                       !PACKER(THCON_SEC0_REG1_pack_start_intf_pos) && !PACKER(THCON_SEC0_REG1_Enable_out_fifo) &&
                       (!accumulates || plan->accumulate != TF_PACK_REPLACES);
}

static void remake(struct tf_pack_plan *plan, const uint32_t *word)
{
    memset(plan, 0, sizeof *plan);
    plan->valid = true;
    memcpy(plan->alu, &word[ALU_FIRST], sizeof plan->alu);
    memcpy(plan->reading, &word[READING_FIRST], sizeof plan->reading);
    memcpy(plan->packer, &word[PACKER_FIRST], sizeof plan->packer);
    plan->descale = word[TF_CFG_WORD(INT_DESCALE_Enable)];
    plan->descale_value = word[TF_CFG_WORD(INT_DESCALE_VALUES_SEC0_Value)];
    struct tf_pack_modes modes;
    take_modes(plan, &modes);
    for (unsigned i = 0; i < 2; i++) {
        modes.from_l1 = i;
        plan->why[i] = tf_pack_format(&modes, &plan->format[i]);
        if (plan->why[i] == NULL) {
            plan->why[i] = why_not(plan, &plan->format[i]);
            plan->left_open[i] = plan->why[i] != NULL;
        }
    }
    plan->all_columns = takes_all_columns(plan);
    plan->early_stochastic = plan->format[0].early_rounds && BIT(plan->alu[1], ALU_ROUNDING_MODE_Gasket_srnd_en);
    plan->late_stochastic = BIT(plan->alu[1], ALU_ROUNDING_MODE_Packer_srnd_en);
    uint32_t downsample = PACKER(THCON_SEC0_REG1_Downsample_mask);
    if (plan->why[0] == NULL && (downsample == 0 || downsample == 0xFFFF) && !plan->early_stochastic &&
        !(plan->late_stochastic && plan->format[0].bfp))
        plan->kernel = (uint8_t)kernel_of(plan, &plan->format[0]);
    if (READING(PCK_EDGE_MODE_mode))
        plan->edge_datum = tf_pack_minus_infinity(&plan->format[0]);
    note_shortcut(plan);
}

void tf_pack_plan_make(struct tf_pack_plan *plan, const uint32_t *word, uint64_t writes)
{
    if (!is_current(plan, word))
        remake(plan, word);
    plan->word = word;
    plan->writes = writes;
}

/* EdgeMasking.md; the row is TilePosition's low four bits. */
uint32_t tf_pack_edge_mask(const struct tf_pack_plan *plan, unsigned y, unsigned z)
{
    if (plan->all_columns)
        return 0xFFFF;
    unsigned set = READING(PCK_EDGE_TILE_ROW_SET_SELECT_select) & 3;
    if (READING(PCK_EDGE_TILE_FACE_SET_SELECT_enable))
        set = set_in(plan, FACE_SETS, READING(PCK_EDGE_TILE_FACE_SET_SELECT_select) & 3, z);
    return edge_mask(plan, set_in(plan, ROW_SETS, set, y));
}
