/* SPDX-License-Identifier: Apache-2.0 */
/* The vector unit while SFPLOADMACRO has scheduled instructions. */
#ifndef TILE_TENSIX_VECTOR_MACRO_H
#define TILE_TENSIX_VECTOR_MACRO_H

#include <stdint.h>

struct tf_tile;

/* Lets time pass for the vector unit alone until nothing scheduled can execute any more. */
void tf_sfpu_drain(struct tf_tile *tile);

/* SFPLOADMACRO's stores to Dst land late: those of cycles before `cycle` land. */
void tf_dst_settle(struct tf_tile *tile, uint64_t cycle);

/* Executes an instruction while SFPLOADMACRO's scheduler is active. */
void tf_macro_issue(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
