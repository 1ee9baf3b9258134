/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of programs for the vector unit, in fp32. LReg 9 holds 0, LReg 10 holds 1. Source, in the public ISA
 * documentation: WormholeB0/TensixTile/TensixCoprocessor/{VectorUnit,LReg,SFPMAD,SFPCONFIG}.md; SFPARECIP of ttsim.
 */
#ifndef TILEFARM_SFPU_H
#define TILEFARM_SFPU_H

#include "tilefarm_tensix.h"

enum { TF_SFP_BF16 = 2 }; /* of SFPLOAD and SFPSTORE */
enum { TF_SFP_TO_BF16 = 1 }; /* of SFP_STOCH_RND */

/* A constant, as bits of fp32, into LReg 0 .. 7; into LReg 11 .. 14, through LReg 0. */
#define TF_SFP_CONSTANT(lreg, bits)                   \
    do {                                              \
        TF_TT(SFPLOADI(lreg, 10, (bits) & 0xFFFF));   \
        TF_TT(SFPLOADI(lreg, 8, (bits) >> 16));       \
    } while (0)
#define TF_SFP_CONFIGURE(lreg, bits)                  \
    do {                                              \
        TF_SFP_CONSTANT(0, bits);                     \
        TF_TT(SFPCONFIG(0, lreg, 0));                 \
    } while (0)

#define TF_SFP_LOG2E 0x3FB8AA3Bu
#define TF_SFP_MINUS_LOG2E 0xBFB8AA3Bu

/*
 * LReg 3 = 2^(LReg 1), for -126 .. 127; LRegs 1 and 2 are used up. Added to 1.5 * 2^23, a number is rounded to a whole
 * one, which comes to lie in the low bits; the rest, -0.5 .. 0.5, goes into a polynomial, and the whole part is added
 * to its exponent.
 */
#define TF_SFP_EXP_CONSTANTS                                \
    do {                                                    \
        TF_SFP_CONFIGURE(12, 0x3E75FDF0u); /* 0.2402265 */  \
        TF_SFP_CONFIGURE(13, 0x3F317218u); /* ln 2 */       \
        TF_SFP_CONSTANT(5, 0x4B400000u);   /* 1.5 * 2^23 */ \
        TF_SFP_CONSTANT(6, 0x3C1D953Cu);   /* 0.0096181 */  \
        TF_SFP_CONSTANT(7, 0x3D635844u);   /* 0.0555041 */  \
    } while (0)
#define TF_SFP_EXP_COUNT 9
#define TF_SFP_EXP                                          \
    do {                                                    \
        TF_TT(SFPADD(10, 1, 5, 2, 0));                      \
        TF_TT(SFPADD(10, 2, 5, 3, 2));                      \
        TF_TT(SFPADD(10, 1, 3, 1, 2));                      \
        TF_TT(SFPMAD(1, 6, 7, 3, 0));                       \
        TF_TT(SFPMAD(3, 1, 12, 3, 0));                      \
        TF_TT(SFPMAD(3, 1, 13, 3, 0));                      \
        TF_TT(SFPMAD(3, 1, 10, 3, 0));                      \
        TF_TT(SFPSHFT(23, 0, 2, 1));                        \
        TF_TT(SFPIADD(0, 2, 3, 4));                         \
    } while (0)

/* LReg 1 = 1 / LReg `from`, which is 0 or 3; LReg 2 is used up. Two steps of Newton's from eight good bits. */
#define TF_SFP_RECIPROCAL_COUNT 5
#define TF_SFP_RECIPROCAL(from)                             \
    do {                                                    \
        TF_TT(SFPARECIP(0, from, 1, 0));                    \
        TF_TT(SFPMAD(from, 1, 10, 2, 1));                   \
        TF_TT(SFPMAD(1, 2, 1, 1, 0));                       \
        TF_TT(SFPMAD(from, 1, 10, 2, 1));                   \
        TF_TT(SFPMAD(1, 2, 1, 1, 0));                       \
    } while (0)

#endif
