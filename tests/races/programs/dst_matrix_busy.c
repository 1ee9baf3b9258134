/* SPDX-License-Identifier: Apache-2.0 */
/* T1 posts the semaphore of Dst while the matrix unit may still be at work. */
#ifdef BUG
#define NO_GIVE_MATH
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t round)
{
    (void)round;
    add_one();
}
#endif
