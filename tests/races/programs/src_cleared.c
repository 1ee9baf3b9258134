/* SPDX-License-Identifier: Apache-2.0 */
/* T1 adds SrcA and SrcB, and T0 then takes both banks back and clears them. With the bug T0 does not wait until the
   matrix unit has the instruction of T1. */
#include "races_tensix.h"

#define ADDED (1u << 3) /* a semaphore of the coprocessor */

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    fill_tile(IN, ONES);
    set_semaphore(1, 3);
    begin(&kind);
    return 0;
}
#elif TF_CORE == 2
PLACE void take_back(void)
{
    TF_TT(CLEARDVALID(3, 0));
}

PLACE void clear(void)
{
    TF_TT(ZEROSRC(0, 0, 1, 3));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    tf_unpack_tile(TF_UNPACKER_A, IN);
    tf_unpack_tile(TF_UNPACKER_B, IN);
#ifdef BUG
    for (unsigned i = 0; i < 1200; i++)
        __asm__ volatile("" ::: "memory"); /* usually after T1 */
#else
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_MATRIX, ADDED));
#endif
    take_back();
    clear();
    tf_tt_wait_idle();
    return 0;
}
#elif TF_CORE == 3
PLACE void add(void)
{
    TF_TT(ELWADD(0, 0, 0, 0, 8));
    TF_TT(SEMPOST(ADDED));
}

int main(void)
{
    tf_tensor_wait_begin();
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
    add();
    tf_tt_wait_idle();
    finish(TF_WORD(TF_DST_BASE + 8 * 32));
    return 0;
}
#endif
