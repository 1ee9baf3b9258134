/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matrix unit keeps what it has derived from SrcA, SrcB and the configuration for the next instruction. Two
 * coprocessors execute equal instructions, with changes to all these in between. One of them keeps nothing, and uses
 * any set of kernels.
 */
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/scratch.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/unpack/move.h"
#include "tile/tensix/unpack/rows.h"
#include "unit/tensix/fpu.h"

#define STEPS 60000u
#define L1_USED 0x4000u
#define NO_FORMAT 12u

struct pair {
    struct bare *keeps, *forgets;
};

#define EACH_OF(pair, bare) \
    for (struct bare *bare = (pair)->keeps; bare != NULL; bare = bare == (pair)->keeps ? (pair)->forgets : NULL)

static unsigned any(unsigned count)
{
    return bare_random() % count;
}

/* A fault leaves all state unchanged: of data that are no FP16, or that have no format. */
static void issue(const struct pair *pair, unsigned thread, uint32_t word)
{
    EACH_OF(pair, bare)
    {
        bare->tile.faults.count = 0;
        tf_tensix_dispatch[word >> 24](&bare->tile, thread, word);
        bare->tile.tensix->thread[thread].faulted = false;
    }
    assert_int_equal(pair->keeps->tile.faults.count, pair->forgets->tile.faults.count);
}

static void compute(const struct pair *pair)
{
    const uint32_t row = any(8) << 3, words[] = {
                                          W(MVMUL) | row,
                                          W(MVMUL) | row,
                                          W(MVMUL) | row,
                                          W(MVMUL) | V(MVMUL, instr_mod19, 1) | row,
                                          W(DOTPV) | row,
                                          W(GAPOOL) | row,
                                          W(ELWMUL) | row,
                                          W(ELWADD) | V(ELWADD, instr_mod19, any(4)) | row,
                                          W(ELWSUB) | V(ELWADD, dest_accum_en, 1) | row,
                                          W(GMPOOL) | V(GMPOOL, instr_mod19, 1) | row,
                                      };
    tf_fpu_choose(&pair->forgets->tile, (enum tf_vectors)any(TF_VECTOR_LEVELS));
    tf_fpu_destroy(&pair->forgets->tile);
    issue(pair, any(3), words[any(sizeof words / sizeof words[0])]);
    assert_memory_equal(pair->keeps->tile.tensix->dst, pair->forgets->tile.tensix->dst, sizeof(struct tf_dst));
}

/* Integers in rows of Dst: none, of 22 bits, of 23, of 30, of 31, of 16 and one more. */
static void fill_dst(const struct pair *pair)
{
    uint16_t high[6] = {0, 0xBF00, 0xFF00, 0xFF7F, 0xFFFF};
    struct tf_dst *dst = pair->keeps->tile.tensix->dst;
    for (unsigned row = 0; row < 160; row++) {
        const unsigned size = any(6);
        high[5] = (uint16_t)(1u << any(16));
        for (unsigned column = 0; column < TF_DST_COLUMNS; column++)
            dst->bits[row][column] = (uint16_t)(bare_random() & (row & 8 ? size != 0 ? 0xFFFF : 0 : high[size]));
    }
    dst->undefined[any(3)] = any(4) != 0 ? 0 : 0xFull << 4 * any(16);
    *pair->forgets->tile.tensix->dst = *dst;
}

static void unpack(const struct pair *pair)
{
    const unsigned side = any(2), is_int = any(2), from = any(64) * 64, rows = 1 + any(16), first_row = any(4) * 16;
    const bool transpose = any(3) == 0, shifted = any(3) == 0;
    EACH_OF(pair, bare)
    {
        struct tf_unpack_job job = {
            .side = (uint8_t)side,
            .in_format = is_int ? INT8 : BF16,
            .out_format = is_int ? INT8 : BF16,
            .kind = is_int ? TF_UNPACK_INT8 : TF_UNPACK_BF16,
            .bits = is_int ? 8 : 16,
            .row_data = is_int ? 16 : 32,
            .transpose = transpose,
            .col_shift = shifted,
            .first_row = (uint8_t)first_row,
            .datum_bits = from * 8,
            .limit_bytes = TF_L1_BYTES,
            .row_stride = is_int ? 16 : 64,
            .count = 16 * rows,
            .left = TF_UNPACK_ALL,
            .out = side == TF_SRC_A ? 4 * 16 : 0,
        };
        assert_true(tf_unpack_move(&bare->tile, &job));
    }
}

static void store_gprs(const struct pair *pair)
{
    const uint32_t side = any(2), address = (side == TF_SRC_A ? 16 : 0) + any(64);
    const uint32_t data[2] = {bare_random(), bare_random()};
    EACH_OF(pair, bare)
    tf_src_store(&bare->tile, 0, W(STOREIND) | side << 21, address, data);
}

static void reset(const struct pair *pair)
{
    static const uint8_t bits[] = {10, 15, 16, 19, 20, 21, 22};
    const uint32_t bit = 1u << bits[any(sizeof bits)];
    EACH_OF(pair, bare)
    {
        for (unsigned held = 0; held < 2; held++) {
            bare->tile.mmio.debug.soft_reset = held ? 0 : bit;
            tf_tensix_reset(&bare->tile);
        }
    }
}

static void write_src(const struct pair *pair)
{
    const unsigned thread = any(3), row = any(64), four = any(2) * 2;
    switch (any(20)) {
    case 0:
    case 1:
        issue(pair, thread, W(MOVD2A) | V(MOVD2A, dst, any(64)) | V(MOVD2A, instr_mod, four) | V(MOVD2A, src, row));
        break;
    case 2:
    case 3:
        issue(pair, thread, W(MOVD2B) | V(MOVD2B, dst, any(64)) | V(MOVD2B, instr_mod, four) | V(MOVD2B, src, row));
        break;
    case 4:
    case 5:
        issue(pair, thread, W(MOVB2A) | V(MOVB2A, srcb, any(64)) | V(MOVB2A, instr_mod, four) | V(MOVB2A, srca, row));
        break;
    case 6: issue(pair, thread, W(TRNSPSRCB)); break;
    case 7: issue(pair, thread, W(SHIFTXA) | V(SHIFTXA, shift_mode, 2 + any(2))); break;
    case 8: issue(pair, thread, W(SHIFTXB) | V(SHIFTXB, shift_row, row) | V(SHIFTXB, rot_shift, any(2))); break;
    case 9: issue(pair, thread, W(ZEROSRC) | any(32)); break;
    case 10: /* to zero, or to minus infinity; of one bank or both */
        issue(pair, thread,
              W(UNPACR_NOP) | V(UNPACR_NOP, unpack_pop, 1) | V(UNPACR_NOP, src_clr_val_ctrl, any(2)) |
                  V(UNPACR_NOP, bank_clr_ctrl, any(2)) | V(UNPACR_NOP, unpacker_select, any(2)));
        break;
    case 11: reset(pair); break;
    case 12: store_gprs(pair); break;
    default: unpack(pair); break;
    }
}

/* Choose from few values, so that earlier ones return. */
static void configure(const struct pair *pair)
{
    const unsigned what = any(14), value = any(2), thread = any(3), bank = any(2), formats[] = {BF16, TF32, FP16, BF16};
    const unsigned format = any(16) != 0 ? formats[any(4)] : NO_FORMAT, side = any(2), overridden = any(4) != 0;
    EACH_OF(pair, bare)
    {
        struct tf_tensix *tensix = bare->tile.tensix;
        uint32_t *common = tensix->config->bank[bank];
        uint16_t *own = tensix->config->thread[thread];
#define COMMON(name, to) fpu_set(&common[TF_CFG_##name >> 16], TF_CFG_##name, to)
#define OWN(name, to) own[TF_THREAD_CFG_##name >> 16] = (uint16_t)(to)
        switch (what) {
        case 0: COMMON(ALU_FORMAT_SPEC_REG0_SrcA, format); break;
        case 1: COMMON(ALU_FORMAT_SPEC_REG1_SrcB, format); break;
        case 2:
            COMMON(ALU_FORMAT_SPEC_REG_SrcA_override, overridden);
            COMMON(ALU_FORMAT_SPEC_REG_SrcA_val, format);
            break;
        case 3: OWN(DISABLE_IMPLIED_SRCA_FMT_Base, value); break;
        case 4: OWN(DISABLE_IMPLIED_SRCB_FMT_Base, value); break;
        case 5: COMMON(ALU_ACC_CTRL_INT8_math_enabled, value); break;
        case 6: COMMON(ALU_ACC_CTRL_Fp32_enabled, value); break;
        case 7: COMMON(ALU_ACC_CTRL_Zero_Flag_disabled_src, value); break;
        case 8: COMMON(ALU_ROUNDING_MODE_Fpu_srnd_en, value); break;
        case 9: OWN(FIDELITY_BASE_Phase, value); break;
        case 10: OWN(FP16A_FORCE_Enable, value && format == FP16); break;
        case 11: OWN(CFG_STATE_ID_StateID, value); break;
        case 12: tensix->config->bank[0][TF_CFG_DEST_ACCESS_CFG_remap_addrs >> 16] = format & 3; break;
        default:
            bare->tile.mmio.debug.word[TF_DST_DEBUG_FEATURE_DISABLE / 4] = value ? TF_DST_DEBUG_HIGH_HALVES : 0;
            break;
        }
        tensix->src->format[side][bank] = (uint8_t)format;
    }
}

static void move_on(const struct pair *pair)
{
    const unsigned thread = any(3), how = any(4), sides = any(4);
    if (how == 0) {
        issue(pair, thread, W(SETRWC) | V(SETRWC, clear_ab_vld, sides));
    } else if (how == 1) {
        issue(pair, thread, W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, sides));
    } else if (how == 2) {
        issue(pair, thread, W(SETDVALID) | sides);
    } else {
        const struct tf_rwc rwc = {.srca = (uint8_t)(any(7) * 8),
                                   .srcb = (uint8_t)any(64),
                                   .fidelity = (uint8_t)any(4)};
        EACH_OF(pair, bare)
        bare->tile.tensix->rwc[thread] = rwc;
    }
}

static void set_up(struct pair *pair, void **state)
{
    void *other;
    bare_setup(&other);
    void *both[2] = {*state, other};
    pair->keeps = fpu_fresh(&both[0]);
    pair->forgets = fpu_fresh(&both[1]);
    tf_scratch_reclaim(&pair->forgets->tile);
    for (uint32_t at = 0; at < L1_USED; at += 4) {
        const uint32_t word = bare_random() & (any(2) ? 0xFFFFFFFF : 0x9FFF9FFF);
        EACH_OF(pair, bare)
        set_l1_word(bare, at, word);
    }
    for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++)
        EACH_OF(pair, bare)
    bare->tile.tensix->rwc[thread] = (struct tf_rwc){.srca = (uint8_t)(16 * thread)};
}

static void test_kept(void **state)
{
    struct pair pair;
    bare_seed();
    set_up(&pair, state);
    unsigned sets = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        if (step % 16 == 0)
            fill_dst(&pair);
        const unsigned what = any(16);
        if (what < 9)
            compute(&pair);
        else if (what < 11)
            write_src(&pair);
        else if (what < 13)
            configure(&pair);
        else if (what < 15)
            move_on(&pair);
        else if (step % 32 == 0)
            sets += tf_fpu_choose(&pair.keeps->tile, (enum tf_vectors)any(TF_VECTOR_LEVELS));
    }
    assert_in_range(sets, 1, STEPS);
    EACH_OF(&pair, bare)
    for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++)
        bare->tile.tensix->thread[thread].gate.word = 0;
    assert_true(bare_hash(pair.keeps) == bare_hash(pair.forgets));
    void *other = pair.forgets;
    bare_teardown(&other);
}

static void multiply(struct bare *bare, struct tf_scratch *scratch)
{
    memset(bare->tile.tensix->dst->bits, 0, sizeof bare->tile.tensix->dst->bits);
    tf_scratch_lend(scratch, &bare->tile);
    tf_tensix_dispatch[TF_OP_MVMUL](&bare->tile, 0, W(MVMUL));
    tf_scratch_reclaim(&bare->tile);
    assert_int_equal(bare->tile.faults.count, 0);
}

/* Two tiles of one worker: what was derived from one tile's data is not used for the other tile, after equally many
   writes. */
static void test_borrowed(void **state)
{
    struct pair pair;
    struct tf_dst expected;
    bare_seed();
    set_up(&pair, state);
    EACH_OF(&pair, bare)
    {
        fpu_format(bare, BF16, BF16);
        for (unsigned i = 0; i < 2 * TF_SRC_ROWS; i++) {
            uint32_t *row = fpu_row(bare, i % 2, i / 2);
            for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
                row[column] = fpu_random_src(127, 4, 0xFF);
        }
    }
    multiply(pair.forgets, NULL);
    expected = *pair.forgets->tile.tensix->dst;
    multiply(pair.keeps, pair.keeps->scratch);
    multiply(pair.forgets, pair.keeps->scratch);
    assert_memory_equal(&expected, pair.forgets->tile.tensix->dst, sizeof expected);
    multiply(pair.keeps, NULL);
    assert_memory_not_equal(expected.bits, pair.keeps->tile.tensix->dst->bits, sizeof expected.bits);

    /* A new tile at the address of the last one. */
    expected = *pair.keeps->tile.tensix->dst;
    *pair.forgets->tile.tensix->src_data = *pair.keeps->tile.tensix->src_data;
    tf_scratch_forget(pair.keeps->scratch);
    multiply(pair.forgets, pair.keeps->scratch);
    assert_memory_equal(expected.bits, pair.forgets->tile.tensix->dst->bits, sizeof expected.bits);
    void *other = pair.forgets;
    bare_teardown(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_borrowed, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
