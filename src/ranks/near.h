/* SPDX-License-Identifier: Apache-2.0 */
/* Rings between the ranks of a host, in memory that MPI lets them share (MPI_Win_allocate_shared()): one for each ordered
   pair. */
#ifndef RANKS_NEAR_H
#define RANKS_NEAR_H

#include <stdbool.h>

#include "ring.h"

struct tf_near_memory;

struct tf_near {
    struct tf_near_memory *memory; /* NULL: none is shared */
    struct tf_ring_end *to, *from; /* by rank. Other hosts: without a ring */
};

/* All ranks of MPI_COMM_WORLD call it together. If MPI has no such memory, no rank of the host has rings. Returns false
   if this rank has no memory for the ends. */
bool tf_near_open(struct tf_near *near, unsigned ranks);

/* All ranks together, after the last message. */
void tf_near_close(struct tf_near *near);

#endif
