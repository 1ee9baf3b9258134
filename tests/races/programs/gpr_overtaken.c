/* SPDX-License-Identifier: Apache-2.0 */
/* T0 stores a GPR and pushes an instruction that reads it. The instruction may overtake the store. */
#include "races_tensix.h"

#define WORD TT_CFG_THCON_SEC0_REG3_Base_address_WORD

PLACE void store(void)
{
    TF_TT_GPR(16) = 4711;
#ifndef BUG
    TF_TT_GPR(17) = 4712; /* a GPR that nothing reads */
    uint32_t got = TF_TT_GPR(16);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
#endif
}

PLACE void push(void)
{
    TF_TT(WRCFG(16, 0, WORD));
    TF_TTINSN(TT_NOP);
}

int main(void)
{
    store();
    push();
    tf_tt_wait_idle();
    finish(TF_TT_CFG(0, WORD));
    return 0;
}
