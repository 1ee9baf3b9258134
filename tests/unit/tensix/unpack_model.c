/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "unit/tensix/unpack_model.h"

#include <math.h>

enum { FP32, FP16, BFP8A, BFP4A, TF32, BF16, BFP8, BFP4, INT32, INT16, FP8, BFP2A, INT8 = 14, BFP2 };

/* Variables of the page. */
struct unpacr {
    const struct bare *bare;
    const struct tf_backend_config *config;
    unsigned thread, bank, which, context, adc;
    bool multi, row_search, zero;
    unsigned in, out_format, x_dim, y_dim, z_dim, w_dim;
    uint32_t descriptor[4];
    bool uncompressed, forced;
    double size, datums, exponents, deltas, row_stride;
    unsigned count, drop, left, out, upsample, col_shift;
    bool to_dst, transpose, tilize, wide;
};

#define SEC(u, name) \
    ((u)->which ? TF_CFG((u)->config, (u)->bank, THCON_SEC1_##name) : TF_CFG((u)->config, (u)->bank, THCON_SEC0_##name))
#define UNP(u, name) \
    ((u)->which ? TF_CFG((u)->config, (u)->bank, UNP1_##name) : TF_CFG((u)->config, (u)->bank, UNP0_##name))
/* Fields that unpacker 0 has for four contexts. */
/* clang-format off */
#define CONTEXT4(u, prefix, suffix)                                                                       \
    ((u)->context % 4 == 0 ? SEC0(u, prefix##0##suffix) : (u)->context % 4 == 1 ? SEC0(u, prefix##1##suffix) \
     : (u)->context % 4 == 2 ? SEC0(u, prefix##2##suffix) : SEC0(u, prefix##3##suffix))
/* clang-format on */
#define SEC0(u, name) TF_CFG((u)->config, (u)->bank, THCON_SEC0_##name)

static uint32_t read_bits(const struct unpacr *u, double address, double bytes, bool *bad)
{
    if (address < 0 || address + bytes > TF_L1_BYTES) {
        *bad = true;
        return 0;
    }
    uint64_t at = (uint64_t)(address * 8);
    uint32_t result = 0;
    for (unsigned i = 0; i < bytes * 8; i++, at++)
        result |= (uint32_t)(u->bare->tile.l1[at / 8] >> at % 8 & 1) << i;
    return result;
}

static double wrap(const struct unpacr *u, double address)
{
    return address > SEC(u, REG2_Unpack_limit_address) * 16.0 ? address - SEC(u, REG2_Unpack_fifo_size) * 16.0
                                                              : address;
}

static bool is_bfp(unsigned format)
{
    return format == BFP8 || format == BFP8A || format == BFP4 || format == BFP4A || format == BFP2 || format == BFP2A;
}

static uint32_t cntx_bit(const struct unpacr *u, unsigned first)
{
    uint32_t word = u->config->bank[u->bank][(u->which ? 121 : 73)];
    return word >> (u->context < 4 ? first + u->context : first + 16 + u->context - 4) & 1;
}

static bool read_context(struct unpacr *u, uint32_t word)
{
    u->context = 0;
    u->adc = u->thread;
    if (u->multi) {
        u->context = TF_FIELD(word, UNPACR, auto_inc_context_id) ? u->config->unpack_context[u->thread][u->which]
                                                                 : TF_FIELD(word, UNPACR, cfg_context_id);
        u->context += u->which ? TF_THREAD_CFG(u->config, u->thread, UNPACK_MISC_CFG_CfgContextOffset_1)
                               : TF_THREAD_CFG(u->config, u->thread, UNPACK_MISC_CFG_CfgContextOffset_0);
        u->context %= 8;
        if (u->which == 1 && u->context >= 2)
            return false;
        unsigned adc = TF_FIELD(word, UNPACR, addr_cnt_context_id);
        if (adc == 3)
            return false;
        if (adc != 0)
            u->adc = adc;
    }
    return true;
}

static bool read_tile(struct unpacr *u)
{
    memcpy(u->descriptor, &u->config->bank[u->bank][u->which ? 112 : 64], 16);
    u->uncompressed = u->multi ? cntx_bit(u, 0) : u->descriptor[0] >> 4 & 1;
    u->x_dim = u->descriptor[0] >> 16;
    if (u->multi && u->which == 0)
        u->x_dim = CONTEXT4(u, REG5_Tile_x_dim_cntx, );
    u->y_dim = u->descriptor[1] & 0xFF;
    u->z_dim = u->descriptor[1] >> 16 & 0xFF;
    u->w_dim = u->descriptor[2] & 0xFF;
    u->z_dim += u->z_dim == 0;
    u->w_dim += u->w_dim == 0;
    u->in = u->descriptor[0] & 15;
    u->out_format = SEC(u, REG2_Out_data_format);
    if (u->multi && SEC(u, REG2_Ovrd_data_format)) {
        uint32_t word = u->config->bank[u->bank][(u->which ? 140 : 92) + u->context % 4];
        u->in = word >> (u->context < 4 ? 16 : 24) & 15;
        u->out_format = word >> (u->context < 4 ? 20 : 28) & 15;
    }
    static const double sizes[16] = {4, 2, 1, .5, 4, 2, 1, .5, 4, 2, 1, .25, 0, 0, 1, .25};
    u->size = sizes[u->in];
    u->forced = SEC(u, REG2_Force_shared_exp);
    return u->size != 0;
}

static uint32_t blobs_y_start(const struct unpacr *u, unsigned index)
{
    uint32_t all = u->descriptor[2] >> 16 | u->descriptor[3] << 16;
    if (u->multi && u->which == 0)
        all = u->context & 2 ? TF_CFG(u->config, u->bank, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start)
                             : TF_CFG(u->config, u->bank, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start);
    return all >> 4 * index & 15;
}

/* FirstDatum, InputNumDatums of what is not compressed. */
static bool l1_range(struct unpacr *u, unsigned *first)
{
    const struct tf_adc *xy = &u->bare->tile.tensix->adcs->of[u->adc][u->which];
    const struct tf_adc *zw = &u->bare->tile.tensix->adcs->of[u->thread][u->which];
    unsigned blobs = u->descriptor[0] >> 8 & 7, x = xy->channel[0].value[0], y = xy->channel[0].value[1];
    unsigned end = xy->channel[1].value[0] + 1;
    if (u->row_search && blobs != 0) {
        unsigned next = (x & 7) + 1;
        x = blobs_y_start(u, y & 7) << 4;
        y = 0;
        if (next != blobs && next == 8)
            return false;
        end = next == blobs ? u->x_dim & 0x1F0 : blobs_y_start(u, next) << 4;
    } else if (u->row_search) {
        x = 0;
        end = xy->channel[1].value[0];
    }
    if (end < x)
        return false;
    *first = ((zw->channel[0].value[3] * u->z_dim + zw->channel[0].value[2]) * u->y_dim + y) * u->x_dim + x;
    u->count = end - x;
    return true;
}

static bool compressed_range(struct unpacr *u, double starts, unsigned *first)
{
    const struct tf_adc *xy = &u->bare->tile.tensix->adcs->of[u->adc][u->which];
    const struct tf_adc *zw = &u->bare->tile.tensix->adcs->of[u->thread][u->which];
    unsigned blobs = u->descriptor[0] >> 8 & 7, x = xy->channel[0].value[0], y = xy->channel[0].value[1] & 0xFF;
    unsigned y_dim = u->row_search && blobs != 0 ? blobs : u->y_dim, last = xy->channel[1].value[0];
    bool bad = false;
    starts += 2.0 * ((zw->channel[0].value[3] * u->z_dim + zw->channel[0].value[2]) * y_dim);
    *first = read_bits(u, starts + 2 * y, 2, &bad);
    if (u->row_search) {
        u->count = read_bits(u, starts + 2 * ((x & 0xFF) + 1), 2, &bad) - *first;
    } else if (x == 0 && last == u->x_dim - 1) {
        u->count = read_bits(u, starts + 2 * (y + 1), 2, &bad) - *first;
    } else {
        u->drop = x;
        u->left = last + 1 - x;
        u->count = UINT32_MAX;
        bad |= last + 1 < x;
        return !bad;
    }
    return !bad && (int)u->count >= 0;
}

static bool read_input(struct unpacr *u)
{
    unsigned line = u->which ? u->config->bank[u->bank][124 + u->context] : u->config->bank[u->bank][76 + u->context];
    line += u->config->bank[u->bank][(u->which ? 140 : 92) + u->context % 4] & 0xFFFF;
    double address = (uint32_t)((line + 1 + (u->descriptor[3] >> 24)) * 16), starts = address;
    unsigned blobs = u->descriptor[0] >> 8 & 7;
    if (!u->uncompressed) {
        unsigned rows = (blobs != 0 ? blobs : u->y_dim) * u->z_dim * u->w_dim;
        address += ceil((rows + 1) * 2 / 16.) * 16;
    }
    u->exponents = 0;
    if (is_bfp(u->in) && !u->forced) {
        u->exponents = address;
        if (u->in == BFP8 || u->in == BFP8A || !(u->descriptor[0] >> 5 & 1))
            address += ceil(ceil((double)u->x_dim * u->y_dim * u->z_dim * u->w_dim / 16) / 16) * 16;
    }
    unsigned first = 0;
    u->drop = 0;
    u->left = UINT32_MAX;
    if (!(u->uncompressed ? l1_range(u, &first) : compressed_range(u, starts, &first)))
        return false;
    u->datums = address;
    u->exponents += first / 16.;
    if (u->uncompressed) {
        u->datums += first * u->size;
    } else {
        u->datums += (first / 32) * (32 * u->size + 16);
        u->deltas = u->datums + 32 * u->size + (first % 32) * 0.5;
        u->datums += (first % 32) * u->size;
        u->deltas = wrap(u, u->deltas);
    }
    u->exponents = wrap(u, u->exponents);
    u->datums = wrap(u, u->datums);
    return true;
}

static bool read_output(struct unpacr *u)
{
    const uint32_t *adc = u->bare->tile.tensix->adcs->of[u->thread][u->which].channel[1].value;
    u->tilize = SEC(u, REG2_Tileize_mode);
    unsigned shift[4] = {SEC(u, REG2_Shift_amount_cntx0), SEC(u, REG2_Shift_amount_cntx1),
                         SEC(u, REG2_Shift_amount_cntx2), SEC(u, REG2_Shift_amount_cntx3)};
    u->row_stride = u->tilize ? (double)(shift[0] << 4 | shift[1] << 8 | shift[2] << 12)
                              : u->size * (u->size <= 1 ? 16 : 32);
    u->to_dst = u->which == 0 && (u->multi ? cntx_bit(u, 4) : SEC(u, REG2_Unpack_If_Sel));
    u->transpose = u->which == 0 && SEC(u, REG2_Haloize_mode);
    u->out = UNP(u, ADDR_BASE_REG_1_Base) + adc[1] * UNP(u, ADDR_CTRL_XY_REG_1_Ystride) +
             adc[2] * UNP(u, ADDR_CTRL_ZW_REG_1_Zstride) + adc[3] * UNP(u, ADDR_CTRL_ZW_REG_1_Wstride);
    u->wide = u->out_format == FP32 || u->out_format == TF32 || u->out_format == INT32;
    unsigned bytes = u->wide ? 4 : u->out_format == FP16 || u->out_format == BF16 || u->out_format == INT16 ? 2 : 1;
    if (u->out % bytes != 0)
        return false;
    u->out /= bytes;
    if (u->multi && u->which == 0) {
        unsigned own = CONTEXT4(u, REG5_Dest_cntx, _address);
        bool adds = u->to_dst || TF_CFG(u->config, u->bank, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr);
        u->out = adds ? u->out + own : own;
    }
    u->upsample = (1u << SEC(u, REG2_Upsample_rate)) - 1;
    u->col_shift = u->tilize || u->which == 1 ? 0 : shift[u->context % 4];
    if ((u->transpose || u->tilize) && u->datums != floor(u->datums / 16) * 16)
        return false;
    return !(u->tilize && (u->upsample > 0 || !u->uncompressed)) && !(u->to_dst && (u->col_shift || u->transpose));
}

static bool bfp(uint32_t datum, uint32_t exponent, bool fp16, uint32_t *value)
{
    uint32_t sign = datum >> 7 & 1, magnitude = datum << 1 & 0xFF;
    if (magnitude == 0) {
        *value = sign ? (fp16 ? 0xFC00 : 0xFF80) : 0;
        return true;
    }
    for (; (magnitude & 0x80) == 0; magnitude <<= 1)
        exponent--;
    exponent &= 0xFF;
    *value = fp16 ? sign << 15 | exponent << 10 | (magnitude & 0x7E) << 3
                  : sign << 15 | exponent << 7 | (magnitude & 0x7E);
    return !fp16 || (exponent & 0xE0) == 0;
}

static uint32_t fp8(uint32_t x, bool four)
{
    uint32_t ones = (x & 0x7F) == 0x7F;
    if (four) {
        uint32_t exponent = x >> 3 & 15;
        return (x & 0x80) << 8 | (exponent ? exponent + 8 : 0) << 10 | (x & 7) << 7 | (ones ? 0x7F : 0);
    }
    return x << 8 | (ones ? 0xFF : 0);
}

static uint32_t fp32_to_fp16(uint32_t x)
{
    int exponent = (int)(x >> 23 & 0xFF) - 112;
    uint32_t sign = x >> 16 & 0x8000;
    return exponent < 0 ? sign : exponent > 31 ? sign | 0x7FFF : sign | (uint32_t)exponent << 10 | (x >> 13 & 0x3FF);
}

static uint32_t dst_bf16(uint32_t x)
{
    return (x & 0x8000) | (x & 0x7F) << 8 | (x & 0x7F80) >> 7;
}

static uint32_t src_tf32(uint32_t x)
{
    return (x & 0x40000) | (x & 0x3FF) << 8 | (x & 0x3FC00) >> 10;
}

/* FP32 becomes the output format, or *type and *x as a narrower format. False: there is no such conversion. */
static bool narrow_fp32(const struct unpacr *u, uint32_t *x, unsigned *type)
{
    switch (u->out_format) {
    case FP32: return true;
    case BF16:
        *x = ((*x & 0x7F800000) == 0 ? *x & 0x80000000u : *x) >> 16;
        *type = BF16;
        return true;
    case FP16:
        *x = fp32_to_fp16(*x);
        *type = FP16;
        return true;
    default: return false;
    }
}

static void widen_int8(bool is_unsigned, uint32_t *x)
{
    uint32_t sign = is_unsigned ? 0 : *x & 0x80;
    *x -= sign;
    *x |= (*x != 0 ? 16u << 10 : 0) | sign << 8;
}

/* Numbers of 8 bits or fewer become *type, which is BF16 or FP16. False: the result does not fit. */
static bool widen(const struct unpacr *u, uint32_t exponent, uint32_t *x, unsigned *type)
{
    const unsigned from = *type;
    const bool is_unsigned = u->which ? TF_CFG(u->config, u->bank, ALU_FORMAT_SPEC_REG0_SrcBUnsigned)
                                      : TF_CFG(u->config, u->bank, ALU_FORMAT_SPEC_REG0_SrcAUnsigned);
    switch (from) {
    case BFP8:
    case BFP4:
    case BFP2: *type = BF16; return bfp(*x << (from == BFP8 ? 0 : from == BFP4 ? 4 : 6), exponent, false, x);
    case BFP8A:
    case BFP4A:
    case BFP2A: *type = FP16; return bfp(*x << (from == BFP8A ? 0 : from == BFP4A ? 4 : 6), exponent, true, x);
    case FP8:
        *type = FP16;
        *x = fp8(*x, SEC(u, REG1_Unp_LF8_4b_exp));
        return true;
    case INT8:
        *type = FP16;
        widen_int8(is_unsigned, x);
        return true;
    default: return true;
    }
}

/* The layout of a number in SrcA, SrcB or Dst. False: it does not fit. */
static bool lay_out(const struct unpacr *u, uint32_t x, unsigned type, uint32_t *value)
{
    switch (type) {
    case INT16: *value = u->to_dst ? x : (x & 0xFF00) << 3 | (x & 0xFF); return true;
    case BF16: *value = u->to_dst ? dst_bf16(x) : src_tf32(x << 3); return true;
    case FP16:
        *value = u->to_dst ? (x & 0x8000) | (x & 0x3FF) << 5 | (x & 0x7C00) >> 10
                           : src_tf32((x & 0x8000) << 3 | (x & 0x7FFF));
        return true;
    default: /* FP32, TF32, INT32 */ *value = dst_bf16(x >> 16) << 16 | (x & 0xFFFF); return u->to_dst || u->zero;
    }
}

static bool convert(const struct unpacr *u, uint32_t x, uint32_t exponent, uint32_t *value)
{
    unsigned type = u->in;
    if (u->in == FP32 && u->out_format == TF32) {
        *value = u->to_dst ? dst_bf16(x >> 16) << 16 | (x & 0xFFFF) : src_tf32(x >> 13);
        return true;
    }
    if (u->in == FP32 && !narrow_fp32(u, &x, &type))
        return false;
    if (u->in != FP32 && u->in != u->out_format && !(is_bfp(u->in) && u->out_format == ((u->in & 4) ? BFP8 : BFP8A)))
        return false;
    bool fits = widen(u, exponent, &x, &type);
    return lay_out(u, x, type, value) && fits;
}

static bool write(const struct unpacr *u, struct unpack_model *model, uint32_t value)
{
    unsigned bank = model->banks.unpack_bank[u->which], row = u->out / 16, column = u->out % 16;
    bool absolute = TF_THREAD_CFG(u->config, u->thread, SRCA_SET_SetOvrdWithAddr);
    if (u->which == 1) {
        model->src[1][bank][(row + model->unpack_row[1][u->thread]) & 63][column] = value;
        return true;
    }
    if (u->to_dst) {
        row = (row - 4) & 0x3FF;
        if (u->wide) {
            unsigned high = (row & 0x1F8) << 1 | (row & 0x207);
            model->dst[high][column] = (uint16_t)(value >> 16);
            model->dst[high + 8][column] = (uint16_t)value;
        } else {
            model->dst[row][column] = (uint16_t)value;
        }
        return true;
    }
    if (row < 4 || column < u->col_shift)
        return true;
    row -= 4;
    column -= u->col_shift;
    if (!absolute && row >= 16)
        return false;
    row = (absolute ? row : row + model->unpack_row[0][u->thread]) & 63;
    if (u->transpose) {
        unsigned low = row & 15;
        row = (row & ~15u) | column;
        column = low;
    }
    model->src[0][bank][row][column] = value;
    return true;
}

static bool run_loop(struct unpacr *u, bool zero, struct unpack_model *model)
{
    bool bad = false, interleave = SEC(u, REG2_Upsample_and_interleave);
    unsigned row_data = u->size <= 1 ? 16 : 32;
    for (unsigned i = 0; i < u->count && u->left;) {
        uint32_t bits = read_bits(u, u->datums, u->size, &bad), exponent = UNP(u, FORCED_SHARED_EXP_shared_exp);
        uint32_t zeroes = 0, datum = 0;
        u->datums += u->size;
        i++;
        if (i % row_data == 0)
            u->datums += u->row_stride - u->size * row_data;
        if (i % 16 == 0)
            u->datums = wrap(u, u->datums);
        if (is_bfp(u->in) && !u->forced) {
            exponent = read_bits(u, floor(u->exponents), 1, &bad);
            u->exponents += 1 / 16.;
            if (u->exponents == floor(u->exponents / 16) * 16)
                u->exponents = wrap(u, u->exponents);
        }
        if (!u->uncompressed) {
            zeroes = read_bits(u, u->deltas, 0.5, &bad);
            u->deltas += 0.5;
            if (u->deltas == floor(u->deltas / 16) * 16) {
                u->datums += 16;
                u->deltas = wrap(u, u->deltas + 32 * u->size);
            }
        }
        if (bad || !convert(u, bits, exponent, &datum))
            return false;
        if (zero)
            datum = zeroes = 0;
        for (unsigned j = 0; j <= zeroes; j++, datum = 0) {
            if (u->drop) {
                u->drop--;
                continue;
            }
            for (unsigned k = 0; k <= u->upsample; k++, datum = 0, u->out++)
                if (!(interleave && k != 0) && !write(u, model, datum))
                    return false;
            if (--u->left == 0)
                break;
        }
    }
    return true;
}

static bool run_after(struct unpacr *u, uint32_t word, struct unpack_model *model)
{
    uint32_t mode = TF_FIELD(word, UNPACR, addr_mode);
    if (u->multi && TF_FIELD(word, UNPACR, auto_inc_context_id)) {
        unsigned next = (u->context + 1) & 7;
        model->context[u->thread][u->which] = (uint8_t)(next >= 1u << SEC(u, REG2_Context_count) ? 0 : next);
    }
    for (unsigned t = 0; t < 3; t++) {
        if (t != u->thread && t != u->adc)
            continue;
        struct tf_adc_channel *channel = model->adcs.of[t][u->which].channel;
        channel[0].value[2] = (channel[0].value[2] + (mode & 3)) & 0xFF;
        channel[0].value[1] = (channel[0].value[1] + (mode >> 2 & 3)) & 0x1FFF;
        channel[1].value[2] = (channel[1].value[2] + (mode >> 4 & 3)) & 0xFF;
        channel[1].value[1] = (channel[1].value[1] + (mode >> 6 & 3)) & 0x1FFF;
    }
    unsigned base = u->which ? TF_THREAD_CFG(u->config, u->thread, SRCB_SET_Base)
                             : TF_THREAD_CFG(u->config, u->thread, SRCA_SET_Base);
    uint8_t *row = &model->unpack_row[u->which][u->thread];
    if (TF_FIELD(word, UNPACR, set_dat_valid)) {
        unsigned bank = model->banks.unpack_bank[u->which];
        model->banks.to_matrix[u->which][bank] = true;
        model->banks.format[u->which][bank] = (uint8_t)u->out_format;
        model->banks.unpack_bank[u->which] ^= 1;
        *row = (uint8_t)(base << 4);
    } else if (SEC(u, REG2_Unpack_Src_Reg_Set_Upd)) {
        *row = (*row + 16 + (base << 4)) & 63;
    }
    return true;
}

void unpack_model_take(const struct bare *bare, struct unpack_model *model)
{
    const struct tf_tensix *tensix = bare->tile.tensix;
    memcpy(model->src, tensix->src_data->datum, sizeof model->src);
    memcpy(model->dst, tensix->dst->bits, sizeof model->dst);
    model->adcs = *tensix->adcs;
    model->banks = *tensix->src;
    memcpy(model->unpack_row, tensix->src_data->unpack_row, sizeof model->unpack_row);
    memcpy(model->context, tensix->config->unpack_context, sizeof model->context);
}

/* SetOvrdWithAddr goes with SrcA alone. */
static bool rows_are_defined(const struct unpacr *u)
{
    return !u->to_dst || !TF_THREAD_CFG(u->config, u->thread, SRCA_SET_SetOvrdWithAddr);
}

bool unpack_model_run(const struct bare *bare, unsigned thread, uint32_t word, struct unpack_model *model)
{
    struct unpacr u = {
        .bare = bare,
        .config = bare->tile.tensix->config,
        .thread = thread,
        .which = TF_FIELD(word, UNPACR, unpack_block_selection),
        .multi = TF_FIELD(word, UNPACR, ovrd_thread_id),
        .row_search = TF_FIELD(word, UNPACR, row_search),
        .zero = TF_FIELD(word, UNPACR, zero_write2),
    };
    u.bank = tf_config_bank(u.config, thread);
    uint32_t converted; /* formats count even if there are no data */
    return read_context(&u, word) && read_tile(&u) && read_input(&u) && read_output(&u) && rows_are_defined(&u) &&
           convert(&u, 0, 0, &converted) && run_loop(&u, u.zero, model) && run_after(&u, word, model);
}
