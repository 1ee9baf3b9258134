/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data and then a flag to DRAM. Tile 1 reads 64 bytes with the flag until it is raised, then the data.
   With the bug tile 0 does not wait for the acknowledgement of the data. */
#include "races.h"

#define DRAM TF_K_DRAM_XY(0, 0)
#define DRAM_DATA 0x1000u
#define DRAM_FLAGS 0x2000u
#define FLAG_AT 16u /* of 64 bytes */

PLACE void send(void)
{
    write_as(TID_OTHER, DRAM, DRAM_DATA, DATA, BYTES, TF_NOC_CMD_RESP_MARKED);
#ifndef BUG
    wait_for(TID_OTHER, 0);
#endif
}

PLACE void raise(void)
{
    TF_WORD(COPY + FLAG_AT) = 1;
    settle(COPY + FLAG_AT);
    write_as(TF_CORE, DRAM, DRAM_FLAGS + FLAG_AT, COPY + FLAG_AT, 4, TF_NOC_CMD_RESP_MARKED);
    tf_noc_wait(0);
    wait_for(TID_OTHER, 0);
}

PLACE uint32_t look(void)
{
    read_as(TID_OTHER, DRAM, DRAM_FLAGS, COPY, 64);
    wait_for(TID_OTHER, 0);
    return TF_WORD(COPY + FLAG_AT);
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
