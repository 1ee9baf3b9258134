/* SPDX-License-Identifier: Apache-2.0 */
/* T1 moves rows of Dst to SrcB, and adds SrcA to them. MOVD2B does not wait until the matrix unit owns the bank, so a
   STALLWAIT must: with the bug, it waits for SrcA alone. T0 gives both banks, full of ones. */
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
PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_B, 0, 1));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    tf_unpack_tile(TF_UNPACKER_A, IN);
    tf_unpack_from(TF_UNPACKER_B, IN);
    unpack();
    tf_tt_wait_idle();
    return 0;
}
#elif TF_CORE == 3
PLACE void move(void)
{
    TF_TT(MOVD2B(0, 0, 0, 2, 0));
    TF_TT(MOVD2B(0, 4, 0, 2, 4));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
#ifdef BUG
    for (unsigned i = 0; i < 600; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, and usually after T0 */
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_SRCA_MATRIX));
#else
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_SRCA_MATRIX | TF_TT_SRCB_MATRIX));
#endif
    move();
    TF_TT(ELWADD(0, 0, 0, 0, 8)); /* 1 + 0 */
    tf_tt_wait_idle();
    finish(TF_WORD(TF_DST_BASE + 8 * 32));
    return 0;
}
#endif
