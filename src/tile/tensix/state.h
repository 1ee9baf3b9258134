/* SPDX-License-Identifier: Apache-2.0 */
/* All state of a tile's coprocessor. Each unit's part is described in the unit's own header. */
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

/* One of the three frontends, in the order in which an instruction goes through it. */
struct tf_tensix_thread {
    struct tf_fifo fifo;     /* what the T core pushed */
    struct tf_mop mop;
    struct tf_fifo mid;      /* what B pushed, and what had to leave the MOP expander; TF_MID_ENTRIES are used */
    uint8_t mid_own;         /* entries of mid that came from the MOP expander: what is behind that has to wait */
    struct tf_replay replay;
    struct tf_gate gate;
    uint64_t cycle;          /* of the next instruction to pass */
    bool faulted;            /* stopped by a fault */
    bool behind;             /* a push waits that has let it run, not yet as far as it can; not part of the state */
    struct tf_ttsync ttsync;
};

struct tf_tensix_trace;

struct tf_tensix {
    bool touched;          /* by tf_zeroed_touch() */
    bool asleep;           /* no thread has anything to do; their clocks will be set when one has */
    uint64_t asleep_until; /* to this, at least */
    struct tf_fpu fpu;     /* as far as `sfpu`: what is touched of a new coprocessor lies close together, as of tiles */
    struct tf_unpack unpack;
    struct tf_pack pack;
    struct tf_dst *dst;       /* NULL: as after reset; use tf_dst() */
    struct tf_vector *vector; /* NULL: as after reset */
    enum tf_vectors vectors;  /* level of the kernels; not part of the state */
    struct tf_tensix_thread thread[TF_TENSIX_THREADS];
    uint32_t events;       /* bumped by what may let a waiting thread go on */
    uint32_t delay_cycles; /* completion is late by so much */
    uint32_t soft_reset;   /* RISCV_DEBUG_REG_SOFT_RESET_0 as it was last acted on */
    uint32_t units_held;   /* its bits that hold units in reset (SoftReset.md) */
    uint8_t scalar_holder; /* 1 + thread whose waiting instruction occupies the scalar unit (ScalarUnit.md), or 0 */
    uint8_t occupants;     /* mask of threads that may come to occupy it in this turn; not part of the state */
    uint64_t passed;       /* instructions that passed a gate (host figure) */
    struct tf_tensix_trace *trace; /* NULL: nobody wants to be told of them; trace.h */
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

/*
 * Record a fault of a coprocessor thread at the instruction that is passing its gate, and stop the thread. The text
 * begins with the thread and the instruction.
 */
void tf_tensix_fault(struct tf_tile *tile, unsigned thread, enum tf_fault_category category, uint64_t address,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Run one thread, and no other, until cycle `until` or until it must wait: for a core that waits for that thread. */
void tf_tensix_run_ahead(struct tf_tile *tile, unsigned thread, uint64_t until);

/* Threads are about to be given something, or looked at closely: their clocks are set. */
void tf_tensix_wake(struct tf_tensix *tensix);

/* Could the thread do anything, given time? No side effects. */
bool tf_tensix_can_act(struct tf_tile *tile, unsigned thread);

#endif
