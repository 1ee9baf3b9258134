/* SPDX-License-Identifier: Apache-2.0 */
/* T0 reads a word of the configuration by RDCFG, and T2 writes it by WRCFG. With the bug nothing orders the two. */
#include "races_tensix.h"

#define READ 2
#define GPR 40
#define WORD TT_CFG_INT_DESCALE_VALUES_SEC0_Value_WORD

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    set_semaphore(0, READ);
    begin(&kind);
    return 0;
}
#elif TF_CORE == 2
PLACE void look(void)
{
    TF_TT(RDCFG(GPR, WORD));
}

int main(void)
{
    tf_tensor_wait_begin();
    look();
    TF_TT(SEMPOST(1 << READ));
    tf_tt_wait_idle();
    finish(7 + TF_TT_GPR(GPR));
    return 0;
}
#elif TF_CORE == 4
PLACE void configure(void)
{
    TF_TT(WRCFG(GPR, 0, WORD));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_TT_GPR(GPR) = 5;
    TF_TT(STALLWAIT(TF_TT_BLOCK_ALL, 1 << 10)); /* for the store */
#ifndef BUG
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_ALL, 1 << READ));
#else
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after T0 */
#endif
    configure();
    tf_tt_wait_idle();
    return 0;
}
#endif
