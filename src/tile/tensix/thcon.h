/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the scalar unit, ThCon (TensixCoprocessor/ScalarUnit.md). */
#ifndef TILE_TENSIX_THCON_H
#define TILE_TENSIX_THCON_H

#include <stdbool.h>
#include <stdint.h>

#define TF_GPRS 64u /* of a thread */

struct tf_thcon {
    uint32_t gpr[3][TF_GPRS];
    bool unfinished; /* the atomic in execution failed, and stays at the gate (thmem.h) */
};

#endif
