/* SPDX-License-Identifier: Apache-2.0 */
/* T2 changes the source of an unpacker by REG2FLOP, while an UNPACR of T0 may not have started. */
#include "races_tensix.h"

#define READ 2
#define SOURCE 40

#if TF_CORE == 0
int main(void)
{
    set_semaphore(0, READ);
    return begin_with_tiles(ONES, TWOS);
}
#elif TF_CORE == 2
PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    unpack();
    TF_TT(SEMPOST(1 << READ));
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
PLACE void configure(void)
{
    TF_TT_GPR(SOURCE) = TF_TENSOR_L1(NEXT);
    TF_TT(STALLWAIT(TF_TT_BLOCK_ALL, 1 << 10)); /* for the store */
    TF_TT(REG2FLOP(1, 0, 0, 0, TT_CFG_THCON_SEC0_REG3_Base_address_WORD - TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD,
                   SOURCE));
}

int main(void)
{
    tf_tensor_wait_begin();
#ifndef BUG
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_ALL, 1 << READ));
#else
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after T0 */
#endif
    configure();
    pack_and_finish();
    return 0;
}
#endif
