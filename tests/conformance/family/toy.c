/* SPDX-License-Identifier: Apache-2.0 */
/*
 * B draws tickets from a counter of tile 0, by atomics. It writes each to its place in DRAM through NOC 1 and one port.
 * Tile 0 waits until all tiles have drawn theirs and says go by multicasts over both NOCs. All tiles read all tickets
 * through NOC 0 and the other port, and add them up. T0 pushes semaphore instructions; NC uses its RAM.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_tensix.h"
#include "toy.h"

#define SETTING ((volatile const struct toy_setting *)TOY_SETTING)

#if TF_CORE == 0
int main(void)
{
    uint32_t rounds = TF_PARAMS->scale, source = TF_SCRATCH + 0x100, sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t ticket = tf_noc_fetch_inc(0, SETTING->tile0_xy, TOY_TICKET, 1);
        for (uint32_t k = 0; k < TOY_TICKET_BYTES; k += 4)
            TF_WORD(source + k) = ticket + k;
        tf_fence();
        tf_noc_write(1, SETTING->dram_xy[0], SETTING->dram_first + ticket * TOY_TICKET_BYTES, source, TOY_TICKET_BYTES);
        tf_noc_wait(1);
    }
    tf_noc_fetch_inc(0, SETTING->tile0_xy, TOY_ARRIVED, 1);
    if (SETTING->me == 0) {
        tf_sem_wait(TOY_ARRIVED, TOY_TILES);
        TF_WORD(source) = 1;
        tf_fence();
        for (unsigned noc = 0; noc < 2; noc++)
            tf_noc_multicast(noc, SETTING->rectangle[noc], TOY_GO(noc), source, 4, true);
    }
    for (unsigned noc = 0; noc < 2; noc++)
        tf_sem_wait(TOY_GO(noc), 1);
    uint32_t bytes = TOY_TILES * rounds * TOY_TICKET_BYTES;
    tf_noc_read(0, SETTING->dram_xy[1], SETTING->dram_first, TF_K_BUFFER, bytes);
    tf_noc_wait(0);
    for (uint32_t at = 0; at < bytes; at += 4)
        sum += TF_WORD(TF_K_BUFFER + at);
    TF_RESULT[0] = sum;
    return 0;
}
#elif TF_CORE == 1
static uint32_t local[256] __attribute__((section(".local")));

int main(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 256; i++)
        local[i] = i * i;
    for (uint32_t i = 0; i < 256; i++)
        sum += ((volatile uint32_t *)local)[i];
    TF_RESULT[0] = sum;
    return 0;
}
#else
int main(void)
{
    TF_TT(SEMINIT(15, 0, 1 << 5));
    for (uint32_t i = 0; i < TOY_POSTS; i++)
        TF_TT(SEMPOST(1 << 5));
    while (TF_WORD(TF_TT_SEMAPHORE(5)) != TOY_POSTS)
        ;
    TF_RESULT[0] = TF_WORD(TF_TT_SEMAPHORE(5));
    return 0;
}
#endif
