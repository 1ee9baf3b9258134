/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock in each tile. Its three Tensix threads take it with ATCAS, and two cores of other tiles take it with NOC
 * compare and swap. The holder of a lock changes a record of four words. T cores release the lock with a store, because
 * a waiting ATCAS may occupy the scalar unit.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_tensix.h"
#include "tilefarm_workloads.h"

static uint32_t me, home;

static void change(uint32_t record, uint32_t value)
{
    TF_WORD(record) += 1;
    TF_WORD(record + 4) += value;
    TF_WORD(record + 8) ^= value;
    TF_WORD(record + 12) = me * TF_K_CORES + TF_CORE;
    tf_settle(record + 12);
}

#if TF_CORE >= 2
static int enter(uint32_t value)
{
    tf_tt_push(TT_OP_ATCAS(0, TF_TLOCK_HELD(TF_CORE), 0, home % 4, 0, 0));
    tf_tt_wait_idle();
    if (TF_WORD(TF_TLOCK(home)) != TF_TLOCK_HELD(TF_CORE))
        return 1;
    change(TF_TLOCK_RECORD, value);
    TF_WORD(TF_TLOCK(home)) = 0;
    return 0;
}

static void prepare(void)
{
    TF_TTINSN(TT_SET_GPR_LOW(0, TF_TLOCK_LINE / 16));
    TF_TTINSN(TT_SET_GPR_HIGH(0, TF_TLOCK_LINE / 16));
}
#else
#define COPY (TF_SCRATCH + 0x40)

static int enter(uint32_t value)
{
    uint32_t xy = tf_tile_xy(0, home);
    while (!tf_noc_cas(0, xy, TF_TLOCK(home), 0, TF_TLOCK_HELD(TF_CORE)))
        ;
    tf_noc_read(0, xy, TF_TLOCK_RECORD, COPY, 16);
    tf_noc_wait(0);
    change(COPY, value);
    tf_noc_write(0, xy, TF_TLOCK_RECORD, COPY, 16);
    tf_noc_wait(0);
    return !tf_noc_cas(0, xy, TF_TLOCK(home), TF_TLOCK_HELD(TF_CORE), 0);
}

static void prepare(void)
{
}
#endif

int main(void)
{
    uint32_t count = TF_TLOCK_ENTRIES * TF_PARAMS->scale;
    me = tf_my_tile();
    home = TF_TLOCK_HOME(TF_CORE, me, TF_K_TILES);
    prepare();
    for (uint32_t i = 0; i < count; i++)
        if (enter(tf_k_input(TF_PARAMS->seed + TF_CORE, me, i)) != 0)
            return 1;
    TF_RESULT[0] = count;
    return 0;
}
