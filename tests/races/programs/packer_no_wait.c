/* SPDX-License-Identifier: Apache-2.0 */
/* T2 packs zeros over a buffer and posts a semaphore, on which T0 reads the buffer. The packer may still be at work. */
#include "races_tensix.h"

enum { SEM_PACKED = 2 };

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    for (uint32_t i = 0; i < TILE_BYTES; i += 4)
        TF_WORD(OUT + i) = 0x01010101;
    settle(OUT + TILE_BYTES - 4);
    set_semaphore(2, SEM_PACKED);
    begin(&kind);
    return 0;
}
#elif TF_CORE == 2
PLACE void take(void)
{
    finish(7 + sum(OUT, TILE_BYTES / 4));
}

int main(void)
{
    tf_tensor_wait_begin();
    while (tf_tt_sem_read(SEM_PACKED) == 0)
        ;
    tf_fence();
    take();
    return 0;
}
#elif TF_CORE == 4
PLACE void pack(void)
{
    TF_TT(ZEROACC(2, 0, 0, 0, 0));
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_PACK, TF_TT_MATRIX));
    tf_pack_tile(0, OUT);
#ifndef BUG
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
#endif
    TF_TT(SEMPOST(1 << SEM_PACKED));
}

int main(void)
{
    tf_tensor_wait_begin();
    tf_pack_begin();
    pack();
    tf_tt_wait_idle();
    return 0;
}
#endif
