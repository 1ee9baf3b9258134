/* SPDX-License-Identifier: Apache-2.0 */
/* T1 waits for the matrix unit, but the vector unit has written the rows of Dst. */
#ifdef BUG
#define GIVE_MATH TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX))
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    tf_tt_push(TT_OP_SFPLOADI(2, 0, round < 2 ? ONE : 0x4000)); /* 1 or 2 */
    store_one(0);
}
#endif
