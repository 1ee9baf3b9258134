/* SPDX-License-Identifier: Apache-2.0 */
/* T1 schedules instructions of the vector unit by SFPLOADMACRO that read a register which nothing has written, and that
   clash with others. */
#include "races_tensix.h"

/* A byte of a sequence: template 0 to 3, with SFPLOADMACRO's register in the place of VC. */
#define TEMPLATE(i) (4u + (i))
#define NOTHING 2u /* SFPNOP */
#define NEXT_CYCLE (1u << 3)
#define AS_VB 0x80u  /* in the place of VB */
#define TO_L16 0x40u /* the result goes to LReg[16] */
#define STORE 3u

#define BF16 2
#define PLACE_IN_DST 64

enum { MOVES, MULTIPLIES, ROUNDS, SWAPS, MACROS };

#define DEFINE(macro, simple, mad, round, store)       \
    do {                                               \
        TF_TT(SFPLOADI(0, 10, (simple) | (mad) << 8)); \
        TF_TT(SFPLOADI(0, 8, (round) | (store) << 8)); \
        TF_TT(SFPCONFIG(0, 4 + (macro), 0));           \
    } while (0)

/* Load LReg 1 and start a macro. */
#define START(macro) TF_TT(SFPLOADMACRO((macro) << 2 | 1, BF16, 0, PLACE_IN_DST))

static inline void drain(void)
{
    for (unsigned i = 0; i < 8; i++)
        TF_TT(SFPNOP);
}

static inline void prepare(void)
{
    TF_TT(SFPSTORE(9, BF16, 0, PLACE_IN_DST));
    TF_TT(SFPMOV(5, 12, 0)); /* by the back door: templates 0 to 3 */
    TF_TT(SFPMAD(10, 10, 9, 13, 0));
    TF_TT(SFP_STOCH_RND(0, 0, 9, 9, 14, 1));
    TF_TT(SFPSWAP(9, 15, 1));
    TF_TT(SFPLOADI(6, 0, 0));
}

/* The register of the template is not written. */
PLACE void unwritten(void)
{
    DEFINE(MOVES, TEMPLATE(MOVES) | AS_VB, 0u, 0u, 0u);
#ifndef BUG
    TF_TT(SFPLOADI(5, 0, 0));
#endif
    START(MOVES);
    drain();
}

/* LReg 16 is not written. */
PLACE void extra(void)
{
#ifdef BUG
    DEFINE(MOVES, 0u, 0u, 0u, STORE | TO_L16);
#else
    DEFINE(MOVES, 0u, TEMPLATE(MULTIPLIES) | TO_L16, 0u, STORE | TO_L16 | 2 * NEXT_CYCLE);
#endif
    START(MOVES);
    drain();
}

/* A multiplication is issued in the cycle of a scheduled one. */
PLACE void discarded(void)
{
    DEFINE(MULTIPLIES, 0u, TEMPLATE(MULTIPLIES), 0u, 0u);
    START(MULTIPLIES);
#ifndef BUG
    TF_TT(SFPNOP);
#endif
    TF_TT(SFPMAD(10, 10, 9, 6, 0));
    drain();
}

/* The result of a multiplication is read in the next cycle. */
PLACE void early(void)
{
    DEFINE(MULTIPLIES, 0u, TEMPLATE(MULTIPLIES), 0u, 0u);
    START(MULTIPLIES);
    TF_TT(SFPNOP);
#ifndef BUG
    TF_TT(SFPNOP);
#endif
    TF_TT(SFPMOV(1, 6, 0));
    drain();
}

/* A simple and a round instruction write the same set of registers in one cycle. */
PLACE void results(void)
{
#ifdef BUG
    DEFINE(ROUNDS, TEMPLATE(MOVES), 0u, TEMPLATE(ROUNDS), 0u);
#else
    DEFINE(ROUNDS, TEMPLATE(MOVES) | TO_L16, 0u, TEMPLATE(ROUNDS), 0u);
#endif
    START(ROUNDS);
    drain();
}

/* Beside SFPSWAP the MAD sub-unit needs SFPNOP. */
PLACE void swaps(void)
{
#ifdef BUG
    DEFINE(SWAPS, TEMPLATE(SWAPS), 0u, 0u, 0u);
#else
    DEFINE(SWAPS, TEMPLATE(SWAPS), NOTHING, 0u, 0u);
#endif
    START(SWAPS);
    drain();
}

/* SFPSWAP takes two cycles. */
PLACE void follows(void)
{
    DEFINE(SWAPS, TEMPLATE(SWAPS), NOTHING, 0u, 0u);
    START(SWAPS);
    TF_TT(SFPNOP);
#ifndef BUG
    TF_TT(SFPNOP);
#endif
    TF_TT(SFPMOV(9, 6, 0));
    drain();
}

/* A row is loaded before its scheduled store. */
PLACE void stale(void)
{
    DEFINE(MOVES, 0u, 0u, 0u, STORE | 3 * NEXT_CYCLE);
    START(MOVES);
#ifndef BUG
    drain();
#endif
    TF_TT(SFPLOAD(6, BF16, 0, PLACE_IN_DST));
    drain();
}

/* A scheduled instruction reads a register that an instruction after the macro writes: a gap between the two lets it
   read the old value. */
PLACE void gap(void)
{
    DEFINE(MOVES, TEMPLATE(MOVES) | AS_VB | 2 * NEXT_CYCLE, 0u, 0u, 0u);
#ifndef BUG
    TF_TT(SFPLOADI(5, 0, 1));
#endif
    START(MOVES);
#ifdef BUG
    TF_TT(SFPLOADI(5, 0, 1));
#endif
    drain();
}

int main(void)
{
    prepare();
    unwritten();
    extra();
    discarded();
    early();
    results();
    swaps();
    follows();
    stale();
    gap();
    tf_tt_wait_idle();
    finish(1);
    return 0;
}
