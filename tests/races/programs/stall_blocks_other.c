/* SPDX-License-Identifier: Apache-2.0 */
/* T1 waits for the matrix unit, but the block mask lets the SEMPOST pass. */
#ifdef BUG
#define GIVE_MATH TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_MATRIX))
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    add_one();
}
#endif
