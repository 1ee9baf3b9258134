/* SPDX-License-Identifier: Apache-2.0 */
/* The scalar unit, ThCon (TensixCoprocessor/ScalarUnit.md). */
#ifndef TILE_TENSIX_SCALAR_THCON_H
#define TILE_TENSIX_SCALAR_THCON_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

#define TF_GPRS 64u /* of a thread */

struct tf_tile;

struct tf_thcon {
    uint32_t gpr[3][TF_GPRS];
    bool unfinished; /* the atomic that was just tried did not succeed and stays at the gate (thmem.h) */
};

void tf_exec_ADDDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SUBDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_MULDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_BITWOPDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SHIFTDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_CMPDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SETDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_DMANOP(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_FLUSHDMA(struct tf_tile *tile, unsigned thread, uint32_t word);

/* TF_GPR_BASE: all GPRs for B, a T core's own. */
enum tf_access tf_gpr_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_gpr_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
