/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer norm and RMS norm of a tile's columns, in the four steps of tt-metal's kernels. The steps are means,
 * differences and their squares, 1 / sqrt(mean of squares + epsilon), and products. Each step takes a half of Dst, and
 * passes its results to the next one through L1. The packer treats statistics as tt-llk's
 * _llk_pack_reduce_mask_config_() does for columns: face sets, row sets and edge masks keep row 0 of the upper faces,
 * and zero the rest of the tile. The unpackers bring them back into SrcB, whose first rows are broadcast.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_NORM_KINDS;

enum { STEPS = 4, SQUARES = 64 }; /* rows of Dst: squares; differences or results are from 0 on */

static inline bool is_rms(const struct tf_stream_job *job)
{
    return job->kind->op & TF_NORM_RMS;
}

#if TF_CORE == 2
/* Wait until T2 has packed `packed` steps. Then unpack a tile into SrcA and one into SrcB. */
static void step(uint32_t packed, uint32_t a, uint32_t b)
{
    tf_sem_wait_min(TF_NORM_PACKED, packed);
    tf_unpack_tile(TF_UNPACKER_A, a);
    tf_unpack_tile(TF_UNPACKER_B, b);
}

static void each_tile(const struct tf_stream_job *job)
{
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t i = 0; i < job->count; i++) {
        uint32_t tile = tf_tensor_page(TF_PAGES_A, i, TF_TILE_BYTES(TF_BF16));
        uint32_t ones = tf_tensor_page(TF_PAGES_B, i, TF_TILE_BYTES(TF_BF16));
        tf_cb_wait_front(TF_PAGES_A, 1);
        tf_cb_wait_front(TF_PAGES_B, 1);
        step(STEPS * i, tile, ones);
        step(STEPS * i + 1, tile, TF_NORM_PAGE(TF_NORM_STATISTICS));
        step(STEPS * i + 2, TF_NORM_PAGE(TF_NORM_SQUARES), ones);
        step(STEPS * i + 3, TF_NORM_PAGE(TF_NORM_DIFFERENCES), TF_NORM_PAGE(TF_NORM_STATISTICS));
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_A, 1);
        tf_cb_pop_front(TF_PAGES_B, 1);
    }
}
#elif TF_CORE == 3
#include "tilefarm_sfpu.h"

#define VECTOR_AFTER_MATRIX TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX))
#define CLEAR_COUNTERS TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF))
#define NEXT_OPERANDS TF_TT(SETRWC(3, 0, 0, 0, 0, 0xF))

/* Add faces 0 and 2 to Dst's first face, 1 and 3 to its second one. end: modifier of the last instruction. */
#define SUMS(end)                        \
    do {                                 \
        TF_TT(GAPOOL(0, 1, 1, 0, 0));    \
        TF_TT(GAPOOL(0, 1, 2, 0, 0));    \
        TF_TT(GAPOOL(0, 1, 1, 0, 16));   \
        TF_TT(GAPOOL(0, 1, end, 0, 16)); \
    } while (0)

/* Combine SrcA's 64 rows with two rows of SrcB: left faces with row 0 of face 0, right faces with row 0 of face 1. */
#define WITH_ROWS(op, end)          \
    do {                            \
        TF_UPPER_MODIFIERS;         \
        TF_TT(op(0, 0, 2, 4, 0));   \
        TF_TT(op(0, 0, 2, 5, 0));   \
        TF_TT(op(0, 0, 2, 4, 0));   \
        TF_TT(op(0, 0, 2, 6, 0));   \
        TF_TT(op(0, 0, 2, 4, 0));   \
        TF_TT(op(0, 0, 2, 5, 0));   \
        TF_TT(op(0, 0, 2, 4, 0));   \
        TF_LOWER_MODIFIERS;         \
        TF_TT(op(0, 0, 2, end, 0)); \
    } while (0)

/* Round an LReg to bf16, and store it in Dst. */
#define STORE(lreg, modifier, row)                              \
    do {                                                        \
        TF_SFP_WAIT;                                            \
        TF_TT(SFP_STOCH_RND(0, 0, 0, lreg, 3, TF_SFP_TO_BF16)); \
        TF_TT(SFPSTORE(3, TF_SFP_BF16, modifier, row));         \
    } while (0)

/* Load constants into LRegs 4 to 7 and 12. */
static void constants(void)
{
    TF_SFP_CONFIGURE(12, 0x3D000000u);   /* 1 / 32 */
    TF_SFP_CONSTANT(4, 0xBF000000u);     /* -0.5 */
    TF_SFP_CONSTANT(5, 0x3FC00000u);     /* 1.5 */
    TF_SFP_CONSTANT(6, TF_NORM_EPSILON); /* 2^-16 */
    TF_SFP_CONSTANT(7, 0x5F3759DFu);     /* a guess at 1 / sqrt(x): this minus half of the bits of x */
}

#define MEAN_AT(row)                            \
    do {                                        \
        TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, row)); \
        TF_TT(SFPMUL(0, 12, 9, 0, 0));          \
        STORE(0, 0, row);                       \
    } while (0)

/* y * (1.5 - x / 2 * y * y), where LReg 1 is y and LReg 2 is -x / 2 */
#define NEWTON                        \
    do {                              \
        TF_TT(SFPMUL(1, 1, 9, 3, 0)); \
        TF_SFP_WAIT;                  \
        TF_TT(SFPMAD(3, 2, 5, 3, 0)); \
        TF_SFP_WAIT;                  \
        TF_TT(SFPMUL(1, 3, 9, 1, 0)); \
        TF_SFP_WAIT;                  \
    } while (0)

#define RECIPROCAL_ROOT_AT(row)                 \
    do {                                        \
        TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, row)); \
        TF_TT(SFPMAD(0, 12, 6, 0, 0));          \
        TF_SFP_WAIT;                            \
        TF_TT(SFPMUL(0, 4, 9, 2, 0));           \
        TF_TT(SFPMOV(0, 1, 0));                 \
        TF_TT(SFPSHFT(0xFFF, 0, 1, 1));         \
        TF_TT(SFPIADD(0, 7, 1, 6));             \
        NEWTON;                                 \
        NEWTON;                                 \
        NEWTON;                                 \
        STORE(1, 0, row);                       \
    } while (0)

#define AT_SUMS(what) \
    do {              \
        what(0);      \
        what(2);      \
        what(16);     \
        what(18);     \
    } while (0)

enum { SQUARE_STEP = 4 + TF_SFP_WAITS(1) + TF_MODIFIER_SWITCHES };

static void prepare(void)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 1,
        .inner = 32,
        .start = TT_NOP,
        .loop_0 = TT_REPLAY(0, SQUARE_STEP),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_REPLAY(0, SQUARE_STEP),
        .loop_1_last = TT_NOP,
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(32), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(2, TF_INCREMENT(48), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(3, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_INCREMENT(1));
    TF_ADDR_MOD(4, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(5, TF_INCREMENT(8), TF_INCREMENT(16), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(6, TF_INCREMENT(8), TF_INCREMENT(48), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(7, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(2), TF_INCREMENT(0));
    tf_math_begin();
    TF_TT(SFPENCC(3, 0, 10));
    constants();
    TF_TTINSN(TT_RECORD(0, SQUARE_STEP));
    TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, 0));
    TF_TT(SFPMUL(0, 0, 9, 0, 0));
    TF_SFP_WAIT;
    TF_TT(SFP_STOCH_RND(0, 0, 0, 0, 3, TF_SFP_TO_BF16));
    TF_UPPER_MODIFIERS;
    TF_TT(SFPSTORE(3, TF_SFP_BF16, 7, SQUARES));
    TF_LOWER_MODIFIERS;
    tf_tt_mop_loop(&mop);
}

static uint32_t halves; /* of Dst, so far */

static void begin(void)
{
    tf_math_take(halves & 1);
    tf_math_zero(halves & 1, false);
    CLEAR_COUNTERS;
}

static void end(void)
{
    NEXT_OPERANDS;
    tf_math_give();
    halves++;
}

/* Two fidelity phases are enough, because ones have no low bits. The masks must remove row 32. */
static void sums(void)
{
    TF_TT(GAPOOL(0, 1, 0, 0, 32));
    SUMS(3);
    SUMS(0);
    VECTOR_AFTER_MATRIX;
}

static void each_tile(const struct tf_stream_job *job)
{
    prepare();
    for (uint32_t i = 0; i < job->count; i++) {
        begin();
        sums();
        CLEAR_COUNTERS;
        if (is_rms(job)) /* its means are zero */
            tf_math_zero(halves & 1, false);
        else
            AT_SUMS(MEAN_AT);
        end();
        begin();
        WITH_ROWS(ELWSUB, 0);
        CLEAR_COUNTERS;
        VECTOR_AFTER_MATRIX;
        TF_TTINSN(TT_MOP_LOOP);
        end();
        begin();
        sums();
        CLEAR_COUNTERS;
        AT_SUMS(RECIPROCAL_ROOT_AT);
        end();
        begin();
        for (uint32_t phase = 1; phase < job->kind->phases; phase++)
            WITH_ROWS(ELWMUL, 3);
        WITH_ROWS(ELWMUL, 0);
        end();
    }
}
#elif TF_CORE == 4
/* Let the packer keep the statistics and zero the rest, or keep all numbers. */
static void keep(bool statistics)
{
    /* Each of four packers counts its own faces, so the packers of the lower faces select another face set. */
    uint32_t select = TF_FIELD(PCK_EDGE_TILE_FACE_SET_SELECT_enable, statistics) |
                      TF_FIELD(PCK_EDGE_TILE_FACE_SET_SELECT_select, TF_K_PACKERS == 4 ? 0x50 : 0);
    tf_tensor_write_config(TT_CFG_PCK_EDGE_OFFSET_SEC0_mask_WORD, statistics ? 0 : 0xFFFF, TF_TT_PACKER);
    tf_tensor_write_config(TT_CFG_PCK_EDGE_OFFSET_SEC1_mask_WORD, 0xFFFF, TF_TT_PACKER);
    tf_tensor_write_config(TT_CFG_TILE_ROW_SET_MAPPING_1_row_set_mapping_0_WORD, statistics, TF_TT_PACKER);
    tf_tensor_write_config(TT_CFG_TILE_FACE_SET_MAPPING_0_face_set_mapping_0_WORD, statistics ? 0x05050505 : 0,
                           TF_TT_PACKER);
    tf_tensor_write_config(TT_CFG_PCK_EDGE_TILE_FACE_SET_SELECT_enable_WORD, select, TF_TT_PACKER);
}

static uint32_t halves; /* of Dst, so far */

static void pack(uint32_t row, enum tf_norm_page page)
{
    tf_pack_tile((halves & 1) * TF_DST_HALF + row, TF_NORM_PAGE(page));
}

static void end(void)
{
    tf_pack_give();
    halves++;
    tf_sem_set(TF_NORM_PACKED, halves);
}

static void pack_statistics(bool masked)
{
    tf_pack_take();
    if (masked)
        keep(true);
    pack(0, TF_NORM_STATISTICS);
    if (masked)
        keep(false);
    end();
}

static void each_tile(const struct tf_stream_job *job)
{
    bool masked = !(job->kind->op & TF_NORM_ALL);
    tf_pack_begin();
    for (uint32_t i = 0; i < job->count; i++) {
        pack_statistics(masked);
        tf_pack_take();
        pack(0, TF_NORM_DIFFERENCES);
        pack(SQUARES, TF_NORM_SQUARES);
        end();
        pack_statistics(masked);
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        tf_pack_tile((halves & 1) * TF_DST_HALF, tf_tensor_page(TF_PAGES_OUT, i, TF_TILE_BYTES(TF_BF16)));
        end();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
}
#else
#define each_tile tf_stream_role
#endif

int main(void)
{
    struct tf_stream_job job = tf_stream_job(kinds, 2);
    job.shared_b = true;
    return tf_stream_run(&job, each_tile);
}
