/* SPDX-License-Identifier: Apache-2.0 */
/* Two atomics return their old values to one word, which tile 0 reads. With the bug both are on their way together. */
#include "races.h"

PLACE void add(uint32_t address)
{
    tf_noc_atomic(0, tile_xy(1), address, TF_AT_INC(address, 1), 1, RETURN);
}

PLACE void use(void)
{
    finish(TF_WORD(RETURN) + 1);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        await_flag();
        add(COUNTER);
#ifndef BUG
        tf_noc_wait(0);
#endif
        add(COUNTER + 0x40);
        tf_noc_wait(0);
        use();
    } else {
        TF_WORD(COUNTER) = 10;
        TF_WORD(COUNTER + 0x40) = 20;
        settle(COUNTER + 0x40);
        announce(0);
    }
    return 0;
}
