/* SPDX-License-Identifier: Apache-2.0 */
/* T2 lowers the semaphore of Dst while the packer may still read the half. */
#ifdef BUG
#define NO_GIVE_PACK
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    add_one();
}
#endif
