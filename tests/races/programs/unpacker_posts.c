/* SPDX-License-Identifier: Apache-2.0 */
/* T0 pushes an unpack instruction and then posts a semaphore, at which T1 changes the tile in L1. The instruction has
   passed the gate, but the unpacker may not have read the tile yet. */
#include "races_tensix.h"

#define READ_INDEX 2
#define READ (1 << READ_INDEX)

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_TO_DST;
    fill_tile(IN, ONES);
    begin(&kind);
    return 0;
}
#elif TF_CORE == 2
PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
#ifndef BUG
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_UNPACKER_0));
#endif
    TF_TT(SEMPOST(READ));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_TT(SEMINIT(2, 0, READ));
    unpack_begin();
    unpack_place(IN);
    unpack();
    unpack_give();
    return 0;
}
#elif TF_CORE == 3
PLACE void overwrite(void)
{
    fill_tile(IN, TWOS);
}

int main(void)
{
    while (tf_tt_sem_read(READ_INDEX) == 0)
        ;
    overwrite();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
