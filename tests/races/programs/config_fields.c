/* SPDX-License-Identifier: Apache-2.0 */
/* T0 and T1 change a field each of one word of Config by a load and a store. With the bug T1 does not wait for T0, and
   is usually later. */
#include "races_tensix.h"

#define BOTH TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD)

PLACE void change(uint32_t bit)
{
    BOTH = BOTH | bit;
    settle((uint32_t)(uintptr_t)&BOTH);
}

int main(void)
{
#if TF_CORE == 2
    change(1);
    tf_sem_set(FLAG, 1);
    tf_sem_wait(COUNTER, 1);
    finish(BOTH & 3);
#else
#ifdef BUG
    for (unsigned i = 0; i < 300; i++)
        __asm__ volatile("" ::: "memory");
#else
    await_flag();
#endif
    change(2);
    tf_sem_set(COUNTER, 1);
#endif
    return 0;
}
