/* SPDX-License-Identifier: Apache-2.0 */
/* The wait gate of a thread: the instruction at the gate, and the latched wait (TensixCoprocessor/WaitGate.md). */
#ifndef TILE_TENSIX_FRONTEND_WAIT_H
#define TILE_TENSIX_FRONTEND_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* The latched wait instruction. */
struct tf_wait {
    uint8_t opcode;     /* TF_OP_STALLWAIT, TF_OP_SEMWAIT, TF_OP_STREAMWAIT; 0: none */
    uint8_t semaphores; /* mask */
    uint8_t stream_select;
    uint16_t block;     /* enum tf_tensix_block */
    uint16_t condition; /* mask */
    uint32_t target;
    uint64_t since; /* first cycle in which it is evaluated: one after it was latched */
};

struct tf_gate {
    bool full;         /* an instruction is at the gate */
    uint32_t word, pc; /* the instruction, or the last one that passed */
    uint16_t resources;
    uint8_t kind; /* of the instruction, enum tf_kind; not part of the state */
    struct tf_wait wait;
};

#endif
