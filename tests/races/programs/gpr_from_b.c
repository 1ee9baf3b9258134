/* SPDX-License-Identifier: Apache-2.0 */
/* B stores a GPR of T0's thread and tells T0 by a flag in L1, which may come before the store to the GPR. */
#include "races.h"
#include "tilefarm_tensix.h"

#define WORD TT_CFG_THCON_SEC0_REG3_Base_address_WORD
#define GPR 16

#if TF_CORE == 0
PLACE void store(void)
{
    TF_TT_GPR(0, GPR) = 4711;
#ifndef BUG
    settle(TF_GPR_BASE + GPR * 4);
#endif
}

int main(void)
{
    store();
    tf_sem_set(FLAG, 1);
    return 0;
}
#else
PLACE void push(void)
{
    TF_TT(WRCFG(GPR, 0, WORD));
    TF_TTINSN(TT_NOP);
}

int main(void)
{
    await_flag();
    push();
    tf_tt_wait_idle();
    finish(TF_TT_CFG(0, WORD));
    return 0;
}
#endif
