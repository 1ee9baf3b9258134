/* SPDX-License-Identifier: Apache-2.0 */
/* What a command line asks of a run. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/fill.h"
#include "cli/log.h"
#include "cli/workloads/workload.h"
#include "debug/suppress.h"
#include "farm/chip/config_room.h"
#include "look/look.h"

/* A program of the user's own for one core of some tiles. */
struct tf_load {
    const char *path;
    enum tf_core core;      /* E0 is 0, E1 is 1, DRISC is 0 */
    enum tf_tile_kind kind; /* `tiles` are Tensix tiles, ports of Ethernet tiles, or DRAM tiles in the order of nodes */
    bool of_chip;           /* for one chip of a system, of this number */
    unsigned chip;
    struct tf_tile_set tiles;
    bool flat; /* not an ELF file: the bytes go to `address`, and the core starts there */
    uint32_t address;
    void *image;
    size_t bytes;
};

#define TF_SAVES_MAX 64u
#define TF_NAMES_MAX 64u

/* A program that the chip has without having loaded it: an ELF file. */
struct tf_named {
    const char *path;
    void *image;
    size_t bytes;
};

/* The numbers of cores in traces: those of a chip of a system begin at its number times this. */
#define TF_SYSTEM_CORES 10000u

/* A run: a workload, loads, or a saved chip. */
struct tf_job {
    struct tf_config_room config;       /* tf_job_config() */
    const struct tf_workload *workload; /* NULL for loads */
    const char *name;                   /* in reports; NULL: it follows from the other fields */
    char *const *word;                  /* of the command line, for reports */
    int words;
    enum tf_log log;
    unsigned chip; /* its number in a system */
    struct tf_workload_options options;
    struct tf_load *load;
    unsigned loads;
    struct tf_named named[TF_NAMES_MAX]; /* --symbols */
    unsigned names;
    struct tf_fill fill; /* of memory and registers, before anything is loaded */
    bool load_local;     /* loads may have data for local RAM */
    struct tf_run_options run;
    double limit_s;                    /* of the host's time; 0: no limit */
    const char *restore;               /* file of the saved chip to continue; or NULL */
    struct tf_save save[TF_SAVES_MAX]; /* in the order of cycles */
    unsigned saves;
    struct tf_save save_every; /* of a system: once in so many cycles, to one file; cycle 0: never */
    struct tf_replay *replay;  /* calls that a host has made; or NULL */
    const char *gdb;           /* [HOST:]PORT to listen at; or NULL */
    bool monitor;              /* commands on standard input drive the run */
    FILE *print;               /* takes the texts of programs; or NULL */
    FILE *trace;               /* takes a line for each Tensix instruction of the traced tiles; or NULL */
    FILE *riscv_trace;         /* takes a line for each instruction of the traced cores; or NULL */
    struct tf_look_wish look;
    bool brief;    /* no hash, no progress, and no figures but the number of faults: all others visit all tiles */
    bool unhashed; /* nothing shows the hash of the state, which takes most of a short run */
    atomic_uint_fast64_t *cycle;          /* gets the cycle now and then, instead of a progress line; or NULL */
    bool critical_path;                   /* it is recorded */
    struct tf_suppressions *suppressions; /* of races that --check finds; or NULL */
};

/* The configuration of the chip: constant if the job is. tilefarm_config.h has its fields. */
static inline struct tf_config *tf_job_config(const struct tf_job *job)
{
    return tf_config_in(&job->config);
}

/* What most reports ask of it: the family's table, or NULL for the default; and the modes. */
const struct tf_arch *tf_job_arch(const struct tf_job *job);
bool tf_job_is_relaxed(const struct tf_job *job);
bool tf_job_checks(const struct tf_job *job);
bool tf_job_is_timed(const struct tf_job *job);
bool tf_job_is_timed_coarsely(const struct tf_job *job);
enum tf_atomics tf_job_atomics(const struct tf_job *job);
unsigned tf_job_threads(const struct tf_job *job);

/* Set fields of it. tf_job_reset(): all others have their defaults. tf_job_use_one_thread(): it is not pinned. */
void tf_job_reset(struct tf_job *job, const struct tf_arch *arch);
void tf_job_set_arch(struct tf_job *job, const struct tf_arch *arch);
void tf_job_set_checks(struct tf_job *job, bool checks);
void tf_job_set_timed(struct tf_job *job, bool timed);
void tf_job_use_one_thread(struct tf_job *job);

/* The option by which a debugger drives the run; NULL: none does. */
static inline const char *tf_job_debugger(const struct tf_job *job)
{
    return job->gdb != NULL ? "--gdb" : job->monitor ? "--monitor" : NULL;
}

/* The command line as a text; the caller frees it. NULL: the job has none, or the host has no memory. */
char *tf_job_command(const struct tf_job *job);

/* The name in reports: the workload's, "load" or "restore". */
const char *tf_job_name(const struct tf_job *job);
const char *tf_job_variant(const struct tf_job *job); /* NULL for loads */

#endif
