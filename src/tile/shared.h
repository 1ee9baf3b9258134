/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that others may be doing at the same moment, in relaxed mode: no aligned 4 bytes are ever seen torn. */
#ifndef TILE_SHARED_H
#define TILE_SHARED_H

#include <stdint.h>

void tf_shared_put(uint8_t *to, const void *from, uint64_t bytes);
void tf_shared_get(void *to, const uint8_t *from, uint64_t bytes);
void tf_shared_copy(uint8_t *to, const uint8_t *from, uint64_t bytes);

#endif
