/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the packer: a plain configuration, Dst by rows, PACR. */
#ifndef TESTS_UNIT_TENSIX_PACK_H
#define TESTS_UNIT_TENSIX_PACK_H

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/pack/rows.h"
#include "unit/tensix/units.h"

#define OUT_LINE 0x100u
#define OUT (OUT_LINE * 16)
#define PACR(field, value) V(PACR, field, value)

static inline uint32_t *word_of(struct bare *bare, uint32_t field)
{
    return &bare->tile.tensix->config->bank[0][field >> 16];
}

static inline void set_field(struct bare *bare, uint32_t field, uint32_t value)
{
    uint32_t width = field & 0xFF, first = field >> 8 & 0xFF;
    uint32_t mask = (width == 32 ? 0xFFFFFFFFu : (1u << width) - 1) << first;
    bare->tile.tensix->config->writes++;
    *word_of(bare, field) = (*word_of(bare, field) & ~mask) | (value << first & mask);
    if (field >> 16 >= TF_CFG_GLOBAL)
        bare->tile.tensix->config->bank[1][field >> 16] = *word_of(bare, field);
}

#define SET(bare, name, value) set_field(bare, TF_CFG_##name, value)

static inline void x_range(struct bare *bare, unsigned first, unsigned last)
{
    struct tf_adc_channel *channel = bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS].channel;
    channel[0].value[TF_ADC_X] = first;
    channel[1].value[TF_ADC_X] = last;
}

/* Whole rows of one format, uncompressed, to OUT. */
static inline void set_formats(struct bare *bare, bool wide, unsigned from, unsigned to)
{
    unsigned bytes = (from & 3) == 0 ? 4 : (from & 3) == 1 ? 2 : 1;
    bare->tile.tensix->config->writes++;
    memset(bare->tile.tensix->config->bank, 0, sizeof bare->tile.tensix->config->bank);
    memset(bare->tile.tensix->config->thread, 0, sizeof bare->tile.tensix->config->thread);
    memset(bare->tile.tensix->adcs, 0, sizeof *bare->tile.tensix->adcs);
    SET(bare, ALU_FORMAT_SPEC_REG2_Dstacc, from);
    SET(bare, THCON_SEC0_REG1_In_data_format, from);
    SET(bare, THCON_SEC0_REG1_Out_data_format, to);
    SET(bare, THCON_SEC0_REG1_Disable_zero_compress, 1);
    SET(bare, THCON_SEC0_REG1_Sub_l1_tile_header_size, 1);
    SET(bare, THCON_SEC0_REG1_L1_Dest_addr, OUT_LINE);
    SET(bare, PCK_DEST_RD_CTRL_Read_32b_data, wide);
    SET(bare, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF);
    SET(bare, PCK_EDGE_OFFSET_SEC1_mask, 0xFFFF);
    SET(bare, PCK_EDGE_OFFSET_SEC2_mask, 0xFFFF);
    SET(bare, PCK_EDGE_OFFSET_SEC3_mask, 0xFFFF);
    SET(bare, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    x_range(bare, 0, 15);
    memset(&bare->tile.l1[OUT], 0xCC, 0x2000);
}

static inline void put32(struct bare *bare, unsigned row, unsigned column, uint32_t value)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    tf_dst_write32(dst, tf_dst_row32(tf_dst_map(&bare->tile), row), column, tf_dst_shuffle32(value));
}

static inline void put_bf16(struct bare *bare, unsigned row, unsigned column, uint16_t value)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    dst->bits[tf_dst_row16(tf_dst_map(&bare->tile), row)][column] = tf_dst_shuffle_bf16(value);
}

static inline void put_fp16(struct bare *bare, unsigned row, unsigned column, uint16_t value)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    dst->bits[tf_dst_row16(tf_dst_map(&bare->tile), row)][column] = tf_dst_shuffle_fp16(value);
}

static inline void pacr(struct bare *bare, uint32_t fields)
{
    execute(bare, 0, W(PACR) | fields);
}

static inline void pacr_faults(struct bare *bare, uint32_t fields, enum tf_fault_category category)
{
    execute_fault(bare, 0, W(PACR) | fields, category);
}

static inline uint32_t half_at(const struct bare *bare, uint32_t address)
{
    return bare->tile.l1[address] | (uint32_t)bare->tile.l1[address + 1] << 8;
}

#endif
