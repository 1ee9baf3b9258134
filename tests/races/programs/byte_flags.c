/* SPDX-License-Identifier: Apache-2.0 */
/* NC and T0 say in a byte each of one word that they have read a number. B replaces it when only NC has. The corrected
   program waits as the vendor's firmware does: a compiler has moved the rest of the loop out of the way. */
#include "races.h"

#define DONE 0x18100u /* a byte for each reader */

#if TF_CORE == 0
PLACE void replace(void)
{
    TF_WORD(DATA) = 8;
}

int main(void)
{
    TF_WORD(DATA) = 7;
    TF_WORD(DONE) = 0;
    settle(DONE);
    TF_WORD(FLAG) = 1;
#ifndef BUG
    __asm__ volatile("1: lw t0, 0(%0)\n bne t0, %1, 2f\n j 3f\n nop\n nop\n 2: fence\n j 1b\n 3:"
                     :
                     : "r"(DONE), "r"(0x0101)
                     : "t0", "memory");
#else
    while (*(volatile uint8_t *)DONE == 0)
        tf_fence();
#endif
    replace();
    finish(1);
    return 0;
}
#else
PLACE uint32_t take(void)
{
    return TF_WORD(DATA);
}

int main(void)
{
    await_flag();
#if TF_CORE == 2 && defined BUG
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, after NC */
#endif
    TF_WORD(DATA + 0x100 * TF_CORE) = take();
    ((volatile uint8_t *)DONE)[TF_CORE / 2] = 1;
    return 0;
}
#endif
