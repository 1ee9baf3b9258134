/* SPDX-License-Identifier: Apache-2.0 */
/* T1's matrix unit writes rows of Dst, and the vector unit loads them. Three other instructions must come between the
   two, or a STALLWAIT. With the bug there are two instructions. */
#include "races_tensix.h"

#define FREE_ROW 64 /* which the matrix unit does not write */

PLACE void move(void)
{
    TF_TT(MOVB2D(0, 0, 0, 2, 0)); /* four rows from row 0 on */
}

PLACE void load(void)
{
    TF_TT(SFPLOAD(0, 2, 0, FREE_ROW)); /* other rows need no distance */
    TF_TT(SFPNOP);
#ifndef BUG
    TF_TT(SFPNOP);
#endif
    TF_TT(SFPLOAD(1, 2, 0, 0));
    move();
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX));
    TF_TT(SFPLOAD(1, 2, 0, 0));
}

int main(void)
{
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(ZEROSRC(0, 0, 0, 3));
    TF_TT(SETDVALID(3));
    move();
    load();
    tf_tt_wait_idle();
    finish(7);
    return 0;
}
