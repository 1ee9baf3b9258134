/* SPDX-License-Identifier: Apache-2.0 */
/* A set of kernels of the vector unit: one for each instruction of sfpu.def. */
#ifndef TILE_TENSIX_VECTOR_SET_H
#define TILE_TENSIX_VECTOR_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/lreg.h"
#include "tile/tensix/isa/sfpu.h"

struct tf_sfpu_batch;
struct tf_sfpu_words;

/*
 * Executes an instruction on the vector unit's state. VD is 0..16, VB and VC 0..15; other operands are in the word. The
 * caller has called tf_sfpu_objection().
 */
typedef void tf_sfpu_kernel(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc);

/* The four rows of Dst that an SFPLOAD or SFPSTORE accesses. */
struct tf_dst_rows {
    uint16_t *high;     /* the rows of Dst16b, or the high halves of those of Dst32b */
    uint16_t *low;      /* the low halves */
    uint32_t odd_lanes; /* lanes that use the odd one of their two columns */
    uint32_t lanes;     /* lanes that are moved */
    unsigned row;       /* number of the first row, for DEST_INDEX */
};

typedef void tf_sfpu_move(struct tf_vector *vector, unsigned mod0, unsigned vd, const struct tf_dst_rows *rows);

struct tf_sfpu_kernels {
    const char *name;
    tf_sfpu_kernel *kernel[TF_SFPU_KERNEL_COUNT];
    tf_sfpu_move *load, *store;
    /* The enabled lanes in which an SFPSWAP swaps VC and VB. */
    uint32_t (*lanes_to_swap)(const struct tf_vector *vector, uint32_t word, unsigned vc, unsigned vb);
    /* Executes a batch up to the first instruction of another kind, or the first refused one. Returns their number. */
    uint32_t (*execute)(struct tf_sfpu_batch *batch, const struct tf_sfpu_words *words);
};

extern const struct tf_sfpu_kernels tf_sfpu_portable, tf_sfpu_wormhole_portable;
#if defined(__x86_64__)
extern const struct tf_sfpu_kernels tf_sfpu_avx2, tf_sfpu_avx512, tf_sfpu_wormhole_avx2, tf_sfpu_wormhole_avx512;
#endif

#endif
