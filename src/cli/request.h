/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `tilefarm run`. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "cli/arguments.h"
#include "cli/board.h"
#include "cli/distinct.h"
#include "cli/places.h"
#include "cli/replay.h"
#include "cli/session.h"
#include "cli/systems/workload.h"
#include "system/processes/shares.h"
#include "tilefarm/tilefarm_explore.h"

#define TF_LOADS_MAX (TF_TENSIX_TILES_MAX * TF_TILE_CORES) /* a program for every core */
#define TF_DUMPS_MAX 64u
#define TF_WRITES_MAX 64u

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

/* The option that names such a file: "--json". */
const char *tf_out_option(enum tf_out out);

/* Is it filled by what is seen while chips run, and not by their state at the end? */
static inline bool tf_out_is_seen(enum tf_out out)
{
    return out >= TF_OUT_TRACE && out <= TF_OUT_REPORT;
}

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
    char *out[TF_OUTS]; /* paths; NULL: not wanted */
    bool quiet;
    bool follows;                                     /* another rank writes the files */
    const char *system;                               /* --system, or NULL */
    struct tf_cluster cluster;                        /* of it */
    const struct tf_system_workload *system_workload; /* NULL: the job's workload runs on each chip */
    uint32_t link_latency, link_gbps;                 /* 0: the default */
    const char *link_fault;                           /* faults of links, or NULL */
    enum tf_ranks_by ranks_by;
    unsigned until_chip; /* of job.run.until_node */
    enum tf_map_of map;
    struct tf_replay replay;     /* of `replay`; job.replay leads here */
    bool partial;                /* --partial */
    struct tf_config_room saved; /* what the chip of --restore was configured with */
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

/* Where a request has a field of the configuration of its chip. */
#define TF_REQUEST_CONFIG(field_) (offsetof(struct tf_request, job.config) + offsetof(struct tf_config, field_))

/* Read the command line. Returns -1, or an exit code. A request is several 100 KiB long: too long for the stack. */
int tf_request_read(int argc, char **argv, struct tf_request *request);

/* Find the workload of a name, and its variant. Returns -1, or an exit code after an error line. */
int tf_request_workload(struct tf_request *request, const char *name);

/* Can the options be combined? Returns false after an error line that names two that cannot (contradict.c). */
bool tf_request_agrees(const struct tf_request *request);

/* The command line of `tilefarm replay`: the same (replay.c). */
int tf_replay_read(int argc, char **argv, struct tf_request *request);

/* The options of `tilefarm run`, for commands that take some of them. */
const struct tf_option *tf_request_options(unsigned *count);

/* Read the files of --load and --flat. No two may take the same core or memory. Returns -1, or an exit code. */
int tf_request_load(struct tf_request *request);

/* Is no output the same file as an input? `files` has those that the request does not name. Forgets them. Returns false
   after an error line. */
bool tf_request_distinct(const struct tf_request *request, struct tf_distinct *files);

/* Open the file of --suppress, if there is one. Returns false after an error line. */
bool tf_request_open_suppressions(struct tf_request *request);

void tf_request_free(struct tf_request *request);

#endif
