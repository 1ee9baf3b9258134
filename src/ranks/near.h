/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings between ranks of one host. Each rank has memory with a ring for each other rank to write to, without a name in
 * a file system. Others map it through /proc, which the kernel allows to processes of the same user.
 */
#ifndef RANKS_NEAR_H
#define RANKS_NEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring.h"

/* Where others find the memory of a rank. */
struct tf_near_place {
    int64_t process;
    uint64_t token; /* which that memory has, too; 0: there is none */
    int32_t file;
};

struct tf_near {
    unsigned rank, ranks;
    struct tf_near_memory **memory; /* by rank; NULL: not mapped */
    struct tf_ring_end *to, *from;  /* by rank. Others than those of tf_near_map(), tf_near_listen(): without a ring */
    struct tf_near_place own;
};

/* Make the memory of this rank. Where the host refuses it, there are no rings. False: too little memory. */
bool tf_near_open(struct tf_near *near, unsigned rank, unsigned ranks);

/* Messages to a rank go through a ring, if its memory can be mapped. Returns whether they do: that rank must know. */
bool tf_near_map(struct tf_near *near, unsigned rank, const struct tf_near_place *place);

/* Messages of a rank come through a ring. */
void tf_near_listen(struct tf_near *near, unsigned rank);

/* All ranks have mapped what they need. */
void tf_near_end_mapping(struct tf_near *near);

void tf_near_close(struct tf_near *near);

#endif
