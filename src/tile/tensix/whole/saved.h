/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of the coprocessor. */
#ifndef TILE_TENSIX_WHOLE_SAVED_H
#define TILE_TENSIX_WHOLE_SAVED_H

struct tf_saved;
struct tf_tile;

/* The saved state (host/saved.h). */
void tf_tensix_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
