/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpackers (WormholeB0 TensixCoprocessor/Unpackers/README.md, UNPACR.md, UNPACR_NOP.md and the pages of their
 * forms; Blackhole's own fields of UNPACR_NOP are those of tt_llk_blackhole's assembly.yaml).
 */
#ifndef TILE_TENSIX_UNPACK_UNPACK_H
#define TILE_TENSIX_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "host/vectors.h"

struct tf_tile;
struct tf_unpack_job;
struct tf_unpack_kernels;

/* From now on the tile's unpackers use the kernels of the level. Returns false if the host lacks the level. */
bool tf_unpack_choose(struct tf_tile *tile, enum tf_vectors level);

/* Moves the data, and hands the bank over or moves on to the next rows, as the instruction says. Returns false after
   recording a fault. */
bool tf_unpack_finish(struct tf_tile *tile, struct tf_unpack_job *job, uint32_t word);

#endif
