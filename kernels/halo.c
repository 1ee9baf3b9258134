/* SPDX-License-Identifier: Apache-2.0 */
/* A square of cells on core B of a Tensix tile, whose sides border on those of neighbour chips
   (tilefarm_halo_layout.h). E0 of Ethernet tiles exchanges the sides (kernels/link.c). */
#include "tilefarm_halo_layout.h"
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif
#include "tilefarm_device.h"

#define JOB (*(const volatile struct tf_halo_job *)(uintptr_t)TF_H_JOB)

static const volatile uint32_t *square(uint32_t round)
{
    return (const volatile uint32_t *)(uintptr_t)TF_H_SQUARE(round);
}

static void send(uint32_t round, uint32_t port)
{
    const uint32_t xy = tf_xy(0, JOB.port_xy[port] & 63, JOB.port_xy[port] >> 6), from = TF_H_LEAVES(port);
    for (uint32_t i = 0; i < TF_H_SIDE; i++)
        TF_WORD(from + 4 * i) = square(round)[tf_h_cell(TF_H_SIDE_OF(port), i)];
    tf_settle(from + TF_H_BYTES - 4);
    tf_noc_write(0, xy, TF_L_LEAVES(round, TF_H_BYTES), from, TF_H_BYTES);
    tf_noc_wait(0);
    tf_sem_inc_remote(0, xy, TF_L_COUNTER(TF_L_BLOCKS), 1);
}

static void receive(uint32_t round, uint32_t port, uint32_t border[TF_H_SIDES][TF_H_SIDE])
{
    tf_sem_wait_min(TF_L_COUNTER(port), round + 1);
    for (uint32_t i = 0; i < TF_H_SIDE; i++)
        border[TF_H_SIDE_OF(port)][i] += TF_WORD(TF_L_AT_TILE(port, round, TF_H_BYTES) + 4 * i);
}

int main(void)
{
    const uint32_t rounds = JOB.rounds, ports = JOB.ports;
    if (JOB.magic != TF_H_MAGIC)
        return 1;
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t border[TF_H_SIDES][TF_H_SIDE] = {{0}};
        for (uint32_t port = 0; port < ports; port++)
            send(round, port);
        for (uint32_t port = 0; port < ports; port++)
            receive(round, port, border);
        for (uint32_t i = 0; i < TF_H_SIDE * TF_H_SIDE; i++)
            TF_WORD(TF_H_SQUARE(round + 1) + 4 * i) = tf_h_next(square(round), border, i / TF_H_SIDE, i % TF_H_SIDE);
        tf_settle(TF_H_SQUARE(round + 1) + 4 * (TF_H_SIDE * TF_H_SIDE - 1));
    }
    tf_noc_wait(0);
    return 0;
}
