/* SPDX-License-Identifier: Apache-2.0 */
/* T1 writes a half of Dst without a wait until T2 has packed it. */
#ifdef BUG
#define NO_TAKE_MATH
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    add_one();
}
#endif
