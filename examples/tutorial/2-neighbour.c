/* SPDX-License-Identifier: Apache-2.0 */
/* Step 2: each tile writes its number over the NOC to the next tile, and waits for the number of the tile before it. */
#include "tilefarm_device.h"

#define MINE 0x20000u   /* the word to send */
#define THEIRS 0x20040u /* the word that arrives; it is never 0 */

int main(void)
{
    uint32_t me = tf_my_tile(), next = (me + 1) % TF_K_TILES, last = (me + TF_K_TILES - 1) % TF_K_TILES;
    TF_WORD(MINE) = 1000 + me;
    tf_settle(MINE); /* the NIU reads L1: the store must be there */
    tf_noc_write(TF_NOC, tf_tile_xy(TF_NOC, next), THEIRS, MINE, 4);
    tf_noc_wait(TF_NOC);              /* the write has been answered */
    tf_sem_wait(THEIRS, 1000 + last); /* poll: the neighbour's word has come */
    return 0;
}
