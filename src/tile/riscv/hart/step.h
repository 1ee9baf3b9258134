/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_HART_STEP_H
#define TILE_RISCV_HART_STEP_H

/* How an instruction ended. */
enum tf_step {
    TF_STEP_NEXT,     /* retired; the caller moves pc to the next instruction */
    TF_STEP_TRANSFER, /* a control transfer has retired, taken or not: pc is the next instruction */
    TF_STEP_STOP,     /* not retired: blocked, faulted, or reset by itself; see hart->state */
};

#endif
