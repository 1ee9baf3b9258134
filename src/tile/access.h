/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_ACCESS_H
#define TILE_ACCESS_H

/* How an access to a register ended. */
enum tf_access {
    TF_ACCESS_OK,    /* done */
    TF_ACCESS_BLOCK, /* nothing happened; the hart waits and tries again at its next turn */
    TF_ACCESS_EARLY, /* nothing happened; others of the tile are behind, see order.h */
    TF_ACCESS_FAULT, /* recorded with tf_tile_fault(); the hart has stopped */
};

#endif
