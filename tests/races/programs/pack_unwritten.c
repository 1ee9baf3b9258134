/* SPDX-License-Identifier: Apache-2.0 */
/* T2 packs rows of Dst. With the bug, nothing has written them. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    begin(&kind);
    return 0;
}
#elif TF_CORE == 4
PLACE void pack(void)
{
    tf_pack_tile(0, OUT);
}

int main(void)
{
    tf_tensor_wait_begin();
    tf_pack_begin();
#ifndef BUG
    TF_TT(ZEROACC(2, 0, 0, 0, 0));
#endif
    pack();
    tf_tt_wait_idle();
    finish(7);
    return 0;
}
#endif
