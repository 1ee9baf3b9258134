/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 writes data to tile 1 and takes its core NC out of reset. A write to a register may overtake one to L1. */
#include "races.h"
#include "tilefarm_address.h"

#if TF_CORE == 0
#define SOFT_RESET TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)
#define NC_RESET_PC TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC)
#define NC_RESET_PC_OVERRIDE TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE)
#define ALL_IN_RESET 0x47800u
#define NC_IN_RESET 0x40000u

static inline void set_register(uint32_t address, uint32_t value)
{
    tf_noc_write_register(0, tile_xy(1), address, value);
    tf_noc_wait(0);
}

PLACE void stop_core(void)
{
    set_register(SOFT_RESET, ALL_IN_RESET);
    set_register(NC_RESET_PC, 0x4000);
    set_register(NC_RESET_PC_OVERRIDE, 1);
    announce(1);
}

PLACE void send(void)
{
    fill(DATA, FIRST);
    tf_noc_write(0, tile_xy(1), DATA, DATA, BYTES);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

PLACE void start_core(void)
{
    set_register(SOFT_RESET, ALL_IN_RESET & ~NC_IN_RESET);
}

int main(void)
{
    stop_core();
    send();
    start_core();
    return 0;
}
#else
PLACE void take(void)
{
    finish(sum(DATA, WORDS));
}

/* The core waits here until it is reset, and finds the flag raised when it starts again. */
int main(void)
{
    await_flag();
    take();
    return 0;
}
#endif
