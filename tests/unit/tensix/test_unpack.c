/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACR against the page's functional model, in all its modes; UNPACR_NOP; banks, contexts, faults. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/unpack/datum.h"
#include "tile/tensix/whole/status.h"
#include "unit/tensix/fpu.h"
#include "unit/tensix/reported.h"
#include "unit/tensix/unpack_model.h"
#include "tilefarm_address.h"

#define L1_USED 0x20000u

#define SEC_SET(bare, side, name, value)             \
    do {                                             \
        if (side)                                    \
            CFG_SET(bare, THCON_SEC1_##name, value); \
        else                                         \
            CFG_SET(bare, THCON_SEC0_##name, value); \
    } while (0)

static bool one_in(unsigned n)
{
    return bare_random() % n == 0;
}

/* Ready to unpack: Dst is there, L1 is full of random numbers, all banks are the unpackers'. */
static struct bare *fresh(void **state)
{
    struct bare *bare = fpu_fresh(state);
    memset(bare->tile.tensix->src->to_matrix, 0, sizeof bare->tile.tensix->src->to_matrix);
    memset(bare->tile.tensix->adcs, 0, sizeof *bare->tile.tensix->adcs);
    for (uint32_t at = 0; at < L1_USED; at += 4)
        set_l1_word(bare, at, one_in(6) ? bare_random() & 0x80FF80FF : bare_random());
    return bare;
}

struct setup {
    unsigned side, thread, context, in, out;
    bool multi, to_dst, compressed, tilize, transpose, row_search;
};

static void choose_formats(struct setup *s)
{
    static const uint8_t formats[] = {0x00, 0x01, 0x04, 0x05, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
                                      0xAA, 0xBB, 0xEE, 0xFF, 0x76, 0xF6, 0x32, 0xB2, 0x56, 0xCC, 0x72, 0x36, 0x67};
    enum { RIGHT = 21, ALL = sizeof formats };
    s->to_dst = s->side == 0 && one_in(3);
    unsigned pair;
    do
        pair = formats[bare_random() % (one_in(20) ? ALL : RIGHT)];
    while (!s->to_dst && (pair == 0x00 || pair == 0x44 || pair == 0x88) && !one_in(10));
    s->in = pair >> 4;
    s->out = pair & 15;
}

/* Row start indices that go upwards, where UNPACR will look for them. */
static void write_row_starts(struct bare *bare, uint32_t at)
{
    uint16_t start = 0;
    for (unsigned i = 0; i < 64; i++) {
        memcpy(bare->tile.l1 + at + 2 * i, &start, sizeof start);
        start = (uint16_t)(start + bare_random() % 40);
    }
}

static void configure_tile(struct bare *bare, const struct setup *s)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    uint32_t *config = tensix->config->bank[0], *descriptor = &config[s->side ? 112 : 64];
    static const uint16_t x_dims[] = {16, 32, 64, 256, 50};
    uint32_t x_dim = x_dims[bare_random() % 5], base = 0x100 + bare_random() % 0x100, digest = one_in(3);
    bool whole = s->transpose || s->tilize || one_in(2);
    if (whole && x_dim == 50)
        x_dim = 128;
    descriptor[0] = s->in | (uint32_t)(!s->compressed) << 4 | (uint32_t)one_in(4) << 5 |
                    (one_in(3) ? bare_random() % 8 : 0) << 8 | x_dim << 16;
    descriptor[1] = bare_random() % 6 | bare_random() % 4 << 16;
    descriptor[2] = bare_random() % 3 | (bare_random() & 0xFFFF0000);
    descriptor[3] = digest << 24 | (bare_random() & 0xFFFF);
    for (unsigned i = 0; i < 8; i++) {
        unsigned first = s->side ? 124 : 76;
        if (first + i < 84 || i < 2)
            config[first + i] = base;
    }
    for (unsigned i = 0; i < 4; i++)
        config[(s->side ? 140 : 92) + i] = i | (uint32_t)(s->in | s->out << 4) * 0x01010000u;
    for (unsigned i = 0; i < 2 && s->side == 0; i++)
        config[86 + i] = x_dim * 0x10001;
    if (s->compressed)
        write_row_starts(bare, (base + 1 + digest + (s->context & 3)) * 16);
    struct tf_adc_channel *channel = tensix->adcs->of[s->thread][s->side].channel;
    channel[0].value[0] = one_in(3) ? bare_random() % x_dim & (whole ? ~63u : ~0u) : 0;
    channel[0].value[1] = bare_random() % (whole ? 2 : 6);
    channel[0].value[2] = bare_random() % 3;
    channel[0].value[3] = bare_random() % 2;
    uint32_t count = one_in(2) ? 16 * (1 + bare_random() % (one_in(3) ? 40 : 16)) : bare_random() % 256;
    channel[1].value[0] = s->compressed && one_in(2) ? x_dim - 1 : channel[0].value[0] + count - 1;
    channel[1].value[0] &= 0x3FFFF;
    tensix->adcs->of[(s->thread + 1) % 3][s->side] = tensix->adcs->of[s->thread][s->side];
}

static void configure_modes(struct bare *bare, const struct setup *s)
{
    uint32_t random = bare_random();
    bool unscaled = random & 1;
    SEC_SET(bare, s->side, REG2_Out_data_format, s->out);
    SEC_SET(bare, s->side, REG2_Context_count, random >> 1);
    SEC_SET(bare, s->side, REG2_Haloize_mode, s->transpose);
    SEC_SET(bare, s->side, REG2_Tileize_mode, s->tilize);
    SEC_SET(bare, s->side, REG2_Unpack_Src_Reg_Set_Upd, random >> 3);
    SEC_SET(bare, s->side, REG2_Unpack_If_Sel, s->to_dst);
    SEC_SET(bare, s->side, REG2_Upsample_rate, unscaled || s->tilize ? 0 : random >> 4);
    SEC_SET(bare, s->side, REG2_Upsample_and_interleave, random >> 6);
    SEC_SET(bare, s->side, REG2_Ovrd_data_format, random >> 7);
    for (unsigned i = 0; i < 4; i++)
        bare->tile.tensix->config->bank[0][s->side ? 120 : 72] |= s->tilize
                                                                      ? bare_random() % (i < 2 ? 16 : 1) << (16 + 4 * i)
                                                                  : unscaled || s->to_dst || one_in(2)
                                                                      ? 0
                                                                      : (bare_random() & 15) << (16 + 4 * i);
    bare->tile.tensix->config->bank[0][s->side ? 121 : 73] = (s->compressed ? 0 : 0x000F000F) |
                                                             (s->to_dst ? 0x00F000F0 : 0) | (random >> 8 & 1) << 8;
    bool wraps = one_in(4);
    SEC_SET(bare, s->side, REG2_Unpack_limit_address, wraps ? 0x120 + bare_random() % 0x100 : 0x1FFFF);
    SEC_SET(bare, s->side, REG2_Unpack_fifo_size, wraps ? bare_random() % 0x80 : 0);
    SEC_SET(bare, s->side, REG1_Unp_LF8_4b_exp, random >> 9);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, random >> 10);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG0_SrcBUnsigned, random >> 11);
    CFG_SET(bare, UNP0_FORCED_SHARED_EXP_shared_exp, s->in < 4 ? 6 + bare_random() % 24 : bare_random());
    CFG_SET(bare, UNP1_FORCED_SHARED_EXP_shared_exp, s->in < 4 ? 6 + bare_random() % 24 : bare_random());
    CFG_SET(bare, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, bare_random());
    CFG_SET(bare, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start, bare_random());
}

static void configure_output(struct bare *bare, const struct setup *s)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    struct tf_adc_channel *out = &tensix->adcs->of[s->thread][s->side].channel[1];
    for (unsigned i = 1; i < 4; i++)
        out->value[i] = bare_random() % 3;
    bool rows = one_in(2);
    uint32_t mask = rows ? 0x07C0 : 0x07FC;
    CFG_SET(bare, UNP0_ADDR_BASE_REG_1_Base, bare_random() & mask);
    CFG_SET(bare, UNP1_ADDR_BASE_REG_1_Base, bare_random() & mask);
    tensix->config->bank[0][s->side ? 58 : 56] = (bare_random() & mask) << 16;
    tensix->config->bank[0][s->side ? 59 : 57] = (bare_random() & mask) << 16 | (bare_random() & mask);
    CFG_SET(bare, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, bare_random());
    for (unsigned i = 0; i < 2 && s->side == 0; i++)
        tensix->config->bank[0][84 + i] = bare_random() & (rows ? 0x03F003F0 : 0x03FF03FF);
    uint16_t *config = tensix->config->thread[s->thread];
    config[5] = (uint16_t)((bare_random() & 3) | (uint32_t)(s->to_dst ? one_in(8) : !one_in(3)) << 2);
    config[6] = bare_random() & 3;
    config[41] = (uint16_t)(s->context | s->context << 8);
    if (one_in(3))
        tensix->config->unpack_context[s->thread][s->side] = bare_random() & 1;
    tensix->src_data->unpack_row[s->side][s->thread] = (uint8_t)(bare_random() % 4 * 16);
}

/* A random UNPACR, with all its inputs. */
static uint32_t make(struct bare *bare, struct setup *s)
{
    uint32_t random = bare_random();
    *s = (struct setup){.side = random & 1, .thread = random >> 1 & 1, .multi = (random >> 2 & 3) != 0};
    s->thread += one_in(3);
    s->context = s->multi ? bare_random() % (s->side && !one_in(10) ? 2 : 8) : 0;
    s->compressed = one_in(4);
    s->tilize = one_in(5);
    s->transpose = one_in(5);
    s->row_search = one_in(5);
    choose_formats(s);
    if (s->tilize && !one_in(6))
        s->compressed = false;
    if (s->to_dst && !one_in(6))
        s->transpose = false;
    memset(bare->tile.tensix->config->bank[0], 0, sizeof bare->tile.tensix->config->bank[0]);
    configure_modes(bare, s);
    configure_tile(bare, s);
    configure_output(bare, s);
    return W(UNPACR) | V(UNPACR, last, random >> 4 & 1) | V(UNPACR, row_search, s->row_search) |
           V(UNPACR, auto_inc_context_id, one_in(4) && s->context == 0) | V(UNPACR, zero_write2, one_in(8)) |
           V(UNPACR, set_dat_valid, random >> 5 & 1) | V(UNPACR, ovrd_thread_id, s->multi) |
           V(UNPACR, addr_cnt_context_id, one_in(4) ? bare_random() & 3 : 0) |
           V(UNPACR, addr_mode, random >> 16 & 0xFF) | V(UNPACR, unpack_block_selection, s->side);
}

static void assert_is_model(const struct bare *bare, const struct unpack_model *model)
{
    static struct unpack_model result;
    unpack_model_take(bare, &result);
    assert_memory_equal(result.src, model->src, sizeof result.src);
    assert_memory_equal(result.dst, model->dst, sizeof result.dst);
    assert_memory_equal(&result.adcs, &model->adcs, sizeof result.adcs);
    assert_memory_equal(&result.banks, &model->banks, sizeof result.banks);
    assert_memory_equal(result.unpack_row, model->unpack_row, sizeof result.unpack_row);
    assert_memory_equal(result.context, model->context, sizeof result.context);
}

/* Rows that have changed were reported; a row of 32 bits by its high half. */
static void assert_reported(const struct reported *reported, const struct unpack_model *before,
                            const struct unpack_model *after)
{
    const bool *dst = reported->row[TF_CHECK_DST][TF_CHECK_WRITES];
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        if (memcmp(before->dst[row], after->dst[row], sizeof before->dst[row]) != 0)
            assert_true(dst[row] || (row >= TF_DST_LOW_ROWS && dst[row - TF_DST_LOW_ROWS]));
    for (unsigned side = 0; side < 2; side++)
        for (unsigned row = 0; row < 2 * TF_SRC_ROWS; row++) {
            unsigned bank = row / TF_SRC_ROWS, at = row % TF_SRC_ROWS;
            if (memcmp(before->src[side][bank][at], after->src[side][bank][at], sizeof before->src[0][0][0]) != 0)
                assert_true(reported->row[TF_CHECK_SRCA + side][TF_CHECK_WRITES][row]);
        }
}

/* The instruction that is undefined stops its thread; another one does what the model does. */
static bool check(struct bare *bare, const struct setup *s, uint32_t word)
{
    static struct unpack_model before, model;
    struct tf_tensix *tensix = bare->tile.tensix;
    struct reported reported = reported_none();
    unpack_model_take(bare, &model);
    before = model;
    bool defined = unpack_model_run(bare, s->thread, word, &model);
    unsigned faults = bare->tile.faults.count;
    bare->tile.check = one_in(2) ? &reported.check : NULL;
    tf_tensix_dispatch[TF_OP_UNPACR](&bare->tile, s->thread, word);
    const struct tf_fault *fault = &bare->tile.faults.entry[faults % TF_TILE_FAULTS_MAX];
    if (defined && bare->tile.faults.count != faults)
        fail_msg("0x%08x: %s", word, fault->text);
    assert_int_equal(bare->tile.faults.count, faults + !defined);
    if (defined)
        assert_is_model(bare, &model);
    if (defined && bare->tile.check != NULL)
        assert_reported(&reported, &before, &model);
    bare->tile.check = NULL;
    if (!defined)
        assert_int_equal(fault->category, TF_FAULT_UNDEFINED);
    tensix->thread[s->thread].faulted = false;
    memset(tensix->src->to_matrix, 0, sizeof tensix->src->to_matrix);
    return defined;
}

static void test_model(void **state)
{
    bare_seed();
    struct bare *bare = fresh(state);
    struct tf_unpack *unpack = bare->tile.tensix->unpack;
    unsigned defined = 0, by[6] = {0};
    for (unsigned round = 0; round < 6000; round++) {
        struct setup s;
        uint32_t word = make(bare, &s);
        bool by_datum = one_in(3);
        bare->tile.mode.shared = one_in(4);
        unsigned choice = bare_random() % TF_VECTOR_LEVELS;
        tf_unpack_choose(&bare->tile, (enum tf_vectors)choice);
        if (by_datum)
            unpack->kernels = NULL;
        if (!check(bare, &s, word))
            continue;
        const unsigned features[6] = {s.compressed, s.tilize, s.transpose, s.row_search, s.to_dst, !s.multi};
        defined++;
        for (unsigned i = 0; i < 6; i++)
            by[i] += features[i];
    }
    assert_in_range(defined, 2000, 5500);
    for (unsigned i = 0; i < 6; i++)
        assert_in_range(by[i], 100, defined);
}

/* Kernels give the results of single data: 16 data of a row, each as the seed says. */
static void test_kernels(void **state)
{
    (void)state;
    bare_seed();
    static const uint8_t bits[TF_UNPACK_KINDS] = {32, 32, 32, 16, 16, 16, 8, 4, 2, 8, 4, 2, 8, 8, 8, 8, 8, 32};
    for (unsigned kind = 0; kind < TF_UNPACK_KINDS; kind++)
        for (unsigned round = 0; round < 5000; round++) {
            uint32_t data[2][16], rows[2][16], expected, raw;
            uint8_t exponent[2] = {(uint8_t)round, (uint8_t)(round < 3000 ? round % 32 : bare_random())};
            for (unsigned i = 0; i < 32; i++)
                data[i / 16][i % 16] = bare_random();
            struct tf_unpack_rows from = {.data = (const uint8_t *)data,
                                          .exponent = exponent,
                                          .rows = 2,
                                          .group_rows = 1,
                                          .row_bytes = (uint8_t)(2 * bits[kind]),
                                          .stride_bytes = sizeof data[0]};
            for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
                const struct tf_unpack_kernels *kernels = tf_unpack_kernels((enum tf_vectors)choice);
                if (kernels == NULL)
                    continue;
                bool fits = true, fit = kernels->convert[kind](&from, rows);
                for (unsigned i = 0; i < 32; i++) {
                    unsigned at = i % 16 * bits[kind];
                    raw = data[i / 16][at / 32] >> at % 32 & (0xFFFFFFFFu >> (32 - bits[kind]));
                    fits &= tf_unpack_datum((enum tf_unpack_kind)kind, raw, exponent[i / 16], &expected);
                    assert_int_equal(rows[i / 16][i % 16] & (fit ? 0xFFFFFFFFu : 0), fit ? expected : 0);
                }
                assert_int_equal(fit, fits);
                uint16_t narrow[16];
                kernels->narrow(rows[0], narrow, round & 1);
                for (unsigned i = 0; i < 16; i++)
                    assert_int_equal(narrow[i], tf_unpack_narrow_datum(rows[0][i], round & 1));
            }
        }
}

/* A plain BF16 tile in unpacker 0 and 1, one row of 16 from 0x1010 to row 0. */
static uint32_t whole_tile(struct bare *bare, unsigned side)
{
    uint32_t *descriptor = &bare->tile.tensix->config->bank[0][side ? 112 : 64];
    descriptor[0] = BF16 | 1u << 4 | 16u << 16;
    descriptor[1] = 1;
    SEC_SET(bare, side, REG2_Out_data_format, BF16);
    SEC_SET(bare, side, REG3_Base_address, 0x100);
    if (side == 0)
        CFG_SET(bare, UNP0_ADDR_BASE_REG_1_Base, 4 * 32);
    bare->tile.tensix->adcs->of[0][side].channel[1].value[TF_ADC_X] = 15;
    THREAD_SET(bare, SRCA_SET_SetOvrdWithAddr, 1);
    return W(UNPACR) | V(UNPACR, last, 1) | V(UNPACR, set_dat_valid, 1) | V(UNPACR, unpack_block_selection, side);
}

static void test_banks(void **state)
{
    bare_seed();
    for (unsigned side = 0; side < 2; side++) {
        struct bare *bare = fresh(state);
        struct tf_src_banks *banks = bare->tile.tensix->src;
        uint32_t word = whole_tile(bare, side);
        execute(bare, 0, word);
        execute(bare, 0, word);
        assert_true(banks->to_matrix[side][0] && banks->to_matrix[side][1]);
        assert_int_equal(banks->format[side][0], BF16);
        assert_int_equal(banks->format[side][1], BF16);
        /* Neither of these two waits. After that, the instruction waits. */
        execute(bare, 0, W(UNPACR) | V(UNPACR, search_cache_flush, 1) | V(UNPACR, unpack_block_selection, side));
        execute(bare, 0, W(UNPACR) | V(UNPACR, cfg_context_cnt_inc, 1) | V(UNPACR, unpack_block_selection, side));
        bare_push(bare, 0, word);
        assert_waits(bare, 0, word);
        char text[200];
        assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
        assert_non_null(strstr(text, side ? "bank of SrcB" : "bank of SrcA"));
        execute(bare, 1, W(CLEARDVALID) | 1u << (22 + side));
        assert_passed(bare, 0);
        assert_int_equal(bare->tile.faults.count, 0);
        for (unsigned column = 0; column < 16; column++) {
            uint32_t x = l1_word(bare, 0x1010 + 2 * column) & 0xFFFF;
            assert_int_equal(fpu_bank(bare, side, 0)[0][column], fpu_src(x >> 15, x >> 7 & 0xFF, (x & 0x7F) << 3));
        }
    }
}

static void test_contexts(void **state)
{
    bare_seed();
    struct bare *bare = fresh(state);
    uint8_t(*counter)[2] = bare->tile.tensix->config->unpack_context;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned count = 0; count < 4; count++) {
            uint32_t word = W(UNPACR) | V(UNPACR, cfg_context_cnt_inc, 1) | V(UNPACR, unpack_block_selection, side);
            SEC_SET(bare, side, REG2_Context_count, count);
            execute(bare, 1, W(SETC16) | 41u << 16);
            for (unsigned i = 1; i < 20; i++) {
                execute(bare, 1, word);
                assert_int_equal(counter[1][side], i % (1u << count));
            }
            SEC_SET(bare, side, REG2_Context_count_non_log2_en, 1);
            execute_fault(bare, 1, word, TF_FAULT_UNDEFINED);
            SEC_SET(bare, side, REG2_Context_count_non_log2_en, 0);
        }
}

#define NOP_OF(side) (W(UNPACR_NOP) | V(UNPACR_NOP, unpacker_select, side))
#define CLEAR(side) (NOP_OF(side) | V(UNPACR_NOP, unpack_pop, 1))

static void assert_bank(struct bare *bare, unsigned side, unsigned bank, uint32_t value)
{
    for (unsigned i = 0; i < 64 * 16; i++)
        assert_int_equal(fpu_bank(bare, side, bank)[i / 16][i % 16], value);
}

static void test_clear(void **state)
{
    for (unsigned i = 0; i < 32; i++) {
        unsigned side = i & 1, infinity = i >> 1 & 1, both = i >> 2 & 1, valid = i >> 3 & 1, own = i >> 4;
        struct bare *bare = fpu_fresh(state);
        struct tf_tensix *tensix = bare->tile.tensix;
        memset(tensix->src->to_matrix, 0, sizeof tensix->src->to_matrix);
        tensix->src->unpack_bank[side] = (uint8_t)own;
        for (unsigned j = 0; j < 2 * 2 * 64 * 16; j++)
            tensix->src_data->datum[j / 2048][j / 1024 % 2][j / 16 % 64][j % 16] = 0x1234;
        SEC_SET(bare, side, REG2_Out_data_format, INT8);
        execute(bare, 0,
                CLEAR(side) | V(UNPACR_NOP, src_clr_val_ctrl, infinity) | V(UNPACR_NOP, bank_clr_ctrl, both) |
                    V(UNPACR_NOP, set_dvalid, valid));
        uint32_t value = infinity && side == 0 ? 0x7FFFF : 0;
        assert_bank(bare, side, own, value);
        assert_bank(bare, side, own ^ 1, both ? value : 0x1234);
        assert_bank(bare, side ^ 1, 0, 0x1234);
        assert_int_equal(tensix->src->unpack_bank[side], own ^ valid);
        assert_int_equal(tensix->src->to_matrix[side][own], valid);
        assert_int_equal(tensix->src->format[side][own], valid ? INT8 : 0);
    }
}

static void test_clear_waits(void **state)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned like_unpacr = 0; like_unpacr < 2; like_unpacr++) {
            struct bare *bare = fpu_fresh(state);
            struct tf_src_banks *banks = bare->tile.tensix->src;
            uint32_t word = CLEAR(side) | V(UNPACR_NOP, stall_clr_cntrl, like_unpacr);
            memset(banks->to_matrix, 0, sizeof banks->to_matrix);
            banks->unpack_bank[side] = 1;
            banks->to_matrix[side][like_unpacr] = true;
            bare_push(bare, 0, word);
            assert_waits(bare, 0, word);
            tf_gate_before_change(&bare->tile, TF_CHANGE_ALL);
            banks->to_matrix[side][like_unpacr] = false;
            banks->to_matrix[side][!like_unpacr] = true;
            tf_gate_reconsider(&bare->tile, TF_CHANGE_ALL);
            assert_passed(bare, 0);
        }
}

/* Data valid alone, and what no page defines. */
static void test_nop_rest(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_src_banks *banks = bare->tile.tensix->src;
    execute(bare, 0, NOP_OF(0) | V(UNPACR_NOP, unpack_pop, 2));
    assert_int_equal(banks->unpack_bank[1], 0);
    fpu_bank(bare, 1, 0)[3][3] = 77;
    execute(bare, 0, CLEAR(1) | V(UNPACR_NOP, clr_to1_fmt_ctrl, 3));
    assert_int_equal(banks->unpack_bank[1], 1);
    assert_int_equal(fpu_bank(bare, 1, 0)[3][3], 77);
    memset(banks->to_matrix, 0, sizeof banks->to_matrix);
    execute_fault(bare, 0, CLEAR(0) | V(UNPACR_NOP, src_clr_val_ctrl, 2), TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, CLEAR(0) | V(UNPACR_NOP, src_clr_val_ctrl, 3), TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, NOP_OF(0) | V(UNPACR_NOP, unpack_pop, 3) | V(UNPACR_NOP, src_clr_val_ctrl, 1),
                  TF_FAULT_UNDEFINED);
}

static void test_set_register(void **state)
{
    struct bare *bare = *state;
    /* Base 1: bits 19:18 are 1, bits 11:2 are 0x155. */
    bare->tile.tensix->tdma->unpack_reg_addr = (1u << 22 | 0x155u << 10) << 8;
    uint32_t set = NOP_OF(1) | 1u << 2 | V(UNPACR_NOP, addr_sel, 1) | V(UNPACR_NOP, stream_id, 9);
    uint32_t address = TF_LOCAL_BASE + (1u << 18) + (9u << 12) + (0x155u << 2);
    execute(bare, 0, set | 0x5A5u << 4);
    assert_int_equal(bare->stored_address, address);
    assert_int_equal(bare->stored_value, 0x5A5);
    for (unsigned i = 1; i <= 45; i++) {
        execute(bare, 0, set | 1u << 3 | 0x7FFu << 4);
        assert_int_equal(bare->stored_value, 0x7FF * i & 0x1FFFF);
    }
    /* TDMA-RISC shows the sum. */
    uint32_t sum = 0x7FF * 45 & 0x1FFFF, value;
    bool pure;
    for (unsigned side = 0; side < 2; side++) {
        assert_int_equal(tf_tdma_load(&bare->tile, TF_CORE_B, TF_TDMA_BASE + 0x1C + 0x100 * side, &value, &pure),
                         TF_ACCESS_OK);
        assert_int_equal(value >> 16, side ? sum & 0xFFFF : 0);
        assert_int_equal(tf_tdma_load(&bare->tile, TF_CORE_B, TF_TDMA_BASE + 0x3C + 0x100 * side, &value, &pure),
                         TF_ACCESS_OK);
        assert_int_equal(value >> 31, side ? sum >> 16 : 0);
    }
    unsigned stores = bare->mmio_stores;
    execute(bare, 0, set | 1u << 3);
    assert_int_equal(bare->mmio_stores, stores);
    assert_int_equal(bare->tile.tensix->unpack->set_reg_acc[1], 0);
    /* Below the registers that can be reached. */
    execute_fault(bare, 0, NOP_OF(0) | 1u << 2, TF_FAULT_UNDEFINED);
}

static void test_clear_message(void **state)
{
    struct bare *bare = *state;
    THREAD_SET(bare, NOC_OVERLAY_MSG_CLEAR_StreamId_0, 5);
    THREAD_SET(bare, NOC_OVERLAY_MSG_CLEAR_StreamId_1, 6);
    for (unsigned side = 0; side < 2; side++) {
        execute(bare, 0, NOP_OF(side));
        assert_int_equal(bare->stored_address, TF_STREAM_BASE + (5 + side) * 0x1000 + 266 * 4);
        assert_int_equal(bare->stored_value, 1);
        execute(bare, 0, NOP_OF(side) | 3 | 17u << 16);
        assert_int_equal(bare->stored_address, TF_STREAM_BASE + (5 + side) * 0x1000 + 266 * 4);
        execute(bare, 0, NOP_OF(side) | 3 | 17u << 16 | 1u << 14);
        assert_int_equal(bare->stored_address, TF_STREAM_BASE + 17 * 0x1000 + 266 * 4);
    }
}

static void test_faults(void **state)
{
    struct bare *bare = fpu_fresh(state);
    memset(bare->tile.tensix->src->to_matrix, 0, sizeof bare->tile.tensix->src->to_matrix);
    uint32_t word = whole_tile(bare, 0);
    execute_fault(bare, 0, word | V(UNPACR, srcb_bcast, 1), TF_FAULT_UNDEFINED);
    for (unsigned by_datum = 0; by_datum < 2; by_datum++) {
        if (by_datum)
            bare->tile.tensix->unpack->kernels = NULL;
        SEC_SET(bare, 0, REG3_Base_address, TF_L1_BYTES / 16 - 3);
        execute(bare, 0, word & ~V(UNPACR, set_dat_valid, 1));
        SEC_SET(bare, 0, REG3_Base_address, TF_L1_BYTES / 16 - 2);
        execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
        SEC_SET(bare, 0, REG3_Base_address, 0x0FFFFFFF);
        execute(bare, 0, word & ~V(UNPACR, set_dat_valid, 1)); /* addresses have 32 bits */
    }
    /* No datum at all; one before the first. */
    bare->tile.tensix->adcs->of[0][0].channel[0].value[TF_ADC_X] = 16;
    execute(bare, 0, word & ~V(UNPACR, set_dat_valid, 1));
    bare->tile.tensix->adcs->of[0][0].channel[0].value[TF_ADC_X] = 17;
    execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
}

/* Sources hold no data of 32 bits, but zeros in their place. */
static void test_zeroes_of_32_bits(void **state)
{
    static const unsigned formats[] = {FP32, TF32, INT32};
    static const char *const why[] = {"fp32 cannot become fp32 in SrcA, but tf32, bf16 or fp16: UNPACR",
                                      "tf32 cannot become tf32 in SrcA: UNPACR",
                                      "int32 cannot become int32 in SrcA: UNPACR"};
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct bare *bare = fpu_fresh(state);
        memset(bare->tile.tensix->src->to_matrix, 0, sizeof bare->tile.tensix->src->to_matrix);
        uint32_t word = whole_tile(bare, 0) & ~V(UNPACR, set_dat_valid, 1);
        bare->tile.tensix->config->bank[0][64] = formats[i] | 1u << 4 | 16u << 16;
        SEC_SET(bare, 0, REG2_Out_data_format, formats[i]);
        CFG_SET(bare, UNP0_ADDR_BASE_REG_1_Base, 4 * 64);
        for (unsigned column = 0; column < 16; column++) {
            set_l1_word(bare, 0x1010 + 4 * column, 0x3FC01234);
            fpu_bank(bare, 0, 0)[0][column] = 77;
        }
        execute(bare, 0, word | V(UNPACR, zero_write2, 1));
        for (unsigned column = 0; column < 16; column++)
            assert_int_equal(fpu_bank(bare, 0, 0)[0][column], 0);
        execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
        const char *text = bare->tile.faults.entry[bare->tile.faults.count - 1].text; /* formats have names */
        if (strstr(text, why[i]) == NULL)
            fail_msg("'%s' does not say '%s'", text, why[i]);
    }
}

/* Row 64 of SrcA: on Wormhole data are undefined there, and zeros wrap, as after each 32-bit tile of tt-llk's
   unpack_to_dest_tile_done(). */
static void test_rows_end(void **state)
{
    struct bare *bare = fpu_fresh(state);
    memset(bare->tile.tensix->src->to_matrix, 0, sizeof bare->tile.tensix->src->to_matrix);
    uint32_t word = whole_tile(bare, 0) & ~V(UNPACR, set_dat_valid, 1);
    CFG_SET(bare, UNP0_ADDR_BASE_REG_1_Base, (4 + 64) * 32);
    for (unsigned column = 0; column < 16; column++)
        fpu_bank(bare, 0, 0)[0][column] = 77;
    execute(bare, 0, word | V(UNPACR, zero_write2, 1));
    for (unsigned column = 0; column < 16; column++)
        assert_int_equal(fpu_bank(bare, 0, 0)[0][column], 0);
    execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
}

/* Rows that a fault leaves unchanged are not reported: here FP16 lacks the exponent. */
static void test_reported_of_dst(void **state)
{
    struct bare *bare = fpu_fresh(state);
    memset(bare->tile.tensix->src->to_matrix, 0, sizeof bare->tile.tensix->src->to_matrix);
    uint32_t word = whole_tile(bare, 0) & ~V(UNPACR, set_dat_valid, 1);
    bare->tile.tensix->config->bank[0][64] = BFP8A | 1u << 4 | 16u << 16;
    SEC_SET(bare, 0, REG2_Out_data_format, BFP8A);
    SEC_SET(bare, 0, REG2_Unpack_If_Sel, 1);
    THREAD_SET(bare, SRCA_SET_SetOvrdWithAddr, 0);
    for (unsigned bad = 0; bad < 2; bad++) {
        struct reported reported = reported_none(), expected = reported;
        expected.row[TF_CHECK_DST][TF_CHECK_WRITES][4] = !bad; /* by UNP0_ADDR_BASE_REG_1_Base */
        for (unsigned i = 0; i < 0x100; i += 4)
            set_l1_word(bare, 0x1000 + i, bad ? 0xFFFFFFFF : 0x0F0F0F0F);
        bare->tile.check = &reported.check;
        if (bad)
            execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
        else
            execute(bare, 0, word);
        bare->tile.check = NULL;
        assert_memory_equal(reported.row, expected.row, sizeof expected.row);
    }
}

/* The effect of SetOvrdWithAddr on rows of Dst is undefined, and known. */
static void test_override_of_dst(void **state)
{
    bare_seed();
    struct bare *bare = fresh(state);
    uint32_t word = whole_tile(bare, 0) & ~V(UNPACR, set_dat_valid, 1);
    SEC_SET(bare, 0, REG2_Unpack_If_Sel, 1);
    CFG_SET(bare, UNP0_ADDR_BASE_REG_1_Base, (4 + 0x375) * 32);
    execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
    bare->tile.mode.as_silicon = true;
    unsigned faults = bare->tile.faults.count;
    bare->tile.tensix->thread[0].faulted = false;
    tf_dst_get(&bare->tile)->bits[0x345][0] = 0;
    tf_tensix_dispatch[TF_OP_UNPACR](&bare->tile, 0, word);
    assert_int_equal(bare->tile.faults.count, faults + 1);
    assert_true(bare->tile.faults.entry[faults].hazard);
    assert_int_equal(bare->tile.tensix->dst->bits[0x345][0], tf_dst_shuffle_bf16((uint16_t)l1_word(bare, 0x1010)));
}

/* Data held in reset stay; Dst is not written whilst the matrix unit is held (SoftReset.md). */
static void test_reset(void **state)
{
    bare_seed();
    struct bare *bare = fresh(state);
    uint32_t word = whole_tile(bare, 0);
    bare->tile.tensix->soft_reset = 1u << 20; /* columns 4 to 7 */
    for (unsigned column = 0; column < 16; column++)
        fpu_bank(bare, 0, 0)[0][column] = 0xABCDE & 0x7FFFF;
    execute(bare, 0, word);
    for (unsigned column = 0; column < 16; column++) {
        bool held = column >= 4 && column < 8;
        assert_int_equal(fpu_bank(bare, 0, 0)[0][column] == (0xABCDE & 0x7FFFF), held);
    }
    THREAD_SET(bare, SRCA_SET_SetOvrdWithAddr, 0);
    SEC_SET(bare, 0, REG2_Unpack_If_Sel, 1);
    for (unsigned held = 2; held-- > 0;) {
        bare->tile.tensix->soft_reset = held << 10;
        execute(bare, 0, word & ~V(UNPACR, set_dat_valid, 1));
        uint16_t x = (uint16_t)l1_word(bare, 0x1010);
        assert_int_equal(bare->tile.tensix->dst->bits[0][0], held ? 0 : tf_dst_shuffle_bf16(x));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_model),
        TEST(test_kernels),
        TEST(test_banks),
        TEST(test_contexts),
        TEST(test_clear),
        TEST(test_clear_waits),
        TEST(test_nop_rest),
        TEST(test_set_register),
        TEST(test_clear_message),
        TEST(test_faults),
        TEST(test_reported_of_dst),
        TEST(test_override_of_dst),
        cmocka_unit_test_setup_teardown(test_rows_end, bare_setup_wormhole, bare_teardown),
        TEST(test_reset),
        TEST(test_zeroes_of_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
