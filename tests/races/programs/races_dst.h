/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T1 writes rows of a half of Dst, and T2 packs them. A semaphore counts the full halves. A program leaves out one of
 * the four waits: it defines NO_TAKE_MATH (a free half), NO_GIVE_MATH (the matrix unit), NO_TAKE_PACK (a full half) or
 * NO_GIVE_PACK (the packer), or another GIVE_MATH. Its own compute() writes rows of a half.
 */
#include "races_tensix.h"

#define ROUNDS 4u
#ifndef GIVE_MATH
#define GIVE_MATH TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX | TF_TT_VECTOR))
#endif

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    begin(&kind);
    return 0;
}
#elif TF_CORE == 3
static void compute(uint32_t half);

/* Rows of SrcA and SrcB that the matrix unit may read; and all rows of Dst are written. */
static inline void prepare(void)
{
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(ZEROSRC(0, 0, 0, 3));
    TF_TT(SETDVALID(3));
}

int main(void)
{
    tf_tensor_wait_begin();
    prepare();
    tf_math_begin();
    for (uint32_t i = 0; i < ROUNDS; i++) {
#ifndef NO_TAKE_MATH
        tf_math_take(i % 2);
#else
        tf_tt_push(TT_SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, i % 2 * TF_DST_HALF));
        for (unsigned j = 0; j < 4000; j++)
            __asm__ volatile("" ::: "memory"); /* it is late, and usually after T2 */
#endif
        compute(i % 2);
#ifndef NO_GIVE_MATH
        GIVE_MATH;
#endif
        TF_TT(SEMPOST(TF_SEM_DST));
    }
    tf_tt_wait_idle();
    return 0;
}
#elif TF_CORE == 4
PLACE void pack(uint32_t half)
{
    tf_pack_tile(half * TF_DST_HALF, OUT);
}

int main(void)
{
    tf_tensor_wait_begin();
    tf_pack_begin();
    for (uint32_t i = 0; i < ROUNDS; i++) {
#ifndef NO_TAKE_PACK
        tf_pack_take();
#else
        for (unsigned j = 0; j < 4000; j++)
            __asm__ volatile("" ::: "memory"); /* it is late, and usually after T1 */
#endif
        pack(i % 2);
#ifndef NO_GIVE_PACK
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
#endif
        TF_TT(SEMGET(TF_SEM_DST));
    }
    tf_tt_wait_idle();
    finish(7);
    return 0;
}
#endif
