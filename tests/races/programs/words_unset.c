/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores poll a flag, and increment a counter by an atomic of the core and one of the NOC. The fixed program sets all
 * three first. With the bug nothing does: by chance the memory begins as 0. Only `--check --fill` takes no zero for
 * granted.
 */
#include "races.h"

#define AMO_COUNTER (COUNTER + 0x10)

PLACE void count(void)
{
    tf_noc_fetch_inc(0, tile_xy(0), COUNTER, 3);
}

PLACE void add(void)
{
    tf_add_here(AMO_COUNTER, 4);
}

PLACE void look(void)
{
    while (TF_WORD(FLAG) != 0)
        ;
}

int main(void)
{
#ifndef BUG
    TF_WORD(FLAG) = 0;
    TF_WORD(COUNTER) = 0;
    TF_WORD(AMO_COUNTER) = 0;
    settle(AMO_COUNTER);
#endif
    look();
    count();
    add();
    finish(TF_WORD(COUNTER) + TF_WORD(AMO_COUNTER));
    return 0;
}
