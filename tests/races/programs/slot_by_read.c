/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles 0 and 1 take the next free slot of tile 2. They need an atomic: a read of the count and a write of the next one
   let both take one slot. The jump back stands for a rare way that a compiler puts behind a function's end, and it
   makes no loop around the read: such a read does not poll. */
#include "races.h"

#define SLOT 0x1A000u
#define OLD 0x1B000u
#define NEXT 0x1B010u

PLACE uint32_t choose(void)
{
#ifdef BUG
    __asm__ volatile("31:" ::: "memory");
    tf_noc_read(0, tile_xy(2), SLOT, OLD, 4);
    tf_noc_wait(0);
    __asm__ volatile("j 32f\n\tj 31b\n32:" ::: "memory");
    const uint32_t mine = TF_WORD(OLD);
    TF_WORD(NEXT) = mine + 1;
    tf_settle(NEXT);
    tf_noc_write(0, tile_xy(2), SLOT, NEXT, 4);
    tf_noc_wait(0);
    return mine;
#else
    return tf_noc_fetch_inc(0, tile_xy(2), SLOT, 1);
#endif
}

int main(void)
{
    const uint32_t tile = tf_my_tile();
    if (tile == 2) {
        TF_WORD(SLOT) = 0;
        tf_settle(SLOT);
        for (unsigned i = 0; i < 2; i++)
            tf_sem_inc_remote(0, tile_xy(i), FLAG, 1);
        tf_noc_wait(0);
        tf_sem_wait_min(FLAG, 2);
        finish(TF_WORD(DATA) + TF_WORD(DATA + 16));
    } else {
        tf_sem_wait(FLAG, 1);
        for (volatile uint32_t i = 0; i < 200 * tile; i++)
            ;
        const uint32_t slot = choose();
        TF_WORD(COPY) = tile + 1;
        tf_settle(COPY);
        tf_noc_write(0, tile_xy(2), DATA + 16 * slot, COPY, 4);
        tf_sem_inc_remote(0, tile_xy(2), FLAG, 1);
        tf_noc_wait(0);
    }
    return 0;
}
