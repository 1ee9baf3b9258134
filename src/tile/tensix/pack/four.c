/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/four.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/pack/pacr.h"
#include "tile/tensix/vector/settled.h"

/* Fields that only Wormhole has, in its own words. The form is word << 16 | first bit << 8 | width. */
enum {
#define CFG_OWN(name, word, first, width) OWN_##name = (word) << 16 | (first) << 8 | (width),
#define CFG(name, word, first, width)
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
};

#define OWN(word, name) tf_cfg_cut((word)[OWN_##name >> 16], OWN_##name)

#define SET(config, name, value) \
    ((config)[TF_CFG_##name >> 16] = tf_cfg_put((config)[TF_CFG_##name >> 16], TF_CFG_##name, value))
#define GET(config, name) tf_cfg_cut((config)[TF_CFG_##name >> 16], TF_CFG_##name)

/* The first word of each packer's section: THCON_SEC0_REG1, THCON_SEC0_REG8, and those of SEC1. */
static const uint8_t sections[TF_PACKERS] = {
    TF_CFG_WORD(THCON_SEC0_REG1_Row_start_section_size),
    TF_CFG_WORD(THCON_SEC0_REG8_Row_start_section_size),
    TF_CFG_WORD(THCON_SEC1_REG1_Row_start_section_size),
    TF_CFG_WORD(THCON_SEC1_REG8_Row_start_section_size),
};

/* The words with the limits of packers 0, 1, 2 and 3: THCON_SEC[01]_REG9. */
static const uint8_t limits[TF_PACKERS] = {
    TF_CFG_WORD(THCON_SEC0_REG9_Pack_0_2_limit_address),
    TF_CFG_WORD(THCON_SEC0_REG9_Pack_1_3_limit_address),
    TF_CFG_WORD(THCON_SEC1_REG9_Pack_0_2_limit_address),
    TF_CFG_WORD(THCON_SEC1_REG9_Pack_1_3_limit_address),
};

/* Move a packer's section to the place of packer 0's. REG8 has some fields at other places than REG1. */
static void move_section(uint32_t *config, unsigned packer)
{
    const unsigned sec0 = sections[0];
    memcpy(&config[sec0], &config[sections[packer]], 4 * sizeof config[0]);
    if (packer & 1) {
        uint32_t size = tf_cfg_cut(config[TF_CFG_WORD(THCON_SEC0_REG1_Add_tile_header_size)],
                                   TF_CFG_THCON_SEC0_REG8_Add_tile_header_size);
        SET(config, THCON_SEC0_REG1_pack_start_intf_pos, 0);
        SET(config, THCON_SEC0_REG1_Add_tile_header_size, size);
    }
    SET(config, THCON_SEC0_REG1_Source_interface_selection, 0); /* packer 0 alone reads L1 */
}

/* OutputAddressGenerator.md: if bit 31 of packer 0's address is set, the other addresses are relative to it. */
static void add_base(uint32_t *config, uint32_t first, unsigned packer)
{
    if (packer != 0 && first >> 31)
        SET(config, THCON_SEC0_REG1_L1_Dest_addr, GET(config, THCON_SEC0_REG1_L1_Dest_addr) + first);
}

static void take_own(struct tf_pack_view *view, const uint32_t *own, unsigned packer)
{
    static const uint32_t adc[TF_PACKERS] = {OWN_THCON_SEC0_REG1_Addr_cnt_context, OWN_THCON_SEC0_REG8_Addr_cnt_context,
                                             OWN_THCON_SEC1_REG1_Addr_cnt_context,
                                             OWN_THCON_SEC1_REG8_Addr_cnt_context};
    static const uint32_t unsaid[TF_PACKERS][2] = {
        {OWN_THCON_SEC0_REG1_Force_pack_per_max_xy_plane, OWN_THCON_SEC0_REG1_Read_mode},
        {OWN_THCON_SEC0_REG8_Force_pack_per_max_xy_plane, OWN_THCON_SEC0_REG8_Read_mode},
        {OWN_THCON_SEC1_REG1_Force_pack_per_max_xy_plane, OWN_THCON_SEC1_REG1_Read_mode},
        {OWN_THCON_SEC1_REG8_Force_pack_per_max_xy_plane, OWN_THCON_SEC1_REG8_Read_mode},
    };
    view->adc = (uint8_t)tf_cfg_cut(own[adc[packer] >> 16], adc[packer]);
    if (view->adc == 3)
        view->adc = 0;
    view->unsaid = NULL;
    if (tf_cfg_cut(own[unsaid[packer][0] >> 16], unsaid[packer][0]))
        view->unsaid = "no page says what Force_pack_per_max_xy_plane does";
    if (tf_cfg_cut(own[unsaid[packer][1] >> 16], unsaid[packer][1]))
        view->unsaid = "no page says what Read_mode does";
}

static void make_view(struct tf_pack_view *view, const uint32_t *bank, const uint32_t *own, unsigned packer)
{
    uint32_t *config = view->config;
    memcpy(config, bank, sizeof view->config);
    uint32_t first = GET(bank, THCON_SEC0_REG1_L1_Dest_addr) + !GET(bank, THCON_SEC0_REG1_Sub_l1_tile_header_size);
    if (packer != 0) {
        move_section(config, packer);
        add_base(config, first, packer);
        memcpy(&config[limits[0]], &config[limits[packer]], 2 * sizeof config[0]);
    }
    config[TF_CFG_WORD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset)] =
        bank[TF_CFG_WORD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset) + packer];
    config[TF_CFG_WORD(PACK_COUNTERS_SEC0_pack_per_xy_plane)] =
        bank[TF_CFG_WORD(PACK_COUNTERS_SEC0_pack_per_xy_plane) + packer];
    SET(config, PCK_EDGE_TILE_FACE_SET_SELECT_select, GET(bank, PCK_EDGE_TILE_FACE_SET_SELECT_select) >> 2 * packer);
    SET(config, PCK_EDGE_TILE_ROW_SET_SELECT_select, GET(bank, PCK_EDGE_TILE_ROW_SET_SELECT_select) >> 2 * packer);
    if (GET(bank, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd))
        SET(config, THCON_SEC0_REG1_Disable_zero_compress,
            OWN(own, THCON_SEC0_REG1_All_pack_disable_zero_compress) >> packer);
    take_own(view, own, packer);
}

const struct tf_pack_view *tf_pack_view(struct tf_tile *tile, unsigned thread, unsigned packer)
{
    const struct tf_tensix *tensix = tile->tensix;
    unsigned bank = tf_config_bank(tensix->config, thread);
    struct tf_pack_view *view = &tensix->four->view[bank][packer];
    if (view->writes != tensix->config->writes) {
        make_view(view, tensix->config->bank[bank], tensix->own_config->bank[bank], packer);
        view->writes = tensix->config->writes;
    }
    return view;
}

static bool any_place(struct pacr *pacr)
{
    (void)pacr;
    return true;
}

/* TilePositionGenerator of EdgeMasking.md, by whole rows. Its counters have 8 bits. */
static void advance_rows(struct pacr *pacr, unsigned rows)
{
    const struct tf_pack *pack = pacr->out.pack;
    bool transposed = FIELD(pacr, PACK_COUNTERS_SEC0_pack_yz_transposed);
    const uint8_t *inner = transposed ? &pack->tile_z : &pack->tile_y;
    const uint8_t end = (uint8_t)FIELD(pacr, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    while (rows != 0) {
        unsigned step = tf_min(rows, ((end - *inner - 1u) & 0xFF) + 1);
        rows -= step;
        advance_position(pacr, step);
    }
}

/* Advance the position by data of a row. */
static void advance_tile(struct pacr *pacr, unsigned data)
{
    struct tf_pack *pack = pacr->out.pack;
    pack->tile_x = (uint8_t)(pack->tile_x + data);
    if (pack->tile_x < TF_DST_COLUMNS)
        return;
    pack->tile_x = 0;
    advance_position(pacr, 1);
}

/* Take the edge masks of rows from the packer's position on, and move the position past them. */
static void pass_edges(struct pacr *pacr, struct tf_pack_row_input *in)
{
    memset(in->edge, 0xFF, sizeof in->edge);
    if (pacr->plan->all_columns) {
        advance_rows(pacr, in->count);
        return;
    }
    for (unsigned i = 0; i < in->count; i++) {
        in->edge[i] = (uint16_t)edge_of(pacr, 0);
        advance_rows(pacr, 1);
    }
}

/* Pack up to four whole rows. Returns how many. Wormhole's row `unpack-add-pack` pays for packing aligned rows
   together. */
static unsigned pack_whole(struct pacr *pacr, const struct tf_dst *dst, unsigned row, unsigned rows)
{
    struct tf_packer *packer = pacr->out.packer;
    struct tf_pack_row_input in;
    struct tf_pack_row_output output;
    in.edge_datum = pacr->plan->edge_datum;
    if (row % TF_PACK_INTERFACES == 0 && rows >= TF_PACK_INTERFACES)
        dst_rows(pacr, dst, row, (1u << TF_PACK_INTERFACES) - 1, &in);
    else
        for (in.count = 0; in.count < TF_PACK_INTERFACES && in.count < rows; in.count++)
            in.row[in.count] = dst_row(pacr, dst, (row + in.count) % TF_DST_ROWS);
    pass_edges(pacr, &in);
    convert_rows(pacr, &in, &output);
    uint32_t largest = packer->max_exponent;
    for (unsigned i = 0; i < in.count; i++)
        largest = tf_max(largest, output.exponent[i]);
    packer->max_exponent = (uint8_t)largest;
    return in.count;
}

/* Read adjacent data of Dst. */
static bool pack_from_dst(struct pacr *pacr, unsigned packer)
{
    const struct tf_dst *dst = tf_dst(pacr->tile);
    uint32_t downsample = downsample_mask(pacr);
    unsigned at = pacr->row * TF_DST_COLUMNS + pacr->column, end = at + pacr->count;
    while (at != end) {
        unsigned row = at / TF_DST_COLUMNS % TF_DST_ROWS, column = at % TF_DST_COLUMNS;
        unsigned tile_x = pacr->out.pack->tile_x;
        if (column == 0 && tile_x == 0 && end - at >= TF_DST_COLUMNS && can_pack_rows(pacr)) {
            at += TF_DST_COLUMNS * pack_whole(pacr, dst, row, (end - at) / TF_DST_COLUMNS);
            continue;
        }
        unsigned left = TF_DST_COLUMNS - tf_max(column, tile_x), count = tf_min(end - at, left);
        struct tf_pack_dst_row data = dst_row(pacr, dst, row);
        if (!pack_row(pacr, &data, packer, column, count, edge_of(pacr, 0), &downsample))
            return false;
        advance_tile(pacr, count);
        at += count;
    }
    return true;
}

static bool begin(struct pacr *pacr, const struct tf_pack_view *view, unsigned packer)
{
    struct tf_tensix *tensix = pacr->tensix;
    pacr->config = view->config;
    begin_packer(pacr, &tensix->pack[packer], &tensix->packer[packer]);
    pacr->interfaces = 1;
    if (view->unsaid != NULL)
        return unpredictable(pacr, view->unsaid);
    if (!check_out_fifo(pacr))
        return false;
    if (!TF_FIELD(pacr->word, PACR, flush) && !begin_input(pacr, any_place))
        return false;
    uint8_t early = pacr->plan->format[0].early;
    if (pacr->source == FROM_DST && (early == TF_EARLY_32_FP16 || early == TF_EARLY_16_BF16_FP16))
        return undefined(pacr, "Wormhole has no early conversion of 8 bits of exponent to FP16");
    return begin_format(pacr);
}

static bool pack(struct pacr *pacr, const struct tf_pack_view *view, unsigned packer)
{
    return begin(pacr, view, packer) && pack_tile(pacr, packer, true, pack_from_dst) && !pacr->out.stopped;
}

void tf_pack_four(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const unsigned masks = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 3 | 1u << 12 | 1u << 15;
    unsigned mask = TF_FIELD(word, PACR, read_intf_sel), adcs = 0;
    struct pacr pacr = {.tile = tile, .tensix = tile->tensix, .word = word, .thread = thread};
    if ((masks >> mask & 1) == 0 || mask >> tile->arch->units.packers != 0) {
        undefined(&pacr, "PACR with this PackerMask");
        return;
    }
    mask = tf_busy_packers(word);
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        const struct tf_pack_view *view = tf_pack_view(tile, thread, i);
        unsigned which = TF_FIELD(word, PACR, ovrd_thread_id) ? view->adc : thread;
        pacr.adc = &tile->tensix->adcs->of[which][TF_ADC_PACKERS];
        adcs |= 1u << which;
        if (!pack(&pacr, view, i))
            return;
    }
    for (unsigned i = 0; i < 3; i++)
        if ((adcs >> i & 1) != 0) {
            pacr.adc = &tile->tensix->adcs->of[i][TF_ADC_PACKERS];
            advance_counters(&pacr);
        }
}
