/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector unit (BlackholeA0 TensixCoprocessor/VectorUnit.md and the page of each instruction). An instruction's
 * tf_exec_ function calls a kernel. There is a set of kernels for each vector level; all sets give the same bits.
 */
#ifndef TILE_TENSIX_VECTOR_VECTOR_H
#define TILE_TENSIX_VECTOR_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/data/lreg.h"

struct tf_tile;
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
    /* Executes a batch up to the first instruction of another kind, or the first refused one. Returns their number. */
    uint32_t (*execute)(struct tf_sfpu_batch *batch, const struct tf_sfpu_words *words);
};

/* The kernels of a vector level, of a family's edition (enum tf_edition). NULL: the host lacks the level. */
const struct tf_sfpu_kernels *tf_sfpu_kernels_of(unsigned edition, enum tf_vectors level);

extern const struct tf_sfpu_kernels tf_sfpu_portable, tf_sfpu_wormhole_portable;
#if defined(__x86_64__)
extern const struct tf_sfpu_kernels tf_sfpu_avx2, tf_sfpu_avx512, tf_sfpu_wormhole_avx2, tf_sfpu_wormhole_avx512;
#endif

/* The tile's vector unit, made on first use. NULL: no memory. */
struct tf_vector *tf_sfpu_get(struct tf_tile *tile);

/* From now on the tile's vector unit uses the kernels of the level. False: the host lacks the level, or no memory. */
bool tf_sfpu_choose(struct tf_tile *tile, enum tf_vectors level);

void tf_sfpu_destroy(struct tf_tile *tile);
void tf_sfpu_hash(const struct tf_tile *tile, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_sfpu_state(struct tf_saved *saved, struct tf_tile *tile);

/* Resets the vector unit as the bits of SOFT_RESET_0 that have become set, or clear, demand (SoftReset.md). */
void tf_sfpu_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving);

/* Seeds the lanes' generators after a write of Config.PRNG_SEED_Seed_Val. Returns the seed for other units. */
uint32_t tf_sfpu_seed(struct tf_tile *tile, uint32_t seed);

/* True if SFPLOADMACRO has scheduled instructions that have not executed yet. */
bool tf_sfpu_is_scheduled(const struct tf_tile *tile);

/* Lets time pass for the vector unit alone until nothing scheduled can execute any more. */
void tf_sfpu_drain(struct tf_tile *tile);

#endif
