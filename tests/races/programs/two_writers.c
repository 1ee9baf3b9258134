/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles 1 and 2 both write the flag that tile 0 polls, and nothing orders the two. */
#include "races.h"

#define VALUE 0x18200u

PLACE void raise(uint32_t value)
{
    TF_WORD(VALUE) = value;
    settle(VALUE);
    tf_noc_write(0, tile_xy(0), RETURN, VALUE, 4);
    tf_noc_wait(0);
}

PLACE void await(void)
{
    tf_sem_wait_min(RETURN, 7);
}

int main(void)
{
    switch (tf_my_tile()) {
    case 0:
        await();
        finish(7);
        break;
    case 1:
        raise(6);
        announce(2);
        break;
    default:
#ifndef BUG
        await_flag();
#else
        for (unsigned i = 0; i < 4000; i++)
            __asm__ volatile("" ::: "memory"); /* it is late, and usually after tile 1 */
#endif
        raise(7);
        break;
    }
    return 0;
}
