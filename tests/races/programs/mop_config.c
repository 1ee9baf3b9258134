/* SPDX-License-Identifier: Apache-2.0 */
/* T0 pushes a MOP, and configures the expander for another one. With the bug it does not wait until the first is
   expanded. */
#include "races_tensix.h"

enum { SUM = 20, ONE = 21 };

#define ADD_ONE TT_OP_ADDDMAREG(0, SUM, SUM, ONE)

PLACE void push(void)
{
    TF_TTINSN(TT_MOP_LOOP);
}

PLACE void configure(void)
{
#ifndef BUG
    tf_tt_wait_mop();
#endif
    TF_WORD(TF_MOP_CFG_BASE + 4) = 2; /* rounds */
}

int main(void)
{
    static const struct tf_tt_mop_loop mop = {1, 5, TT_NOP, TT_NOP, TT_NOP, ADD_ONE, TT_NOP, ADD_ONE, ADD_ONE};
    TF_TT_GPR(SUM) = 0;
    TF_TT_GPR(ONE) = 1;
    tf_tt_mop_loop(&mop);
    TF_TT(STALLWAIT(TF_TT_BLOCK_ALL, 1 << 10)); /* for the stores */
    push();
    configure();
    TF_TTINSN(TT_MOP_LOOP);
    tf_tt_wait_idle();
    finish(TF_TT_GPR(SUM));
    return 0;
}
