/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor" commands for the data of the coprocessor, as numbers, and for circular buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/units.h"
#include "debug/gdb/say.h"
#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"
#include "host/extremes.h"
#include "tile/float.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/state.h"

#define ROWS_SHOWN 16u
#define NUMBER_BYTES 16u

/* How data are printed. */
enum view { AS_BITS, AS_BF16, AS_FP16, AS_TF32, AS_FP32, AS_INT8, AS_INT32, VIEWS };
static const char *const view_names[VIEWS] = {"bits", "bf16", "fp16", "tf32", "fp32", "int8", "int32"};

/* Read [NUMBER] [VIEW], in any order. Returns false after a line for the user. */
static bool take(struct tf_gdb *gdb, const char *rest, unsigned *number, enum view *view)
{
    while (*rest != '\0') {
        size_t length = strcspn(rest, " ");
        unsigned i = 0;
        while (i < VIEWS && (strlen(view_names[i]) != length || strncmp(view_names[i], rest, length) != 0))
            i++;
        if (i < VIEWS)
            *view = (enum view)i;
        else if (*rest >= '0' && *rest <= '9')
            *number = (unsigned)tf_min(strtoul(rest, NULL, 0), INT32_MAX);
        else
            return tf_gdb_say(gdb, "Give a row, and a format: bits, bf16, fp16, tf32, fp32, int8 or int32.\n"), false;
        rest += length + strspn(rest + length, " ");
    }
    return true;
}

/* With tf_numbers_decode(), libttsim.so would need the mathematical library. */
static double from_fp16(uint32_t bits)
{
    return tf_float_of(tf_fp16_to_fp32(bits));
}

static int sign_magnitude(uint32_t sign, uint32_t magnitude)
{
    return sign != 0 ? -(int)magnitude : (int)magnitude;
}

static void add_number(char *line, size_t bytes, double number)
{
    size_t at = strlen(line);
    snprintf(line + at, bytes - at, " %9.4g", number);
}

static void add_bits(char *line, size_t bytes, unsigned digits, uint32_t bits)
{
    size_t at = strlen(line);
    snprintf(line + at, bytes - at, " %0*x", (int)digits, bits);
}

/* --- Dst --- */

static bool is_wide(enum view view)
{
    return view == AS_FP32 || view == AS_INT32 || view == AS_TF32;
}

/* The format of Dst for the matrix unit, by T1's bank of the configuration. */
static enum view view_of_dst(const struct tf_tensix *tensix)
{
    const struct tf_backend_config *config = tensix->config;
    unsigned format = TF_CFG(config, 0, ALU_FORMAT_SPEC_REG2_Dstacc);
    if (TF_CFG(config, 0, ALU_ACC_CTRL_INT8_math_enabled))
        return AS_INT32;
    if (TF_CFG(config, 0, ALU_ACC_CTRL_Fp32_enabled))
        return AS_FP32;
    return tf_format_info[format].fp16_family ? AS_FP16 : AS_BF16;
}

static void add_dst(const struct tf_dst *dst, struct tf_dst_map map, enum view view, unsigned row, unsigned column,
                    char *line, size_t bytes)
{
    uint32_t wide = is_wide(view) ? tf_dst_read32(dst, tf_dst_row32(map, row), column) : 0;
    uint16_t narrow = is_wide(view) ? 0 : dst->bits[tf_dst_row16(map, row)][column];
    switch (view) {
    case AS_FP32:
    case AS_TF32: add_number(line, bytes, tf_float_of(tf_dst_unshuffle32(wide))); break;
    case AS_INT32:
        wide = tf_dst_unshuffle32(wide);
        add_number(line, bytes, sign_magnitude(wide >> 31, wide & 0x7FFFFFFF));
        break;
    case AS_BF16: add_number(line, bytes, tf_float_of((uint32_t)tf_dst_unshuffle_bf16(narrow) << 16)); break;
    case AS_FP16: add_number(line, bytes, from_fp16(tf_dst_unshuffle_fp16(narrow))); break;
    case AS_INT8: add_number(line, bytes, sign_magnitude(narrow >> 15, narrow >> 5 & 0x3FF)); break;
    default: add_bits(line, bytes, 4, narrow); break;
    }
}

void tf_gdb_show_dst(struct tf_gdb *gdb, const char *rest)
{
    struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    unsigned first = 0;
    enum view view = tile == NULL ? AS_BITS : view_of_dst(tile->tensix);
    if (tile == NULL || !take(gdb, rest, &first, &view))
        return;
    unsigned rows = is_wide(view) ? TF_DST_ROWS / 2 : TF_DST_ROWS;
    if (tile->tensix->dst == NULL)
        tf_gdb_say(gdb, "Nothing has been written to Dst.\n");
    for (unsigned row = first; tile->tensix->dst != NULL && row < first + ROWS_SHOWN && row < rows; row++) {
        char line[TF_DST_COLUMNS * NUMBER_BYTES + 1] = "";
        for (unsigned i = 0; i < TF_DST_COLUMNS; i++)
            add_dst(tile->tensix->dst, tf_dst_map(tile), view, row, i, line, sizeof line);
        tf_gdb_say(gdb, "Dst %3u %s:%s\n", row, view_names[view], line);
    }
}

/* --- SrcA, SrcB: 19 bits, of sign, 10 bits of mantissa, 8 bits of exponent; SrcASrcB.md --- */

static enum view view_of_src(const struct tf_src_banks *banks, unsigned side, unsigned bank)
{
    unsigned format = banks->format[side][bank] & (TF_FORMATS - 1);
    if (format == TF_FORMAT_INT8 || format == TF_FORMAT_INT32)
        return AS_INT8;
    return tf_format_info[format].fp16_family ? AS_FP16 : format == TF_FORMAT_BF16 ? AS_BF16 : AS_TF32;
}

static void add_src(uint32_t datum, enum view view, char *line, size_t bytes)
{
    uint32_t sign = datum >> 18 & 1, mantissa = datum >> 8 & 0x3FF, exponent = datum & 0xFF;
    switch (view) {
    case AS_FP16: add_number(line, bytes, from_fp16(sign << 15 | (exponent & 0x1F) << 10 | mantissa)); break;
    case AS_BF16:
    case AS_TF32:
    case AS_FP32: add_number(line, bytes, tf_float_of(sign << 31 | exponent << 23 | mantissa << 13)); break;
    case AS_INT8:
    case AS_INT32: add_number(line, bytes, sign_magnitude(sign, mantissa)); break;
    default: add_bits(line, bytes, 5, datum); break;
    }
}

static void show_bank(struct tf_gdb *gdb, const struct tf_tensix *tensix, unsigned side, unsigned bank,
                      const char *rest)
{
    unsigned first = 0;
    enum view view = view_of_src(tensix->src, side, bank);
    if (!take(gdb, rest, &first, &view))
        return;
    tf_gdb_say(gdb, "Src%c bank %u, of %s%s\n", 'A' + (int)side, bank,
               tensix->src->to_matrix[side][bank] ? "the matrix unit" : "the unpackers",
               bank == tensix->src->matrix_bank[side] ? "; the matrix unit reads it next" : "");
    for (unsigned row = first; row < first + ROWS_SHOWN && row < TF_SRC_ROWS; row++) {
        char line[TF_SRC_COLUMNS * NUMBER_BYTES + 1] = "";
        for (unsigned i = 0; i < TF_SRC_COLUMNS; i++)
            add_src(tensix->src_data->datum[side][bank][row][i], view, line, sizeof line);
        tf_gdb_say(gdb, "Src%c %2u %s:%s\n", 'A' + (int)side, row, view_names[view], line);
    }
}

static void show_src(struct tf_gdb *gdb, const char *rest, unsigned side)
{
    const struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    for (unsigned bank = 0; tile != NULL && bank < 2; bank++)
        show_bank(gdb, tile->tensix, side, bank, rest);
}

void tf_gdb_show_srca(struct tf_gdb *gdb, const char *rest)
{
    show_src(gdb, rest, TF_SRC_A);
}

void tf_gdb_show_srcb(struct tf_gdb *gdb, const char *rest)
{
    show_src(gdb, rest, TF_SRC_B);
}

/* --- the vector unit --- */

static void add_lane(uint32_t value, enum view view, char *line, size_t bytes)
{
    if (view == AS_BITS)
        add_bits(line, bytes, 8, value);
    else if (view == AS_INT32 || view == AS_INT8)
        add_number(line, bytes, (int32_t)value);
    else
        add_number(line, bytes, tf_float_of(value));
}

void tf_gdb_show_lregs(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    unsigned number = TF_LREGS;
    enum view view = AS_FP32;
    if (tile == NULL || !take(gdb, rest, &number, &view))
        return;
    if (tile->tensix->vector == NULL) {
        tf_gdb_say(gdb, "The vector unit has done nothing yet.\n");
        return;
    }
    for (unsigned i = number < TF_LREGS ? number : 0; i < (number < TF_LREGS ? number + 1 : 8); i++)
        for (unsigned row = 0; row < TF_LANES; row += TF_LANE_COLUMNS) {
            char line[TF_LANE_COLUMNS * NUMBER_BYTES + 1] = "";
            for (unsigned lane = row; lane < row + TF_LANE_COLUMNS; lane++)
                add_lane(tile->tensix->vector->lreg[i][lane], view, line, sizeof line);
            tf_gdb_say(gdb, "L%-2u lanes %2u-%2u:%s\n", i, row, row + TF_LANE_COLUMNS - 1, line);
        }
}

/* --- circular buffers: pages received and acknowledged, in registers 10 and 8 of a stream --- */

void tf_gdb_show_cbs(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    unsigned shown = 0;
    (void)rest;
    for (unsigned i = 0; tile != NULL && i < TF_STREAMS; i++) {
        const struct tf_stream *stream = &tile->mmio.stream[i];
        uint32_t received = stream->dest_buf_size, acked = stream->dest_buf_start;
        if (received == 0 && acked == 0)
            continue;
        shown++;
        tf_gdb_say(gdb, "circular buffer of stream %u: %u pages wait; %u received, %u acknowledged\n", i,
                   (received - acked) & 0xFFFF, received, acked);
    }
    if (tile != NULL && shown == 0)
        tf_gdb_say(gdb, "No circular buffer has been used.\n");
}
