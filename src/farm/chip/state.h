/* SPDX-License-Identifier: Apache-2.0 */
/* A chip: tiles, NOCs, and the workers that run them. Each part is described in the header of its room. */
#ifndef FARM_STATE_H
#define FARM_STATE_H

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
#include "tile/riscv/code/code.h"
#include "tile/slice.h"
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
    uint32_t entry[TF_TENSIX_TILES_MAX][TF_TILE_CORES]; /* where cores start that the host takes out of reset */
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
    struct tf_said *said;         /* by tile; NULL: not recorded */
    struct tf_noc_log *noc_log;   /* NULL: requests are not logged */
    struct tf_races *races;       /* NULL: no race checker */
    struct tf_host_statistics host;
    struct tf_forks forks;
};

#endif
