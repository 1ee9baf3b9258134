/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Software semaphores: set, wait, and three ways to signal another tile: write, increment, multicast. B synchronizes
 * the rounds of all tiles, and passes a value along each row. NC signals within rows. T0..T2 pass a value from core to
 * core inside the tile.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

#if TF_CORE == 0
/* Receive a value from the tile before, or start one, and send the next one. The word is 0 until a value arrives. */
static uint32_t pass_along(uint32_t tile, uint32_t round)
{
    uint32_t value = tf_k_input(TF_PARAMS->seed, tile / TF_K_ROW, round) | 1;
    if (tile % TF_K_ROW) {
        do
            tf_fence();
        while (!(value = TF_WORD(TF_SEM(TF_SEM_CHAIN))));
        tf_sem_set(TF_SEM(TF_SEM_CHAIN), 0);
    }
    if (tile % TF_K_ROW < TF_K_ROW - 1)
        tf_sem_set_remote(0, tf_tile_xy(0, tile + 1), TF_SEM(TF_SEM_CHAIN), tf_k_mix(value + tile) | 1);
    return value;
}

static uint32_t round_of(uint32_t tile, uint32_t round)
{
    if (tile == 0)
        tf_sem_set_multicast(0, TF_ALL_TILES(0), TF_SEM(TF_SEM_GO), round, true);
    tf_sem_wait(TF_SEM(TF_SEM_GO), round);
    uint32_t value = pass_along(tile, round);
    TF_WORD(TF_SEM(TF_SEM_LOCAL) + 4) = value;
    tf_sem_set(TF_SEM(TF_SEM_LOCAL), round);
    tf_sem_wait(TF_SEM(TF_SEM_LOCAL + 3), round);
    value += TF_WORD(TF_SEM(TF_SEM_LOCAL + 3) + 4);
    tf_sem_inc_remote(0, tf_tile_xy(0, 0), TF_SEM(TF_SEM_ARRIVED), 1);
    if (tile == 0)
        tf_sem_wait(TF_SEM(TF_SEM_ARRIVED), TF_K_TILES * round);
    return value;
}
#elif TF_CORE == 1
static uint32_t round_of(uint32_t tile, uint32_t round)
{
    uint32_t leader = tile - tile % TF_K_ROW, y = TF_K_Y(tile);
    if (tile != leader) {
        tf_sem_wait(TF_SEM(TF_SEM_ROW), round);
        tf_sem_inc_remote(0, tf_tile_xy(0, leader), TF_SEM(TF_SEM_ROW_DONE), 1);
        tf_noc_wait(0);
        return round;
    }
    tf_sem_set_multicast(0, tf_rectangle(0, TF_K_X(0), y, TF_K_X(TF_K_ROW - 1), y), TF_SEM(TF_SEM_ROW), round, false);
    tf_sem_wait(TF_SEM(TF_SEM_ROW_DONE), (TF_K_ROW - 1) * round);
    return TF_WORD(TF_SEM(TF_SEM_ROW)); /* 0: the multicast leaves out its sender */
}
#else
static uint32_t round_of(uint32_t tile, uint32_t round)
{
    uint32_t from = TF_SEM(TF_SEM_LOCAL + TF_CORE - 2), to = TF_SEM(TF_SEM_LOCAL + TF_CORE - 1);
    tf_sem_wait(from, round);
    uint32_t value = tf_k_mix(TF_WORD(from + 4) + TF_CORE + tile);
    TF_WORD(to + 4) = value;
    tf_sem_set(to, round);
    return value;
}
#endif

int main(void)
{
    uint32_t tile = tf_my_tile(), rounds = TF_PARAMS->scale, sum = 0;
    for (uint32_t round = 1; round <= rounds; round++)
        sum = sum * 3 + round_of(tile, round);
    tf_noc_wait(0);
    TF_RESULT[TF_SEM_SUM] = sum;
    TF_RESULT[TF_SEM_ROUNDS] = rounds;
    return 0;
}
