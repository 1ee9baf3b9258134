/* SPDX-License-Identifier: Apache-2.0 */
/* T0 has the mover write the line with the formats of the ALU, and unpacks a tile without reading the mover's status.
   Unpackers read two bits of it, which say whether integers are unsigned. The twin changes another bit. */
#include "races_tensix.h"

#define FORMATS TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD
#define LINE (FORMATS / 4 * 4)

#ifdef BUG
#define CHANGED TT_CFG_ALU_FORMAT_SPEC_REG0_SrcAUnsigned_MASK
#else
#define CHANGED TT_CFG_ALU_ROUNDING_MODE_Padding_MASK
#endif

#if TF_CORE == 0
int main(void)
{
    return begin_with_tiles(TWOS, ONES);
}
#elif TF_CORE == 2
PLACE void configure(void)
{
    TDMA(0x0) = DATA / 16;
    TDMA(0x4) = LINE / 4;
    TDMA(0x8) = 1;
    TDMA(0xC) = L1_TO_CONFIG;
    TDMA(0x10) = MOVE;
}

PLACE void unpack(void)
{
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
}

int main(void)
{
    tf_tensor_wait_begin();
    for (unsigned i = 0; i < 4; i++)
        TF_WORD(DATA + i * 4) = TF_TT_CFG(0, LINE + i) ^ (LINE + i == FORMATS ? CHANGED : 0);
    settle(DATA + 12);
    unpack_begin();
    unpack_place(IN);
    configure();
    unpack();
    tf_fence();
    while (TDMA(0x14) & 1)
        ;
    unpack_give();
    return 0;
}
#elif TF_CORE == 4
int main(void)
{
    return one_packer();
}
#endif
