/* SPDX-License-Identifier: Apache-2.0 */
/* T1 waits for the matrix unit, but the vector unit has written the rows of Dst. */
#ifdef BUG
#define GIVE_MATH TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX))
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t half)
{
    (void)half;
    TF_TT(SFPLOADI(2, 0, 0x3F80));
    TF_TT(SFPSTORE(2, 2, 0, 0));
}
#endif
