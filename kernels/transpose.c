/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transpose of a matrix. B reads each tile from its transposed index. The unpacker transposes the faces while it
 * fills SrcA, and T1 exchanges the second face and the third.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_TRANSPOSE_KINDS;

#if TF_CORE == 3
static void work(const struct tf_stream_job *job)
{
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    tf_math_begin();
    TF_TTINSN(TT_RECORD(0, 9));
    TF_TT(MOVA2D(0, 0, 0, 2, 0));
    TF_TT(MOVA2D(0, 8, 0, 2, 8));
    TF_TT(MOVA2D(0, 16, 0, 2, 32));
    TF_TT(MOVA2D(0, 24, 0, 2, 40));
    TF_TT(MOVA2D(0, 32, 0, 2, 16));
    TF_TT(MOVA2D(0, 40, 0, 2, 24));
    TF_TT(MOVA2D(0, 48, 0, 2, 48));
    TF_TT(MOVA2D(0, 56, 0, 2, 56));
    TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF));
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        TF_TTINSN(TT_REPLAY(0, 9));
        tf_math_give();
    }
}
#else
#define work tf_stream_role
#endif

int main(void)
{
    const struct tf_tensor_kind *kind = &kinds[TF_PARAMS->variant];
    const struct tf_stream_job job = {
        .kind = kind,
        .operands = 1,
        .me = tf_my_tile(),
        .count = TF_PARAMS->scale,
        .turned = TF_K_ROWS * TF_PARAMS->scale,
    };
    return tf_stream_run(&job, work);
}
