/* SPDX-License-Identifier: Apache-2.0 */
/* T0 pushes an unpack instruction and then changes the tile in L1, which the unpacker may not have read yet. */
#include "races_tensix.h"

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
    (void)tf_tt_sem_read(5);
#ifndef BUG
    tf_tt_wait_idle();
#endif
}

PLACE void overwrite(void)
{
    fill_tile(IN, TWOS);
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    unpack();
    overwrite();
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
