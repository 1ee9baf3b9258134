/* SPDX-License-Identifier: Apache-2.0 */
/* Where cycles went, in timing mode. */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/run/times.h"
#include "farm/transit/transit.h"
#include "farm/waits/who.h"
#include "tile/times.h"
#include "tile/riscv/timed/timed.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_times.h"

/* By enum tf_time: what cycles of a core that a row explains were for. Rows that explain none are left out. */
static const uint8_t spent_of[TF_TIMES] = {
    [TF_TIME_RV_ISSUE] = TF_SPENT_ISSUED,
    [TF_TIME_RV_MULTIPLY] = TF_SPENT_RESULT,
    [TF_TIME_RV_MULTIPLY_LATENCY] = TF_SPENT_RESULT,
    [TF_TIME_RV_DIVIDE_STEP] = TF_SPENT_RESULT,
    [TF_TIME_RV_FLOAT_LATENCY] = TF_SPENT_RESULT,
    [TF_TIME_RV_CSR] = TF_SPENT_RESULT,
    [TF_TIME_RV_VECTOR_LATENCY] = TF_SPENT_RESULT,
    [TF_TIME_RV_MISPREDICT] = TF_SPENT_BRANCH,
    [TF_TIME_RV_FETCH_PERIOD] = TF_SPENT_FETCH,
    [TF_TIME_RV_FETCH_MISS] = TF_SPENT_FETCH,
    [TF_TIME_RV_LOAD_LOCAL] = TF_SPENT_LOAD,
    [TF_TIME_RV_LOAD_L0] = TF_SPENT_LOAD_L1,
    [TF_TIME_RV_LOAD_SYNC] = TF_SPENT_LOAD,
    [TF_TIME_RV_LOAD_GPRS] = TF_SPENT_LOAD,
    [TF_TIME_RV_LOAD_TDMA] = TF_SPENT_LOAD,
    [TF_TIME_RV_LOAD_REGISTER] = TF_SPENT_LOAD,
    [TF_TIME_RV_LOAD_L1] = TF_SPENT_LOAD_L1,
    [TF_TIME_RV_LOAD_ATOMIC] = TF_SPENT_LOAD_L1,
    [TF_TIME_RV_LOADS] = TF_SPENT_LOAD,
    [TF_TIME_RV_STORE_L1] = TF_SPENT_STORE,
};

enum tf_spent tf_spent_of(unsigned row)
{
    return (enum tf_spent)spent_of[row];
}

/* The tile, up to date; NULL: there is none. */
static const struct tf_tile *timed_tile(struct tf_chip *chip, unsigned tile, int *error)
{
    *error = chip == NULL || chip->transit == NULL ? TF_EINVAL : tile >= chip->tiles.tensix ? TF_ENODEV : TF_OK;
    if (*error != TF_OK)
        return NULL;
    tf_forks_settle(&chip->forks, chip->fabric, tf_node_number(chip->arch, chip->tiles.tile[tile].coord));
    tf_tile_catch_up(&chip->tiles.tile[tile], &chip->schedule, chip->epochs.tick);
    return &chip->tiles.tile[tile];
}

int tf_core_times(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_times *times)
{
    int error;
    const struct tf_tile *of = timed_tile(chip, tile, &error);
    if (times == NULL || of == NULL)
        return times == NULL ? TF_EINVAL : error;
    if ((unsigned)core >= of->arch->cores)
        return TF_ENODEV;
    const struct tf_core_timing *timing = &of->timing->core[core];
    const struct tf_hart *hart = &of->hart[core];
    memset(times, 0, sizeof *times);
    for (unsigned row = 0; row < TF_TIMES; row++) {
        const unsigned word = chip->transit->times->source[row].word;
        times->spent[spent_of[row]] += timing->spent[row];
        times->uncertain += word == TF_TIME_DERIVED || word == TF_TIME_UNKNOWN ? timing->spent[row] : 0;
    }
    for (unsigned i = 0; i < TF_SPENTS; i++)
        times->spent[i] += timing->waited[i];
    if ((hart->state == TF_CORE_PARKED || hart->state == TF_CORE_BLOCKED) && hart->cycle > timing->counted)
        *(tf_core_is_done(hart) ? &times->ended : &times->spent[tf_timed_waits_for(of, hart)]) += hart->cycle -
                                                                                                  timing->counted;
    for (unsigned i = 0; i < TF_SPENTS; i++)
        times->cycles += times->spent[i];
    return TF_OK;
}

int tf_tile_times(struct tf_chip *chip, unsigned tile, struct tf_tile_times *times)
{
    int error;
    const struct tf_tile *of = timed_tile(chip, tile, &error);
    if (times == NULL || of == NULL)
        return times == NULL ? TF_EINVAL : error;
    const uint64_t *busy = of->timing->busy;
    const unsigned node = tf_node_number(chip->arch, of->coord);
    *times = (struct tf_tile_times){.matrix = busy[TF_UNIT_MATRIX],
                                    .vector = busy[TF_UNIT_VECTOR],
                                    .unpack = busy[TF_UNIT_UNPACK],
                                    .pack = busy[TF_UNIT_PACK],
                                    .scalar = busy[TF_UNIT_SCALAR],
                                    .config = busy[TF_UNIT_CONFIG],
                                    .mover = busy[TF_UNIT_MOVER],
                                    .mvmul = of->timing->mvmuls};
    for (unsigned noc = 0; noc < 2; noc++) {
        times->noc_out[noc] = chip->transit->busy[noc][node][0] / TF_CENTS;
        times->noc_in[noc] = chip->transit->busy[noc][node][1] / TF_CENTS;
    }
    return TF_OK;
}

int tf_dram_times(struct tf_chip *chip, unsigned channel, uint64_t *busy)
{
    if (chip == NULL || busy == NULL || chip->transit == NULL)
        return TF_EINVAL;
    for (unsigned i = 0; i < chip->fabric->nodes; i++) {
        const struct tf_node *node = &chip->fabric->node[i];
        if (node->kind != TF_NODE_DRAM || node->index != channel)
            continue;
        *busy = chip->transit->channel_busy[node->site] / TF_CENTS;
        return TF_OK;
    }
    return TF_ENODEV;
}
