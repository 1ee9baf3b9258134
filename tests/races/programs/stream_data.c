/* SPDX-License-Identifier: Apache-2.0 */
/* B hands a number over in a register of a stream, and announces it by a flag in L1. Streams and L1 are two regions:
   with the bug B does not load the register back, and the flag may come first. */
#include "races.h"

#define NUMBER TF_STREAM_REG_ADDRESS(3, 20)

#if TF_CORE == 0
PLACE void produce(void)
{
    TF_WORD(NUMBER) = 77;
#ifndef BUG
    settle(NUMBER);
#endif
}

int main(void)
{
    produce();
    TF_WORD(FLAG) = 1;
    return 0;
}
#else
PLACE void take(void)
{
    finish(TF_WORD(NUMBER));
}

int main(void)
{
    await_flag();
    take();
    return 0;
}
#endif
