/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums and maxima of a tile's columns, and sums of its rows. Pooling with ones in SrcB reduces columns. A product with
 * ones in SrcA gives the sums of rows. Sums over the chip add up in Dst, and go to the first tile of the column.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_REDUCE_KINDS;

/* Returns the number of tiles that send their sums to this one. */
static inline uint32_t senders(const struct tf_stream_job *job)
{
    return job->me < TF_K_ROW ? TF_K_ROWS - 1 : 0;
}

#if TF_CORE == 0
#define each_tile tf_stream_read
#define over_chip tf_stream_read
#elif TF_CORE == 1
#define each_tile tf_stream_write

/* Write the sums to DRAM, or to the first tile of the column. */
static void over_chip(const struct tf_stream_job *job)
{
    uint32_t bytes = TF_TILE_BYTES(job->kind->out), page = tf_tensor_page(TF_PAGES_OUT, 0, bytes);
    uint32_t first = tf_tile_xy(TF_NOC, job->me % TF_K_ROW);
    if (senders(job) != 0) {
        tf_tensor_drain(TF_PAGES_OUT, 0, job->me, bytes);
        return;
    }
    tf_cb_wait_front(TF_PAGES_OUT, 1);
    tf_noc_write(TF_NOC, first, TF_REDUCE_INBOX(job->me / TF_K_ROW), page, bytes);
    tf_noc_wait(TF_NOC);
    tf_sem_inc_remote(TF_NOC, first, TF_REDUCE_ARRIVED, 1);
    tf_noc_wait(TF_NOC);
    tf_cb_pop_front(TF_PAGES_OUT, 1);
}
#elif TF_CORE == 2
#define each_tile tf_stream_unpack

/* Unpack the tile's own tiles of A, then the received sums, with the last page of B. */
static void over_chip(const struct tf_stream_job *job)
{
    uint32_t ones = tf_tensor_page(TF_PAGES_B, job->count - 1, tf_stream_bytes(job));
    tf_stream_unpack(job);
    if (senders(job) == 0)
        return;
    tf_sem_wait_min(TF_REDUCE_ARRIVED, senders(job));
    for (uint32_t row = 1; row < TF_K_ROWS; row++) {
        tf_unpack_tile(TF_UNPACKER_A, TF_REDUCE_INBOX(row));
        tf_unpack_tile(TF_UNPACKER_B, ones);
    }
}
#elif TF_CORE == 3
/* Pool faces 0 and 2 of SrcA into Dst's first face, then faces 1 and 3 into its second one. */
#define POOL(op)                           \
    do {                                   \
        TF_TTINSN(TT_RECORD(0, 3));        \
        TF_TT(op(0, 1, 0, 0, 0));          \
        TF_TT(op(0, 1, 1, 0, 0));          \
        TF_TT(op(0, 1, 0, 0, 16));         \
        next = TT_OP_##op(0, 1, 4, 0, 16); \
        last = TT_OP_##op(3, 1, 5, 0, 16); \
        length = 3;                        \
    } while (0)

static uint32_t next, last, length;

/* The modifier that moves SrcB from row 40 to 16. With four modifiers it is one that otherwise only pooling uses. */
#if TF_K_ADDR_MODS == 8
#define FROM_40 6
#else
#define FROM_40 0
#endif

static void record(unsigned op)
{
    if (op == TF_REDUCE_COLUMN_SUM || op == TF_REDUCE_CHIP_SUM) {
        POOL(GAPOOL);
    } else if (op == TF_REDUCE_COLUMN_MAX) {
        POOL(GMPOOL);
    } else { /* rows of SrcB: 0 8 32 40, then 16 24 48 56; SrcA: the first face for all */
        TF_TTINSN(TT_RECORD(0, 7));
        TF_TT(MVMUL(0, 0, 2, 0));
        TF_TT(MVMUL(0, 0, 3, 8));
        TF_TT(MVMUL(0, 0, 2, 32));
        TF_TT(MVMUL(0, 0, FROM_40, 40));
        TF_TT(MVMUL(0, 0, 2, 0));
        TF_TT(MVMUL(0, 0, 3, 8));
        TF_TT(MVMUL(0, 0, 2, 32));
        next = TT_OP_MVMUL(0, 0, 4, 40);
        last = TT_OP_MVMUL(3, 0, 5, 40);
        length = 7;
    }
}

static void prepare(unsigned op)
{
    TF_ADDR_MOD(0, TF_INCREMENT(32), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(48), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0)); /* from 32 to 16 */
    TF_ADDR_MOD(2, TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(3, TF_INCREMENT(0), TF_INCREMENT(24), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(4, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_INCREMENT(1));
    TF_ADDR_MOD(5, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0), TF_CLEAR);
    if (FROM_40 == 6 || op == TF_REDUCE_ROW_SUM)
        TF_ADDR_MOD(FROM_40, TF_INCREMENT(0), TF_INCREMENT(40), TF_INCREMENT(0), TF_INCREMENT(0));
    tf_math_begin();
    record(op);
}

static void reduce_tile(uint32_t phases)
{
    for (uint32_t phase = 1; phase <= phases; phase++) {
        tf_tt_push(TT_REPLAY(0, length));
        TF_UPPER_MODIFIERS;
        tf_tt_push(phase < phases ? next : last);
        TF_LOWER_MODIFIERS;
    }
}

static void each_tile(const struct tf_stream_job *job)
{
    prepare(job->kind->op);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, job->kind->wide);
        reduce_tile(job->kind->phases);
        tf_math_give();
    }
}

/* Add up own and received sums in the same rows of Dst. */
static void over_chip(const struct tf_stream_job *job)
{
    prepare(job->kind->op);
    tf_math_take(0);
    tf_math_zero(0, job->kind->wide);
    for (uint32_t i = 0; i < job->count + senders(job); i++)
        reduce_tile(job->kind->phases);
    tf_math_give();
}
#else
#define each_tile tf_stream_pack

static void over_chip(const struct tf_stream_job *job)
{
    struct tf_stream_job single = *job;
    single.count = 1;
    tf_stream_pack(&single);
}
#endif

int main(void)
{
    const struct tf_tensor_kind *kind = &kinds[TF_PARAMS->variant];
    const struct tf_stream_job job = {
        .kind = kind,
        .operands = 2,
        .me = tf_my_tile(),
        .count = TF_PARAMS->scale,
        .shared_b = true,
        .swapped = kind->op == TF_REDUCE_ROW_SUM,
    };
    return tf_stream_run(&job, kind->op == TF_REDUCE_CHIP_SUM ? over_chip : each_tile);
}
