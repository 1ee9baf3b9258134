/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of SFPLOADMACRO's schedule to a race checker. */
#ifndef TILE_TENSIX_VECTOR_CLASH_H
#define TILE_TENSIX_VECTOR_CLASH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_scheduled;
struct tf_tile;

/* Tell a race checker of an instruction that is about to act, and of results that have entered the
   registers. */
void tf_macro_tell(struct tf_tile *tile, const struct tf_scheduled *what, bool scheduled);
void tf_macro_tell_results(struct tf_tile *tile, uint32_t rows);

/* Tell it of what SFPLOADMACRO.md forbids in the cycle that begins. issued: the instruction that a thread issues to one
   of the four sub-units; NULL: none. */
void tf_macro_tell_clashes(struct tf_tile *tile, const struct tf_scheduled *issued);

/* Tell it of an issued instruction that depends on what is scheduled for later. reads, writes: LRegs. loads: it reads
   Dst at what->address. */
void tf_macro_tell_early(struct tf_tile *tile, const struct tf_scheduled *issued, uint32_t reads, uint32_t writes,
                         bool loads);

#endif
