/* SPDX-License-Identifier: Apache-2.0 */
/* T0 sets the address of the next tile by WRCFG, and the instruction right after it unpacks from there. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(ONES, TWOS);
}
#elif TF_CORE == 2
PLACE void unpack(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_CONFIG, TF_TT_SCALAR_MEMORY | TF_TT_UNPACKER_0));
    TF_TT(WRCFG(TF_GPR_VALUE, 0, TT_CFG_THCON_SEC0_REG3_Base_address_WORD));
#ifndef BUG
    TF_TTINSN(TT_NOP);
#endif
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    TF_TTINSN(TT_SET_GPR_LOW(TF_GPR_VALUE, TF_TENSOR_L1(NEXT)));
    TF_TTINSN(TT_SET_GPR_HIGH(TF_GPR_VALUE, TF_TENSOR_L1(NEXT)));
    unpack();
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
