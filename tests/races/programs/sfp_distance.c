/* SPDX-License-Identifier: Apache-2.0 */
/* T1 multiplies, and an instruction reads the result. On Wormhole one cycle must come between the two. With the bug the
   second one is next. */
#include "races_tensix.h"

PLACE void multiply(void)
{
    TF_TT(SFPLOADI(1, 0, 0x3F80));
    TF_TT(SFPMAD(1, 1, 1, 2, 0));
#ifndef BUG
    TF_TT(SFPNOP);
#endif
    TF_TT(SFPMOV(2, 3, 0));
    TF_TT(SFPMAD(3, 3, 3, 4, 0));
    TF_TT(SFPMOV(1, 5, 0)); /* it reads no result of the one before */
    TF_TT(SFPMOV(4, 6, 0));
}

int main(void)
{
    multiply();
    tf_tt_wait_idle();
    finish(7);
    return 0;
}
