/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADMACRO and its schedule. */
#ifndef TILE_TENSIX_VECTOR_MACRO_H
#define TILE_TENSIX_VECTOR_MACRO_H

struct tf_tile;

/* Lets time pass for the vector unit alone until nothing scheduled can execute any more. */
void tf_sfpu_drain(struct tf_tile *tile);

#endif
