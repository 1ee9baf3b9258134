/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One PACR of one packer: the stages that Blackhole's packer and each of Wormhole's four have in common. Its
 * configuration has Blackhole's words, with the packer's own fields at the places of packer 0.
 */
#ifndef TILE_TENSIX_PACK_PACR_H
#define TILE_TENSIX_PACK_PACR_H

#include <string.h>

#include "host/extremes.h"
#include "tile/accumulate.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/word.h"
#include "tile/tensix/data/adc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/pack/format.h"
#include "tile/tensix/pack/plan.h"
#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/pack/stream.h"
#include "tile/tensix/state.h"

/* Sources of PACR. */
enum source { FROM_DST, FROM_L1, FROM_NONE };

struct pacr {
    struct tf_tile *tile;
    struct tf_tensix *tensix;
    const uint32_t *config;
    const struct tf_pack_plan *plan;
    struct tf_pack_output out;
    uint32_t word;
    unsigned thread;
    struct tf_adc *adc;
    enum source source;
    unsigned interfaces;         /* mask of the reading ones, relative to the row */
    unsigned row, column, count; /* start of each, and its number of data */
    struct tf_dst_map map;
    bool wide, strided, counts; /* Read_32b_data, DstAccessMode, ENABLE_ACC_STATS */
    uint32_t l1_address;
};

/* All bits of a field of the instruction. */
#define V(field) (((1u << (TF_FIELD_PACR_##field >> 8)) - 1) << (TF_FIELD_PACR_##field & 0xFF))
#define FIELD(pacr, name) tf_cfg_cut((pacr)->config[TF_CFG_##name >> 16], TF_CFG_##name)

static inline bool pacr_fault(struct pacr *pacr, enum tf_fault_category category, const char *why)
{
    tf_tensix_fault(pacr->tile, pacr->thread, category, 0, "%s", why);
    return false;
}

static inline bool undefined(struct pacr *pacr, const char *why)
{
    return pacr_fault(pacr, TF_FAULT_UNDEFINED, why);
}

static inline bool unpredictable(struct pacr *pacr, const char *why)
{
    return pacr_fault(pacr, TF_FAULT_UNPREDICTABLE, why);
}

static inline bool check_out_fifo(struct pacr *pacr)
{
    if (FIELD(pacr, THCON_SEC0_REG1_Enable_out_fifo) && TF_FIELD(pacr->word, PACR, last))
        return unpredictable(pacr, "no page says how much the metadata FIFO of Enable_out_fifo holds");
    return true;
}

/* Of INT32 L1.md of WormholeB0 has sums; Blackhole's packer adds as an ACC atomic does. */
static inline uint8_t accumulate_format(const struct pacr *pacr)
{
    uint8_t format = pacr->plan->accumulate;
    return format == TF_ACCUMULATE_U32 && pacr->tensix->four != NULL ? TF_ACCUMULATE_PACKED_INT32 : format;
}

/* InputAddressGenerator.md: the address of input in bytes. `x`: the counter's value. */
static inline uint32_t input_address(const struct pacr *pacr, uint32_t x)
{
    const uint32_t *counter = pacr->adc->channel[0].value;
    uint32_t base = FIELD(pacr, PCK0_ADDR_BASE_REG_0_Base);
    uint32_t x_stride = FIELD(pacr, PCK0_ADDR_CTRL_XY_REG_0_Xstride);
    uint32_t y_stride = FIELD(pacr, PCK0_ADDR_CTRL_XY_REG_0_Ystride);
    uint32_t z_stride = FIELD(pacr, PCK0_ADDR_CTRL_ZW_REG_0_Zstride);
    uint32_t w_stride = FIELD(pacr, PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
    return base + x * (x_stride & 15) + counter[TF_ADC_Y] * y_stride + counter[TF_ADC_Z] * z_stride +
           counter[TF_ADC_W] * w_stride;
}

/* Data of x that do not fill 16 bytes. */
static inline unsigned fine_x(const struct pacr *pacr)
{
    return (16u >> pacr->plan->shift) - 1;
}

/* The place of input in Dst. */
static inline void place_in_dst(struct pacr *pacr, uint32_t address, uint32_t x)
{
    uint32_t fine = fine_x(pacr);
    uint32_t datum = ((address >> pacr->plan->shift) & ~fine) + (x & fine) +
                     (FIELD(pacr, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4);
    pacr->row = datum >> 4 & (TF_DST_ROWS - 1);
    pacr->column = datum & 15;
}

/* The source of input, its place and its length. `check` judges a place in Dst. */
static inline bool begin_input(struct pacr *pacr, bool (*check)(struct pacr *))
{
    uint32_t x = pacr->adc->channel[0].value[TF_ADC_X], end = pacr->adc->channel[1].value[TF_ADC_X];
    uint32_t address = input_address(pacr, x);
    unsigned shift = pacr->plan->shift;
    if (end + 1 < x || end + 1 - x > 0xFFFF)
        return undefined(pacr, "the ADC's X range ends before it begins");
    pacr->count = end + 1 - x;
    if (TF_FIELD(pacr->word, PACR, zero_write)) {
        pacr->source = FROM_NONE;
    } else if (FIELD(pacr, THCON_SEC0_REG1_Source_interface_selection)) {
        pacr->source = FROM_L1;
        address = FIELD(pacr, THCON_SEC0_REG1_L1_source_addr)
        << 18 | (address & 0x3FFF0);
        pacr->l1_address = (address + ((x & fine_x(pacr)) << shift)) & 0x1FFFFF;
        if (pacr->l1_address + (pacr->count << shift) > pacr->tile->arch->l1_bytes)
            return undefined(pacr, "the packer reads beyond L1");
    } else {
        pacr->source = FROM_DST;
        place_in_dst(pacr, address, x);
        if (!check(pacr))
            return false;
    }
    unsigned which = pacr->source != FROM_DST;
    const char *why = pacr->plan->why[which];
    return why == NULL ||
           pacr_fault(pacr, pacr->plan->left_open[which] ? TF_FAULT_UNPREDICTABLE : TF_FAULT_UNDEFINED, why);
}

static inline void place(struct tf_pack_stream *stream, uint32_t line)
{
    if (stream->placed)
        return;
    stream->placed = true;
    stream->address = (line & 0x1FFFF) << 4;
}

/* OutputAddressGenerator.md. The ADC counts lines, and the low bits of its sum have no effect; on Blackhole it counts
   bytes (ttsim). */
static inline void begin_output(struct pacr *pacr, bool in_lines)
{
    const struct tf_adc_channel *channel = &pacr->adc->channel[1];
    struct tf_pack *pack = pacr->out.pack;
    uint32_t offset = FIELD(pacr, PCK0_ADDR_BASE_REG_1_Base)
    +channel->value[TF_ADC_Y] * FIELD(pacr, PCK0_ADDR_CTRL_XY_REG_1_Ystride)
    +channel->value[TF_ADC_Z] * FIELD(pacr, PCK0_ADDR_CTRL_ZW_REG_1_Zstride)
    +channel->value[TF_ADC_W] * FIELD(pacr, PCK0_ADDR_CTRL_ZW_REG_1_Wstride);
    uint32_t line = FIELD(pacr, THCON_SEC0_REG1_L1_Dest_addr)
    +!FIELD(pacr, THCON_SEC0_REG1_Sub_l1_tile_header_size)
    +(in_lines ? offset & ~15u : offset >> 4);
    if (FIELD(pacr, THCON_SEC0_REG1_Add_l1_dest_addr_offset))
        line += pacr->out.packer->l1_dest_offset;
    if (line > FIELD(pacr, THCON_SEC0_REG9_Pack_0_2_limit_address) * 2 + 1)
        line -= FIELD(pacr, THCON_SEC0_REG9_Pack_0_2_fifo_size)
    *2;
    if (pacr->out.compressed) {
        place(&pack->row_starts, line);
        line += FIELD(pacr, THCON_SEC0_REG1_Row_start_section_size);
    }
    if (FIELD(pacr, THCON_SEC0_REG1_Out_data_format) & 2) {
        place(&pack->exponents, line);
        line += FIELD(pacr, THCON_SEC0_REG1_Exp_section_size);
    }
    place(&pack->data, line);
}

/* A marked row is zero. */
static const uint16_t pacr_zeros[TF_DST_COLUMNS];

/* A row of Dst. */
static inline struct tf_pack_dst_row dst_row(const struct pacr *pacr, const struct tf_dst *dst, unsigned row)
{
    unsigned physical = tf_dst_row(pacr->map, row, pacr->wide);
    tf_report_rows(pacr->tile, pacr->thread, TF_CHECK_DST, physical, 1, TF_CHECK_READS);
    if (tf_dst_is_undefined(dst, physical))
        return (struct tf_pack_dst_row){pacr_zeros, pacr_zeros};
    return (struct tf_pack_dst_row){dst->bits[physical], dst->bits[(physical + TF_DST_LOW_ROWS) % TF_DST_ROWS]};
}

/* Those in mask `rows` of four aligned rows of Dst, which are adjacent in any map. */
static inline void dst_rows(const struct pacr *pacr, const struct tf_dst *dst, unsigned first, unsigned rows,
                            struct tf_pack_row_input *in)
{
    unsigned physical = tf_dst_row(pacr->map, first, pacr->wide);
    unsigned undefined_rows = dst->undefined[physical / 64] >> physical % 64 & 15;
    const uint16_t(*high)[TF_DST_COLUMNS] = &dst->bits[physical];
    const uint16_t(*low)[TF_DST_COLUMNS] = &dst->bits[(physical + TF_DST_LOW_ROWS) % TF_DST_ROWS];
    in->count = 0;
    if (rows == 15 && undefined_rows == 0) {
        tf_report_rows(pacr->tile, pacr->thread, TF_CHECK_DST, physical, TF_PACK_INTERFACES, TF_CHECK_READS);
        in->count = TF_PACK_INTERFACES;
#pragma GCC unroll 4
        for (unsigned i = 0; i < TF_PACK_INTERFACES; i++)
            in->row[i] = (struct tf_pack_dst_row){high[i], low[i]};
        return;
    }
    for (unsigned i = 0; i < TF_PACK_INTERFACES; i++) {
        if ((rows >> i & 1) == 0)
            continue;
        tf_report_rows(pacr->tile, pacr->thread, TF_CHECK_DST, physical + i, 1, TF_CHECK_READS);
        in->row[in->count++] = undefined_rows >> i & 1 ? (struct tf_pack_dst_row){pacr_zeros, pacr_zeros}
                                                       : (struct tf_pack_dst_row){high[i], low[i]};
    }
}

/* TilePosition, an 8-bit counter, restarts only when it equals the plane's size (PACR.md). */
static inline void advance_position(struct pacr *pacr, unsigned rows)
{
    struct tf_pack *pack = pacr->out.pack;
    bool transposed = FIELD(pacr, PACK_COUNTERS_SEC0_pack_yz_transposed);
    uint8_t *inner = transposed ? &pack->tile_z : &pack->tile_y, *outer = transposed ? &pack->tile_y : &pack->tile_z;
    *inner = (uint8_t)(*inner + rows);
    if (*inner == FIELD(pacr, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane)) {
        *inner = 0;
        (*outer)++;
    }
}

/* The edge mask of the i-th row that the instruction reads. */
static inline uint32_t edge_of(const struct pacr *pacr, unsigned i)
{
    bool transposed = FIELD(pacr, PACK_COUNTERS_SEC0_pack_yz_transposed);
    const struct tf_pack *pack = pacr->out.pack;
    unsigned z = pack->tile_z + (transposed ? i : 0) + FIELD(pacr, DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset);
    return tf_pack_edge_mask(pacr->plan, pack->tile_y + (transposed ? 0 : i), z);
}

/* ExponentHistogram.md, one of an interface. */
static inline void note_exponent(struct tf_packer *packer, uint32_t exponent, bool count)
{
    if (count && packer->histogram[exponent & 31] != 255)
        packer->histogram[exponent & 31]++;
    packer->max_exponent = (uint8_t)tf_max(packer->max_exponent, exponent);
}

static inline bool counts_exponents(const struct tf_backend_config *config)
{
    return TF_THREAD_CFG(config, 0, ENABLE_ACC_STATS_Enable) || TF_THREAD_CFG(config, 1, ENABLE_ACC_STATS_Enable) ||
           TF_THREAD_CFG(config, 2, ENABLE_ACC_STATS_Enable);
}

/* Downsampling.md: the mask rotates with each datum of the instruction. */
static inline bool is_taken(uint32_t *mask)
{
    bool taken = *mask & 1;
    *mask = (*mask << 15 | *mask >> 1) & 0xFFFF;
    return taken;
}

static inline uint32_t downsample_mask(const struct pacr *pacr)
{
    uint32_t mask = FIELD(pacr, THCON_SEC0_REG1_Downsample_mask);
    return mask != 0 ? mask : 0xFFFF;
}

/* A datum of an interface after the early half. Returns false after a fault. */
static inline bool early_format_half(struct pacr *pacr, const struct tf_pack_dst_row *row, unsigned interface,
                                     unsigned column, uint32_t edge, uint32_t *datum)
{
    const struct tf_pack_format *format = pacr->out.format;
    uint32_t *generator = &pacr->tensix->rounding->early[interface][column];
    *datum = 0;
    if (edge >> column & 1)
        *datum = tf_pack_early(format,
                               pacr->wide ? (uint32_t)row->high[column] << 16 | row->low[column] : row->high[column],
                               pacr->plan->early_stochastic ? tf_rounding_next(generator) : TF_ROUND_TO_NEAREST);
    else if (FIELD(pacr, PCK_EDGE_MODE_mode) && format->kind >= TF_PACK_INT32)
        return unpredictable(pacr, "no page says what minus infinity of PCK_EDGE_MODE is for integers");
    else if (FIELD(pacr, PCK_EDGE_MODE_mode))
        *datum = tf_pack_minus_infinity(format);
    *datum = tf_pack_relu(format, *datum);
    return true;
}

/* Packs columns of a row datum by datum, as the pages describe it. */
static inline bool pack_row(struct pacr *pacr, const struct tf_pack_dst_row *row, unsigned interface, unsigned column,
                            unsigned count, uint32_t edge, uint32_t *downsample)
{
    const struct tf_pack_format *format = pacr->out.format;
    struct tf_packer *packer = &pacr->tensix->packer[interface];
    uint32_t datum[TF_DST_COLUMNS];
    unsigned taken = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!early_format_half(pacr, row, interface, column + i, edge, &datum[taken]))
            return false;
        note_exponent(packer, tf_pack_exponent(format, datum[taken]), pacr->counts);
        if (is_taken(downsample)) {
            datum[taken] = tf_pack_late(format, datum[taken]);
            taken++;
        }
    }
    tf_pack_put_data(&pacr->out, datum, taken);
    return true;
}

/* Can kernels convert the row? They need 16 columns, with at most one shared exponent. */
static inline bool can_pack_rows(const struct pacr *pacr)
{
    const struct tf_pack *pack = pacr->out.pack;
    return pacr->plan->kernel != TF_PACK_GENERIC && pack->kernels->run[pacr->plan->kernel] != NULL &&
           !pacr->out.compressed && pack->blocked == 0 && !pacr->counts;
}

/* The place of the rows in L1, if they only need to be stored there; else NULL. */
static inline uint8_t *room_for(const struct pacr *pacr, unsigned bytes)
{
    const struct tf_pack_stream *stream = &pacr->out.pack->data;
    if (stream->used != 0 || pacr->tile->mode.shared || TF_HOOK(pacr->tile->explore) != NULL ||
        pacr->out.accumulate != TF_PACK_REPLACES || bytes % TF_PACK_LINE_BYTES != 0 ||
        !tf_in_l1(pacr->tile->arch, stream->address, bytes))
        return NULL;
    return pacr->tile->l1 + stream->address;
}

/* Writes shared exponents of a few rows; most of them only join a waiting line. */
static inline void put_shared(struct pacr *pacr, const uint8_t *shared, unsigned count)
{
    struct tf_pack_stream *stream = &pacr->out.pack->exponents;
    if (count == TF_PACK_INTERFACES && stream->used + TF_PACK_INTERFACES < TF_PACK_LINE_BYTES) {
        memcpy(stream->bytes + stream->used, shared, TF_PACK_INTERFACES);
        stream->used = (uint8_t)(stream->used + TF_PACK_INTERFACES);
        return;
    }
    tf_pack_put(&pacr->out, stream, shared, count);
}

/* Converts whole rows and writes them. output: the kernel's results about them. */
static inline void convert_rows(struct pacr *pacr, struct tf_pack_row_input *in, struct tf_pack_row_output *output)
{
    struct tf_pack *pack = pacr->out.pack;
    uint8_t bytes[TF_PACK_INTERFACES * TF_PACK_ROW_BYTES];
    uint8_t *room = room_for(pacr, in->count * TF_DST_COLUMNS * pacr->out.format->bits / 8);
    output->bytes = room != NULL ? room : bytes;
    in->format = pacr->out.format;
    in->wide = pacr->wide;
    pack->kernels->run[pacr->plan->kernel](in, output);
    if (pacr->out.format->bfp)
        put_shared(pacr, output->shared, in->count);
    if (room != NULL)
        tf_pack_stored(&pacr->out, &pack->data, output->count);
    else
        tf_pack_put(&pacr->out, &pack->data, output->bytes, output->count);
}

/* "If Packer 0 is fetching datums from L1": a datum of eight bits is sign and mantissa, with an exponent of zero. */
static inline uint32_t fetch_l1(const struct pacr *pacr, unsigned index)
{
    const uint8_t *l1 = pacr->tile->l1;
    uint32_t byte;
    switch (FIELD(pacr, THCON_SEC0_REG1_In_data_format)) {
    case TF_FORMAT_FP32:
    case TF_FORMAT_INT32:
    case TF_FORMAT_TF32: return tf_tile_word(pacr->tile, pacr->l1_address + index * 4);
    case TF_FORMAT_FP16:
    case TF_FORMAT_INT16:
    case TF_FORMAT_BF16: {
        uint32_t half = __atomic_load_n((const uint16_t *)(const void *)(l1 + pacr->l1_address + index * 2),
                                        __ATOMIC_RELAXED);
        return FIELD(pacr, THCON_SEC0_REG1_In_data_format)
        == TF_FORMAT_BF16 ? half << 16 : half;
    }
    default: break;
    }
    byte = __atomic_load_n(l1 + pacr->l1_address + index, __ATOMIC_RELAXED);
    switch (FIELD(pacr, THCON_SEC0_REG1_In_data_format)) {
    case TF_FORMAT_BFP8: return (byte & 0x80) << 24 | (byte & 0x7F) << 16;
    case TF_FORMAT_BFP8A: return (byte & 0x80) << 8 | (byte & 0x7F) << 3;
    case TF_FORMAT_FP8: return byte << 8;
    default: return byte;
    }
}

static inline bool pack_from_l1_or_zeros(struct pacr *pacr)
{
    uint32_t downsample = downsample_mask(pacr);
    unsigned count = pacr->count;
    if (pacr->source == FROM_NONE)
        count *= (unsigned)__builtin_popcount(pacr->interfaces);
    else if (FIELD(pacr, THCON_SEC0_REG1_In_data_format) == TF_FORMAT_TF32)
        return undefined(pacr, "TF32 cannot be packed from L1");
    for (unsigned i = 0; i < count; i++) {
        uint32_t datum = tf_pack_late(pacr->out.format, pacr->source == FROM_L1 ? fetch_l1(pacr, i) : 0);
        if (is_taken(&downsample))
            tf_pack_put_data(&pacr->out, &datum, 1);
    }
    return true;
}

#define MOD(field) tf_cfg_cut(modifier, TF_THREAD_CFG_ADDR_MOD_PACK_SEC0_##field)

static inline void advance_y(struct tf_adc_channel *channel, uint32_t increment, bool cr, bool clear)
{
    if (clear)
        tf_adc_set(channel, TF_ADC_Y, 0);
    else if (cr)
        tf_adc_add_cr(channel, TF_ADC_Y, increment);
    else
        tf_adc_add(channel, TF_ADC_Y, increment);
}

static inline void advance_z(struct tf_adc_channel *channel, uint32_t increment, bool clear)
{
    if (clear)
        tf_adc_set(channel, TF_ADC_Z, 0);
    else
        tf_adc_add(channel, TF_ADC_Z, increment);
}

static inline void advance_counters(struct pacr *pacr)
{
    struct tf_adc_channel *channel = pacr->adc->channel;
    unsigned index = (TF_THREAD_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr >> 16) + TF_FIELD(pacr->word, PACR, addr_mode);
    uint32_t modifier = pacr->tensix->config->thread[pacr->thread][index];
    if (modifier == 0)
        return;
    if (modifier == MOD(YsrcIncr)) { /* and nothing else */
        tf_adc_add(&channel[0], TF_ADC_Y, modifier);
        return;
    }
    advance_y(&channel[0], MOD(YsrcIncr), MOD(YsrcCR), MOD(YsrcClear));
    advance_y(&channel[1], MOD(YdstIncr), MOD(YdstCR), MOD(YdstClear));
    advance_z(&channel[0], MOD(ZsrcIncr), MOD(ZsrcClear));
    advance_z(&channel[1], MOD(ZdstIncr), MOD(ZdstClear));
}

/* TDMA-RISC.md, "AccTileSize": sizes are in lines. */
static inline void end_tile(struct pacr *pacr)
{
    struct tf_pack *pack = pacr->out.pack;
    struct tf_packer *packer = pacr->out.packer;
    tf_pack_flush(&pacr->out);
    pack->data.placed = pack->exponents.placed = pack->row_starts.placed = false;
    pack->data.address = pack->exponents.address = pack->row_starts.address = 0;
    pack->tile_x = pack->tile_y = pack->tile_z = 0;
    if (TF_FIELD(pacr->word, PACR, last)) {
        packer->last_tile_size = pack->lines;
        packer->last_thread = (uint8_t)pacr->thread;
        packer->acc_tile_size[pacr->thread] = (uint16_t)(packer->acc_tile_size[pacr->thread] + pack->lines +
                                                         FIELD(pacr, THCON_SEC0_REG1_Add_tile_header_size));
    }
    pack->lines = 0;
}

/* The configuration of one PACR, and the place of its results. */
static inline void begin_packer(struct pacr *pacr, struct tf_pack *pack, struct tf_packer *packer)
{
    pacr->plan = tf_pack_plan(&pack->plan, pacr->config, pacr->tensix->config->writes);
    pacr->map = tf_dst_map(pacr->tile);
    pacr->wide = FIELD(pacr, PCK_DEST_RD_CTRL_Read_32b_data);
    pacr->counts = counts_exponents(pacr->tensix->config);
    pacr->out.tile = pacr->tile;
    pacr->out.pack = pack;
    pacr->out.packer = packer;
    pacr->out.thread = pacr->thread;
}

/* The format and the way of the output, once the source is known. Returns false after a fault. */
static inline bool begin_format(struct pacr *pacr)
{
    bool flush = TF_FIELD(pacr->word, PACR, flush);
    pacr->out.format = &pacr->plan->format[!flush && pacr->source != FROM_DST];
    if (pacr->out.pack->blocked != 0 && !pacr->out.format->bfp)
        return undefined(pacr, "Out_data_format changes within data that share an exponent");
    pacr->out.compressed = !FIELD(pacr, THCON_SEC0_REG1_Disable_zero_compress);
    pacr->out.no_zero_flags = FIELD(pacr, THCON_SEC0_REG1_Disable_pack_zero_flags);
    pacr->out.accumulate = accumulate_format(pacr);
    if (FIELD(pacr, THCON_SEC0_REG1_Pack_L1_Acc)) {
        if (pacr->out.accumulate == TF_PACK_REPLACES)
            return undefined(pacr, "Pack_L1_Acc has no sums of this Out_data_format");
        if (pacr->out.compressed)
            return undefined(pacr, "Pack_L1_Acc with zero compression");
    }
    return true;
}

/*
 * Packs the data that `from_dst` finds in Dst, or data from L1, or none, to the output. Ends the tile if the
 * instruction says so. in_lines: see begin_output(). Returns false after a fault.
 */
static inline __attribute__((always_inline)) bool pack_tile(struct pacr *pacr, unsigned packer, bool in_lines,
                                                            bool (*from_dst)(struct pacr *pacr, unsigned packer))
{
    bool flush = TF_FIELD(pacr->word, PACR, flush);
    begin_output(pacr, in_lines);
    if (!flush) {
        if (pacr->out.compressed)
            tf_pack_begin_row(&pacr->out);
        if (!(pacr->source == FROM_DST ? from_dst(pacr, packer) : pack_from_l1_or_zeros(pacr)))
            return false;
        if (pacr->out.compressed)
            tf_pack_end_row(&pacr->out, TF_FIELD(pacr->word, PACR, concat));
    }
    if (flush || TF_FIELD(pacr->word, PACR, last))
        end_tile(pacr);
    return true;
}

#endif
