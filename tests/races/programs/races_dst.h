/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T1 writes rows of a half of Dst, and T2 packs them. A semaphore counts the full halves. A program leaves out one of
 * the four waits: it defines NO_TAKE_MATH (a free half), NO_GIVE_MATH (the matrix unit), NO_TAKE_PACK (a full half) or
 * NO_GIVE_PACK (the packer), or another GIVE_MATH. Or it has a give_pack() of its own (OWN_GIVE_PACK). Its own
 * compute() writes rows of a half: 1 in rounds 0 and 1, and 2 in rounds 2 and 3. The result is the sum of their
 * exponents, as packed.
 */
#include "races_tensix.h"

#define ROUNDS 4u
#define LATE 300u
#define ONE 0x3F80 /* in bf16 */
#ifndef GIVE_MATH
#define GIVE_MATH TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX | TF_TT_VECTOR))
#endif

static inline void be_late(void)
{
    for (unsigned j = 0; j < LATE; j++)
        __asm__ volatile("" ::: "memory");
}

#if TF_CORE == 0
int main(void)
{
    static const struct tf_tensor_kind kind = BF16_FROM_SRC;
    begin(&kind);
    return 0;
}
#elif TF_CORE == 3
static void compute(uint32_t round);

/* The matrix unit adds 1 to the rows of the half. */
static inline void add_one(void)
{
    TF_TT(ELWADD(0, 1, 0, 0, 0));
}

/* The vector unit writes 1 to a row of four columns and eight rows, beginning at column `at` % 4 / 2. */
static inline void store_one(unsigned at)
{
    tf_tt_push(TT_OP_SFPSTORE(2, 2, 0, at));
}

/* All rows of Dst become 0, those of SrcA 0, and eight rows of SrcB 1. */
static inline void prepare(void)
{
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(ZEROSRC(0, 0, 0, 3));
    TF_TT(SFPLOADI(2, 0, ONE));
    for (unsigned at = 0; at < 8; at += 2)
        store_one(at);
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_VECTOR));
    TF_TT(MOVD2B(0, 0, 0, 2, 0));
    TF_TT(MOVD2B(0, 4, 0, 2, 4));
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_TDMA, TF_TT_MATRIX));
    TF_TT(SETDVALID(3));
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    tf_math_begin();
    prepare();
    for (uint32_t i = 0; i < ROUNDS; i++) {
#ifndef NO_TAKE_MATH
        tf_math_take(i % 2);
#else
        tf_tt_push(TT_SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, i % 2 * TF_DST_HALF));
        be_late(); /* usually after T2 */
#endif
        compute(i);
#ifndef NO_GIVE_MATH
        GIVE_MATH;
#endif
        TF_TT(SEMPOST(TF_SEM_DST));
    }
    tf_tt_wait_idle();
    return 0;
}
#elif TF_CORE == 4
PLACE void pack(uint32_t round)
{
    tf_pack_tile(round % 2 * TF_DST_HALF, OUT + round * TILE_BYTES);
}

#ifdef OWN_GIVE_PACK
static void give_pack(uint32_t round);
#else
static inline void give_pack(uint32_t round)
{
    (void)round;
#ifndef NO_GIVE_PACK
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
#endif
    TF_TT(SEMGET(TF_SEM_DST));
}
#endif

static uint32_t exponents(void)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < ROUNDS; i++)
        total += TF_WORD(OUT + i * TILE_BYTES) >> 7 & 0xFF;
    return total;
}

int main(void)
{
    tf_tensor_wait_begin();
    tf_pack_begin();
    for (uint32_t i = 0; i < ROUNDS; i++) {
#ifndef NO_TAKE_PACK
        tf_pack_take();
#else
        be_late(); /* usually after T1 */
#endif
        pack(i);
        give_pack(i);
    }
    tf_tt_wait_idle();
    tf_settle(TF_DONE_CHECK); /* for Wormhole */
    finish(exponents());
    return 0;
}
#endif
