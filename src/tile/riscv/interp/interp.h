/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_INTERP_INTERP_H
#define TILE_RISCV_INTERP_INTERP_H

#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* tf_interp() of observed.h without observers. It calls the instance that the code of the tile is decoded for: */
void tf_interp_unobserved(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance that neither counts nor checks. */
void tf_interp_uncounted(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance that reports stretches to a counter (count.h). */
void tf_interp_counted(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance that reports accesses to a race checker (tile/check.h). */
void tf_interp_checked(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance of chips that explore (tile/explore); none of them counts. */
void tf_interp_explored(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance of chips with ordered memory; it neither counts nor checks, but tf_exec() checks its accesses. */
void tf_interp_ordered(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The instance that reports to a counter and to a race checker. */
void tf_interp_both(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
