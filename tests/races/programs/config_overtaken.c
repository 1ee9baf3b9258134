/* SPDX-License-Identifier: Apache-2.0 */
/* T0 stores the address of a tile in the configuration and pushes the instruction that unpacks it. The instruction may
   overtake the store. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(TWOS, ONES);
}
#elif TF_CORE == 2
PLACE void store(void)
{
    TF_TT_CFG(0, TT_CFG_THCON_SEC0_REG3_Base_address_WORD) = TF_TENSOR_L1(NEXT);
#ifndef BUG
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_UNPACK, TF_TT_RISCV));
#endif
}

PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    store();
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
