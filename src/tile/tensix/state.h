/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a tile's coprocessor. The header of each unit describes its part. */
#ifndef TILE_TENSIX_STATE_H
#define TILE_TENSIX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/fault.h"
#include "tile/tensix/config/adc.h"
#include "tile/tensix/config/config.h"
#include "tile/tensix/config/rwc.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/mop.h"
#include "tile/tensix/frontend/replay.h"
#include "tile/tensix/frontend/sync.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/pack/packers.h"
#include "tile/tensix/scalar/thcon.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/vector/vector.h"
#include "tile/tile.h"

#define TF_TENSIX_THREADS 3u

/* The frontend of a thread, in the order in which an instruction passes through it. */
struct tf_tensix_thread {
    struct tf_fifo fifo; /* pushed by the T core */
    struct tf_mop mop;
    struct tf_fifo mid; /* between the expanders: pushed by B, or moved out of the MOP expander; TF_MID_ENTRIES */
    uint8_t mid_own;    /* entries of mid from the MOP expander; while there are any, the T core's side waits */
    struct tf_replay replay;
    struct tf_gate gate;
    uint64_t cycle; /* of the next instruction to pass */
    bool faulted;   /* stopped by a fault */
    struct tf_ttsync ttsync;
};

struct tf_tensix_trace;

struct tf_tensix {
    bool touched;          /* by tf_zeroed_touch() */
    bool asleep;           /* no thread has work; the clocks are set when it wakes */
    uint64_t asleep_until; /* the clocks' value then */
    struct tf_fpu fpu;     /* members up to `vectors` are touched at start-up, and lie close together */
    struct tf_unpack unpack;
    struct tf_pack pack;
    struct tf_dst *dst;       /* NULL: as after reset; use tf_dst() */
    struct tf_vector *vector; /* NULL: as after reset */
    enum tf_vectors vectors;  /* level of the kernels; not part of the state */
    struct tf_tensix_thread thread[TF_TENSIX_THREADS];
    uint32_t events;       /* incremented by changes that may release a stalled thread */
    uint32_t delay_cycles; /* units complete so many cycles late (tensix.h) */
    uint32_t soft_reset;   /* RISCV_DEBUG_REG_SOFT_RESET_0 at the last tf_tensix_reset() */
    uint32_t units_held;   /* its bits that hold units in reset (SoftReset.md) */
    uint8_t scalar_holder; /* 1 + thread whose stalled instruction occupies the scalar unit (ScalarUnit.md), or 0 */
    uint8_t halt_flags;    /* enum tf_tensix_flag: stop before such an instruction; not part of the state */
    uint8_t occupants;     /* mask of threads that may occupy it in this turn; not part of the state */
    uint64_t passed;       /* instructions that passed a gate (host figure) */
    struct tf_tensix_trace *trace; /* NULL: not traced; trace.h */
    struct tf_busy busy;
    struct tf_sync sync;
    struct tf_src_banks src;
    struct tf_backend_config config;
    struct tf_thcon thcon;
    struct tf_adcs adcs;
    struct tf_rwc rwc[TF_TENSIX_THREADS];
    struct tf_tdma tdma;
    struct tf_packer packer[TF_PACKERS];
    struct tf_rounding rounding;
    _Alignas(64) struct tf_src src_data; /* large: at the end; rows lie in one line of the host's cache each */
};

/* Records a fault of a thread at the instruction at its gate, and stops the thread. The text names both. */
void tf_tensix_fault(struct tf_tile *tile, unsigned thread, enum tf_fault_category category, uint64_t address,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Wakes a coprocessor that is asleep: sets its threads' clocks. Call it before a push and before reading them. */
void tf_tensix_wake(struct tf_tensix *tensix);

/* Can the thread go on without a change from outside the coprocessor? No side effects. */
bool tf_tensix_can_act(struct tf_tile *tile, unsigned thread);

#endif
