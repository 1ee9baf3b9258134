/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: costs on the host, and the work of each worker. No result depends on them. */
#ifndef FARM_FIGURES_H
#define FARM_FIGURES_H

#include <stdint.h>

#include "noc/noc.h"
#include "tile/run/tile.h"

#define TF_PROGRESS_S 0.1

/* Of all runs of a chip. */
struct tf_host_statistics {
    double wall_s, cpu_s;
    double progress_s; /* when on_progress was last called */
    double run_began_s;
};

/* Of one worker, written by it alone. */
struct tf_worker_figures {
    uint64_t instructions, slices, pages, requests; /* of the tiles that it ran */
    uint64_t deliveries;                            /* requests that acted */
    uint64_t steals;                                /* sites of other workers that it visited */
    double run_s, deliver_s;
};

/*
 * Credit the counts of a tile in a visit to a worker: tf_tally_begin() subtracts the tile's counts, and tf_tally_end()
 * adds the later counts. So no copy is kept between the two (row `atomic1-inc-spread`). requests: the number that it
 * has issued, from any start. tick: the first that the tile runs; then the next one.
 */
static inline void tf_tally_begin(struct tf_worker_figures *figures, const struct tf_tile *tile, uint64_t tick,
                                  uint64_t requests)
{
    figures->instructions -= tile->figures.executed;
    figures->slices -= tick;
    figures->pages -= tile->figures.pages_decoded;
    figures->requests -= requests;
}

static inline void tf_tally_end(struct tf_worker_figures *figures, const struct tf_tile *tile, uint64_t tick,
                                uint64_t requests)
{
    figures->instructions += tile->figures.executed;
    figures->slices += tick;
    figures->pages += tile->figures.pages_decoded;
    figures->requests += requests;
}

/* Requests that both NIUs of a node have issued. */
static inline uint64_t tf_node_requests(const struct tf_node *node)
{
    return node->niu[0].requests + node->niu[1].requests;
}

/* Instructions that all cores of a tile have retired. */
static inline uint64_t tf_tile_instructions(const struct tf_tile *tile)
{
    uint64_t sum = 0;
    for (unsigned core = 0; core < tile->arch->cores; core++)
        sum += tile->hart[core].instret;
    return sum;
}

#endif
