/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step 6: tile 0 sends numbers to tile 1 over NOC 0, and then raises a flag over NOC 1. Tile 1 adds the numbers up.
 * Tile 0 lacks a wait between the two; -DFIXED adds it.
 */
#include "tilefarm_device.h"

#define ROW 0x20000u  /* 16 words, on both tiles */
#define FLAG 0x21000u /* on tile 1: the words have arrived */
#define SUM 0x22000u

/* The functions are not inlined, so reports name them. */
static __attribute__((noinline)) void send(void)
{
    for (uint32_t i = 0; i < 16; i++)
        TF_WORD(ROW + 4 * i) = i;
    tf_settle(ROW + 4 * 15);
    tf_noc_write(0, tf_tile_xy(0, 1), ROW, ROW, 64);
#ifdef FIXED
    tf_noc_wait(0);
#endif
    tf_sem_inc_remote(1, tf_tile_xy(1, 1), FLAG, 1);
    tf_noc_wait(1);
}

static __attribute__((noinline)) int add(void)
{
    uint32_t sum = 0;
    tf_sem_wait(FLAG, 1);
    for (uint32_t i = 0; i < 16; i++)
        sum += TF_WORD(ROW + 4 * i);
    TF_WORD(SUM) = sum;
    return sum == 120 ? 0 : 1;
}

int main(void)
{
    if (tf_my_tile() != 0)
        return add();
    send();
    return 0;
}
