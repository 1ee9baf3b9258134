/* SPDX-License-Identifier: Apache-2.0 */
/* An all-reduce on core B of a Tensix tile of each chip (tilefarm_mesh_layout.h). E0 of Ethernet tiles exchanges the
   blocks (kernels/link.c). */
#include "tilefarm_mesh_layout.h"
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif
#include "tilefarm_device.h"

#define JOB (*(volatile struct tf_mesh_job *)(uintptr_t)TF_M_JOB)

static void make_data(uint32_t round)
{
    const uint32_t seed = JOB.seed + round, chip = JOB.chip;
    for (uint32_t at = 0; at < TF_M_BYTES; at += 4)
        TF_WORD(TF_M_OWN + at) = tf_k_input(seed, chip, at);
}

/* A word of the chip's data plus what the last step has brought over its links. step: since the start. */
static uint32_t gathered(uint32_t step, bool first, uint32_t ports, uint32_t at)
{
    uint32_t sum = TF_WORD(TF_M_OWN + at);
    for (uint32_t port = 0; port < ports && !first; port++)
        sum += TF_WORD(TF_L_AT_TILE(port, step - 1, TF_M_BYTES) + at);
    return sum;
}

/* Make the blocks for all links before the first one leaves: what a neighbour sends for it overwrites this step's. */
static void make_blocks(uint32_t step, bool first, uint32_t ports)
{
    for (uint32_t at = 0; at < TF_M_BYTES; at += 4) {
        const uint32_t all = gathered(step, first, ports, at);
        for (uint32_t port = 0; port < ports; port++)
            TF_WORD(TF_M_LEAVES(port) + at) = first ? all
                                                    : all - TF_WORD(TF_L_AT_TILE(port, step - 1, TF_M_BYTES) + at);
    }
    tf_settle(TF_M_LEAVES(ports - 1) + TF_M_BYTES - 4);
}

static void exchange(uint32_t step, uint32_t ports)
{
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t xy = tf_xy(0, JOB.port_xy[port] & 63, JOB.port_xy[port] >> 6);
        tf_noc_write(0, xy, TF_L_LEAVES(step, TF_M_BYTES), TF_M_LEAVES(port), TF_M_BYTES);
        tf_noc_wait(0);
        tf_sem_inc_remote(0, xy, TF_L_COUNTER(TF_L_BLOCKS), 1);
    }
    for (uint32_t port = 0; port < ports; port++)
        tf_sem_wait_min(TF_L_COUNTER(port), step + 1);
}

int main(void)
{
    const uint32_t rounds = JOB.rounds, steps = JOB.steps, ports = JOB.ports;
    uint32_t sum = 0;
    if (JOB.magic != TF_M_MAGIC)
        return 1;
    for (uint32_t round = 0; round < rounds; round++) {
        make_data(round);
        for (uint32_t step = round * steps; step < (round + 1) * steps; step++) {
            make_blocks(step, step == round * steps, ports);
            exchange(step, ports);
        }
        for (uint32_t at = 0; at < TF_M_BYTES; at += 4) {
            TF_WORD(TF_M_RESULT + at) = gathered((round + 1) * steps, false, ports, at);
            sum += tf_k_mix(TF_WORD(TF_M_RESULT + at) + at);
        }
    }
    tf_noc_wait(0);
    JOB.sum = sum;
    tf_settle((uint32_t)(uintptr_t)&JOB.sum);
    return 0;
}
