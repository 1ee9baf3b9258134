/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data and then a flag to DRAM. Tile 1 reads the flag until it is raised, and then the data. With the bug
   tile 0 does not wait for the acknowledgement of the data. */
#include "races.h"

#define DRAM TF_K_DRAM_XY(0, 0)
#define DRAM_DATA 0x1000u
#define DRAM_FLAG 0x2000u

PLACE void send(void)
{
    write_as(TID_OTHER, DRAM, DRAM_DATA, DATA, BYTES, TF_NOC_CMD_RESP_MARKED);
#ifndef BUG
    wait_for(TID_OTHER, 0);
#endif
}

PLACE void raise(void)
{
    TF_WORD(COPY) = 1;
    settle(COPY);
    write_as(TF_CORE, DRAM, DRAM_FLAG, COPY, 4, TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
    wait_for(TID_OTHER, 0);
}

PLACE uint32_t look(void)
{
    read_as(TID_OTHER, DRAM, DRAM_FLAG, COPY, 4);
    wait_for(TID_OTHER, 0);
    return TF_WORD(COPY);
}

PLACE void fetch(void)
{
    read_as(TID_OTHER, DRAM, DRAM_DATA, DATA, BYTES);
    wait_for(TID_OTHER, 0);
}

int main(void)
{
    if (tf_my_tile() == 0) {
        fill(DATA, FIRST);
        send();
        raise();
    } else {
        while (look() != 1)
            ;
        fetch();
        finish(sum(DATA, WORDS));
    }
    return 0;
}
