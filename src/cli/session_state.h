/* SPDX-License-Identifier: Apache-2.0 */
/* One run of one chip from the command line: its parts, and its outcome. */
#ifndef CLI_SESSION_STATE_H
#define CLI_SESSION_STATE_H

#include "cli/cli.h"
#include "debug/gdb/console.h"

struct tf_gdb;
struct tf_interrupt;
struct tf_job;
struct tf_look;
struct tf_printed;
struct tf_symbols;
struct tf_system_traces;

enum tf_verdict {
    TF_VERDICT_NONE, /* nothing was checked */
    TF_VERDICT_RIGHT,
    TF_VERDICT_WRONG,    /* the outcome's message says what is wrong */
    TF_VERDICT_DEADLOCK, /* the run ended quiet, and cores wait for ever */
    TF_VERDICT_LIMIT,    /* --limit-cycles or --limit-seconds came first */
};

struct tf_outcome {
    enum tf_end end;
    enum tf_verdict verdict;
    bool interrupted;
    bool cut;                  /* a file could not be written: the run was stopped for it */
    struct tf_message message; /* "" when nothing is wrong */
    struct tf_stats stats;
    uint64_t state_hash;
    size_t races;             /* that --check has found, less the suppressed ones */
    struct tf_waiting *waits; /* of a run that is not known to be right */
    size_t waits_count;
};

/* The progress line, which a terminal shows during long runs. */
struct tf_progress {
    const char *name;
    double began_s;
    bool terminal, shown;
};

/* A chip with a job. The structure must not move between begin and end. */
struct tf_session {
    const struct tf_job *job;
    struct tf_interrupt *interrupt;
    struct tf_chip *chip;
    void *state;                     /* of the workload */
    struct tf_symbols *symbols;      /* of the loaded programs; NULL: no memory */
    struct tf_gdb *gdb;              /* NULL: no debugger */
    struct tf_console console;       /* of --monitor */
    struct tf_printed *printed;      /* NULL: texts of programs are dropped */
    void *run;                       /* of all chips of a system */
    struct tf_system_traces *traces; /* over ranks, for callbacks of its traces; else NULL */
    struct tf_look *look;            /* NULL: nothing is looked at */
    struct tf_progress progress;
    unsigned saved;   /* files of --save-at that are written */
    bool save_failed; /* after an error line */
    struct tf_outcome outcome;
};

#endif
