/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The coprocessor of a tile is put together from the states of its rooms. Each part belongs to the room named beside
 * it, whose header has its layout. A file includes the headers of the parts that it reads, and this one.
 */
#ifndef TILE_TENSIX_STATE_H
#define TILE_TENSIX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/vectors.h"
#include "tile/state.h"

#define TF_TENSIX_THREADS 3u

/* The addresses of parts do not change from tf_tensix_create() to tf_tensix_destroy(). Members that may be NULL say
   so. */
struct tf_tensix {
    struct tf_tensix_thread *thread;      /* TF_TENSIX_THREADS of them; frontend/state.h */
    struct tf_frontend *frontend;         /* frontend/state.h */
    struct tf_sync *sync;                 /* frontend/state.h */
    struct tf_ttsync *ttsync;             /* TF_TENSIX_THREADS of them; frontend/declared.h */
    struct tf_busy *busy;                 /* frontend/busy.h */
    struct tf_thcon *thcon;               /* thcon.h */
    struct tf_backend_config *config;     /* config/state.h */
    struct tf_own_config *own_config;     /* config/family.h; NULL: the family has Blackhole's words */
    struct tf_adcs *adcs;                 /* config/state.h */
    struct tf_rwc *rwc;                   /* TF_TENSIX_THREADS of them; config/state.h */
    struct tf_src_banks *src;             /* srcbanks.h */
    struct tf_src *src_data;              /* data/src.h */
    uint64_t src_writes[2][2];            /* writes to [SrcA, SrcB][bank]: rows `matmul-*` (pieces.h); not state */
    struct tf_dst *dst;                   /* NULL: as after reset; use tf_dst(); data/dst.h */
    struct tf_dst *dst_memory;            /* where it is then */
    struct tf_rounding *rounding;         /* data/rounding.h */
    struct tf_unpack *unpack;             /* unpack/state.h */
    struct tf_fpu *fpu;                   /* matrix/matrix.h */
    struct tf_vector *vector;             /* NULL: as after reset; data/lreg.h */
    struct tf_vector *vector_memory;      /* where `vector` points once an instruction has used the unit */
    struct tf_pack *pack;                 /* pack/state.h; four of them if `four` is not NULL */
    struct tf_four *four;                 /* pack/four.h; NULL: the family has one packer */
    struct tf_busy_packers *busy_packers; /* frontend/busy.h; NULL: the family has one packer */
    struct tf_packer *packer;             /* TF_PACKERS of them; pack/state.h */
    struct tf_tdma *tdma;                 /* tdma.h */
    struct tf_tensix_trace *trace;        /* NULL: not traced; frontend/trace.h */
    const struct tf_late_units *late;     /* late.h */
    enum tf_vectors vectors;              /* level of the kernels; not part of the state */
    uint32_t events;                      /* mask of changes that may release stalled threads; frontend/gate.h */
    uint32_t delay_cycles;                /* cycles by which units complete late (tensix.h) */
    uint32_t soft_reset;                  /* RISCV_DEBUG_REG_SOFT_RESET_0 at the last tf_tensix_reset() */
    uint32_t units_held;                  /* its bits that hold units in reset (SoftReset.md) */
};

#endif
