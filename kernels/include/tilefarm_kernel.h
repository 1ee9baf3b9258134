/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm_device.h for the workloads: it uses their layout of L1. The host writes the encodings of atomics, which
 * differ between profiles. Include this file before other headers for device programs.
 */
#ifndef TILEFARM_KERNEL_H
#define TILEFARM_KERNEL_H

#include "tilefarm_layout.h"
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif

#define TF_PARAMS ((volatile const struct tf_k_params *)TF_K_PARAMS)
#define TF_RESULT ((volatile uint32_t *)(TF_K_RESULT + TF_CORE * TF_K_RESULT_BYTES))
#define TF_SCRATCH (TF_K_SCRATCH + TF_CORE * TF_K_SCRATCH_BYTES)

/* Returns NOC_AT_LEN_BE of an atomic on the word at `address`, by the encodings that the host wrote. */
static inline uint32_t tf_at(enum tf_k_at which, uint32_t address, uint32_t value, uint32_t second)
{
    uint32_t at = TF_PARAMS->at[which];
    uint32_t offset = (address >> 2 & 3) << (at >> 16 & 31);
    return (at | offset | value << (at >> 21 & 31) | second << (at >> 26 & 31)) & 0xFFFFu;
}

#define TF_AT_INC(address, by) tf_at(TF_K_AT_INC, address, by, 0)
#define TF_AT_CAS(address, from, to) tf_at(TF_K_AT_CAS, address, from, to)

#include "tilefarm_device.h"

#endif
