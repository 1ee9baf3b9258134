/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/units.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/pack/stream.h"

#include <string.h>

#include "host/extremes.h"
#include "host/line.h"
#include "host/shared.h"
#include "tile/check.h"
#include "tile/accumulate.h"
#include "tile/riscv/code/code.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/pack/format.h"
#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/state.h"

#define GROUP 32u           /* data with their zero counts, between two groups of counters */
#define LINES_AT_A_TIME 16u /* lines per step of an accumulation */

/* Accumulates lines of finite bf16 numbers in the host's vectors. */
static void add(const struct tf_pack_kernels *kernels, uint8_t *to, const uint8_t *bytes, unsigned count,
                unsigned accumulate)
{
    if (accumulate == TF_ACCUMULATE_BF16 && kernels != NULL && kernels->add_bf16 != NULL &&
        kernels->add_bf16(to, bytes, count))
        return;
    for (unsigned at = 0; at < count; at += TF_PACK_LINE_BYTES) {
        struct tf_line data, sum;
        memcpy(&data, bytes + at, sizeof data);
        memcpy(&sum, to + at, sizeof sum);
        tf_accumulate(accumulate, sum.word, data.word);
        memcpy(to + at, &sum, sizeof sum);
    }
}

/* Other workers may access L1: an accumulation is one atomic step on its line. Up to LINES_AT_A_TIME lines. */
static void add_lines_shared(const struct tf_pack_kernels *kernels, uint8_t *to, const uint8_t *bytes, unsigned count,
                             unsigned accumulate)
{
    struct tf_line old[LINES_AT_A_TIME], new[LINES_AT_A_TIME];
    tf_shared_get(old, to, count);
    memcpy(new, old, count);
    add(kernels, (uint8_t *)new, bytes, count, accumulate);
    for (unsigned i = 0, at = 0; at < count; i++, at += TF_PACK_LINE_BYTES)
        while (!tf_line_exchange(to + at, &old[i], &new[i])) {
            new[i] = old[i];
            add(NULL, (uint8_t *)&new[i], bytes + at, TF_PACK_LINE_BYTES, accumulate);
        }
}

static void add_shared(const struct tf_pack_kernels *kernels, uint8_t *to, const uint8_t *bytes, unsigned count,
                       unsigned accumulate)
{
    const unsigned most = LINES_AT_A_TIME * TF_PACK_LINE_BYTES;
    for (unsigned at = 0; at < count; at += most)
        add_lines_shared(kernels, to + at, bytes + at, tf_min(count - at, most), accumulate);
}

/* Called if a race checker is attached, or if the bytes may be code. It is the last call of its caller, which then
   saves no registers for it. */
static __attribute__((noinline)) void tell_stored(const struct tf_pack_output *output, uint32_t address, unsigned count)
{
    struct tf_tile *tile = output->tile;
    if (TF_HOOK(tile->check) != NULL)
        tile->check->unit(tile->check, output->thread, TF_CHECK_PACKER, address, count,
                          output->accumulate != TF_PACK_REPLACES ? TF_CHECK_CHANGES : TF_CHECK_WRITES);
    tf_code_written(tile, address, count, TF_WROTE_PACKER);
}

static inline void advance(const struct tf_pack_output *output, struct tf_pack_stream *stream, unsigned count)
{
    stream->address += count;
    output->pack->lines = (uint16_t)(output->pack->lines + count / TF_PACK_LINE_BYTES);
}

void tf_pack_stored(struct tf_pack_output *output, struct tf_pack_stream *stream, unsigned count)
{
    struct tf_tile *tile = output->tile;
    uint32_t address = stream->address, last = address + count - 1;
    advance(output, stream, count);
    tile->tensix->events |= TF_CHANGE_ANY; /* it may end the wait of an ATCAS or ATINCGETPTR */
    if (TF_HOOK(tile->check) != NULL || tf_code_near(&tile->code, address) || tf_code_near(&tile->code, last))
        tell_stored(output, address, count);
}

static void write_lines(struct tf_pack_output *output, struct tf_pack_stream *stream, const uint8_t *bytes,
                        unsigned count)
{
    struct tf_tile *tile = output->tile;
    unsigned accumulate = stream == &output->pack->data ? output->accumulate : TF_PACK_REPLACES;
    uint32_t address = stream->address;
    if (output->stopped)
        return;
    if (!tf_in_l1(tile->arch, address, count)) {
        output->stopped = true;
        tf_tensix_fault(tile, output->thread, TF_FAULT_UNDEFINED, address, "the packer writes to 0x%06x, beyond L1",
                        address);
        return;
    }
    uint8_t *to = tile->l1 + address;
    if (accumulate == TF_PACK_REPLACES && TF_HOOK(tile->explore) != NULL &&
        tf_explored_lines(tile, address, bytes, count)) {
        advance(output, stream, count);
        return;
    }
    if (accumulate != TF_PACK_REPLACES)
        (tile->mode.shared ? add_shared : add)(output->pack->kernels, to, bytes, count, accumulate);
    else if (tile->mode.shared)
        tf_shared_put(to, bytes, count);
    else
        memcpy(to, bytes, count);
    tf_pack_stored(output, stream, count);
}

bool tf_pack_put(struct tf_pack_output *output, struct tf_pack_stream *stream, const uint8_t *bytes, unsigned count)
{
    if (stream->used != 0) {
        unsigned fill = TF_PACK_LINE_BYTES - stream->used;
        fill = tf_min(count, fill);
        memcpy(stream->bytes + stream->used, bytes, fill);
        stream->used = (uint8_t)(stream->used + fill);
        bytes += fill;
        count -= fill;
        if (stream->used == TF_PACK_LINE_BYTES) {
            write_lines(output, stream, stream->bytes, TF_PACK_LINE_BYTES);
            memset(stream->bytes, 0, sizeof stream->bytes);
            stream->used = 0;
        }
    }
    unsigned whole = count & ~(TF_PACK_LINE_BYTES - 1);
    if (whole != 0)
        write_lines(output, stream, bytes, whole);
    if (count != whole) {
        memcpy(stream->bytes, bytes + whole, count - whole);
        stream->used = (uint8_t)(count - whole);
    }
    return !output->stopped;
}

static void pad(struct tf_pack_output *output, struct tf_pack_stream *stream)
{
    static const uint8_t zeros[TF_PACK_LINE_BYTES];
    if (stream->used != 0)
        tf_pack_put(output, stream, zeros, TF_PACK_LINE_BYTES - stream->used);
}

void tf_pack_flush_lines(struct tf_pack_output *output)
{
    pad(output, &output->pack->data);
    pad(output, &output->pack->exponents);
    pad(output, &output->pack->row_starts);
}

static void put_block(struct tf_pack_output *output)
{
    struct tf_pack *pack = output->pack;
    uint8_t bytes[TF_BFP_BLOCK];
    uint32_t *generators = pack->plan.late_stochastic ? output->tile->tensix->rounding->late : NULL;
    uint8_t shared = tf_pack_shared(output->format->bits, pack->block, generators, bytes);
    memset(pack->block, 0, sizeof pack->block);
    pack->blocked = 0;
    tf_pack_put(output, &pack->exponents, &shared, 1);
    tf_pack_put(output, &pack->data, bytes, TF_BFP_BLOCK * output->format->bits / 8);
}

static void put_uncompressed(struct tf_pack_output *output, uint32_t datum)
{
    struct tf_pack *pack = output->pack;
    if (!output->format->bfp) {
        const uint8_t bytes[4] = {(uint8_t)datum, (uint8_t)(datum >> 8), (uint8_t)(datum >> 16),
                                  (uint8_t)(datum >> 24)};
        tf_pack_put(output, &pack->data, bytes, output->format->bits / 8);
        return;
    }
    pack->block[pack->blocked++] = (uint16_t)datum;
    if (pack->blocked == TF_BFP_BLOCK)
        put_block(output);
}

static void put_counters(struct tf_pack_output *output)
{
    struct tf_pack_rows *rows = &output->pack->rows;
    tf_pack_put(output, &output->pack->data, rows->counters, sizeof rows->counters);
    memset(rows->counters, 0, sizeof rows->counters);
    rows->grouped = 0;
}

/* A datum, and the number of omitted zeros that follow it. */
static void put_augmented(struct tf_pack_output *output, uint32_t datum, unsigned zeros)
{
    struct tf_pack_rows *rows = &output->pack->rows;
    put_uncompressed(output, datum);
    rows->counters[rows->grouped / 2] |= (uint8_t)(zeros << rows->grouped % 2 * 4);
    rows->augmented++;
    if (++rows->grouped == GROUP)
        put_counters(output);
}

static void hold(struct tf_pack_rows *rows, uint32_t datum)
{
    rows->held = true;
    rows->absorbed = false;
    rows->datum = datum;
    rows->zeros = 0;
}

static void put_compressed(struct tf_pack_output *output, uint32_t datum)
{
    struct tf_pack_rows *rows = &output->pack->rows;
    if (datum != 0)
        rows->all_zero = false;
    if (rows->held && datum == 0 && rows->zeros < 15) {
        rows->zeros++;
        rows->absorbed = true;
        return;
    }
    if (rows->held)
        put_augmented(output, rows->datum, rows->zeros);
    hold(rows, datum);
}

void tf_pack_put_data(struct tf_pack_output *output, const uint32_t *datum, unsigned count)
{
    if (output->compressed) {
        for (unsigned i = 0; i < count; i++)
            put_compressed(output, datum[i]);
        return;
    }
    if (output->format->bfp) {
        for (unsigned i = 0; i < count; i++)
            put_uncompressed(output, datum[i]);
        return;
    }
    uint8_t bytes[TF_PACK_DATA * 4];
    unsigned size = output->format->bits / 8;
    for (unsigned i = 0; i < count; i++)
        for (unsigned at = 0; at < size; at++)
            bytes[i * size + at] = (uint8_t)(datum[i] >> at * 8);
    tf_pack_put(output, &output->pack->data, bytes, count * size);
}

static void put_row_start(struct tf_pack_output *output)
{
    uint16_t start = output->pack->rows.augmented;
    const uint8_t bytes[2] = {(uint8_t)start, (uint8_t)(start >> 8)};
    tf_pack_put(output, &output->pack->row_starts, bytes, sizeof bytes);
}

void tf_pack_begin_row(struct tf_pack_output *output)
{
    struct tf_pack_rows *rows = &output->pack->rows;
    if (rows->open)
        return;
    rows->open = true;
    rows->all_zero = true;
    if (rows->rows == 0) {
        output->packer->all_zero_flags = 0;
        put_row_start(output);
    }
}

/* The last datum of a row is never omitted. */
void tf_pack_end_row(struct tf_pack_output *output, bool open)
{
    struct tf_pack_rows *rows = &output->pack->rows;
    if (open || !rows->open)
        return;
    if (rows->held) {
        put_augmented(output, rows->datum, rows->zeros - rows->absorbed);
        if (rows->absorbed)
            put_augmented(output, 0, 0);
    }
    if (rows->all_zero && rows->rows < 32 && !output->no_zero_flags)
        output->packer->all_zero_flags |= 1u << rows->rows;
    rows->rows++;
    rows->open = rows->held = rows->absorbed = rows->all_zero = false;
    rows->zeros = 0;
    rows->datum = 0;
    put_row_start(output);
}

void tf_pack_flush(struct tf_pack_output *output)
{
    struct tf_pack *pack = output->pack;
    struct tf_pack_rows *rows = &pack->rows;
    if (output->compressed) {
        tf_pack_end_row(output, false);
        for (unsigned i = rows->grouped; i != 0 && i < GROUP; i++)
            put_uncompressed(output, 0);
        if (rows->grouped != 0)
            put_counters(output);
        memset(rows, 0, sizeof *rows);
    }
    if (pack->blocked != 0)
        put_block(output);
    tf_pack_flush_lines(output);
}
