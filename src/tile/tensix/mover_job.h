/* SPDX-License-Identifier: Apache-2.0 */
/* A transfer of the mover, after its parameters have been read (WormholeB0/TensixTile/Mover.md). */
#ifndef TILE_TENSIX_MOVER_JOB_H
#define TILE_TENSIX_MOVER_JOB_H

#include <stdbool.h>
#include <stdint.h>

/* xmov_direction_t (XMOV.md). L0 is the configuration, or NC's instruction RAM. */
enum tf_mover_mode { TF_MOVER_L0_TO_L1, TF_MOVER_L1_TO_L0, TF_MOVER_L0_TO_L0, TF_MOVER_L1_TO_L1 };

struct tf_mover_job {
    uint32_t dst, src, count; /* bytes, multiples of 16 */
    uint32_t pc;              /* of its instruction, or of the store of the command */
    uint8_t mode;             /* enum tf_mover_mode */
    uint8_t core;             /* whose thread was pushed the instruction, or who stored the command */
    bool pushed;
};

static inline bool tf_mover_from_l1(const struct tf_mover_job *job)
{
    return job->mode == TF_MOVER_L1_TO_L0 || job->mode == TF_MOVER_L1_TO_L1;
}

static inline bool tf_mover_to_l1(const struct tf_mover_job *job)
{
    return job->mode == TF_MOVER_L0_TO_L1 || job->mode == TF_MOVER_L1_TO_L1;
}

#endif
