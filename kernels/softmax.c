/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax of a tile's columns, in one half of Dst: maxima by pooling, differences with the maxima as a broadcast row,
 * exponentials on the vector unit, sums by pooling with ones, their reciprocals on the vector unit, and products with
 * these as a broadcast row.
 */
#include "tilefarm_compute.h"

static const struct tf_tensor_kind kinds[] = TF_SOFTMAX_KINDS;

/* Rows of Dst: the tile in rows 0 to 63, and these. Rows of SrcB: ones from 0 on, then two broadcast rows. */
enum { MAXIMA = 64, SUMS = 96, RESULT = 128, BROADCAST = 16 };

#if TF_CORE == 3
#include "tilefarm_sfpu.h"

#define CLEAR_COUNTERS TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF))
#define MATRIX_AFTER_VECTOR TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_VECTOR))
#define VECTOR_AFTER_MATRIX TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX))
#define TO_BROADCAST                 \
    do {                             \
        TF_TT(INCRWC(0, 0, 8, 0));   \
        TF_TT(INCRWC(0, 0, 8, 0));   \
    } while (0)

/* Faces 0 and 2 into one row of Dst, 1 and 3 into the next one's face; `end` is the last instruction's modifier. */
#define POOL(op, row, end)                      \
    do {                                        \
        TF_TT(op(0, 1, 1, 0, row));             \
        TF_TT(op(0, 1, 2, 0, row));             \
        TF_TT(op(0, 1, 1, 0, (row) + 16));      \
        TF_TT(op(0, 1, end, 0, (row) + 16));    \
    } while (0)

/* SrcA's 64 rows with SrcB's broadcast rows: faces on the left take the first one, those on the right the second. */
#define WITH_ROWS(op, row, end)                 \
    do {                                        \
        TF_TT(op(0, 0, 2, 4, row));             \
        TF_TT(op(0, 0, 2, 5, row));             \
        TF_TT(op(0, 0, 2, 4, row));             \
        TF_TT(op(0, 0, 2, 6, row));             \
        TF_TT(op(0, 0, 2, 4, row));             \
        TF_TT(op(0, 0, 2, 5, row));             \
        TF_TT(op(0, 0, 2, 4, row));             \
        TF_TT(op(0, 0, 2, end, row));           \
    } while (0)

#define RECIPROCAL_AT(row)                                      \
    do {                                                        \
        TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, row));                 \
        TF_SFP_RECIPROCAL(0);                                   \
        TF_TT(SFP_STOCH_RND(0, 0, 0, 1, 1, TF_SFP_TO_BF16));    \
        TF_TT(SFPSTORE(1, TF_SFP_BF16, 0, row));                \
    } while (0)

static void prepare(void)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 1, .inner = 16, .start = TT_NOP, .loop_0 = TT_REPLAY(0, 4 + TF_SFP_EXP_COUNT), .loop_1 = TT_NOP,
        .loop_0_last = TT_REPLAY(0, 4 + TF_SFP_EXP_COUNT), .loop_1_last = TT_NOP, .end_0 = TT_NOP, .end_1 = TT_NOP,
    };
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(32), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(2, TF_INCREMENT(48), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(3, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_INCREMENT(1));
    TF_ADDR_MOD(4, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(5, TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(6, TF_INCREMENT(8), TF_INCREMENT(56), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(7, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(2), TF_INCREMENT(0));
    tf_math_begin();
    TF_TT(SFPENCC(3, 0, 10));
    TF_SFP_EXP_CONSTANTS;
    TF_SFP_CONSTANT(4, TF_SFP_LOG2E);
    TF_TTINSN(TT_RECORD(0, 4 + TF_SFP_EXP_COUNT));
    TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, 0));
    TF_TT(SFPMUL(0, 4, 9, 1, 0));
    TF_SFP_EXP;
    TF_TT(SFP_STOCH_RND(0, 0, 0, 3, 3, TF_SFP_TO_BF16));
    TF_TT(SFPSTORE(3, TF_SFP_BF16, 7, 0));
    tf_tt_mop_loop(&mop);
}

/* exp(x - maximum) into rows 0 to 63 of Dst. */
static void exponentials(void)
{
    POOL(GMPOOL, MAXIMA, 0);
    CLEAR_COUNTERS;
    TF_TT(MOVD2B(0, BROADCAST, 0, 2, MAXIMA));
    TF_TT(MOVD2B(0, BROADCAST + 8, 0, 2, MAXIMA + 16));
    TO_BROADCAST;
    WITH_ROWS(ELWSUB, 0, 0);
    CLEAR_COUNTERS;
    VECTOR_AFTER_MATRIX;
    TF_TTINSN(TT_MOP_LOOP);
    TF_TTINSN(TT_MOP_LOOP);
    CLEAR_COUNTERS;
    MATRIX_AFTER_VECTOR;
}

#define FOUR_ROWS(row) TF_TT(MOVD2A(0, row, 0, 2, row));
#define FOR_ROWS(op, from) op(from) op((from) + 4) op((from) + 8) op((from) + 12)

/* 1 / sum, as broadcast rows, and the exponentials in SrcA. Ones have no low bits: two phases do. */
static void reciprocals(void)
{
    FOR_ROWS(FOUR_ROWS, 0) FOR_ROWS(FOUR_ROWS, 16) FOR_ROWS(FOUR_ROWS, 32) FOR_ROWS(FOUR_ROWS, 48)
    POOL(GAPOOL, SUMS, 3);
    POOL(GAPOOL, SUMS, 0);
    CLEAR_COUNTERS;
    VECTOR_AFTER_MATRIX;
    RECIPROCAL_AT(SUMS);
    RECIPROCAL_AT(SUMS + 2);
    RECIPROCAL_AT(SUMS + 16);
    RECIPROCAL_AT(SUMS + 18);
    MATRIX_AFTER_VECTOR;
    TF_TT(MOVD2B(0, BROADCAST, 0, 2, SUMS));
    TF_TT(MOVD2B(0, BROADCAST + 8, 0, 2, SUMS + 16));
}

static void products(uint32_t phases)
{
    for (uint32_t phase = 1; phase < phases; phase++) {
        TO_BROADCAST;
        WITH_ROWS(ELWMUL, RESULT, 3);
    }
    TO_BROADCAST;
    WITH_ROWS(ELWMUL, RESULT, 0);
    TF_TT(SETRWC(3, 0, 0, 0, 0, 0xF));
}

static void work(const struct tf_stream_job *job)
{
    prepare();
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, false);
        exponentials();
        reciprocals();
        products(job->kind->phases);
        tf_math_give();
    }
}
#else
#define work tf_stream_role
#endif

int main(void)
{
    const struct tf_stream_job job = {
        .kind = &kinds[TF_PARAMS->variant], .operands = 2, .me = tf_my_tile(), .count = TF_PARAMS->scale,
        .shared_b = true, .row = RESULT,
    };
    return tf_stream_run(&job, work);
}
