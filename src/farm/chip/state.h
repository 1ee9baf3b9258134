/* SPDX-License-Identifier: Apache-2.0 */
/* A chip: tiles, NOCs, and the workers that run them. Each part is described in the header of its room. */
#ifndef FARM_STATE_H
#define FARM_STATE_H

#include <stdatomic.h>

#include "farm/chip/fault_report.h"
#include "farm/chip/observers.h"
#include "farm/chip/rules.h"
#include "farm/chip/tiles.h"
#include "farm/chip/worker.h"
#include "farm/explore/explore.h"
#include "farm/epoch/epoch.h"
#include "farm/relaxed/state.h"
#include "farm/saved/forks.h"
#include "farm/share/phase.h"
#include "farm/share/workers.h"
#include "noc/nodes/dram_core.h"
#include "noc/whole/eth_service.h"
#include "noc/noc.h"
#include "pool/place.h"
#include "pool/share.h"
#include "tile/family/board.h"
#include "tile/run/slice.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_chip {
    /* Constant once the chip is made. */
    struct tf_config *config;
    struct tf_rules rules;    /* as in the configuration */
    struct tf_callbacks call; /* likewise, but for those that ranks put in between */
    const struct tf_arch *arch;
    struct tf_variant *variant; /* which arch is then; NULL: nothing is fused off beyond the family's table */
    bool joined;                /* it is part of a system, which runs it (part.h) */
    struct tf_schedule schedule;
    uint32_t epoch_ticks_min, epoch_ticks_max; /* lengths of epochs */
    bool serial;                               /* requests are delivered one by one */
    struct tf_topology topology;               /* of one worker: its place is found when it is asked for */
    struct tf_cpus cpus;                       /* of several workers: those that the process may use */
    /* The emulated chip. */
    struct tf_tiles tiles;
    struct tf_fabric *fabric;
    struct tf_eth_routes alone; /* of its firmware, outside of a system */
    struct tf_core_maker core_maker;
    /* Threads and order of a run. */
    struct tf_site site[TF_NODES_MAX];
    struct tf_workers workers;
    struct tf_epochs epochs;
    struct tf_sharing sharing;
    struct tf_pacing pacing;
    struct tf_relaxed relaxed_alone; /* of the chip's own runs */
    struct tf_relaxed *relaxed;      /* of its runs: this one, or that of its system */
    struct tf_exploring *exploring;  /* NULL: the usual order */
    struct tf_transit *transit;      /* packets of timing mode; NULL: the usual order */
    unsigned first;                  /* of an epoch this site runs before the others; 0: none, else its number + 1 */
    _Alignas(64) atomic_bool stop;   /* tf_stop() was called */
    /* Reports to the host. */
    struct tf_fault_list faults;
    struct tf_observers observers;
    struct tf_host_statistics host;
    struct tf_forks forks;
};

#endif
