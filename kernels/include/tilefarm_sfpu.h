/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of programs for the vector unit, in fp32. LReg 9 holds 0, LReg 10 holds 1. Source, in the public ISA
 * documentation: WormholeB0/TensixTile/TensixCoprocessor/{VectorUnit,LReg,SFPMAD,SFPCONFIG}.md; SFPARECIP of ttsim.
 */
#ifndef TILEFARM_SFPU_H
#define TILEFARM_SFPU_H

#include "tilefarm_tensix.h"

/*
 * Blackhole's instructions can negate an operand, approximate a reciprocal, and wait for each other. Elsewhere LReg 11
 * holds -1, and TF_SFP_WAIT must come between a multiplication or addition and the use of its result.
 */
#ifdef TT_OP_SFPARECIP
#define TF_SFP_MODIFIES 1
#define TF_SFP_WAITS(count) 0
#define TF_SFP_WAIT ((void)0)
#else
#define TF_SFP_MODIFIES 0
#define TF_SFP_WAITS(count) (count)
#define TF_SFP_WAIT TF_TT(SFPNOP)
#endif

enum tf_sfp_mode { TF_SFP_BF16 = 2 };        /* of SFPLOAD and SFPSTORE */
enum tf_sfp_rounding { TF_SFP_TO_BF16 = 1 }; /* of SFP_STOCH_RND */

/* Load a constant, as bits of fp32, into one of LRegs 0..7, or through LReg 0 into one of LRegs 11..14. */
#define TF_SFP_CONSTANT(lreg, bits)               \
    do {                                          \
        TF_TT(SFPLOADI(lreg, 10, (bits)&0xFFFF)); \
        TF_TT(SFPLOADI(lreg, 8, (bits) >> 16));   \
    } while (0)
#define TF_SFP_CONFIGURE(lreg, bits)  \
    do {                              \
        TF_SFP_CONSTANT(0, bits);     \
        TF_TT(SFPCONFIG(0, lreg, 0)); \
    } while (0)

#define TF_SFP_LOG2E 0x3FB8AA3Bu
#define TF_SFP_MINUS_LOG2E 0xBFB8AA3Bu

/*
 * TF_SFP_EXP: LReg 3 = 2^(LReg 1), for -126 .. 127. It overwrites LRegs 1 and 2. Adding 1.5 * 2^23 rounds a number to
 * an integer in the low bits. A polynomial computes 2 to the power of the rest, -0.5 .. 0.5. Then the integer is added
 * to the exponent of the result. TF_SFP_EXP_CONSTANTS loads the constants first; TF_SFP_EXP_COUNT counts instructions.
 */
#define TF_SFP_EXP_POLYNOMIAL                               \
    do {                                                    \
        TF_SFP_CONFIGURE(12, 0x3E75FDF0u); /* 0.2402265 */  \
        TF_SFP_CONFIGURE(13, 0x3F317218u); /* ln 2 */       \
        TF_SFP_CONSTANT(5, 0x4B400000u);   /* 1.5 * 2^23 */ \
        TF_SFP_CONSTANT(6, 0x3C1D953Cu);   /* 0.0096181 */  \
        TF_SFP_CONSTANT(7, 0x3D635844u);   /* 0.0555041 */  \
    } while (0)
#if TF_SFP_MODIFIES
#define TF_SFP_EXP_CONSTANTS TF_SFP_EXP_POLYNOMIAL
#define TF_SFP_EXP_COUNT 9
#define TF_SFP_EXP                     \
    do {                               \
        TF_TT(SFPADD(10, 1, 5, 2, 0)); \
        TF_TT(SFPADD(10, 2, 5, 3, 2)); \
        TF_TT(SFPADD(10, 1, 3, 1, 2)); \
        TF_TT(SFPMAD(1, 6, 7, 3, 0));  \
        TF_TT(SFPMAD(3, 1, 12, 3, 0)); \
        TF_TT(SFPMAD(3, 1, 13, 3, 0)); \
        TF_TT(SFPMAD(3, 1, 10, 3, 0)); \
        TF_TT(SFPSHFT(23, 0, 2, 1));   \
        TF_TT(SFPIADD(0, 2, 3, 4));    \
    } while (0)
#else
#define TF_SFP_EXP_CONSTANTS                        \
    do {                                            \
        TF_SFP_CONFIGURE(11, 0xBF800000u); /* -1 */ \
        TF_SFP_EXP_POLYNOMIAL;                      \
    } while (0)
#define TF_SFP_EXP_COUNT 15
#define TF_SFP_EXP                     \
    do {                               \
        TF_TT(SFPADD(10, 1, 5, 2, 0)); \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(5, 11, 2, 3, 0)); \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(3, 11, 1, 1, 0)); \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(1, 6, 7, 3, 0));  \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(3, 1, 12, 3, 0)); \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(3, 1, 13, 3, 0)); \
        TF_SFP_WAIT;                   \
        TF_TT(SFPMAD(3, 1, 10, 3, 0)); \
        TF_TT(SFPSHFT(23, 0, 2, 1));   \
        TF_TT(SFPIADD(0, 2, 3, 4));    \
    } while (0)
#endif

/*
 * LReg 1 = 1 / LReg `from`. from: 0 or 3. It overwrites LReg 2. Blackhole takes two Newton steps from eight exact bits.
 * Wormhole takes three steps from a guess: a constant minus the bits of a positive number. There it also changes the
 * sign of LReg `from`.
 */
#if TF_SFP_MODIFIES
#define TF_SFP_RECIPROCAL_COUNT 5
#define TF_SFP_RECIPROCAL(from)           \
    do {                                  \
        TF_TT(SFPARECIP(0, from, 1, 0));  \
        TF_TT(SFPMAD(from, 1, 10, 2, 1)); \
        TF_TT(SFPMAD(1, 2, 1, 1, 0));     \
        TF_TT(SFPMAD(from, 1, 10, 2, 1)); \
        TF_TT(SFPMAD(1, 2, 1, 1, 0));     \
    } while (0)
#else
#define TF_SFP_NEWTON(from)               \
    do {                                  \
        TF_TT(SFPMAD(from, 1, 10, 2, 0)); \
        TF_SFP_WAIT;                      \
        TF_TT(SFPMAD(1, 2, 1, 1, 0));     \
        TF_SFP_WAIT;                      \
    } while (0)
#define TF_SFP_RECIPROCAL_COUNT 17
#define TF_SFP_RECIPROCAL(from)          \
    do {                                 \
        TF_SFP_CONSTANT(2, 0x7EF311C7u); \
        TF_TT(SFPMOV(from, 1, 0));       \
        TF_TT(SFPIADD(0, 2, 1, 6));      \
        TF_TT(SFPMOV(from, from, 1));    \
        TF_SFP_NEWTON(from);             \
        TF_SFP_NEWTON(from);             \
        TF_SFP_NEWTON(from);             \
    } while (0)
#endif

#endif
