/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the tensor workloads: the roles of cores. The host writes their parameters. */
#ifndef TILEFARM_STREAM_H
#define TILEFARM_STREAM_H

#include "tilefarm_kernel.h"

#include "tilefarm_compute.h"

/*
 * ---- Roles of workloads in which each Tensix tile computes its own tiles of OUT. Of n Tensix tiles, tile i computes
 * tiles i, i + n, i + 2 n ... of OUT, from the tiles of A, or of A and B, with equal numbers ----
 */

struct tf_stream_job {
    const struct tf_tensor_kind *kind;
    unsigned operands; /* 1: A, 2: A and B */
    uint32_t me, count;
    uint32_t turned; /* if OUT is transposed: its columns of tiles, which are the rows of A; else 0 */
    bool shared_b;   /* B is one tile */
    bool swapped;    /* A goes to SrcB and B to SrcA */
    uint32_t row;    /* first row of the result in a half of Dst */
};

/* Returns the job of the chosen variant, for kernels that leave the other members 0. */
static inline struct tf_stream_job tf_stream_job(const struct tf_tensor_kind *kinds, unsigned operands)
{
    return (struct tf_stream_job){
        .kind = &kinds[TF_PARAMS->variant],
        .operands = operands,
        .me = tf_my_tile(),
        .count = TF_PARAMS->scale,
    };
}

/* Returns the index of the operand's tile for tile `index` of OUT. */
static inline uint32_t tf_stream_source(const struct tf_stream_job *job, unsigned tensor, uint32_t index)
{
    if (tensor == TF_TENSOR_B && job->shared_b)
        return 0;
    if (job->kind->how == TF_HOW_TILIZE)
        return index / 2;
    uint32_t rows = job->turned != 0 ? job->count * TF_K_TILES / job->turned : 0;
    return job->turned != 0 ? index % job->turned * rows + index / job->turned : index;
}

/* Returns the bytes of an operand's page: a tile, or a strip of two tiles. */
static inline uint32_t tf_stream_bytes(const struct tf_stream_job *job)
{
    return TF_TILE_BYTES(job->kind->in) * (job->kind->how == TF_HOW_TILIZE ? 2 : 1);
}

#if TF_CORE == 0
static inline void tf_stream_read(const struct tf_stream_job *job)
{
    uint32_t bytes = tf_stream_bytes(job);
    tf_tensor_begin(job->kind, job->turned != 0);
    for (uint32_t i = 0; i < job->count; i++)
        for (unsigned tensor = TF_TENSOR_A; tensor < job->operands; tensor++) {
            tf_cb_reserve_back(tensor, 1, TF_TENSOR_PAGES);
            tf_tensor_fetch(tensor, tf_stream_source(job, tensor, job->me + i * TF_K_TILES), bytes,
                            tf_tensor_page(tensor, i, bytes));
            tf_noc_wait(TF_NOC);
            tf_cb_push_back(tensor, 1);
        }
}
#elif TF_CORE == 1
static inline void tf_stream_write(const struct tf_stream_job *job)
{
    for (uint32_t i = 0; i < job->count; i++)
        tf_tensor_drain(TF_PAGES_OUT, i, job->me + i * TF_K_TILES, TF_TILE_BYTES(job->kind->out));
}
#elif TF_CORE == 2
static inline void tf_stream_unpack(const struct tf_stream_job *job)
{
    uint32_t bytes = tf_stream_bytes(job);
    uint32_t tile = job->kind->how == TF_HOW_TILIZE ? (job->me & 1) * (TF_STRIP_ROW_BYTES / 2) : 0; /* in its page */
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t i = 0; i < job->count; i++) {
        for (unsigned operand = TF_PAGES_A; operand < job->operands; operand++) {
            tf_cb_wait_front(operand, 1);
            tf_unpack_tile(job->swapped ? 1 - operand : operand, tf_tensor_page(operand, i, bytes) + tile);
        }
        tf_tt_wait_idle();
        for (unsigned operand = TF_PAGES_A; operand < job->operands; operand++)
            tf_cb_pop_front(operand, 1);
    }
}
#elif TF_CORE == 4
static inline void tf_stream_pack(const struct tf_stream_job *job)
{
    uint32_t bytes = TF_TILE_BYTES(job->kind->out);
    tf_pack_begin();
    for (uint32_t i = 0; i < job->count; i++) {
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        tf_pack_tile((i & 1) * TF_DST_HALF + job->row, tf_tensor_page(TF_PAGES_OUT, i, bytes));
        tf_pack_give();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
}
#endif

/* The roles of the cores, for workloads without roles of their own. */
#if TF_CORE == 0
#define tf_stream_role tf_stream_read
#elif TF_CORE == 1
#define tf_stream_role tf_stream_write
#elif TF_CORE == 2
#define tf_stream_role tf_stream_unpack
#elif TF_CORE == 4
#define tf_stream_role tf_stream_pack
#endif

/* The body of main(). Returns its status, 0. */
static inline int tf_stream_run(const struct tf_stream_job *job, void (*role)(const struct tf_stream_job *job))
{
    if (TF_CORE != 0)
        tf_tensor_wait_begin();
    role(job);
#if TF_CORE >= 2
    tf_tt_wait_idle();
#endif
    return 0;
}

#endif
