/* SPDX-License-Identifier: Apache-2.0 */
/* T0 pushes an unpack instruction and then stores the address of the next tile in the configuration. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(ONES, TWOS);
}
#elif TF_CORE == 2
PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
    (void)tf_tt_sem_read(5);
#ifndef BUG
    tf_tt_wait_idle();
#endif
}

PLACE void configure(void)
{
    TF_TT_CFG(0, TT_CFG_THCON_SEC0_REG3_Base_address_WORD) = TF_TENSOR_L1(NEXT);
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    unpack();
    configure();
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
