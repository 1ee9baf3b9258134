/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main loop of UNPACR (WormholeB0 UNPACR_Regular.md, "Main unpack loop"). As on the page, it moves datum by datum.
 * If rows of 16 data are whole, adjacent in L1, and each fills a row of the target, it moves whole rows.
 */
#include <string.h>

#include "host/extremes.h"
#include "host/line.h"
#include "tile/check.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/settled.h"
#include "tile/tensix/unpack/move.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/datum.h"
#include "tile/tensix/unpack/state.h"

#define CHUNK 16u /* rows converted at a time */

/* Where the data land. */
struct landing {
    struct tf_dst *dst; /* NULL if they land in SrcA or SrcB */
    struct tf_dst_map map;
    uint32_t (*src)[TF_SRC_COLUMNS];
    unsigned bank;
    uint32_t held; /* columns in reset, where writes are lost */
    bool fp16;
};

static bool find_landing(struct tf_tile *tile, const struct tf_unpack_job *job, struct landing *landing)
{
    struct tf_tensix *tensix = tile->tensix;
    *landing = (struct landing){.fp16 = tf_format_info[job->out_format].fp16_family};
    if (job->to_dst) {
        landing->dst = tf_dst(tile);
        landing->map = tf_dst_map(tile);
        return true;
    }
    landing->bank = tensix->src->unpack_bank[job->side];
    landing->src = tf_src_write(tile, job->thread, job->side, landing->bank, 0, 0);
    landing->held = tf_src_columns_held(tensix, job->side);
    return true;
}

/*
 * The row of SrcA or SrcB for an output row. -1 if nothing is written, -2 if the result is undefined. ttsim defines
 * rows of SrcA that wrap. Where rows end, zeros still wrap: after each 32-bit tile that goes to Dst, tt-llk's
 * unpack_to_dest_tile_done() writes zeros to the row behind the tile's last one (docs/conflicts.md).
 */
static inline int src_row(const struct tf_unpack_job *job, uint32_t row)
{
    if (job->side == TF_SRC_B)
        return (int)((row + job->first_row) % TF_SRC_ROWS);
    if (row < 4)
        return -1;
    row -= 4;
    if (job->absolute && job->rows_end && !job->zero && row >= TF_SRC_ROWS)
        return -2;
    if (job->absolute)
        return (int)(row % TF_SRC_ROWS);
    return row < 16 ? (int)((row + job->first_row) % TF_SRC_ROWS) : -2;
}

/* SetOvrdWithAddr is undefined here, but its outcome is known (plan.c). */
static unsigned dst_row(const struct tf_unpack_job *job, uint32_t row)
{
    return (row - 4) & (job->absolute ? 0x3CF : TF_DST_ROWS - 1);
}

static bool no_row(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t row)
{
    tf_tensix_fault(tile, job->thread, TF_FAULT_UNDEFINED, 0, "SrcA's rows end before row %u", row - 4);
    return false;
}

static bool beyond_l1(struct tf_tile *tile, const struct tf_unpack_job *job, uint64_t address)
{
    tf_tensix_fault(tile, job->thread, TF_FAULT_UNDEFINED, address, "the unpacker reads beyond L1");
    return false;
}

static bool no_exponent(struct tf_tile *tile, const struct tf_unpack_job *job)
{
    tf_tensix_fault(tile, job->thread, TF_FAULT_UNDEFINED, 0, "a shared exponent does not fit FP16");
    return false;
}

/* Report rows of SrcA or SrcB to a race checker. */
static inline void tell_rows(const struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing,
                             unsigned first, unsigned count)
{
    tf_src_report(tile, job->thread, job->side, landing->bank, first, count, TF_CHECK_WRITES);
}

/* Write one datum to output position `out`. */
static bool put(struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing, uint32_t out,
                uint32_t value)
{
    uint32_t row = out / TF_SRC_COLUMNS;
    unsigned column = out % TF_SRC_COLUMNS;
    if (landing->dst != NULL && job->wide) {
        unsigned physical = tf_dst_row32(landing->map, dst_row(job, row));
        tf_dst_write32(landing->dst, physical, column, value);
        tf_report_rows(tile, job->thread, TF_CHECK_DST, physical, 1, TF_CHECK_WRITES);
        tf_dst_define(landing->dst, physical);
        return true;
    }
    if (landing->dst != NULL) {
        unsigned physical = tf_dst_row16(landing->map, dst_row(job, row));
        landing->dst->bits[physical][column] = tf_unpack_narrow_datum(value, landing->fp16);
        tf_report_rows(tile, job->thread, TF_CHECK_DST, physical, 1, TF_CHECK_WRITES);
        tf_dst_define(landing->dst, physical);
        return true;
    }
    int at = src_row(job, row);
    if (at == -1 || column < job->col_shift)
        return true;
    if (at == -2)
        return no_row(tile, job, row);
    column -= job->col_shift;
    if (job->transpose) {
        unsigned low = (unsigned)at % 16;
        at = (int)(((unsigned)at & ~15u) | column);
        column = low;
    }
    if ((landing->held >> column & 1) == 0)
        landing->src[at][column] = value;
    tell_rows(tile, job, landing, (unsigned)at, 1);
    return true;
}

/* Read `bits` bits at an address in bits that is a multiple of `bits`. */
static bool read_bits(const struct tf_tile *tile, uint64_t at, unsigned bits, uint32_t *value)
{
    if (at >= tile->arch->l1_bytes * 8ull || at + bits > tile->arch->l1_bytes * 8ull)
        return false;
    const uint8_t *byte = tile->l1 + at / 8;
    switch (bits) {
    case 32: *value = __atomic_load_n((const uint32_t *)(const void *)byte, __ATOMIC_RELAXED); break;
    case 16: *value = __atomic_load_n((const uint16_t *)(const void *)byte, __ATOMIC_RELAXED); break;
    default: *value = (uint32_t)__atomic_load_n(byte, __ATOMIC_RELAXED) >> at % 8 & ((1u << bits) - 1);
    }
    return true;
}

/* Read a datum, its exponent, and the number of zeros after it. The addresses advance. */
struct item {
    uint32_t raw, exponent, zeroes;
};

/* Report bytes that a job reads to a race checker. */
static inline void tell(const struct tf_tile *tile, const struct tf_unpack_job *job, uint64_t address, uint64_t bytes)
{
    if (TF_HOOK(tile->check) != NULL)
        tile->check->unit(tile->check, job->thread, TF_CHECK_UNPACKER_0 + job->side, (uint32_t)address, (uint32_t)bytes,
                          TF_CHECK_READS);
}

static bool read_item(const struct tf_tile *tile, struct tf_unpack_job *job, uint32_t index, struct item *item)
{
    *item = (struct item){.exponent = job->exponent};
    if (!read_bits(tile, job->datum_bits, job->bits, &item->raw))
        return false;
    tell(tile, job, job->datum_bits / 8, (job->bits + 7) / 8);
    job->datum_bits += job->bits;
    if ((index + 1) % job->row_data == 0)
        job->datum_bits += job->row_stride * 8ull - (uint64_t)job->row_data * job->bits;
    if ((index + 1) % 16 == 0)
        job->datum_bits = tf_unpack_wrap(job, job->datum_bits, 8);
    if (job->bfp && !job->forced) {
        if (!read_bits(tile, job->exponent_16ths / 16 * 8, 8, &item->exponent))
            return false;
        if (++job->exponent_16ths % 256 == 0)
            job->exponent_16ths = tf_unpack_wrap(job, job->exponent_16ths, 16);
    }
    if (job->compressed) {
        if (!read_bits(tile, job->delta_nibbles * 4, 4, &item->zeroes))
            return false;
        if (++job->delta_nibbles % 32 == 0) {
            job->datum_bits += 128;
            job->delta_nibbles = tf_unpack_wrap(job, job->delta_nibbles + 8ull * job->bits, 2);
        }
    }
    return true;
}

/* Write a datum, and the zeros or gaps that upsampling puts after it. */
static bool put_upsampled(struct tf_tile *tile, struct tf_unpack_job *job, const struct landing *landing,
                          uint32_t value)
{
    for (unsigned i = 0; i <= job->upsample; i++, job->out++, value = 0)
        if ((i == 0 || !job->interleave) && !put(tile, job, landing, job->out, value))
            return false;
    return true;
}

static bool move_item(struct tf_tile *tile, struct tf_unpack_job *job, const struct landing *landing,
                      const struct item *item)
{
    uint32_t value, zeroes = item->zeroes;
    if (!tf_unpack_datum((enum tf_unpack_kind)job->kind, item->raw, (uint8_t)item->exponent, &value))
        return no_exponent(tile, job);
    if (job->zero)
        value = zeroes = 0;
    for (uint32_t i = 0; i <= zeroes; i++, value = 0) {
        if (job->drop != 0) {
            job->drop--;
            continue;
        }
        if (!put_upsampled(tile, job, landing, value))
            return false;
        if (--job->left == 0)
            break;
    }
    return true;
}

static bool move_data(struct tf_tile *tile, struct tf_unpack_job *job, const struct landing *landing)
{
    for (uint32_t i = 0; i < job->count && job->left != 0; i++) {
        struct item item;
        if (!read_item(tile, job, i, &item))
            return beyond_l1(tile, job, job->datum_bits / 8);
        if (!move_item(tile, job, landing, &item))
            return false;
    }
    return true;
}

/* The number of bytes of L1 from the first row to the end of the last one. */
static uint64_t extent(const struct tf_unpack_job *job, uint32_t rows)
{
    uint32_t group_rows = job->row_data / TF_UNPACK_ROW, row_bytes = TF_UNPACK_ROW * job->bits / 8;
    return (uint64_t)((rows - 1) / group_rows) * job->row_stride + ((rows - 1) % group_rows + 1) * row_bytes;
}

static bool inside(const struct tf_tile *tile, const struct tf_unpack_job *job, uint64_t address, uint64_t bytes)
{
    return tf_in_l1(tile->arch, address, bytes) && (job->fifo_bytes == 0 || address + bytes <= job->limit_bytes);
}

/* Can a job move whole rows? Each row must have one exponent, addresses must not wrap or leave the bounds, and rows
   must land on whole rows. */
static bool fits_rows(const struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing)
{
    uint32_t rows = job->count / TF_UNPACK_ROW;
    if (job->compressed || job->upsample != 0 || job->col_shift != 0 || landing->held != 0 || rows == 0)
        return false;
    if (job->count % TF_UNPACK_ROW != 0 || job->out % TF_SRC_COLUMNS != 0 || job->datum_bits % 8 != 0)
        return false;
    if (job->bfp && !job->forced &&
        (job->exponent_16ths % 16 != 0 || !inside(tile, job, job->exponent_16ths / 16, rows)))
        return false;
    if (tile->mode.shared && job->datum_bits % 32 != 0)
        return false;
    return inside(tile, job, job->datum_bits / 8, extent(job, rows));
}

#ifdef TF_LINE_TOLD
/* Relaxed mode: copies rows word by word, because other workers may write to them. */
static void copy_rows(const struct tf_unpack_rows *from, uint8_t *data, uint8_t *exponents)
{
    for (uint32_t row = 0; row < from->rows; row++) {
        const uint8_t *at = from->data + row / from->group_rows * from->stride_bytes +
                            row % from->group_rows * from->row_bytes;
        for (unsigned i = 0; i < from->row_bytes; i += 4) {
            uint32_t word = __atomic_load_n((const uint32_t *)(const void *)(at + i), __ATOMIC_RELAXED);
            memcpy(data + row * from->row_bytes + i, &word, sizeof word);
        }
        if (from->exponent != NULL)
            exponents[row] = __atomic_load_n(from->exponent + row, __ATOMIC_RELAXED);
    }
}
#endif

/*
 * In relaxed mode other workers may write to the rows. The kernels load each vector of them once, from multiples of 4,
 * which tears no aligned word on x86-64 and aarch64. ThreadSanitizer does not know that, and gets a copy made by words.
 */
static bool convert(const struct tf_tile *tile, const struct tf_unpack_job *job, struct tf_unpack_rows from,
                    uint32_t (*to)[TF_UNPACK_ROW])
{
#ifdef TF_LINE_TOLD
    uint8_t data[CHUNK * TF_UNPACK_ROW * 4], exponents[CHUNK];
    if (tile->mode.shared) {
        copy_rows(&from, data, exponents);
        from.data = data;
        from.exponent = from.exponent != NULL ? exponents : NULL;
        from.group_rows = 1;
        from.stride_bytes = from.row_bytes;
    }
#endif
    return tile->tensix->unpack->kernels->convert[job->kind](&from, to);
}

/* The physical row of Dst for output row `row`. */
static unsigned physical_row(const struct tf_unpack_job *job, const struct landing *landing, uint32_t row)
{
    return tf_dst_row(landing->map, dst_row(job, row), job->wide);
}

static void land_in_dst(const struct tf_unpack_kernels *kernels, const struct tf_unpack_job *job,
                        const struct landing *landing, uint32_t row, const uint32_t *data)
{
    unsigned physical = physical_row(job, landing, row);
    if (job->wide)
        kernels->split(data, landing->dst->bits[physical], landing->dst->bits[physical + TF_DST_LOW_ROWS]);
    else
        kernels->narrow(data, landing->dst->bits[physical], landing->fp16);
    tf_dst_define(landing->dst, physical);
}

/* Move one row to output row `row` of SrcA or SrcB. */
static bool land_in_src(struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing,
                        uint32_t row, const uint32_t *data)
{
    int at = src_row(job, row);
    if (at == -2)
        return no_row(tile, job, row);
    if (at == -1)
        return true;
    if (!job->transpose) {
        memcpy(landing->src[at], data, sizeof landing->src[at]);
        tell_rows(tile, job, landing, (unsigned)at, 1);
        return true;
    }
    tell_rows(tile, job, landing, (unsigned)at & ~15u, 16);
    for (unsigned i = 0; i < TF_UNPACK_ROW; i++)
        landing->src[((unsigned)at & ~15u) + i][at % 16] = data[i];
    return true;
}

/* The rows of SrcA or SrcB for consecutive output rows. Returns NULL if they are not consecutive, or if a fault might
   prevent the writes. */
static uint32_t (*rows_of_src(const struct tf_unpack_job *job, const struct landing *landing, uint32_t row,
                              uint32_t rows))[TF_SRC_COLUMNS]
{
    if (landing->dst != NULL || job->transpose || (job->bfp && tf_format_info[job->in_format].fp16_family))
        return NULL;
    int first = src_row(job, row), last = src_row(job, row + rows - 1);
    return first >= 0 && last - first == (int)rows - 1 ? &landing->src[first] : NULL;
}

/* Report rows that a job moves to a race checker. own: the rows of SrcA or SrcB, or NULL if these are reported
   elsewhere. */
static __attribute__((noinline)) void tell_move(const struct tf_tile *tile, const struct tf_unpack_job *job,
                                                const struct landing *landing, uint32_t (*own)[TF_SRC_COLUMNS],
                                                uint32_t rows)
{
    tell(tile, job, job->datum_bits / 8, extent(job, rows));
    if (job->bfp && !job->forced)
        tell(tile, job, job->exponent_16ths / 16, rows);
    if (own != NULL)
        tell_rows(tile, job, landing, (unsigned)(own - landing->src), rows);
}

/* Report rows that land in Dst to a race checker, from output row `row` on. */
static __attribute__((noinline)) void tell_dst(const struct tf_tile *tile, const struct tf_unpack_job *job,
                                               const struct landing *landing, uint32_t row, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++)
        tf_report_rows(tile, job->thread, TF_CHECK_DST, physical_row(job, landing, row + i), 1, TF_CHECK_WRITES);
}

static void land_rows_in_dst(const struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing,
                             uint32_t row, uint32_t (*data)[TF_UNPACK_ROW], uint32_t rows)
{
    const struct tf_unpack_kernels *kernels = tile->tensix->unpack->kernels;
    if (__builtin_expect(tf_reports_all(tile), 0))
        tell_dst(tile, job, landing, row, rows);
    for (uint32_t i = 0; i < rows; i++)
        land_in_dst(kernels, job, landing, row + i, data[i]);
}

static bool land_rows_in_src(struct tf_tile *tile, const struct tf_unpack_job *job, const struct landing *landing,
                             uint32_t row, uint32_t (*data)[TF_UNPACK_ROW], uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++)
        if (!land_in_src(tile, job, landing, row + i, data[i]))
            return false;
    return true;
}

static bool move_rows(struct tf_tile *tile, struct tf_unpack_job *job, const struct landing *landing)
{
    uint32_t rows = job->count / TF_UNPACK_ROW, row = job->out / TF_SRC_COLUMNS;
    struct tf_unpack_rows from = {
        .data = tile->l1 + job->datum_bits / 8,
        .exponent = job->bfp && !job->forced ? tile->l1 + job->exponent_16ths / 16 : NULL,
        .stride_bytes = job->row_stride,
        .row_bytes = (uint8_t)(TF_UNPACK_ROW * job->bits / 8),
        .group_rows = job->row_data / TF_UNPACK_ROW,
        .fixed = job->exponent,
    };
    uint32_t(*own)[TF_SRC_COLUMNS] = rows_of_src(job, landing, row, rows);
    if (__builtin_expect(TF_HOOK(tile->check) != NULL, 0))
        tell_move(tile, job, landing, own, rows);
    for (uint32_t done = 0; done < rows; done += from.rows) {
        _Alignas(64) uint32_t buffer[CHUNK][TF_UNPACK_ROW];
        uint32_t(*data)[TF_UNPACK_ROW] = own != NULL ? own + done : buffer;
        from.rows = tf_min(rows - done, CHUNK);
        if (!convert(tile, job, from, data))
            return no_exponent(tile, job);
        if (job->zero)
            memset(data, 0, from.rows * sizeof data[0]);
        if (landing->dst != NULL)
            land_rows_in_dst(tile, job, landing, row + done, data, from.rows);
        else if (own == NULL && !land_rows_in_src(tile, job, landing, row + done, data, from.rows))
            return false;
        from.data += (uint64_t)(CHUNK / from.group_rows) * from.stride_bytes;
        if (from.exponent != NULL)
            from.exponent += CHUNK;
    }
    return true;
}

bool tf_unpack_move(struct tf_tile *tile, struct tf_unpack_job *job)
{
    struct tf_unpack *unpack = tile->tensix->unpack;
    struct landing landing;
    if (job->to_dst && (tile->tensix->soft_reset & TF_RESET_MATRIX) != 0) /* SoftReset.md */
        return true;
    if (!find_landing(tile, job, &landing))
        return false;
    /* Rows `unpack-*` (`unpack-bf16-1t`: 13 times the instructions by single data), `unpack-add-pack` (2.5 times). */
    if (unpack->kernels != NULL && fits_rows(tile, job, &landing))
        return move_rows(tile, job, &landing);
    return move_data(tile, job, &landing);
}
