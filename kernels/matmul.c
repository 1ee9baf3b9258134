/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A product of matrices over all tiles. Core B moves tiles of matrix A, and NC moves tiles of matrix B. The first tile
 * of a row (a column) reads a page of two tiles from DRAM. It multicasts the page when all others have room for it. T0
 * unpacks A to SrcB and B to SrcA, T1 adds up products in Dst, T2 packs the block, NC writes it to DRAM.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_compute.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_MATMUL_KINDS;

struct job {
    const struct tf_tensor_kind *kind;
    uint32_t row, column, steps, in_bytes, out_bytes;
};

#if TF_CORE < 2
/* The pages that a data mover sends or receives in each step. */
struct flow {
    unsigned operand; /* and number of its circular buffer */
    uint32_t sender;  /* a tile */
    uint32_t rectangle, receivers;
    uint32_t first, stride, step; /* indices of tiles in DRAM: in a page by stride, between pages by step */
};

static void send(const struct flow *flow, uint32_t count, uint32_t page, uint32_t bytes)
{
    for (uint32_t i = 0; i < TF_MATMUL_BLOCK; i++)
        tf_tensor_fetch(flow->operand, flow->first + count * flow->step + i * flow->stride, bytes, page + i * bytes);
    tf_sem_wait_min(TF_MATMUL_TAKEN(flow->operand), flow->receivers * (count + 1));
    tf_noc_wait(TF_NOC);
    tf_noc_multicast(TF_NOC, flow->rectangle, page, page, TF_MATMUL_BLOCK * bytes, false);
    tf_sem_set_multicast(TF_NOC, flow->rectangle, TF_MATMUL_SENT(flow->operand), count + 1, false);
}

static void move(const struct job *job, const struct flow *flow, uint32_t me)
{
    for (uint32_t count = 0; count < job->steps; count++) {
        tf_cb_reserve_back(flow->operand, 1, TF_TENSOR_PAGES);
        if (me == flow->sender) {
            send(flow, count, tf_tensor_page(flow->operand, count, TF_MATMUL_BLOCK * job->in_bytes), job->in_bytes);
        } else {
            tf_sem_inc_remote(TF_NOC, tf_tile_xy(TF_NOC, flow->sender), TF_MATMUL_TAKEN(flow->operand), 1);
            tf_sem_wait_min(TF_MATMUL_SENT(flow->operand), count + 1);
        }
        tf_cb_push_back(flow->operand, 1);
    }
}
#endif

#if TF_CORE == 0
static void work(const struct job *job)
{
    uint32_t y = TF_K_Y(job->row * TF_K_ROW);
    const struct flow flow = {
        .operand = TF_TENSOR_A,
        .sender = job->row * TF_K_ROW,
        .rectangle = tf_rectangle(TF_NOC, TF_K_X(0), y, TF_K_X(TF_K_ROW - 1), y),
        .receivers = TF_K_ROW - 1,
        .first = job->row * TF_MATMUL_BLOCK * job->steps,
        .stride = job->steps,
        .step = 1,
    };
    tf_tensor_begin(job->kind, false);
    move(job, &flow, job->row * TF_K_ROW + job->column);
}
#elif TF_CORE == 1
static void work(const struct job *job)
{
    uint32_t x = TF_K_X(job->column);
    const struct flow flow = {
        .operand = TF_TENSOR_B,
        .sender = job->column,
        .rectangle = tf_rectangle(TF_NOC, x, TF_K_Y(0), x, TF_K_Y(TF_K_TILES - 1)),
        .receivers = TF_K_ROWS - 1,
        .first = job->column * TF_MATMUL_BLOCK,
        .stride = 1,
        .step = TF_MATMUL_N,
    };
    move(job, &flow, job->row * TF_K_ROW + job->column);
    for (uint32_t i = 0; i < TF_MATMUL_BLOCK * TF_MATMUL_BLOCK; i++)
        tf_tensor_drain(TF_PAGES_OUT, i,
                        (job->row * TF_MATMUL_BLOCK + i / TF_MATMUL_BLOCK) * TF_MATMUL_N +
                            job->column * TF_MATMUL_BLOCK + i % TF_MATMUL_BLOCK,
                        job->out_bytes);
}
#elif TF_CORE == 2
static void work(const struct job *job)
{
    uint32_t bytes = job->in_bytes;
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t count = 0; count < job->steps; count++) {
        uint32_t a = tf_tensor_page(TF_PAGES_A, count, TF_MATMUL_BLOCK * bytes);
        uint32_t b = tf_tensor_page(TF_PAGES_B, count, TF_MATMUL_BLOCK * bytes);
        tf_cb_wait_front(TF_PAGES_A, 1);
        tf_cb_wait_front(TF_PAGES_B, 1);
        for (uint32_t i = 0; i < TF_MATMUL_BLOCK; i++) {
            tf_unpack_tile(TF_UNPACKER_B, a + i * bytes);
            for (uint32_t j = 0; j < TF_MATMUL_BLOCK; j++)
                tf_unpack_tile(TF_UNPACKER_A, b + j * bytes);
        }
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_A, 1);
        tf_cb_pop_front(TF_PAGES_B, 1);
    }
}
#elif TF_CORE == 3
static void work(const struct job *job)
{
    tf_multiply_begin();
    tf_math_take(0);
    tf_math_zero(0, job->kind->wide);
    for (uint32_t count = 0; count < job->steps; count++)
        for (uint32_t i = 0; i < TF_MATMUL_BLOCK * TF_MATMUL_BLOCK; i++) {
            tf_tt_push(TT_SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, i * 64));
            tf_multiply_tiles(job->kind->phases, i % TF_MATMUL_BLOCK == TF_MATMUL_BLOCK - 1);
        }
    tf_math_give();
}
#else
static void work(const struct job *job)
{
    tf_pack_begin();
    tf_pack_take();
    for (uint32_t i = 0; i < TF_MATMUL_BLOCK * TF_MATMUL_BLOCK; i++) {
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_tile(i * 64, tf_tensor_page(TF_PAGES_OUT, i, job->out_bytes));
        tf_tt_wait_idle();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
    tf_pack_give();
}
#endif

int main(void)
{
    const struct tf_tensor_kind *kind = &kinds[TF_PARAMS->variant];
    uint32_t me = tf_my_tile();
    const struct job job = {
        .kind = kind,
        .row = me / TF_K_ROW,
        .column = me % TF_K_ROW,
        .steps = TF_MATMUL_K * TF_PARAMS->scale,
        .in_bytes = TF_TILE_BYTES(kind->in),
        .out_bytes = TF_TILE_BYTES(kind->out),
    };
    if (TF_CORE != 0)
        tf_tensor_wait_begin();
    work(&job);
#if TF_CORE >= 2
    tf_tt_wait_idle();
#else
    tf_noc_wait(TF_NOC);
#endif
    return 0;
}
