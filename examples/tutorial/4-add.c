/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step 4: the coprocessor adds two tiles of 32 by 32 bf16 numbers. B configures it, T0 unpacks both tiles into SrcA and
 * SrcB, T1 adds them into Dst, T2 packs the sum into L1. This file is compiled for each of the four cores.
 *
 * With -DFROM_HOST the host writes the tiles into L1 before the run; without it B makes them.
 */
#include "tilefarm_compute.h"

#define A TF_TENSOR_CB(TF_PAGES_A)     /* 0x20000 */
#define B TF_TENSOR_CB(TF_PAGES_B)     /* 0x40000 */
#define OUT TF_TENSOR_CB(TF_PAGES_OUT) /* 0x60000 */

#if TF_CORE == 0
/* Fill a tile with one number in bf16. A word holds two numbers. */
static void fill(uint32_t address, uint32_t number)
{
    for (uint32_t at = 0; at < TF_TILE_BYTES(TF_BF16); at += 4)
        TF_WORD(address + at) = number << 16 | number;
}

int main(void)
{
    static const struct tf_tensor_kind kind = TF_KIND(TF_BF16, TF_BF16, 0, 1, 0);
#ifndef FROM_HOST
    fill(A, 0x3FC0);
    fill(B, 0x4000);
#else
    (void)fill;
#endif
    tf_tensor_begin(&kind, false);
    return 0;
}

#elif TF_CORE == 2
int main(void)
{
    tf_tensor_wait_begin();
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    tf_unpack_tile(TF_UNPACKER_A, A);
    tf_unpack_tile(TF_UNPACKER_B, B);
    tf_tt_wait_idle();
    return 0;
}

#elif TF_CORE == 3
/* ELWADD adds eight rows, so a MOP repeats it eight times. The last one releases SrcA and SrcB. */
int main(void)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 1,
        .inner = 8,
        .start = TT_NOP,
        .loop_0 = TT_OP_ELWADD(0, 0, 0, 0, 0),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_OP_ELWADD(3, 0, 0, 1, 0),
        .loop_1_last = TT_OP_ELWADD(3, 0, 0, 1, 0),
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    tf_tensor_wait_begin();
    TF_ADDR_MOD(0, TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_CLEAR);
    tf_math_begin();
    tf_tt_mop_loop(&mop);
    tf_math_take(0);
    tf_math_zero(0, false);
    TF_TTINSN(TT_MOP_LOOP);
    tf_math_give();
    tf_tt_wait_idle();
    return 0;
}

#elif TF_CORE == 4
int main(void)
{
    tf_tensor_wait_begin();
    tf_pack_begin();
    tf_pack_take();
    tf_pack_tile(0, OUT);
    tf_pack_give();
#ifdef FROM_HOST
    return 0;
#else
    return TF_WORD(OUT) == 0x40604060 ? 0 : 1; /* 3.5 */
#endif
}
#else
#error "this step has programs for B, T0, T1 and T2"
#endif
