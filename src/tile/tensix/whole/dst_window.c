/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/whole/dst_window.h"

#include "tile/riscv/hart/access_fault.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/macro.h"
#include "tilefarm_address.h"

/* RISC_DEST_ACCESS_CTRL_SEC of a thread, in the bank that the thread's instructions use. */
struct view {
    unsigned fmt, element_bytes;
    bool no_swizzle, unsigned_int;
};

enum { FMT_FLOAT, FMT_INT32, FMT_FP16, FMT_BF16, FMT_INT16, FMT_INT8, FMT_RESERVED };

static bool view_of(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, struct view *view)
{
    static const uint8_t bytes[] = {4, 4, 2, 2, 2, 1};
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned thread = from - TF_CORE_T0;
    uint32_t word = config->bank[tf_config_bank(config, thread)][TF_CFG_RISC_DEST_ACCESS_CTRL_SEC0_fmt >> 16];
    uint32_t section = word >> (14 + 5 * thread) & 0x1F;
    *view = (struct view){.fmt = section >> 2, .no_swizzle = section & 1, .unsigned_int = section >> 1 & 1};
    const char *why = NULL;
    if (view->fmt >= FMT_RESERVED)
        why = "RISC_DEST_ACCESS_CTRL_SEC has a reserved fmt";
    else if (size < bytes[view->fmt] || (size > bytes[view->fmt] && from != TF_CORE_T2))
        why = "an access to Dst whose size differs from fmt of RISC_DEST_ACCESS_CTRL_SEC";
    else if ((address - TF_DST_BASE + size - 1) / bytes[view->fmt] >= TF_DST_ROWS * TF_DST_COLUMNS)
        why = "an access beyond Dst";
    if (why != NULL) {
        tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, why);
        return false;
    }
    view->element_bytes = bytes[view->fmt];
    return true;
}

static uint32_t negate_if(bool negative, uint32_t magnitude)
{
    return negative ? 0u - magnitude : magnitude;
}

static uint32_t load_element(struct view view, struct tf_dst_map map, const struct tf_dst *dst, unsigned index)
{
    unsigned row = index / TF_DST_COLUMNS, column = index % TF_DST_COLUMNS;
    if (view.element_bytes == 4) {
        uint32_t value = tf_dst_read32(dst, tf_dst_row32(map, row), column);
        value = view.no_swizzle ? value : tf_dst_unshuffle32(value);
        return view.fmt == FMT_FLOAT || view.no_swizzle || value < 0x80000000u ? value : 0u - (value & 0x7FFFFFFFu);
    }
    uint16_t value = dst->bits[tf_dst_row16(map, row)][column];
    switch (view.fmt) {
    case FMT_FP16: return view.no_swizzle ? value : tf_dst_unshuffle_fp16(value);
    case FMT_BF16: return view.no_swizzle ? value : tf_dst_unshuffle_bf16(value);
    case FMT_INT16:
        return view.no_swizzle || view.unsigned_int ? value : negate_if(value >> 15, value & 0x7FFF) & 0xFFFF;
    default:
        return view.no_swizzle || view.unsigned_int ? value >> 5 & 0xFF
                                                    : negate_if(value >> 15, value >> 5 & 0x7F) & 0xFF;
    }
}

/* The adder for negative bytes is off by one, as the page says. */
static uint16_t byte_to_dst(struct view view, uint32_t value)
{
    if (view.no_swizzle || view.unsigned_int || value < 0x80)
        return (uint16_t)(value << 5 | (value != 0 ? 16 : 0));
    uint32_t magnitude = (0x180 - value - (value == 0x80)) & 0xFF;
    return (uint16_t)(0x8000u | magnitude << 5 | 16);
}

static uint16_t short_to_dst(struct view view, uint32_t value)
{
    switch (view.fmt) {
    case FMT_FP16: return view.no_swizzle ? (uint16_t)value : tf_dst_shuffle_fp16((uint16_t)value);
    case FMT_BF16: return view.no_swizzle ? (uint16_t)value : tf_dst_shuffle_bf16((uint16_t)value);
    default:
        if (view.no_swizzle || view.unsigned_int || value < 0x8000)
            return (uint16_t)value;
        return (uint16_t)(0x8000u | (0u - (value + (value == 0x8000))));
    }
}

static void store_element(struct view view, struct tf_dst_map map, struct tf_dst *dst, unsigned index, uint32_t value)
{
    unsigned row = index / TF_DST_COLUMNS, column = index % TF_DST_COLUMNS;
    if (view.element_bytes == 4) {
        if (view.fmt == FMT_INT32 && !view.no_swizzle && value >= 0x80000000u)
            value = 0x80000000u | (0u - (value + (value == 0x80000000u)));
        unsigned physical = tf_dst_row32(map, row);
        tf_dst_write32(dst, physical, column, view.no_swizzle ? value : tf_dst_shuffle32(value));
        tf_dst_define(dst, physical);
        return;
    }
    unsigned physical = tf_dst_row16(map, row);
    dst->bits[physical][column] = view.element_bytes == 1 ? byte_to_dst(view, value) : short_to_dst(view, value);
    tf_dst_define(dst, physical);
}

/* The physical row of an element. */
static unsigned row_of(struct view view, struct tf_dst_map map, unsigned index)
{
    unsigned row = index / TF_DST_COLUMNS;
    return tf_dst_row(map, row, view.element_bytes == 4);
}

/* Dst for a core's access, which comes after pending stores of the vector unit: software synchronises with the whole
   unit. */
static struct tf_dst *dst_of_core(struct tf_tile *tile)
{
    struct tf_dst *dst = tf_dst_get(tile);
    tf_sfpu_drain(tile);
    return dst;
}

/* Find Dst and a core's view of it. Returns NULL if the access is a fault. */
static struct tf_dst *open_view(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, struct view *view)
{
    return view_of(tile, from, address, size, view) ? dst_of_core(tile) : NULL;
}

enum tf_access tf_dst_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                           bool *pure)
{
    struct view view;
    struct tf_dst *dst = open_view(tile, from, address, size, &view);
    *pure = false;
    if (dst == NULL)
        return TF_ACCESS_FAULT;
    unsigned first = (address - TF_DST_BASE) / view.element_bytes;
    *value = 0;
    tf_report_rows(tile, TF_CHECK_BY(from), TF_CHECK_DST, row_of(view, tf_dst_map(tile), first), 1, TF_CHECK_READS);
    for (unsigned at = 0; at < size; at += view.element_bytes)
        *value |= load_element(view, tf_dst_map(tile), dst, first + at / view.element_bytes) << at * 8;
    return TF_ACCESS_OK;
}

enum tf_access tf_dst_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    struct view view;
    struct tf_dst *dst = open_view(tile, from, address, size, &view);
    if (dst == NULL)
        return TF_ACCESS_FAULT;
    unsigned first = (address - TF_DST_BASE) / view.element_bytes;
    uint32_t mask = view.element_bytes == 4 ? 0xFFFFFFFFu : (1u << view.element_bytes * 8) - 1;
    tf_report_rows(tile, TF_CHECK_BY(from), TF_CHECK_DST, row_of(view, tf_dst_map(tile), first), 1, TF_CHECK_WRITES);
    for (unsigned at = 0; at < size; at += view.element_bytes)
        store_element(view, tf_dst_map(tile), dst, first + at / view.element_bytes, value >> at * 8 & mask);
    return TF_ACCESS_OK;
}
