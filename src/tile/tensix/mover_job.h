/* SPDX-License-Identifier: Apache-2.0 */
/* A transfer of the mover, after its parameters have been read (WormholeB0/TensixTile/Mover.md). */
#ifndef TILE_TENSIX_MOVER_JOB_H
#define TILE_TENSIX_MOVER_JOB_H

#include <stdbool.h>
#include <stdint.h>

struct tf_mover_job {
    uint32_t dst, src, count; /* bytes, multiples of 16 */
    uint32_t pc;              /* of its instruction, or of the store of the command */
    uint8_t mode;             /* xmov_direction_t: bit 1 for the source, bit 0 for the destination (XMOV.md) */
    uint8_t core;             /* whose thread was pushed the instruction, or who stored the command */
    bool pushed;
};

#endif
