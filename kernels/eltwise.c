/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, differences and products of two tensors. Each tile goes from DRAM to DRAM through all five cores. */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_ELTWISE_KINDS;

#if TF_CORE == 3
/* Each instruction computes eight rows. A product has one round for each fidelity phase; rounds add up in Dst. */
static void prepare(const struct tf_tensor_kind *kind)
{
    static const uint32_t ops[][3] = {
        [TF_ELTWISE_ADD] = {TT_OP_ELWADD(0, 0, 0, 0, 0), TT_OP_ELWADD(3, 0, 0, 2, 0), TT_OP_ELWADD(0, 0, 0, 1, 0)},
        [TF_ELTWISE_SUB] = {TT_OP_ELWSUB(0, 0, 0, 0, 0), TT_OP_ELWSUB(3, 0, 0, 2, 0), TT_OP_ELWSUB(0, 0, 0, 1, 0)},
        [TF_ELTWISE_MUL] = {TT_OP_ELWMUL(0, 0, 0, 0, 0), TT_OP_ELWMUL(3, 0, 0, 2, 0), TT_OP_ELWMUL(0, 0, 0, 1, 0)},
    };
    const uint32_t *op = ops[kind->op == TF_ELTWISE_MUL_STOCHASTIC ? TF_ELTWISE_MUL : kind->op];
    const struct tf_tt_mop_loop mop = {
        .outer = kind->phases,
        .inner = 8,
        .start = TT_NOP,
        .loop_0 = op[0],
        .loop_1 = TT_NOP,
        .loop_0_last = op[1],
        .loop_1_last = op[2],
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    TF_ADDR_MOD(0, TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_INCREMENT(1));
    TF_ADDR_MOD(2, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_CLEAR);
    tf_math_begin();
    tf_tt_mop_loop(&mop);
}

static void work(const struct tf_stream_job *job)
{
    prepare(job->kind);
    if (job->kind->op == TF_ELTWISE_MUL_STOCHASTIC)
        tf_round_stochastically(tf_k_input(TF_PARAMS->seed, job->me, 0), TF_ROUND_FPU);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, job->kind->wide);
        TF_TTINSN(TT_MOP_LOOP);
        tf_math_give();
    }
}
#else
#define work tf_stream_role
#endif

int main(void)
{
    const struct tf_stream_job job = tf_stream_job(kinds, 2);
    return tf_stream_run(&job, work);
}
