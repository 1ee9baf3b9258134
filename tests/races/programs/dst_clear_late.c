/* SPDX-License-Identifier: Apache-2.0 */
/* T2 clears the rows of its half of Dst that it has packed. With the bug it gives the half away before, so T1 may have
   written these rows again. */
#define OWN_GIVE_PACK
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    be_late(); /* usually after T2 */
    add_one();
}
#elif TF_CORE == 4
PLACE void clear(uint32_t round)
{
    const uint32_t block = round % 2 * (TF_DST_HALF / 16);
    tf_tt_push(TT_OP_ZEROACC(1, 0, 0, 0, block));
}

static void give_pack(uint32_t round)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC | TF_TT_BLOCK_MATRIX, TF_TT_PACKER));
#ifndef BUG
    clear(round);
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX));
#endif
    TF_TT(SEMGET(TF_SEM_DST));
#ifdef BUG
    clear(round);
#endif
    be_late(); /* T1 computes before the next SEMGET, which would order the two */
    be_late();
}
#endif
