/* SPDX-License-Identifier: Apache-2.0 */
/* Execution of one vector instruction. */
#ifndef TILE_TENSIX_VECTOR_SINGLE_H
#define TILE_TENSIX_VECTOR_SINGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/vector/place.h"

struct tf_tile;
struct tf_vector;
struct tf_dst_rows;

/* NULL, or the reason why the instruction is undefined for the acting lanes. */
const char *tf_sfpu_objection(const struct tf_vector *vector, uint32_t word, unsigned vd);

/* Records a fault if there is an objection to an instruction. Returns true if there is. */
bool tf_sfpu_refuses(struct tf_tile *tile, unsigned thread, const struct tf_vector *vector, uint32_t word, unsigned vd);

struct tf_backend_config;

/* The offset that is added to the address in a word, besides the counter of rows, in modes other than INT32_ALL.
   pointer: Sp. */
unsigned tf_sfpu_offset(const struct tf_backend_config *config, unsigned thread, unsigned pointer);

/* Finds the place of an SFPLOAD or SFPLOADMACRO (load), or of an SFPSTORE; moves Sp in mode INT32_ALL. */
struct tf_sfpu_place tf_sfpu_place(struct tf_tile *tile, unsigned thread, uint32_t word, bool load);

/* Resolves MOD0_FMT_SRCB by the thread's configuration; returns other modes unchanged. */
unsigned tf_sfpu_format(struct tf_tile *tile, unsigned thread, unsigned mod0);

/* Move the acting lanes. VD of a load is below 8. */
void tf_sfpu_load(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, struct tf_sfpu_place place,
                  unsigned vd);
void tf_sfpu_store(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, struct tf_sfpu_place place,
                   unsigned vd);

/* Executes an instruction in the acting columns, without SFPLOADMACRO's scheduler. */
void tf_sfpu_execute(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word);

/* Executes an SFPLOAD, SFPSTORE or SFPLOADMACRO in the acting columns, likewise. */
void tf_sfpu_move_rows(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word);

/* A load from rows when some of them are marked undefined. */
void tf_sfpu_load_undefined(struct tf_vector *vector, struct tf_sfpu_place place, unsigned vd, struct tf_dst_rows *rows,
                            unsigned undefined);

#endif
