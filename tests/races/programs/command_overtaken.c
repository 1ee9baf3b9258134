/* SPDX-License-Identifier: Apache-2.0 */
/* T0 asks the mover for a tile by TDMA-RISC, and pushes a STALLWAIT for the mover and an unpack instruction. The pushes
   may overtake the store of the command: the mover is idle then. */
#include "races_tensix.h"

#define L1_TO_L1 3u

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(TWOS, ONES);
}
#elif TF_CORE == 2
#ifdef BUG
#define AWAITED TF_TT_MOVER
#else
#define AWAITED (TF_TT_MOVER | TF_TT_RISCV)
#endif

PLACE void command(void)
{
    TDMA(0x0) = NEXT
    / 16;
    TDMA(0x4) = IN / 16;
    TDMA(0x8) = TILE_BYTES / 16;
    TDMA(0xC) = L1_TO_L1;
    TDMA(0x10) = MOVE;
}

PLACE void unpack(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_UNPACK, AWAITED));
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    unpack_begin();
    unpack_place(IN);
    command();
    unpack();
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
