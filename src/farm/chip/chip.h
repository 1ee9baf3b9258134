/* SPDX-License-Identifier: Apache-2.0 */
/* A chip: tiles, NOCs, and the workers that run them. Each part is described in the header of its room. */
#ifndef FARM_CHIP_H
#define FARM_CHIP_H

#include <stdatomic.h>

#include "farm/chip/fault_report.h"
#include "farm/chip/worker.h"
#include "farm/explore/explore.h"
#include "farm/host/topology.h"
#include "farm/order/epoch.h"
#include "farm/relaxed/state.h"
#include "farm/saved/fork.h"
#include "farm/share/rehearse.h"
#include "farm/share/share.h"
#include "farm/share/workers.h"
#include "noc/noc.h"
#include "races/races.h"
#include "tile/board.h"
#include "tile/tile.h"
#include "tilefarm/tilefarm.h"

struct tf_chip {
    /* Constant once the chip is made. */
    struct tf_config config;
    const struct tf_arch *arch;
    struct tf_variant *variant; /* which arch is then; NULL: nothing is fused off beyond the family's table */
    struct tf_schedule schedule;
    struct tf_topology topology;
    /* The emulated chip. */
    uint8_t *l1;          /* slots of TF_SLOT_BYTES, by tile */
    size_t l1_bytes;      /* of the mapping */
    struct tf_tile *tile; /* Tensix tiles, then Ethernet tiles; memory of all of them follows */
    size_t tile_bytes;    /* of both */
    unsigned tiles;
    struct tf_code_cache *code;
    struct tf_fabric *fabric;
    uint32_t entry[TF_TENSIX_TILES_MAX][TF_TILE_CORES]; /* where the host lets cores start */
    /* What runs it. */
    struct tf_site site[TF_NODES_MAX];
    unsigned sites;
    struct tf_worker *worker; /* by number */
    struct tf_workers workers;
    struct tf_epochs epochs;
    struct tf_sharing sharing;
    struct tf_pacing pacing;
    struct tf_rehearsal *rehearsal; /* NULL: workers are threads */
    struct tf_relaxed relaxed;
    struct tf_exploring *exploring; /* NULL: the usual order */
    _Alignas(64) atomic_bool stop;  /* tf_stop() was called */
    /* What the chip reports to the host. */
    struct tf_fault_list faults;
    struct tf_riscv_trace *riscv; /* by Tensix tile; NULL: no core is traced */
    struct tf_said *said;         /* by tile; NULL: nobody listens */
    struct tf_noc_log *noc_log;   /* NULL: nobody asks for requests */
    struct tf_races *races;       /* NULL: nobody looks for races */
    struct tf_host_statistics host;
    struct tf_forks forks;
};

/* Create a chip with a checked configuration. arch: its table, which must live as long; NULL: the chip makes its own.
   TF_OK, TF_ENOMEM. */
int tf_chip_create_on(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **out);

/* Seconds by the host's clock, or by the clock of a rehearsed host. */
static inline double tf_chip_seconds(const struct tf_chip *chip)
{
    return chip->rehearsal == NULL ? tf_seconds() : tf_rehearsed_seconds(chip->rehearsal);
}

/* The chip's time, in cycles. */
static inline uint64_t tf_chip_cycles(const struct tf_chip *chip)
{
    return chip->epochs.cycles;
}

/* The chip's next slice is `slice`, which is not 0. Thread: the calling one, while no worker runs. */
static inline void tf_chip_pass(struct tf_chip *chip, uint64_t slice)
{
    chip->epochs.slice = slice;
    chip->epochs.cycles = tf_slice_end(&chip->schedule, slice - 1);
}

/* The site that a node belongs to. */
static inline unsigned tf_site_of(const struct tf_chip *chip, unsigned node)
{
    return chip->fabric->node[node].site;
}

static inline unsigned tf_chip_tensix_tiles(const struct tf_chip *chip)
{
    return chip->arch->tile[TF_TILE_TENSIX].tiles;
}

static inline unsigned tf_node_number(const struct tf_chip *chip, struct tf_coord coord)
{
    return (unsigned)coord.y * chip->arch->grid_x + coord.x;
}

#endif
