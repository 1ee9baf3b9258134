/* SPDX-License-Identifier: Apache-2.0 */
/* T2 packs a half of Dst without a wait until T1 has filled it. */
#ifdef BUG
#define NO_TAKE_PACK
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    add_one();
}
#endif
