/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an UNPACR, configuration and address counters to addresses (WormholeB0 UNPACR_Regular.md). Two things follow
 * ttsim v1.10: Blackhole's rows of 32 data, and that context 0 uses the address counters of the issuing thread.
 */
#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack/plan.h"
#include "tile/tensix/unpack/rows.h"

#define SECTION_WORDS 48u /* from THCON_SEC0 to THCON_SEC1 */

_Static_assert(TF_CFG_THCON_SEC1_REG2_Out_data_format - TF_CFG_THCON_SEC0_REG2_Out_data_format == SECTION_WORDS << 16,
               "the sections are alike");

/* Words of a section that hold a field for each context. */
enum {
    WORD_CONTEXT_BITS = TF_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0 >> 16,
    WORD_BASE = TF_CFG_THCON_SEC0_REG3_Base_address >> 16,
    WORD_DEST = TF_CFG_THCON_SEC0_REG5_Dest_cntx0_address >> 16,
    WORD_X_DIM = TF_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0 >> 16,
    WORD_OFFSET = TF_CFG_THCON_SEC0_REG7_Offset_address >> 16,
};

/* The tile descriptor (UNPACR_Regular.md, "Configuration"). */
struct descriptor {
    uint8_t format;
    bool uncompressed, no_exponents;
    uint8_t blobs; /* BlobsPerXYPlane */
    uint32_t x, y, z, w;
    uint32_t blobs_y_start;
    uint32_t header_bytes;
};

struct plan {
    struct tf_tile *tile;
    const uint32_t *config; /* the thread's bank */
    uint32_t word;
    bool contexts; /* MultiContextMode */
    bool row_search;
    struct descriptor descriptor;
    struct tf_unpack_job *job;
};

uint32_t tf_unpack_field(const struct tf_tile *tile, unsigned thread, unsigned side, uint32_t field)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return tf_cfg_cut(config->bank[tf_config_bank(config, thread)][(field >> 16) + SECTION_WORDS * side], field);
}

static uint32_t section_word(const struct plan *plan, unsigned word)
{
    return plan->config[word + SECTION_WORDS * plan->job->side];
}

static uint32_t section_field(const struct plan *plan, uint32_t field)
{
    return tf_cfg_cut(section_word(plan, field >> 16), field);
}

#define SECTION(plan, name) section_field(plan, TF_CFG_THCON_SEC0_##name)
#define CONFIG(plan, name) tf_cfg_cut((plan)->config[TF_CFG_##name >> 16], TF_CFG_##name)

/* A field for which unpackers 0 and 1 have words of their own. */
#define OF_UNPACKER(plan, name) ((plan)->job->side ? CONFIG(plan, UNP1_##name) : CONFIG(plan, UNP0_##name))

/* A 16-bit field of one of four contexts. A word holds two of them. */
static uint32_t half_word(const struct plan *plan, unsigned first_word, unsigned context)
{
    return section_word(plan, first_word + (context & 3) / 2) >> (context & 1) * 16 & 0xFFFF;
}

static bool undefined(const struct plan *plan, const char *why)
{
    tf_tensix_fault(plan->tile, plan->job->thread, TF_FAULT_UNDEFINED, 0, "%s", why);
    return false;
}

static bool choose_context(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    const struct tf_backend_config *config = plan->tile->tensix->config;
    job->context = 0;
    job->adc = job->thread;
    if (!plan->contexts)
        return true;
    unsigned context = TF_FIELD(plan->word, UNPACR, auto_inc_context_id)
                           ? config->unpack_context[job->thread][job->side]
                           : TF_FIELD(plan->word, UNPACR, cfg_context_id);
    context += job->side ? TF_THREAD_CFG(config, job->thread, UNPACK_MISC_CFG_CfgContextOffset_1)
                         : TF_THREAD_CFG(config, job->thread, UNPACK_MISC_CFG_CfgContextOffset_0);
    job->context = context & 7;
    if (job->side == TF_SRC_B && job->context >= 2)
        return undefined(plan, "unpacker 1 has no such context");
    unsigned adc = TF_FIELD(plan->word, UNPACR, addr_cnt_context_id);
    if (adc == 3)
        return undefined(plan, "address counters 3 do not exist");
    if (adc != 0 || plan->tile->arch->units.unpack_counters_by_name)
        job->adc = (uint8_t)adc;
    return true;
}

static void read_descriptor(struct plan *plan)
{
    const uint32_t *words =
        &plan->config[(TF_CFG_THCON_SEC0_REG0_TileDescriptor >> 16) + SECTION_WORDS * plan->job->side];
    plan->descriptor = (struct descriptor){
        .format = words[0] & 15,
        .uncompressed = words[0] >> 4 & 1,
        .no_exponents = words[0] >> 5 & 1,
        .blobs = words[0] >> 8 & 7,
        .x = words[0] >> 16,
        .y = words[1] & 0xFF,
        .z = words[1] >> 16 & 0xFF,
        .w = words[2] & 0xFF,
        .blobs_y_start = words[2] >> 16 | words[3] << 16,
        .header_bytes = (1 + (words[3] >> 24)) * 16,
    };
    if (plan->descriptor.z == 0)
        plan->descriptor.z = 1;
    if (plan->descriptor.w == 0)
        plan->descriptor.w = 1;
}

/* Values of a context, which replace those of the descriptor. */
static void apply_context(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    struct descriptor *descriptor = &plan->descriptor;
    job->out_format = (uint8_t)SECTION(plan, REG2_Out_data_format);
    if (!plan->contexts)
        return;
    unsigned context = job->context;
    uint32_t bits = section_word(plan, WORD_CONTEXT_BITS) >> (context < 4 ? context : context + 12);
    descriptor->uncompressed = bits & 1;
    if (job->side == TF_SRC_A) {
        descriptor->x = half_word(plan, WORD_X_DIM, context);
        descriptor->blobs_y_start = context & 2 ? CONFIG(plan, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start)
                                                : CONFIG(plan, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start);
    }
    if (SECTION(plan, REG2_Ovrd_data_format)) {
        uint32_t formats = section_word(plan, WORD_OFFSET + (context & 3)) >> (context < 4 ? 16 : 24);
        descriptor->format = formats & 15;
        job->out_format = formats >> 4 & 15;
    }
}

/*
 * FP32 becomes one of a few formats; any other format stays (Unpackers/FormatConversion.md). Block floats of 4 and of 2
 * bits lie in registers in the form of 8 bits. tt-llk (data_format_inference.py) uses that name for them there.
 */
static bool keeps_format(unsigned in, unsigned out)
{
    static const uint8_t in_register[TF_FORMATS] = {
        [TF_FORMAT_BFP4A] = TF_FORMAT_BFP8A,
        [TF_FORMAT_BFP4] = TF_FORMAT_BFP8,
        [TF_FORMAT_BFP2A] = TF_FORMAT_BFP8A,
        [TF_FORMAT_BFP2] = TF_FORMAT_BFP8,
    };
    return in == out || (in_register[in] != 0 && in_register[in] == out);
}

static enum tf_unpack_kind kind_of(const struct plan *plan)
{
    const struct tf_unpack_job *job = plan->job;
    static const uint8_t same[TF_FORMATS] = {
        [TF_FORMAT_FP16] = TF_UNPACK_FP16,
        [TF_FORMAT_BFP8A] = TF_UNPACK_BFP8A,
        [TF_FORMAT_BFP4A] = TF_UNPACK_BFP4A,
        [TF_FORMAT_BF16] = TF_UNPACK_BF16,
        [TF_FORMAT_BFP8] = TF_UNPACK_BFP8,
        [TF_FORMAT_BFP4] = TF_UNPACK_BFP4,
        [TF_FORMAT_INT16] = TF_UNPACK_INT16,
        [TF_FORMAT_BFP2A] = TF_UNPACK_BFP2A,
        [TF_FORMAT_BFP2] = TF_UNPACK_BFP2,
        [12] = TF_UNPACK_NONE,
        [13] = TF_UNPACK_NONE,
    };
    /* SrcA and SrcB hold no data of 32 bits, but they take zeros that replace all data. tt-llk unpacks such a row there
       after data to Dst. */
    enum tf_unpack_kind wide = job->to_dst ? TF_UNPACK_WIDE : job->zero ? TF_UNPACK_FP32_TO_TF32 : TF_UNPACK_NONE;
    if (job->in_format != TF_FORMAT_FP32 && !keeps_format(job->in_format, job->out_format))
        return TF_UNPACK_NONE;
    switch (job->in_format) {
    case TF_FORMAT_FP32:
        switch (job->out_format) {
        case TF_FORMAT_FP32: return wide;
        case TF_FORMAT_TF32: return job->to_dst ? TF_UNPACK_WIDE : TF_UNPACK_FP32_TO_TF32;
        case TF_FORMAT_BF16: return TF_UNPACK_FP32_TO_BF16;
        case TF_FORMAT_FP16: return TF_UNPACK_FP32_TO_FP16;
        default: return TF_UNPACK_NONE;
        }
    case TF_FORMAT_TF32:
    case TF_FORMAT_INT32: return wide;
    case TF_FORMAT_FP8:
        return SECTION(plan, REG1_Unp_LF8_4b_exp)     ? TF_UNPACK_FP8_E4M3
               : plan->tile->arch->units.fp8_ordinary ? TF_UNPACK_FP8_HALF
                                                      : TF_UNPACK_FP8_E5M2;
    case TF_FORMAT_INT8: {
        bool is_unsigned = job->side ? CONFIG(plan, ALU_FORMAT_SPEC_REG0_SrcBUnsigned)
                                     : CONFIG(plan, ALU_FORMAT_SPEC_REG0_SrcAUnsigned);
        return is_unsigned ? TF_UNPACK_UINT8 : TF_UNPACK_INT8;
    }
    default: return (enum tf_unpack_kind)same[job->in_format];
    }
}

static bool read_format(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    const struct tf_format_info *format = &tf_format_info[plan->descriptor.format];
    job->in_format = plan->descriptor.format;
    job->kind = (uint8_t)kind_of(plan);
    if (job->kind == TF_UNPACK_NONE) {
        const bool narrows = job->in_format == TF_FORMAT_FP32 && !job->to_dst;
        tf_tensix_fault(plan->tile, job->thread, TF_FAULT_UNDEFINED, 0, "data format %s cannot become %s in %s%s",
                        tf_format_text(job->in_format), tf_format_text(job->out_format),
                        job->to_dst ? "Dst"
                        : job->side ? "SrcB"
                                    : "SrcA",
                        narrows ? ", but tf32, bf16 or fp16" : "");
        return false;
    }
    job->wide = job->kind == TF_UNPACK_WIDE;
    job->bits = format->bits;
    job->row_data = format->bits <= 8 ? 16 : 32;
    if (plan->tile->arch->units.unpack_row_data != 0)
        job->row_data = plan->tile->arch->units.unpack_row_data;
    job->bfp = format->bfp;
    job->forced = job->bfp && SECTION(plan, REG2_Force_shared_exp);
    job->exponent = (uint8_t)OF_UNPACKER(plan, FORCED_SHARED_EXP_shared_exp);
    job->compressed = !plan->descriptor.uncompressed;
    return true;
}

/* Read a 16-bit row start index. Returns false after a fault, if the index is beyond L1. */
static bool row_start(struct plan *plan, uint64_t address, uint32_t *value)
{
    uint16_t half;
    if (address + sizeof half > plan->tile->arch->l1_bytes)
        return undefined(plan, "a row start index is beyond L1");
    const uint8_t *at = plan->tile->l1 + address;
    half = __atomic_load_n((const uint16_t *)(const void *)at, __ATOMIC_RELAXED);
    *value = half;
    return true;
}

static const struct tf_adc *counters(const struct plan *plan, unsigned thread)
{
    return &plan->tile->tensix->adcs->of[thread][plan->job->side];
}

/* For blobs, XPos and XEnd come from their table (RowSearch with BlobsPerXYPlane). */
static bool blob_range(struct plan *plan, uint32_t x, uint32_t y, uint32_t *first, uint32_t *end)
{
    const struct descriptor *descriptor = &plan->descriptor;
    unsigned next = (x & 7) + 1;
    *first = (descriptor->blobs_y_start >> (y & 7) * 4 & 15) << 4;
    if (next == descriptor->blobs) {
        *end = descriptor->x & 0x1F0;
        return true;
    }
    if (next > 7)
        return undefined(plan, "there is no blob 8");
    *end = (descriptor->blobs_y_start >> next * 4 & 15) << 4;
    return true;
}

/* Find the first datum and the number of data, for data without compression. */
static bool uncompressed_range(struct plan *plan, uint32_t *first)
{
    const struct descriptor *descriptor = &plan->descriptor;
    const uint32_t *xy = counters(plan, plan->job->adc)->channel[0].value;
    const uint32_t *zw = counters(plan, plan->job->thread)->channel[0].value;
    uint32_t last = counters(plan, plan->job->adc)->channel[1].value[TF_ADC_X];
    uint32_t x = xy[TF_ADC_X], y = xy[TF_ADC_Y], end = last + 1;
    if (plan->row_search && descriptor->blobs != 0) {
        if (!blob_range(plan, x, y, &x, &end))
            return false;
        y = 0;
    } else if (plan->row_search) {
        x = 0;
        end = last;
    }
    if (end < x)
        return undefined(plan, "the last datum is before the first");
    *first = ((zw[TF_ADC_W] * descriptor->z + zw[TF_ADC_Z]) * descriptor->y + y) * descriptor->x + x;
    plan->job->count = end - x;
    return true;
}

/* Find the first datum and the number of data for compressed data, by the array of row start indices. */
static bool compressed_range(struct plan *plan, uint64_t indices, uint32_t *first)
{
    struct tf_unpack_job *job = plan->job;
    const struct descriptor *descriptor = &plan->descriptor;
    const uint32_t *xy = counters(plan, job->adc)->channel[0].value;
    const uint32_t *zw = counters(plan, job->thread)->channel[0].value;
    uint32_t last = counters(plan, job->adc)->channel[1].value[TF_ADC_X];
    uint32_t rows = plan->row_search && descriptor->blobs != 0 ? descriptor->blobs : descriptor->y;
    uint32_t y = xy[TF_ADC_Y] & 0xFF, next;
    indices += 2ull * ((zw[TF_ADC_W] * descriptor->z + zw[TF_ADC_Z]) * rows);
    if (!row_start(plan, indices + 2 * y, first))
        return false;
    if (!plan->row_search && (xy[TF_ADC_X] != 0 || last != descriptor->x - 1)) {
        if (last + 1 < xy[TF_ADC_X])
            return undefined(plan, "the last datum is before the first");
        job->drop = xy[TF_ADC_X];
        job->left = last + 1 - job->drop;
        job->count = TF_UNPACK_ALL;
        return true;
    }
    if (!row_start(plan, indices + 2 * (plan->row_search ? (xy[TF_ADC_X] & 0xFF) + 1 : y + 1), &next))
        return false;
    if (next < *first)
        return undefined(plan, "the row start indices go backwards");
    job->count = next - *first;
    return true;
}

static uint64_t round_up_16(uint64_t bytes)
{
    return (bytes + 15) & ~15ull;
}

/* Sections follow each other: header, row start indices, exponents, data. */
static bool input_addresses(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    const struct descriptor *descriptor = &plan->descriptor;
    unsigned context = plan->contexts ? job->context : 0;
    uint32_t line = section_word(plan, WORD_BASE + context);
    line += section_word(plan, WORD_OFFSET + (context & 3)) & 0xFFFF;
    uint64_t at = (uint32_t)(line * 16 + descriptor->header_bytes), indices = at;
    uint64_t exponents = 0;
    if (job->compressed)
        at += round_up_16(
            ((descriptor->blobs != 0 ? descriptor->blobs : descriptor->y) * descriptor->z * descriptor->w + 1ull) * 2);
    if (job->bfp && !job->forced) {
        exponents = at;
        if (job->bits == 8 || !descriptor->no_exponents)
            at += tf_format_exponent_bytes((uint64_t)descriptor->x * descriptor->y * descriptor->z * descriptor->w);
    }
    uint32_t first;
    job->left = TF_UNPACK_ALL;
    job->drop = 0;
    if (!(job->compressed ? compressed_range(plan, indices, &first) : uncompressed_range(plan, &first)))
        return false;
    job->limit_bytes = SECTION(plan, REG2_Unpack_limit_address) * 16;
    job->fifo_bytes = SECTION(plan, REG2_Unpack_fifo_size) * 16;
    job->exponent_16ths = tf_unpack_wrap(job, exponents * 16 + first, 16);
    if (!job->compressed) {
        job->datum_bits = tf_unpack_wrap(job, at * 8 + (uint64_t)first * job->bits, 8);
        return true;
    }
    uint64_t block = at * 8 + first / 32 * (32ull * job->bits + 32 * 4);
    job->datum_bits = tf_unpack_wrap(job, block + first % 32 * job->bits, 8);
    job->delta_nibbles = tf_unpack_wrap(job, (block + 32ull * job->bits) / 4 + first % 32, 2);
    return true;
}

static bool output_address(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    const uint32_t *out = counters(plan, job->thread)->channel[1].value;
    uint32_t address = OF_UNPACKER(plan, ADDR_BASE_REG_1_Base) +
                       out[TF_ADC_Y] * OF_UNPACKER(plan, ADDR_CTRL_XY_REG_1_Ystride) +
                       out[TF_ADC_Z] * OF_UNPACKER(plan, ADDR_CTRL_ZW_REG_1_Zstride) +
                       out[TF_ADC_W] * OF_UNPACKER(plan, ADDR_CTRL_ZW_REG_1_Wstride);
    unsigned shift = tf_format_info[job->out_format].bits >> 4; /* for 32 bits: 2, for 16 bits: 1 */
    if (address & ((1u << shift) - 1))
        return undefined(plan, "the output address lies within a datum");
    job->out = address >> shift;
    if (plan->contexts && job->side == TF_SRC_A) {
        uint32_t own = half_word(plan, WORD_DEST, job->context);
        bool adds = job->to_dst || CONFIG(plan, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr);
        job->out = adds ? job->out + own : own;
    }
    return true;
}

static void read_destination(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    const struct tf_tensix *tensix = plan->tile->tensix;
    job->rows_end = plan->tile->arch->units.unpack_rows_end;
    job->absolute = TF_THREAD_CFG(tensix->config, job->thread, SRCA_SET_SetOvrdWithAddr);
    job->first_row = tensix->src_data->unpack_row[job->side][job->thread];
    if (job->side == TF_SRC_B)
        return;
    uint32_t bits = section_word(plan, WORD_CONTEXT_BITS) >> (job->context < 4 ? 4 + job->context : 16 + job->context);
    job->to_dst = plan->contexts ? bits & 1 : SECTION(plan, REG2_Unpack_If_Sel);
    job->transpose = SECTION(plan, REG2_Haloize_mode);
}

/* The newer edition of the page, which is also Blackhole's, calls it undefined, and says what silicon is likely to
   do. */
static bool may_override_rows(const struct plan *plan)
{
    struct tf_tile *tile = plan->tile;
    static const char why[] = "SetOvrdWithAddr with data that go to Dst";
    if (!tile->mode.as_silicon)
        return undefined(plan, why);
    tf_tile_hazard_at(tile, TF_CORE_T0 + plan->job->thread, tile->tensix->thread[plan->job->thread].gate.pc,
                      tile->cycle, TF_FAULT_UNDEFINED, plan->word, "%s", why);
    return true;
}

/* Modes of the transfer, and their valid combinations. */
static bool read_modes(struct plan *plan)
{
    struct tf_unpack_job *job = plan->job;
    uint32_t shifts = section_word(plan, TF_CFG_THCON_SEC0_REG2_Shift_amount_cntx0 >> 16) >> 16;
    job->discontiguous = SECTION(plan, REG2_Tileize_mode);
    job->upsample = (uint8_t)((1u << SECTION(plan, REG2_Upsample_rate)) - 1);
    job->interleave = SECTION(plan, REG2_Upsample_and_interleave);
    if (job->discontiguous) {
        job->row_stride = (shifts & 0xFFF) << 4;
    } else {
        job->row_stride = job->row_data * job->bits / 8;
        if (job->side == TF_SRC_A)
            job->col_shift = (uint8_t)(shifts >> (job->context & 3) * 4 & 15);
    }
    if ((job->transpose || job->discontiguous) && job->datum_bits % 128 != 0)
        return undefined(plan, "transposing and tilizing need data aligned to 16 bytes");
    if (job->discontiguous && (job->upsample != 0 || job->compressed))
        return undefined(plan, "tilizing cannot be combined with upsampling or compression");
    if (job->to_dst && (job->col_shift != 0 || job->transpose))
        return undefined(plan, "data for Dst can be neither shifted nor transposed");
    return !(job->to_dst && job->absolute) || may_override_rows(plan);
}

bool tf_unpack_plan(struct tf_tile *tile, unsigned thread, uint32_t word, struct tf_unpack_job *job)
{
    const struct tf_backend_config *config = tile->tensix->config;
    struct plan plan = {
        .tile = tile,
        .config = config->bank[tf_config_bank(config, thread)],
        .word = word,
        .contexts = TF_FIELD(word, UNPACR, ovrd_thread_id),
        .row_search = TF_FIELD(word, UNPACR, row_search),
        .job = job,
    };
    memset(job, 0, sizeof *job);
    job->side = (uint8_t)TF_FIELD(word, UNPACR, unpack_block_selection);
    job->thread = (uint8_t)thread;
    job->zero = TF_FIELD(word, UNPACR, zero_write2);
    if (!choose_context(&plan))
        return false;
    read_descriptor(&plan);
    apply_context(&plan);
    read_destination(&plan);
    return read_format(&plan) && input_addresses(&plan) && read_modes(&plan) && output_address(&plan);
}
