/* SPDX-License-Identifier: Apache-2.0 */
/* T1 posts the semaphore of Dst while the matrix unit may still be at work. */
#ifdef BUG
#define NO_GIVE_MATH
#endif
#include "races_dst.h"

#if TF_CORE == 3
PLACE void compute(uint32_t half)
{
    (void)half;
    TF_TT(ELWADD(0, 0, 0, 0, 0));
    TF_TT(ELWADD(0, 0, 0, 0, 8));
}
#endif
