/* SPDX-License-Identifier: Apache-2.0 */
/* B of tile 0 writes data, and NC writes a flag, with another initiator of the same NIU. On one virtual channel the two
   stay in the order in which the cores wrote NOC_CMD_CTRL. NC must know that B has done so. */
#include "races.h"

#define CHANNEL (TF_NOC_CMD_VC_STATIC | TF_NOC_CMD_RESP_MARKED)
#define ISSUED 0x18100u

#if TF_CORE == 0
PLACE void send(void)
{
    write_as(TF_CORE, tile_xy(1), DATA, DATA, BYTES, CHANNEL);
    tf_noc_ready(0);
    TF_WORD(ISSUED) = 1;
}

PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
        tf_noc_wait(0);
    } else {
        await_flag();
        take();
    }
    return 0;
}
#else
PLACE void raise(void)
{
    TF_WORD(FLAG) = 1;
    settle(FLAG);
    write_as(TF_CORE, tile_xy(1), FLAG, FLAG, 16, CHANNEL);
    tf_noc_wait(0);
}

int main(void)
{
#ifdef BUG
    for (unsigned i = 0; i < 100; i++)
        __asm__ volatile("" ::: "memory"); /* it is late, after B */
#else
    tf_sem_wait_min(ISSUED, 1);
#endif
    raise();
    return 0;
}
#endif
