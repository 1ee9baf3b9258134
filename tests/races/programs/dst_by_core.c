/* SPDX-License-Identifier: Apache-2.0 */
/* The vector unit adds 1 to rows of Dst for T1, and T1 loads a sum. With the bug it does not wait for the unit. */
#include "races_tensix.h"

#define ROW 0u
#define ONE 0x3F80 /* in bf16 */
#define PLACE_OF(row) (TF_DST_BASE + (row)*32)

PLACE void prepare(void)
{
    TF_TT(ZEROACC(3, 0, 0, 0, 0));
    TF_TT(SFPLOADI(2, 0, ONE));
    tf_tt_wait_idle();
}

PLACE void add(void)
{
    TF_TT(SFPLOAD(3, 2, 0, ROW));
    TF_TT(SFPADD(10, 2, 3, 3, 0)); /* LReg 10 is 1 */
    TF_TT(SFPNOP);
    TF_TT(SFPSTORE(3, 2, 0, ROW));
}

PLACE void take(void)
{
    finish(TF_WORD(PLACE_OF(ROW)));
}

int main(void)
{
    prepare();
    add();
#ifndef BUG
    tf_tt_wait_idle();
#else
    for (uint32_t i = 0; i < 500; i++)
        __asm__ volatile("" ::: "memory"); /* the unit is usually done */
#endif
    take();
    return 0;
}
