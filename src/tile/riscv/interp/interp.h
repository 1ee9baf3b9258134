/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_INTERP_INTERP_H
#define TILE_RISCV_INTERP_INTERP_H

#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* The limit of cycles for one call. */
#define TF_INTERP_CYCLES_MAX (UINT64_C(1) << 32)

/* tf_interp() of observed.h without a word to observers, by the instance that the tile's code is decoded for. */
void tf_interp_unobserved(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The same where the code is decoded for the interpreter that neither counts nor checks. */
void tf_interp_uncounted(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The same where it is decoded for the interpreter that counts. */
void tf_interp_counted(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The same where it is decoded for the interpreter that tells a race checker. */
void tf_interp_checked(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The same where it is decoded for the interpreter of chips that explore; none of them counts. */
void tf_interp_explored(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/* The same where it is decoded for the interpreter that counts and tells. */
void tf_interp_both(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
