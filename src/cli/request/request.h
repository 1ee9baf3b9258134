/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line of `tilefarm run` asks for. */
#ifndef CLI_REQUEST_REQUEST_H
#define CLI_REQUEST_REQUEST_H

#include "cli/options/arguments.h"
#include "cli/board.h"
#include "cli/distinct.h"
#include "cli/job.h"
#include "cli/places.h"
#include "cli/replay.h"
#include "cli/request/shown.h"
#include "cli/systems/workload.h"
#include "system/processes/shares.h"
#include "tilefarm/tilefarm_explore.h"

#define TF_LOADS_MAX (TF_TENSIX_TILES_MAX * TF_TILE_CORES) /* a program for every core */
#define TF_DUMPS_MAX 64u
#define TF_WRITES_MAX 1024u

/* Files that are written. */
enum tf_out {
    TF_OUT_JSON,
    TF_OUT_JUNIT,
    TF_OUT_SVG,
    TF_OUT_TRACE,
    TF_OUT_RISCV,
    TF_OUT_NOC_TRACE,
    TF_OUT_PROFILE,
    TF_OUT_COVERAGE,
    TF_OUT_TIMELINE,
    TF_OUT_REPORT,
    TF_OUT_CRITICAL,
    TF_OUTS
};

/* The figure of each tile that the terminal shows. */
enum tf_map_of { TF_MAP_NONE, TF_MAP_INSTRUCTIONS, TF_MAP_TRAFFIC };

struct tf_request {
    struct tf_job job;
    const struct tf_arch *family;     /* NULL: the default; the job's configuration has its table or the board's */
    struct tf_board_options board;    /* of the options read so far */
    const char *variant;              /* by name */
    const char *suppress;             /* file of --suppress; or NULL */
    uint32_t epoch_least, epoch_most; /* 0: not given */
    uint32_t slice;
    const char *out[TF_OUTS];       /* paths; NULL: not wanted */
    char *out_text[TF_OUTS];        /* of those whose option has more in its value; or NULL */
    struct tf_shown shown[TF_OUTS]; /* of those that show chosen cores */
    bool quiet;
    bool follows;                                     /* another rank writes the files */
    const char *system;                               /* --system, or the file of `restored`; or NULL */
    struct tf_cluster cluster;                        /* of it */
    const struct tf_system_workload *system_workload; /* NULL: the job's workload runs on each chip */
    uint32_t link_latency, link_gbps;                 /* 0: the default */
    const char *link_fault;                           /* faults of links, or NULL */
    enum tf_ranks_by ranks_by;
    unsigned until_chip; /* of job.run.until_node */
    enum tf_map_of map;
    struct tf_replay replay;      /* of `replay`; job.replay leads here */
    bool partial;                 /* --partial */
    struct tf_config_room saved;  /* what the chip of --restore was configured with */
    struct tf_restored *restored; /* the saved system of --restore; NULL: none, or a chip */
    struct tf_load load[TF_LOADS_MAX];
    struct tf_dump dump[TF_DUMPS_MAX];
    unsigned dumps;
    struct tf_dump input[TF_WRITES_MAX];
    unsigned inputs;
    struct tf_arguments arguments[TF_ARGUMENTS_MAX];
    unsigned argument_lists;
    const char *schedule;         /* path of --schedule, or NULL */
    struct tf_decision *decision; /* of the schedule */
    size_t decisions;
    uint64_t recorded_hash; /* of the state at the end; 0: the schedule has none */
    struct tf_explore explore;
};

/* The chips whose places its options name. */
static inline struct tf_places tf_request_places(const struct tf_request *request)
{
    return (
        struct tf_places){.arch = tf_job_arch(&request->job), .system = request->system, .cluster = &request->cluster};
}

/* Where a request has a field of the configuration of its chip. */
#define TF_REQUEST_CONFIG(field_) (offsetof(struct tf_request, job.config) + offsetof(struct tf_config, field_))

#endif
