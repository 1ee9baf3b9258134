/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/pack.h"

#include <string.h>

#include "tile/accumulate.h"
#include "tile/address.h"
#include "tile/tensix/config/adc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/registers.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/mover/state.h"
#include "tile/tensix/pack/format.h"
#include "tile/tensix/pack/plan.h"
#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/pack/stream.h"
#include "tile/tensix/state.h"

/* Sources of PACR. */
enum source { FROM_DST, FROM_L1, FROM_NOWHERE };

/* One PACR. */
struct pacr {
    struct tf_tile *tile;
    struct tf_tensix *tensix;
    const struct tf_pack_plan *plan;
    struct tf_pack_output out;
    uint32_t word;
    unsigned thread, bank;
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
#define CFG(pacr, name) TF_CFG((pacr)->tensix->config, (pacr)->bank, name)

static bool refuse(struct pacr *pacr, enum tf_fault_category category, const char *why)
{
    tf_tensix_fault(pacr->tile, pacr->thread, category, 0, "%s", why);
    return false;
}

static bool undefined(struct pacr *pacr, const char *why)
{
    return refuse(pacr, TF_FAULT_UNDEFINED, why);
}

static bool unpredictable(struct pacr *pacr, const char *why)
{
    return refuse(pacr, TF_FAULT_UNPREDICTABLE, why);
}

/* Features that the page of PACR names without describing them. */
static bool check_fields(struct pacr *pacr)
{
    const uint32_t fields = V(ctxt_ctrl) | V(cfg_context) | V(row_pad_zero);
    if ((pacr->word & fields) == 0 && !CFG(pacr, THCON_SEC0_REG1_pack_start_intf_pos) &&
        !CFG(pacr, THCON_SEC0_REG1_Enable_out_fifo))
        return true;
    if (TF_FIELD(pacr->word, PACR, ctxt_ctrl) != 0)
        return unpredictable(pacr, "no page says what CtxtCtrl does");
    if (TF_FIELD(pacr->word, PACR, cfg_context) != 0)
        return unpredictable(pacr, "no page says what CfgContext does");
    if (TF_FIELD(pacr->word, PACR, row_pad_zero) != 0)
        return unpredictable(pacr, "no page says what RowPadZero does");
    if (CFG(pacr, THCON_SEC0_REG1_pack_start_intf_pos) != 0)
        return unpredictable(pacr, "no page says what pack_start_intf_pos does");
    if (CFG(pacr, THCON_SEC0_REG1_Enable_out_fifo) && TF_FIELD(pacr->word, PACR, last))
        return unpredictable(pacr, "no page says how much the metadata FIFO of Enable_out_fifo holds");
    return true;
}

/* "Which ADC"; Blackhole has Addr_cnt_context in the instruction. */
static struct tf_adc *adc_of(const struct pacr *pacr)
{
    unsigned which = pacr->thread;
    if (TF_FIELD(pacr->word, PACR, ovrd_thread_id))
        which = TF_FIELD(pacr->word, PACR, addr_cnt_context) % 3;
    return &pacr->tensix->adcs->of[which][TF_ADC_PACKERS];
}

static unsigned accumulate_format(struct pacr *pacr)
{
    return tf_pack_accumulates(CFG(pacr, THCON_SEC0_REG1_Out_data_format));
}

/* Auto_set_last_pacr_intf_sel: one interface for each row left in the xy plane. */
static unsigned interfaces_of(const struct pacr *pacr)
{
    unsigned mask = TF_FIELD(pacr->word, PACR, read_intf_sel);
    mask = mask != 0 ? mask : 15;
    unsigned rows = CFG(pacr, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    unsigned y = pacr->tensix->pack->tile_y;
    if (CFG(pacr, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel) && y < rows &&
        rows - y < (unsigned)__builtin_popcount(mask))
        mask = (1u << (rows - y)) - 1;
    return mask;
}

static bool check_interfaces(struct pacr *pacr)
{
    if (pacr->column + pacr->count > TF_DST_COLUMNS)
        return undefined(pacr, "the ADC's X range leaves the row of Dst that a read interface reads");
    if (!pacr->strided) {
        if (pacr->interfaces << (pacr->row & 3) > 15)
            return undefined(pacr, "a read interface would leave the group of four rows of Dst");
        return true;
    }
    if (!pacr->map.swizzle_32b || !pacr->map.remap_addrs || (pacr->interfaces & (pacr->interfaces + 1)) != 0)
        return unpredictable(pacr, "no page says what DstAccessMode does with this Dst access configuration or "
                                   "ReadIntfSel");
    return true;
}

/* InputAddressGenerator.md. */
static bool begin_input(struct pacr *pacr)
{
    const struct tf_adc_channel *channel = &pacr->adc->channel[0];
    uint32_t x = channel->value[TF_ADC_X], end = pacr->adc->channel[1].value[TF_ADC_X];
    static const uint8_t shifts[4] = {2, 1, 0, 0};
    unsigned shift = shifts[CFG(pacr, THCON_SEC0_REG1_In_data_format) & 3], fine = (16u >> shift) - 1;
    uint32_t address = CFG(pacr, PCK0_ADDR_BASE_REG_0_Base) + x * (CFG(pacr, PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 15) +
                       channel->value[TF_ADC_Y] * CFG(pacr, PCK0_ADDR_CTRL_XY_REG_0_Ystride) +
                       channel->value[TF_ADC_Z] * CFG(pacr, PCK0_ADDR_CTRL_ZW_REG_0_Zstride) +
                       channel->value[TF_ADC_W] * CFG(pacr, PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
    if (end + 1 < x || end + 1 - x > 0xFFFF)
        return undefined(pacr, "the ADC's X range ends before it begins");
    pacr->count = end + 1 - x;
    pacr->interfaces = interfaces_of(pacr);
    if (TF_FIELD(pacr->word, PACR, zero_write)) {
        pacr->source = FROM_NOWHERE;
    } else if (CFG(pacr, THCON_SEC0_REG1_Source_interface_selection)) {
        pacr->source = FROM_L1;
        address = CFG(pacr, THCON_SEC0_REG1_L1_source_addr) << 18 | (address & 0x3FFF0);
        pacr->l1_address = (address + ((x & fine) << shift)) & 0x1FFFFF;
        if (pacr->l1_address + (pacr->count << shift) > pacr->tile->arch->l1_bytes)
            return undefined(pacr, "it packs from beyond L1");
    } else {
        uint32_t datum = ((address >> shift) & ~fine) + (x & fine) +
                         (CFG(pacr, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4);
        pacr->row = datum >> 4 & (TF_DST_ROWS - 1);
        pacr->column = datum & 15;
        if (!check_interfaces(pacr))
            return false;
    }
    unsigned which = pacr->source != FROM_DST;
    const char *why = pacr->plan->why[which];
    return why == NULL || refuse(pacr, pacr->plan->left_open[which] ? TF_FAULT_UNPREDICTABLE : TF_FAULT_UNDEFINED, why);
}

static void place(struct tf_pack_stream *stream, uint32_t line)
{
    if (stream->placed)
        return;
    stream->placed = true;
    stream->address = (line & 0x1FFFF) << 4;
}

/* OutputAddressGenerator.md; the ADC counts bytes on Blackhole (ttsim). */
static void begin_output(struct pacr *pacr)
{
    const struct tf_adc_channel *channel = &pacr->adc->channel[1];
    struct tf_pack *pack = pacr->tensix->pack;
    uint32_t offset = CFG(pacr, PCK0_ADDR_BASE_REG_1_Base) +
                      channel->value[TF_ADC_Y] * CFG(pacr, PCK0_ADDR_CTRL_XY_REG_1_Ystride) +
                      channel->value[TF_ADC_Z] * CFG(pacr, PCK0_ADDR_CTRL_ZW_REG_1_Zstride) +
                      channel->value[TF_ADC_W] * CFG(pacr, PCK0_ADDR_CTRL_ZW_REG_1_Wstride);
    uint32_t line = CFG(pacr, THCON_SEC0_REG1_L1_Dest_addr) + !CFG(pacr, THCON_SEC0_REG1_Sub_l1_tile_header_size) +
                    (offset >> 4);
    if (CFG(pacr, THCON_SEC0_REG1_Add_l1_dest_addr_offset))
        line += pacr->tensix->packer[0].l1_dest_offset;
    if (line > CFG(pacr, THCON_SEC0_REG9_Pack_0_2_limit_address) * 2 + 1)
        line -= CFG(pacr, THCON_SEC0_REG9_Pack_0_2_fifo_size) * 2;
    if (pacr->out.compressed) {
        place(&pack->row_starts, line);
        line += CFG(pacr, THCON_SEC0_REG1_Row_start_section_size);
    }
    if (CFG(pacr, THCON_SEC0_REG1_Out_data_format) & 2) {
        place(&pack->exponents, line);
        line += CFG(pacr, THCON_SEC0_REG1_Exp_section_size);
    }
    place(&pack->data, line);
}

/* The row of Dst of a bit of ReadIntfSel. A marked row is zero. */
static struct tf_pack_dst_row dst_row(const struct pacr *pacr, const struct tf_dst *dst, unsigned bit)
{
    static const uint16_t zeros[TF_DST_COLUMNS];
    unsigned row = pacr->row + (pacr->strided ? bit * 16 : bit);
    unsigned physical = pacr->wide ? tf_dst_row32(pacr->map, row) : tf_dst_row16(pacr->map, row);
    if (tf_dst_is_undefined(dst, physical))
        return (struct tf_pack_dst_row){zeros, zeros};
    return (struct tf_pack_dst_row){dst->bits[physical], dst->bits[(physical + TF_DST_LOW_ROWS) % TF_DST_ROWS]};
}

/* ExponentHistogram.md, one of an interface. */
static void note_exponent(struct tf_packer *packer, uint32_t exponent, bool count)
{
    if (count && packer->histogram[exponent & 31] != 255)
        packer->histogram[exponent & 31]++;
    if (exponent > packer->max_exponent)
        packer->max_exponent = (uint8_t)exponent;
}

static bool counts_exponents(const struct tf_backend_config *config)
{
    return TF_THREAD_CFG(config, 0, ENABLE_ACC_STATS_Enable) || TF_THREAD_CFG(config, 1, ENABLE_ACC_STATS_Enable) ||
           TF_THREAD_CFG(config, 2, ENABLE_ACC_STATS_Enable);
}

/* Downsampling.md: the mask rotates with each datum of the instruction. */
static bool is_taken(uint32_t *mask)
{
    bool taken = *mask & 1;
    *mask = (*mask << 15 | *mask >> 1) & 0xFFFF;
    return taken;
}

static uint32_t downsample_mask(const struct pacr *pacr)
{
    uint32_t mask = CFG(pacr, THCON_SEC0_REG1_Downsample_mask);
    return mask != 0 ? mask : 0xFFFF;
}

/* A datum of an interface after the early half. False: a fault. */
static bool early_half(struct pacr *pacr, const struct tf_pack_dst_row *row, unsigned interface, unsigned column,
                       uint32_t edge, uint32_t *datum)
{
    const struct tf_pack_format *format = pacr->out.format;
    uint32_t *generator = &pacr->tensix->rounding->early[interface][column];
    *datum = 0;
    if (edge >> column & 1)
        *datum = tf_pack_early(format,
                               pacr->wide ? (uint32_t)row->high[column] << 16 | row->low[column] : row->high[column],
                               pacr->plan->early_stochastic ? tf_rounding_next(generator) : TF_ROUND_TO_NEAREST);
    else if (CFG(pacr, PCK_EDGE_MODE_mode) && format->kind >= TF_PACK_INT32)
        return unpredictable(pacr, "no page says what minus infinity of PCK_EDGE_MODE is for integers");
    else if (CFG(pacr, PCK_EDGE_MODE_mode))
        *datum = tf_pack_minus_infinity(format);
    *datum = tf_pack_relu(format, *datum);
    return true;
}

/* Packs a row datum by datum, as the pages describe it. */
static bool pack_row(struct pacr *pacr, const struct tf_pack_dst_row *row, unsigned interface, uint32_t edge,
                     uint32_t *downsample)
{
    const struct tf_pack_format *format = pacr->out.format;
    struct tf_packer *packer = &pacr->tensix->packer[interface];
    uint32_t datum[TF_DST_COLUMNS];
    unsigned taken = 0;
    for (unsigned i = 0; i < pacr->count; i++) {
        if (!early_half(pacr, row, interface, pacr->column + i, edge, &datum[taken]))
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

/* Can kernels convert the row? They need 16 columns with at most one shared exponent. */
static bool can_pack_rows(const struct pacr *pacr)
{
    const struct tf_pack *pack = pacr->out.pack;
    return pacr->plan->kernel != TF_PACK_GENERIC && pack->kernels->run[pacr->plan->kernel] != NULL &&
           pacr->count == TF_DST_COLUMNS && !pacr->out.compressed && pack->blocked == 0 && !pacr->counts;
}

/* The place of the rows in L1, if they only need to be stored there; else NULL. */
static uint8_t *room_for(const struct pacr *pacr, unsigned bytes)
{
    const struct tf_pack_stream *stream = &pacr->out.pack->data;
    uint32_t l1_bytes = pacr->tile->arch->l1_bytes;
    if (stream->used != 0 || pacr->tile->shared || pacr->out.accumulate != TF_PACK_REPLACES ||
        bytes % TF_PACK_LINE_BYTES != 0 || stream->address >= l1_bytes || bytes > l1_bytes - stream->address)
        return NULL;
    return pacr->tile->l1 + stream->address;
}

/* Writes shared exponents of a few rows; most of them only join a waiting line. */
static void put_shared(struct pacr *pacr, const uint8_t *shared, unsigned count)
{
    struct tf_pack_stream *stream = &pacr->out.pack->exponents;
    if (count == TF_PACK_INTERFACES && stream->used + TF_PACK_INTERFACES < TF_PACK_LINE_BYTES) {
        memcpy(stream->bytes + stream->used, shared, TF_PACK_INTERFACES);
        stream->used = (uint8_t)(stream->used + TF_PACK_INTERFACES);
        return;
    }
    tf_pack_put(&pacr->out, stream, shared, count);
}

/* Records the largest exponents of rows, for the interfaces in a mask. */
static void note_largest(struct tf_packer *packer, unsigned interfaces, const uint8_t *exponent)
{
    for (; interfaces != 0; interfaces >>= 1, packer++)
        if ((interfaces & 1) != 0) {
            packer->max_exponent = *exponent > packer->max_exponent ? *exponent : packer->max_exponent;
            exponent++;
        }
}

static void pack_rows(struct pacr *pacr, struct tf_pack_row_input *in, unsigned interfaces)
{
    struct tf_pack *pack = pacr->out.pack;
    uint8_t bytes[TF_PACK_INTERFACES * TF_PACK_ROW_BYTES];
    uint8_t *room = room_for(pacr, in->count * TF_DST_COLUMNS * pacr->out.format->bits / 8);
    struct tf_pack_row_output output;
    output.bytes = room != NULL ? room : bytes;
    in->format = pacr->out.format;
    in->wide = pacr->wide;
    pack->kernels->run[pacr->plan->kernel](in, &output);
    note_largest(pacr->tensix->packer, interfaces, output.exponent);
    if (pacr->out.format->bfp)
        put_shared(pacr, output.shared, in->count);
    if (room != NULL)
        tf_pack_stored(&pacr->out, &pack->data, output.count);
    else
        tf_pack_put(&pacr->out, &pack->data, output.bytes, output.count);
}

/* TilePosition, an 8-bit counter, restarts only when it equals the plane's size (PACR.md). */
static void advance_position(struct pacr *pacr, unsigned rows)
{
    struct tf_pack *pack = pacr->out.pack;
    bool transposed = CFG(pacr, PACK_COUNTERS_SEC0_pack_yz_transposed);
    uint8_t *inner = transposed ? &pack->tile_z : &pack->tile_y, *outer = transposed ? &pack->tile_y : &pack->tile_z;
    *inner = (uint8_t)(*inner + rows);
    if (*inner == CFG(pacr, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane)) {
        *inner = 0;
        (*outer)++;
    }
}

/* The edge mask of the i-th row that the instruction reads. */
static uint32_t edge_of(const struct pacr *pacr, unsigned i)
{
    bool transposed = CFG(pacr, PACK_COUNTERS_SEC0_pack_yz_transposed);
    const struct tf_pack *pack = pacr->out.pack;
    unsigned z = pack->tile_z + (transposed ? i : 0) + CFG(pacr, DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset);
    return tf_pack_edge_mask(pacr->plan, pack->tile_y + (transposed ? 0 : i), z);
}

static bool pack_from_dst(struct pacr *pacr)
{
    const struct tf_dst *dst = tf_dst(pacr->tile, pacr->thread);
    if (dst == NULL)
        return false;
    struct tf_pack_row_input in;
    uint8_t interface[TF_PACK_INTERFACES];
    unsigned first = pacr->strided ? 0 : pacr->row & 3;
    in.count = 0;
    for (unsigned bit = 0; bit < TF_PACK_INTERFACES; bit++) {
        if ((pacr->interfaces >> bit & 1) == 0)
            continue;
        interface[in.count] = (uint8_t)(first + bit);
        in.edge[in.count] = (uint16_t)edge_of(pacr, in.count);
        in.row[in.count++] = dst_row(pacr, dst, bit);
    }
    if (can_pack_rows(pacr)) {
        in.edge_datum = pacr->plan->edge_datum;
        pack_rows(pacr, &in, pacr->interfaces << first);
    } else {
        uint32_t downsample = downsample_mask(pacr);
        for (unsigned i = 0; i < in.count; i++)
            if (!pack_row(pacr, &in.row[i], interface[i], in.edge[i], &downsample))
                return false;
    }
    advance_position(pacr, in.count);
    return true;
}

/* "If Packer 0 is fetching datums from L1": a datum of eight bits is sign and mantissa, with an exponent of zero. */
static uint32_t fetch_l1(const struct pacr *pacr, unsigned index)
{
    const uint8_t *l1 = pacr->tile->l1;
    uint32_t byte;
    switch (CFG(pacr, THCON_SEC0_REG1_In_data_format)) {
    case TF_FORMAT_FP32:
    case TF_FORMAT_INT32:
    case TF_FORMAT_TF32:
        return __atomic_load_n((const uint32_t *)(const void *)(l1 + pacr->l1_address + index * 4), __ATOMIC_RELAXED);
    case TF_FORMAT_FP16:
    case TF_FORMAT_INT16:
    case TF_FORMAT_BF16: {
        uint32_t half = __atomic_load_n((const uint16_t *)(const void *)(l1 + pacr->l1_address + index * 2),
                                        __ATOMIC_RELAXED);
        return CFG(pacr, THCON_SEC0_REG1_In_data_format) == TF_FORMAT_BF16 ? half << 16 : half;
    }
    default: break;
    }
    byte = __atomic_load_n(l1 + pacr->l1_address + index, __ATOMIC_RELAXED);
    switch (CFG(pacr, THCON_SEC0_REG1_In_data_format)) {
    case TF_FORMAT_BFP8: return (byte & 0x80) << 24 | (byte & 0x7F) << 16;
    case TF_FORMAT_BFP8A: return (byte & 0x80) << 8 | (byte & 0x7F) << 3;
    case TF_FORMAT_FP8: return byte << 8;
    default: return byte;
    }
}

static bool pack_from_elsewhere(struct pacr *pacr)
{
    uint32_t downsample = downsample_mask(pacr);
    unsigned count = pacr->count;
    if (pacr->source == FROM_NOWHERE)
        count *= (unsigned)__builtin_popcount(pacr->interfaces);
    else if (CFG(pacr, THCON_SEC0_REG1_In_data_format) == TF_FORMAT_TF32)
        return undefined(pacr, "TF32 cannot be packed from L1");
    for (unsigned i = 0; i < count; i++) {
        uint32_t datum = tf_pack_late(pacr->out.format, pacr->source == FROM_L1 ? fetch_l1(pacr, i) : 0);
        if (is_taken(&downsample))
            tf_pack_put_data(&pacr->out, &datum, 1);
    }
    return true;
}

#define MOD(field) tf_cfg_cut(modifier, TF_THREAD_CFG_ADDR_MOD_PACK_SEC0_##field)

static void advance_y(struct tf_adc_channel *channel, uint32_t increment, bool cr, bool clear)
{
    if (clear)
        tf_adc_set(channel, TF_ADC_Y, 0);
    else if (cr)
        tf_adc_add_cr(channel, TF_ADC_Y, increment);
    else
        tf_adc_add(channel, TF_ADC_Y, increment);
}

static void advance_z(struct tf_adc_channel *channel, uint32_t increment, bool clear)
{
    if (clear)
        tf_adc_set(channel, TF_ADC_Z, 0);
    else
        tf_adc_add(channel, TF_ADC_Z, increment);
}

static void advance_counters(struct pacr *pacr)
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
static void end_tile(struct pacr *pacr)
{
    struct tf_pack *pack = pacr->out.pack;
    struct tf_packer *packer = &pacr->tensix->packer[0];
    tf_pack_flush(&pacr->out);
    pack->data.placed = pack->exponents.placed = pack->row_starts.placed = false;
    pack->data.address = pack->exponents.address = pack->row_starts.address = 0;
    pack->tile_y = pack->tile_z = 0;
    if (TF_FIELD(pacr->word, PACR, last)) {
        packer->last_tile_size = pack->lines;
        packer->last_thread = (uint8_t)pacr->thread;
        packer->acc_tile_size[pacr->thread] = (uint16_t)(packer->acc_tile_size[pacr->thread] + pack->lines +
                                                         CFG(pacr, THCON_SEC0_REG1_Add_tile_header_size));
    }
    pack->lines = 0;
}

static bool begin(struct pacr *pacr)
{
    struct tf_tensix *tensix = pacr->tensix;
    pacr->bank = tf_config_bank(tensix->config, pacr->thread);
    pacr->plan = tf_pack_plan(&tensix->pack->plan, tensix->config->bank[pacr->bank]);
    pacr->adc = adc_of(pacr);
    pacr->map = tf_dst_map(pacr->tile);
    pacr->wide = CFG(pacr, PCK_DEST_RD_CTRL_Read_32b_data);
    pacr->strided = TF_FIELD(pacr->word, PACR, dst_access_mode);
    pacr->counts = counts_exponents(tensix->config);
    if (!check_fields(pacr))
        return false;
    bool flush = TF_FIELD(pacr->word, PACR, flush);
    if (!flush && !begin_input(pacr))
        return false;
    pacr->out = (struct tf_pack_output){
        .tile = pacr->tile,
        .pack = tensix->pack,
        .thread = pacr->thread,
        .format = &pacr->plan->format[!flush && pacr->source != FROM_DST],
        .compressed = !CFG(pacr, THCON_SEC0_REG1_Disable_zero_compress),
        .accumulate = TF_PACK_REPLACES,
    };
    if (CFG(pacr, THCON_SEC0_REG1_Pack_L1_Acc)) {
        pacr->out.accumulate = (uint8_t)accumulate_format(pacr);
        if (pacr->out.accumulate == TF_PACK_REPLACES)
            return undefined(pacr, "Pack_L1_Acc has no sums of this Out_data_format");
        if (pacr->out.compressed)
            return undefined(pacr, "Pack_L1_Acc with zero compression");
    }
    return true;
}

/* A PACR with one of these fields set is not packed by pack_whole_rows(). */
#define BEYOND_WHOLE_ROWS \
    (V(flush) | V(ctxt_ctrl) | V(concat) | V(zero_write) | V(dst_access_mode) | V(row_pad_zero) | V(cfg_context))

/* The place of input, by InputAddressGenerator.md. False: it is not whole rows of one group of four. */
static bool begin_row_input(struct pacr *pacr, const uint32_t *config)
{
    const struct tf_adc_channel *channel = pacr->adc->channel;
    const uint32_t *counter = channel[0].value;
    uint32_t xy = config[TF_CFG_PCK0_ADDR_CTRL_XY_REG_0_Xstride >> 16];
    uint32_t zw = config[TF_CFG_PCK0_ADDR_CTRL_ZW_REG_0_Zstride >> 16];
    uint32_t address = CFG(pacr, PCK0_ADDR_BASE_REG_0_Base) + counter[TF_ADC_Y] * (xy >> 16) +
                       counter[TF_ADC_Z] * (zw & 0xFFFF) + counter[TF_ADC_W] * (zw >> 16);
    address >>= pacr->plan->shift;
    unsigned mask = TF_FIELD(pacr->word, PACR, read_intf_sel);
    pacr->interfaces = mask != 0 ? mask : 15;
    pacr->row = ((address >> 4) + CFG(pacr, DEST_TARGET_REG_CFG_PACK_SEC0_Offset)) & (TF_DST_ROWS - 1);
    pacr->count = TF_DST_COLUMNS;
    return counter[TF_ADC_X] == 0 && channel[1].value[TF_ADC_X] == TF_DST_COLUMNS - 1 &&
           address % TF_DST_COLUMNS == 0 && pacr->interfaces << (pacr->row & 3) <= 15;
}

/* The input rows of Dst, which are adjacent in any map. */
static void read_rows(const struct pacr *pacr, const struct tf_dst *dst, struct tf_pack_row_input *in)
{
    static const uint16_t zeros[TF_DST_COLUMNS];
    unsigned first = pacr->row & ~3u;
    unsigned physical = pacr->wide ? tf_dst_row32(pacr->map, first) : tf_dst_row16(pacr->map, first);
    unsigned undefined_rows = dst->undefined[physical / 64] >> physical % 64 & 15;
    const uint16_t(*high)[TF_DST_COLUMNS] = &dst->bits[physical];
    const uint16_t(*low)[TF_DST_COLUMNS] = &dst->bits[(physical + TF_DST_LOW_ROWS) % TF_DST_ROWS];
    unsigned rows = pacr->interfaces << (pacr->row & 3);
    in->count = 0;
    if (rows == 15 && undefined_rows == 0) {
        in->count = TF_PACK_INTERFACES;
        for (unsigned i = 0; i < TF_PACK_INTERFACES; i++)
            in->row[i] = (struct tf_pack_dst_row){high[i], low[i]};
    } else {
        for (unsigned i = 0; i < TF_PACK_INTERFACES; i++)
            if ((rows >> i & 1) != 0)
                in->row[in->count++] = undefined_rows >> i & 1 ? (struct tf_pack_dst_row){zeros, zeros}
                                                               : (struct tf_pack_dst_row){high[i], low[i]};
    }
    memset(in->edge, 0xFF, sizeof in->edge);
    for (unsigned i = 0; i < in->count && !pacr->plan->all_columns; i++)
        in->edge[i] = (uint16_t)edge_of(pacr, i);
}

/* A PACR of whole rows of Dst, in one pass over them. False: nothing was done. Bench rows pack-* pay for it. */
static bool pack_whole_rows(struct pacr *pacr)
{
    struct tf_tensix *tensix = pacr->tensix;
    struct tf_pack *pack = tensix->pack;
    pacr->bank = tf_config_bank(tensix->config, pacr->thread);
    const uint32_t *config = tensix->config->bank[pacr->bank];
    const struct tf_pack_plan *plan = pacr->plan = tf_pack_plan(&pack->plan, config);
    if ((pacr->word & BEYOND_WHOLE_ROWS) != 0 || !plan->whole_rows || pack->blocked != 0 ||
        pack->kernels->run[plan->kernel] == NULL || counts_exponents(tensix->config))
        return false;
    pacr->adc = adc_of(pacr);
    if (!begin_row_input(pacr, config))
        return false;
    const struct tf_dst *dst = tf_dst(pacr->tile, pacr->thread);
    if (dst == NULL)
        return true;
    pacr->map = tf_dst_map(pacr->tile);
    pacr->wide = CFG(pacr, PCK_DEST_RD_CTRL_Read_32b_data);
    pacr->out = (struct tf_pack_output){.tile = pacr->tile,
                                        .pack = pack,
                                        .thread = pacr->thread,
                                        .format = &plan->format[0],
                                        .accumulate = plan->accumulate};
    if (!pack->data.placed || (!pack->exponents.placed && (CFG(pacr, THCON_SEC0_REG1_Out_data_format) & 2)))
        begin_output(pacr);
    struct tf_pack_row_input in;
    read_rows(pacr, dst, &in);
    in.edge_datum = plan->edge_datum;
    pack_rows(pacr, &in, pacr->interfaces << (pacr->row & 3));
    advance_position(pacr, in.count);
    if (TF_FIELD(pacr->word, PACR, last))
        end_tile(pacr);
    advance_counters(pacr);
    return true;
}

void tf_exec_PACR(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pacr pacr;
    pacr.tile = tile;
    pacr.tensix = tile->tensix;
    pacr.word = word;
    pacr.thread = thread;
    if (pack_whole_rows(&pacr))
        return;
    pacr = (struct pacr){.tile = tile, .tensix = tile->tensix, .word = word, .thread = thread};
    if (!begin(&pacr))
        return;
    begin_output(&pacr);
    if (!TF_FIELD(word, PACR, flush)) {
        if (pacr.out.compressed)
            tf_pack_begin_row(&pacr.out);
        if (!(pacr.source == FROM_DST ? pack_from_dst(&pacr) : pack_from_elsewhere(&pacr)))
            return;
        if (pacr.out.compressed)
            tf_pack_end_row(&pacr.out, TF_FIELD(word, PACR, concat));
    }
    if (TF_FIELD(word, PACR, last) || TF_FIELD(word, PACR, flush))
        end_tile(&pacr);
    advance_counters(&pacr);
}

/* PACR_SETREG.md gives a meaning to one value of these fields. */
void tf_exec_PACR_SETREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pacr pacr = {.tile = tile, .tensix = tile->tensix, .word = word, .thread = thread};
    const uint32_t fixed = 0x800F03u, wanted = 0x800F02u;
    if ((word & fixed) != wanted) {
        undefined(&pacr, "PACR_SETREG with fixed bits that differ from its only form");
        return;
    }
    const struct tf_tdma *tdma = tile->tensix->tdma;
    pacr.bank = tf_config_bank(tile->tensix->config, thread);
    pacr.out = (struct tf_pack_output){.tile = tile,
                                       .pack = tile->tensix->pack,
                                       .thread = thread,
                                       .accumulate = TF_PACK_REPLACES};
    if (CFG(&pacr, THCON_SEC0_REG1_Pack_L1_Acc))
        pacr.out.accumulate = (uint8_t)accumulate_format(&pacr);
    uint32_t value = TF_FIELD(word, PACR_SETREG, value10);
    uint32_t high = value * tdma->set_reg_scaler[CFG(&pacr, THCON_SEC0_REG1_Out_data_format) & 3];
    uint32_t address = TF_REGISTERS_BASE + tdma->set_reg_base[TF_FIELD(word, PACR_SETREG, mode_sel)] +
                       (TF_FIELD(word, PACR_SETREG, stream_id) << 12);
    tf_pack_flush_lines(&pacr.out);
    if (pacr.out.stopped || address >= TF_STREAM_BASE + TF_STREAMS_BYTES)
        return;
    tf_register_store(tile, thread, address, value + ((high & 0x1FFFF) << 12));
}

const struct tf_pack_kernels tf_pack_by_datum = {.name = "datum by datum"};

const struct tf_pack_kernels *tf_pack_kernels(enum tf_vectors level)
{
    static const struct tf_pack_kernels *const kernels[] = TF_VECTORS_TABLE(tf_pack);
    return kernels[tf_vectors_resolve(level)];
}

bool tf_pack_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_pack_kernels *kernels = tf_pack_kernels(level);
    if (kernels != NULL)
        tile->tensix->pack->kernels = kernels;
    return kernels != NULL;
}

/* AccTileSize and the other values are in packers.c. */
void tf_pack_reset(struct tf_pack *pack)
{
    const struct tf_pack_kernels *kernels = pack->kernels;
    memset(pack, 0, sizeof *pack);
    pack->kernels = kernels;
}

static void hash_stream(const struct tf_pack_stream *stream, struct tf_hash *hash)
{
    tf_hash_u32(hash, stream->placed | (uint32_t)stream->used << 8);
    tf_hash_u32(hash, stream->address);
    tf_hash_bytes(hash, stream->bytes, sizeof stream->bytes);
}

void tf_pack_hash(const struct tf_pack *pack, struct tf_hash *hash)
{
    const struct tf_pack_rows *rows = &pack->rows;
    hash_stream(&pack->data, hash);
    hash_stream(&pack->exponents, hash);
    hash_stream(&pack->row_starts, hash);
    const uint32_t counts[] = {rows->open,    rows->held,   rows->absorbed,  rows->all_zero, rows->zeros,
                               rows->grouped, rows->datum,  rows->augmented, rows->rows,     pack->blocked,
                               pack->tile_y,  pack->tile_z, pack->lines};
    tf_hash_bytes(hash, counts, sizeof counts);
    tf_hash_bytes(hash, rows->counters, sizeof rows->counters);
    tf_hash_bytes(hash, pack->block, sizeof pack->block);
}
