/* SPDX-License-Identifier: Apache-2.0 */
/* Dst behind the vector unit's late stores. */
#ifndef TILE_TENSIX_VECTOR_SETTLED_H
#define TILE_TENSIX_VECTOR_SETTLED_H

struct tf_dst;
struct tf_tile;

/* The tile's Dst for an instruction at the present cycle. Lets SFPLOADMACRO's stores of earlier cycles land. */
struct tf_dst *tf_dst(struct tf_tile *tile);

#endif
