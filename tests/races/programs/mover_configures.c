/* SPDX-License-Identifier: Apache-2.0 */
/* T0 has the mover copy the address of a tile from L1 to the configuration. It unpacks the tile without reading the
   mover's status. */
#include "races_tensix.h"

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(TWOS, ONES);
}
#elif TF_CORE == 2
PLACE void configure(void)
{
    TDMA(0x0) = DATA / 16;
    TDMA(0x4) = TT_CFG_THCON_SEC0_REG3_Base_address_WORD / 4;
    TDMA(0x8) = 1;
    TDMA(0xC) = L1_TO_CONFIG;
    TDMA(0x10) = MOVE;
#ifndef BUG
    TDMA(0xC) = L1_TO_CONFIG;
    settle(TF_TDMA_BASE + 0xC); /* a load of the status may overtake the command; on Wormhole a fence does not help */
    while (TDMA(0x14) & 1)
        ;
#endif
}

PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    for (unsigned i = 0; i < 4; i++)
        TF_WORD(DATA + i * 4) = TF_TENSOR_L1(NEXT);
    settle(DATA + 12);
    unpack_begin();
    unpack_place(IN);
    configure();
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
