/* SPDX-License-Identifier: Apache-2.0 */
/* T0 pushes a load from L1 to a GPR, and then an instruction that reads the GPR. The load has passed the gate, but its
   result may not have come yet. */
#include "races_tensix.h"

#define WORD TT_CFG_THCON_SEC0_REG3_Base_address_WORD

PLACE void load(void)
{
    TF_TTINSN(TT_OP_LOADIND(1, 4, 0, 16, 1)); /* GPR 16 is the word at 16 * GPR 1 + the low half of GPR 2 */
#ifndef BUG
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_CONFIG, TF_TT_SCALAR_MEMORY));
#endif
}

PLACE void use(void)
{
    TF_TT(WRCFG(16, 0, WORD));
    TF_TTINSN(TT_NOP);
}

int main(void)
{
    fill(DATA, FIRST);
    TF_TT_GPR(1) = DATA / 16;
    TF_TT_GPR(2) = 0;
    TF_TT_GPR(16) = 1;
    settle(TF_GPR_BASE + 16 * 4);
    load();
    use();
    tf_tt_wait_idle();
    finish(TF_TT_CFG(0, WORD));
    return 0;
}
