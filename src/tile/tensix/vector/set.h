/* SPDX-License-Identifier: Apache-2.0 */
/* A set of kernels of the vector unit: which there are, and what they take. */
#ifndef TILE_TENSIX_VECTOR_SET_H
#define TILE_TENSIX_VECTOR_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/lreg.h"

struct tf_sfpu_batch;
struct tf_sfpu_words;

/*
 * Instructions by sub-unit: X(name, opcode, registers). Registers: the fields of VD, VB and VC in the word.
 *   C     VD 7:4, VC 11:8, VB is VD
 *   BC    VD 7:4, VC 11:8, VB 15:12
 *   B_IF  as BC if Mod1 is odd, else as C
 *   D     VD 7:4, VC is VD, VB none
 *   HIGH  VD 23:20, VB and VC none
 */
/* clang-format off */
#define TF_SFPU_SIMPLE(X)                                                                                      \
    X(SFPDIVP2, C) X(SFPEXEXP, C) X(SFPEXMAN, C) X(SFPIADD, C) X(SFPSHFT, C) X(SFPSETCC, C) X(SFPMOV, C)       \
    X(SFPABS, C) X(SFPAND, B_IF) X(SFPOR, B_IF) X(SFPNOT, C) X(SFPLZ, C) X(SFPSETEXP, C) X(SFPSETMAN, C)       \
    X(SFPPUSHC, C) X(SFPPOPC, C) X(SFPSETSGN, C) X(SFPENCC, C) X(SFPCOMPC, C) X(SFPTRANSP, C) X(SFPXOR, C)     \
    X(SFPCAST, C) X(SFPCONFIG, C) X(SFPSWAP, C) X(SFPLE, C) X(SFPGT, C) X(SFPARECIP, BC)
#define TF_SFPU_MAD(X)                                                                                         \
    X(SFPLUT, HIGH) X(SFPMULI, D) X(SFPADDI, D) X(SFPMAD, BC) X(SFPADD, BC) X(SFPMUL, BC) X(SFPLUTFP32, C)     \
    X(SFPMUL24, BC)
#define TF_SFPU_ROUND(X) X(SFP_STOCH_RND, BC) X(SFPSHFT2, BC)
#define TF_SFPU_LOAD(X) X(SFPLOADI, HIGH) X(SFPNOP, C)
/* Instructions with a kernel; SFPLOAD, SFPSTORE and SFPLOADMACRO have none. */
#define TF_SFPU_KERNELS(X) TF_SFPU_SIMPLE(X) TF_SFPU_MAD(X) TF_SFPU_ROUND(X) TF_SFPU_LOAD(X)
/* clang-format on */

enum tf_sfpu_kernel_index {
#define X(name, registers) TF_KERNEL_##name,
    TF_SFPU_KERNELS(X)
#undef X
        TF_SFPU_KERNEL_COUNT
};

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

#define TF_SFPU_OPCODES 0x30u /* from SFPLOAD on: room for 0x70 to 0x9F */

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
