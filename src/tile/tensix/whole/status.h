/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the coprocessor as seen from outside: waits in words, the state hash. */
#ifndef TILE_TENSIX_WHOLE_STATUS_H
#define TILE_TENSIX_WHOLE_STATUS_H

#include "tile/hash.h"

struct tf_tile;

/* Describes a thread's wait in one line. Returns the length, as snprintf() does; 0: it does not stall. */
int tf_tensix_describe_wait(struct tf_tile *tile, unsigned thread, char *text, unsigned bytes);

/* Adds the state to a hash. */
void tf_tensix_hash(struct tf_tile *tile, struct tf_hash *hash);

#endif
