/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank runs which chips. */
#ifndef SYSTEM_PROCESSES_SHARES_H
#define SYSTEM_PROCESSES_SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct tf_cluster;

/* What a rank gets some of. ANY: boards, if there are enough of them; else chips. */
enum tf_ranks_by { TF_RANKS_BY_ANY, TF_RANKS_BY_BOARD, TF_RANKS_BY_CHIP };

struct tf_shares {
    uint8_t *owner; /* by chip */
    bool by_board;
    unsigned most; /* ranks for which there is something */
};

/* Give ranks one part of a cluster after another, as equal as can be. Returns false if there are more than `most`. */
bool tf_shares_find(const struct tf_cluster *cluster, unsigned ranks, enum tf_ranks_by by, struct tf_shares *shares);

#endif
