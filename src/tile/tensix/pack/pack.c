/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/pack.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/tensix/vector/settled.h"
#include "tilefarm_address.h"
#include "tile/tensix/data/registers.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/pacr.h"

/* Check for features that the page of PACR names but does not describe. */
static bool check_fields(struct pacr *pacr)
{
    const uint32_t fields = V(ctxt_ctrl) | V(cfg_context) | V(row_pad_zero);
    if ((pacr->word & fields) == 0 && !FIELD(pacr, THCON_SEC0_REG1_pack_start_intf_pos) &&
        !FIELD(pacr, THCON_SEC0_REG1_Enable_out_fifo))
        return true;
    if (TF_FIELD(pacr->word, PACR, ctxt_ctrl) != 0)
        return unpredictable(pacr, "no page says what CtxtCtrl does");
    if (TF_FIELD(pacr->word, PACR, cfg_context) != 0)
        return unpredictable(pacr, "no page says what CfgContext does");
    if (TF_FIELD(pacr->word, PACR, row_pad_zero) != 0)
        return unpredictable(pacr, "no page says what RowPadZero does");
    if (FIELD(pacr, THCON_SEC0_REG1_pack_start_intf_pos) != 0)
        return unpredictable(pacr, "no page says what pack_start_intf_pos does");
    return check_out_fifo(pacr);
}

/* "Which ADC" of the page. Blackhole has Addr_cnt_context in the instruction. */
static struct tf_adc *adc_of(const struct pacr *pacr)
{
    unsigned which = pacr->thread;
    if (TF_FIELD(pacr->word, PACR, ovrd_thread_id))
        which = TF_FIELD(pacr->word, PACR, addr_cnt_context) % 3;
    return &pacr->tensix->adcs->of[which][TF_ADC_PACKERS];
}

/* The read interfaces that the instruction names, as a mask. A mask of 0 stands for all of them. */
static unsigned named_interfaces(const struct pacr *pacr)
{
    unsigned mask = TF_FIELD(pacr->word, PACR, read_intf_sel);
    return mask != 0 ? mask : 15;
}

/* Auto_set_last_pacr_intf_sel: one interface for each row left in the xy plane. */
static unsigned interfaces_of(const struct pacr *pacr)
{
    unsigned mask = named_interfaces(pacr);
    unsigned rows = FIELD(pacr, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    unsigned y = pacr->tensix->pack->tile_y;
    if (FIELD(pacr, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel) && y < rows &&
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

/* Records the largest exponents of rows, for the interfaces in a mask. */
static void note_largest(struct tf_packer *packer, unsigned interfaces, const uint8_t *exponent)
{
    for (; interfaces != 0; interfaces >>= 1, packer++)
        if ((interfaces & 1) != 0) {
            packer->max_exponent = (uint8_t)tf_max(packer->max_exponent, *exponent);
            exponent++;
        }
}

static void pack_rows(struct pacr *pacr, struct tf_pack_row_input *in, unsigned interfaces)
{
    struct tf_pack_row_output output;
    convert_rows(pacr, in, &output);
    note_largest(pacr->tensix->packer, interfaces, output.exponent);
}

static bool pack_from_dst(struct pacr *pacr, unsigned packer)
{
    (void)packer;
    const struct tf_dst *dst = tf_dst(pacr->tile);
    struct tf_pack_row_input in;
    uint8_t interface[TF_PACK_INTERFACES];
    unsigned first = pacr->strided ? 0 : pacr->row & 3;
    in.count = 0;
    for (unsigned bit = 0; bit < TF_PACK_INTERFACES; bit++) {
        if ((pacr->interfaces >> bit & 1) == 0)
            continue;
        interface[in.count] = (uint8_t)(first + bit);
        in.edge[in.count] = (uint16_t)edge_of(pacr, in.count);
        in.row[in.count++] = dst_row(pacr, dst, pacr->row + (pacr->strided ? bit * 16 : bit));
    }
    if (pacr->count == TF_DST_COLUMNS && can_pack_rows(pacr)) {
        in.edge_datum = pacr->plan->edge_datum;
        pack_rows(pacr, &in, pacr->interfaces << first);
    } else {
        uint32_t downsample = downsample_mask(pacr);
        for (unsigned i = 0; i < in.count; i++)
            if (!pack_row(pacr, &in.row[i], interface[i], pacr->column, pacr->count, in.edge[i], &downsample))
                return false;
    }
    advance_position(pacr, in.count);
    return true;
}

static bool begin(struct pacr *pacr)
{
    struct tf_tensix *tensix = pacr->tensix;
    pacr->config = tensix->config->bank[tf_config_bank(tensix->config, pacr->thread)];
    begin_packer(pacr, tensix->pack, tensix->packer);
    pacr->adc = adc_of(pacr);
    pacr->strided = TF_FIELD(pacr->word, PACR, dst_access_mode);
    if (!check_fields(pacr))
        return false;
    pacr->interfaces = interfaces_of(pacr);
    if (!TF_FIELD(pacr->word, PACR, flush) && !begin_input(pacr, check_interfaces))
        return false;
    return begin_format(pacr);
}

/* pack_whole_rows() does not pack a PACR with one of these fields set. */
#define BEYOND_WHOLE_ROWS \
    (V(flush) | V(ctxt_ctrl) | V(concat) | V(zero_write) | V(dst_access_mode) | V(row_pad_zero) | V(cfg_context))

/* Find the place of the input. Returns false if the input is not whole rows of one group of four. */
static bool begin_row_input(struct pacr *pacr)
{
    const struct tf_adc_channel *channel = pacr->adc->channel;
    place_in_dst(pacr, input_address(pacr, 0), 0);
    pacr->interfaces = named_interfaces(pacr);
    pacr->count = TF_DST_COLUMNS;
    return channel[0].value[TF_ADC_X] == 0 && channel[1].value[TF_ADC_X] == TF_DST_COLUMNS - 1 && pacr->column == 0 &&
           pacr->interfaces << (pacr->row & 3) <= 15;
}

static void read_rows(const struct pacr *pacr, const struct tf_dst *dst, struct tf_pack_row_input *in)
{
    dst_rows(pacr, dst, pacr->row & ~3u, pacr->interfaces << (pacr->row & 3), in);
    memset(in->edge, 0xFF, sizeof in->edge);
    for (unsigned i = 0; i < in->count && !pacr->plan->all_columns; i++)
        in->edge[i] = (uint16_t)edge_of(pacr, i);
}

/* A PACR of whole rows of Dst, in one pass over them. Returns false if nothing was done. Bench rows pack-* pay for
   it. */
static bool pack_whole_rows(struct pacr *pacr)
{
    struct tf_tensix *tensix = pacr->tensix;
    struct tf_pack *pack = tensix->pack;
    pacr->config = tensix->config->bank[tf_config_bank(tensix->config, pacr->thread)];
    const struct tf_pack_plan *plan = pacr->plan = tf_pack_plan(&pack->plan, pacr->config, tensix->config->writes);
    if ((pacr->word & BEYOND_WHOLE_ROWS) != 0 || !plan->whole_rows || pack->blocked != 0 ||
        pack->kernels->run[plan->kernel] == NULL || counts_exponents(tensix->config))
        return false;
    pacr->adc = adc_of(pacr);
    if (!begin_row_input(pacr))
        return false;
    const struct tf_dst *dst = tf_dst(pacr->tile);
    pacr->map = tf_dst_map(pacr->tile);
    pacr->wide = FIELD(pacr, PCK_DEST_RD_CTRL_Read_32b_data);
    pacr->out = (struct tf_pack_output){.tile = pacr->tile,
                                        .pack = pack,
                                        .packer = tensix->packer,
                                        .thread = pacr->thread,
                                        .format = &plan->format[0],
                                        .accumulate = plan->accumulate};
    if (!pack->data.placed || (!pack->exponents.placed && (FIELD(pacr, THCON_SEC0_REG1_Out_data_format) & 2)))
        begin_output(pacr, false);
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
    if (tile->tensix->four != NULL) {
        tf_pack_four(tile, thread, word);
        return;
    }
    if (pack_whole_rows(&pacr))
        return;
    pacr = (struct pacr){.tile = tile, .tensix = tile->tensix, .word = word, .thread = thread};
    if (!begin(&pacr))
        return;
    if (pack_tile(&pacr, 0, false, pack_from_dst))
        advance_counters(&pacr);
}

/* Writes the waiting lines of all packers. Returns false after a fault. */
static bool flush_lines(struct pacr *pacr)
{
    for (unsigned i = 0; i < tf_packs(pacr->tensix); i++) {
        if (pacr->tensix->four != NULL)
            pacr->config = tf_pack_view(pacr->tile, pacr->thread, i)->config;
        begin_packer(pacr, &pacr->tensix->pack[i], &pacr->tensix->packer[i]);
        pacr->out.accumulate = accumulate_format(pacr);
        tf_pack_flush_lines(&pacr->out);
        if (pacr->out.stopped)
            return false;
    }
    return true;
}

/* PACR_SETREG.md defines the meaning of only one value of these fields. */
void tf_exec_PACR_SETREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pacr pacr = {.tile = tile, .tensix = tile->tensix, .word = word, .thread = thread};
    const uint32_t fixed = 0x800F03u, wanted = 0x800F02u;
    if ((word & fixed) != wanted) {
        undefined(&pacr, "PACR_SETREG with fixed bits that differ from its only form");
        return;
    }
    const struct tf_tdma *tdma = tile->tensix->tdma;
    pacr.config = tile->tensix->config->bank[tf_config_bank(tile->tensix->config, thread)];
    uint32_t value = TF_FIELD(word, PACR_SETREG, value10);
    uint32_t high = value * tdma->set_reg_scaler[FIELD(&pacr, THCON_SEC0_REG1_Out_data_format) & 3];
    uint32_t address = TF_REGISTERS_BASE + tdma->set_reg_base[TF_FIELD(word, PACR_SETREG, mode_sel)] +
                       (TF_FIELD(word, PACR_SETREG, stream_id) << 12);
    if (!flush_lines(&pacr) || address >= TF_STREAM_BASE + TF_STREAMS_BYTES)
        return;
    tf_register_store(tile, thread, address, value + ((high & 0x1FFFF) << 12));
}

const struct tf_pack_kernels *tf_pack_kernels(enum tf_vectors level)
{
    static const struct tf_pack_kernels *const kernels[] = TF_VECTORS_TABLE(tf_pack);
    return kernels[tf_vectors_resolve(level)];
}

bool tf_pack_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_pack_kernels *kernels = tf_pack_kernels(level);
    for (unsigned i = 0; i < tf_packs(tile->tensix) && kernels != NULL; i++)
        tile->tensix->pack[i].kernels = kernels;
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

void tf_pack_hash(const struct tf_pack *pack, bool of_four, struct tf_hash *hash)
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
    if (of_four)
        tf_hash_u32(hash, pack->tile_x);
}
