/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums and maxima of a tile's columns, and sums of its rows: pooling with ones in SrcB, or a product with ones in SrcA,
 * of which each column is the sum of a row.
 */
#include "tilefarm_compute.h"

static const struct tf_tensor_kind kinds[] = TF_REDUCE_KINDS;

#if TF_CORE == 0
static void work(const struct tf_stream_job *job)
{
    tf_tensor_begin(job->kind, false);
    tf_stream_read(job);
}
#elif TF_CORE == 1
#define work tf_stream_write
#elif TF_CORE == 2
#define work tf_stream_unpack
#elif TF_CORE == 3
/* Faces 0 and 2 of SrcA into Dst's first face, then 1 and 3 into its second one. */
#define POOL(op)                                                               \
    do {                                                                       \
        TF_TTINSN(TT_RECORD(0, 3));                                            \
        TF_TT(op(0, 1, 0, 0, 0));                                              \
        TF_TT(op(0, 1, 1, 0, 0));                                              \
        TF_TT(op(0, 1, 0, 0, 16));                                             \
        next = TT_OP_##op(0, 1, 4, 0, 16);                                     \
        last = TT_OP_##op(3, 1, 5, 0, 16);                                     \
        length = 3;                                                            \
    } while (0)

static uint32_t next, last, length;

static void record(unsigned op)
{
    if (op == TF_REDUCE_COLUMN_SUM) {
        POOL(GAPOOL);
    } else if (op == TF_REDUCE_COLUMN_MAX) {
        POOL(GMPOOL);
    } else { /* SrcB's rows 0 8 32 40, then 16 24 48 56; SrcA's first face does for all */
        TF_TTINSN(TT_RECORD(0, 7));
        TF_TT(MVMUL(0, 0, 2, 0));
        TF_TT(MVMUL(0, 0, 3, 8));
        TF_TT(MVMUL(0, 0, 2, 32));
        TF_TT(MVMUL(0, 0, 6, 40));
        TF_TT(MVMUL(0, 0, 2, 0));
        TF_TT(MVMUL(0, 0, 3, 8));
        TF_TT(MVMUL(0, 0, 2, 32));
        next = TT_OP_MVMUL(0, 0, 4, 40);
        last = TT_OP_MVMUL(3, 0, 5, 40);
        length = 7;
    }
}

static void work(const struct tf_stream_job *job)
{
    TF_ADDR_MOD(0, TF_INCREMENT(32), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(48), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0)); /* from 32 to 16 */
    TF_ADDR_MOD(2, TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(3, TF_INCREMENT(0), TF_INCREMENT(24), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(4, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_INCREMENT(1));
    TF_ADDR_MOD(5, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_CLEAR);
    TF_ADDR_MOD(6, TF_INCREMENT(0), TF_INCREMENT(40), TF_INCREMENT(0), TF_INCREMENT(0)); /* from 40 to 16 */
    tf_math_begin();
    record(job->kind->op);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, job->kind->wide);
        for (uint32_t phase = 1; phase <= job->kind->phases; phase++) {
            tf_tt_push(TT_REPLAY(0, length));
            tf_tt_push(phase < job->kind->phases ? next : last);
        }
        tf_math_give();
    }
}
#else
#define work tf_stream_pack
#endif

int main(void)
{
    const struct tf_tensor_kind *kind = &kinds[TF_PARAMS->variant];
    const struct tf_stream_job job = {
        .kind = kind, .operands = 2, .me = tf_my_tile(), .count = TF_PARAMS->scale, .shared_b = true,
        .swapped = kind->op == TF_REDUCE_ROW_SUM,
    };
    if (TF_CORE != 0)
        tf_tensor_wait_begin();
    work(&job);
#if TF_CORE >= 2
    tf_tt_wait_idle();
#endif
    return 0;
}
