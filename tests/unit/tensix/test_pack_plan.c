/* SPDX-License-Identifier: Apache-2.0 */
/* Which loop packs whole rows of a configuration. All loops give equal results, so only the time would show a wrong
   choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tile/tensix/data/format.h"
#include "tile/tensix/pack/plan.h"

struct setting {
    uint32_t field, value;
};

static void set(uint32_t *words, struct setting setting)
{
    uint32_t width = setting.field & 0xFF, first = setting.field >> 8 & 0xFF;
    uint32_t mask = (width == 32 ? UINT32_MAX : (1u << width) - 1) << first;
    words[setting.field >> 16] = (words[setting.field >> 16] & ~mask) | (setting.value << first & mask);
}

/* The choice for formats in Dst, for the packer's input and output, with further settings. */
static unsigned kernel_of(unsigned in_dst, unsigned in, unsigned out, const struct setting *more, unsigned count)
{
    uint32_t words[TF_CFG_WORDS] = {0};
    static struct tf_pack_plan plan;
    const struct setting common[] = {
        {TF_CFG_ALU_FORMAT_SPEC_REG2_Dstacc, in_dst},
        {TF_CFG_THCON_SEC0_REG1_In_data_format, in},
        {TF_CFG_THCON_SEC0_REG1_Out_data_format, out},
        {TF_CFG_PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF},
    };
    for (unsigned i = 0; i < sizeof common / sizeof common[0]; i++)
        set(words, common[i]);
    for (unsigned i = 0; i < count; i++)
        set(words, more[i]);
    memset(&plan, 0, sizeof plan);
    tf_pack_plan_make(&plan, words, 1);
    return plan.kernel;
}

#define BF16 TF_FORMAT_BF16, TF_FORMAT_BF16, TF_FORMAT_BF16
#define INT8 TF_FORMAT_INT8, TF_FORMAT_INT8, TF_FORMAT_INT8
#define KERNEL_OF(formats, ...)                               \
    kernel_of(formats, (const struct setting[]){__VA_ARGS__}, \
              sizeof((const struct setting[]){__VA_ARGS__}) / sizeof(struct setting))

static void floats(void **state)
{
    (void)state;
    assert_int_equal(kernel_of(BF16, NULL, 0), TF_PACK_BF16_TO_BF16);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_THCON_SEC0_REG1_Downsample_mask, 0xFFFF}), TF_PACK_BF16_TO_BF16);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_THCON_SEC0_REG1_Downsample_mask, 0x5555}), TF_PACK_GENERIC);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_STACC_RELU_ApplyRelu, 1}), TF_PACK_BF16_TO_BF16);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_STACC_RELU_ApplyRelu, 2}), TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_STACC_RELU_ApplyRelu, 3}), TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_THCON_SEC0_REG1_Exp_threshold_en, 1}), TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_PCK_EDGE_OFFSET_SEC0_mask, 0x7FFF}), TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_PCK_EDGE_OFFSET_SEC0_mask, 0x7FFF}, {TF_CFG_PCK_EDGE_MODE_mode, 1}),
                     TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_ALU_ROUNDING_MODE_Packer_srnd_en, 1}), TF_PACK_BF16_TO_BF16);
    /* Masks of other rows and faces count where the tables name them. */
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_PCK_EDGE_OFFSET_SEC1_mask, 0}), TF_PACK_BF16_TO_BF16);
    assert_int_equal(KERNEL_OF(BF16, {TF_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_3, 1}), TF_PACK_BY_LANES);
}

static void integers(void **state)
{
    (void)state;
    const struct setting wide = {TF_CFG_PCK_DEST_RD_CTRL_Read_32b_data, 1};
    assert_int_equal(KERNEL_OF(INT8, wide), TF_PACK_INT32_TO_INT8);
    assert_int_equal(KERNEL_OF(INT8, wide, {TF_CFG_STACC_RELU_ApplyRelu, 1}), TF_PACK_BY_LANES);
    assert_int_equal(KERNEL_OF(INT8, wide, {TF_CFG_PCK_EDGE_OFFSET_SEC0_mask, 1}), TF_PACK_BY_LANES);
    /* A fault: no page defines minus infinity here. */
    assert_int_equal(KERNEL_OF(INT8, wide, {TF_CFG_PCK_EDGE_OFFSET_SEC0_mask, 1}, {TF_CFG_PCK_EDGE_MODE_mode, 1}),
                     TF_PACK_GENERIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats), cmocka_unit_test(integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
