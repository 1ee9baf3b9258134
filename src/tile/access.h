/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_ACCESS_H
#define TILE_ACCESS_H

/* How an access to a register ended. */
enum tf_access {
    TF_ACCESS_OK,    /* done */
    TF_ACCESS_BLOCK, /* nothing happened; the hart is blocked, and tries again on the retry grid */
    TF_ACCESS_YIELD, /* nothing happened; another core or the coprocessor comes first, see order.h */
    TF_ACCESS_FAULT, /* recorded with tf_tile_fault(); the hart has stopped */
};

#endif
