/* SPDX-License-Identifier: Apache-2.0 */
/* T0 unpacks zeros in place of a tile that nobody has written, and then a tile. With the bug it unpacks that tile. */
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
PLACE void unpack_next(void)
{
#ifdef BUG
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
#else
    TF_TT(UNPACR(TF_UNPACKER_A, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1));
#endif
    tf_tt_wait_idle();
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(NEXT);
    unpack_next();
    unpack_place(IN);
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
