/* SPDX-License-Identifier: Apache-2.0 */
/* T0 changes what the matrix unit reads of the configuration, and then gives it its banks: the instruction of T1 that
   waits for them knows. With the bug it gives the banks first. The packer's format may change at any time: no
   instruction of T1 reads it. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    fill_tile(IN, ONES);
    begin(&kind);
    return 0;
}
#elif TF_CORE == 2
PLACE void configure(void)
{
    TF_TT(RMWCIB2(1, 0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcBUnsigned_WORD)); /* that bit */
}

PLACE void give(void)
{
    tf_unpack_tile(TF_UNPACKER_A, IN);
    tf_unpack_tile(TF_UNPACKER_B, IN);
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
#ifdef BUG
    give();
    configure();
#else
    configure();
    give();
    TF_TT(RMWCIB3(0x1E, TF_BF16 << 1, TT_CFG_ALU_FORMAT_SPEC_REG2_Dstacc_WORD)); /* that field */
#endif
    tf_tt_wait_idle();
    return 0;
}
#elif TF_CORE == 3
PLACE void add(void)
{
    TF_TT(ELWADD(0, 0, 0, 0, 8));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
#ifdef BUG
    for (unsigned i = 0; i < 600; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after T0 */
#endif
    add();
    tf_tt_wait_idle();
    finish(TF_WORD(TF_DST_BASE + 8 * 32));
    return 0;
}
#endif
