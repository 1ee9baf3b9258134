/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the frontend: of each thread, and of the three together. */
#ifndef TILE_TENSIX_FRONTEND_STATE_H
#define TILE_TENSIX_FRONTEND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/frontend/declared.h"
#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/frontend/mop.h"
#include "tile/tensix/frontend/replay.h"
#include "tile/tensix/frontend/wait.h"

#define TF_SEMAPHORES 8u
#define TF_SEMAPHORE_LIMIT 15u /* a post changes no semaphore with this value */
#define TF_MUTEXES_MAX 8u      /* arch->mutexes has the existing ones */

/* The frontend of a thread, in the order of an instruction's way. */
struct tf_tensix_thread {
    struct tf_fifo fifo; /* pushed by the T core */
    struct tf_mop mop;
    struct tf_fifo mid; /* between the expanders: pushed by B, or moved out of the MOP expander; TF_MID_ENTRIES */
    uint8_t mid_own;    /* entries of mid from the MOP expander; the T core's side waits until they are gone */
    struct tf_replay replay;
    struct tf_gate gate;
    uint64_t cycle;      /* of the next instruction to pass */
    bool faulted;        /* stopped by a fault */
    struct tf_fifo lost; /* pushes ahead of the order, lost to the debug bus */
};

/* Semaphores and mutexes (TensixCoprocessor/SyncUnit.md). */
struct tf_sync {
    uint8_t value[TF_SEMAPHORES];
    uint8_t max[TF_SEMAPHORES];
    uint8_t holder[TF_MUTEXES_MAX]; /* 0 for none, otherwise 1 + thread */
    /* Not part of the state: the actor that posted a semaphore last, for reports. 0 for none, otherwise 1 + TF_POSTER_*
       + number. */
    uint8_t poster[TF_SEMAPHORES];
};

enum { TF_POSTER_THREAD = 0, TF_POSTER_CORE = 8 };

/* State shared by the threads. */
struct tf_frontend {
    uint8_t scalar_holder; /* 1 + thread whose stalled instruction occupies the scalar unit (ScalarUnit.md), or 0 */
    uint8_t halt_flags;    /* enum tf_tensix_flag: stop before such an instruction; not part of the state */
    bool halt_searched;    /* may_halt() has searched for them in this turn; not part of the state */
    uint8_t occupants;     /* mask of threads that may occupy it in this turn; not part of the state */
    uint8_t awaits[3];     /* changes that each stalled thread awaits; not part of the state */
    uint8_t stalled;       /* mask of threads that the last turn left stalled; not part of the state */
    uint8_t bus_pushed;    /* mask of threads with pushes by the debug bus in this turn; not part of the state */
    uint64_t halted_at;    /* cycle of the store before which the last turn halted; not part of the state */
    uint64_t passed;       /* instructions that passed a gate (host figure) */
};

#endif
