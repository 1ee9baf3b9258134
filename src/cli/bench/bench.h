/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm bench. A row is one thing that is measured; a side is one way of running it: on the farm with so many
 * threads, or on a library with the libttsim interface. A side of a row has a process of its own, which makes samples
 * as the calling process asks for them, so that sides take turns and one that dies is a line of the table; and another
 * for the next turn.
 */
#ifndef CLI_BENCH_BENCH_H
#define CLI_BENCH_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/cli.h"
#include "farm/share/rehearse.h"
#include "farm/share/workers.h"
#include "tilefarm_layout.h"

#define BENCH_RUNS_MAX 99u
#define BENCH_SIDES_MAX 24u
#define BENCH_PROJECT_MAX 8u
#define BENCH_WHY_BYTES 200u
#define BENCH_WORKERS_MAX 64u /* of which figures are kept */
#define BENCH_ALL_CORES 0x1Fu

struct bench_options {
    uint32_t runs;
    uint32_t scale_percent;
    uint32_t patience_s;
    const char *json, *plots, *peer, *side;
    unsigned project[BENCH_PROJECT_MAX], projections; /* numbers of workers to rehearse */
};

/* ---- Engines: a chip that programs are put on ---- */

struct bench_engine;

/* Each returns false with a sentence in engine->why. */
struct bench_engine_ops {
    bool (*open)(struct bench_engine *engine);
    void (*close)(struct bench_engine *engine);
    bool (*write_all)(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes);
    bool (*write)(struct bench_engine *engine, unsigned tile, uint64_t address, const void *data, uint32_t bytes);
    bool (*read)(struct bench_engine *engine, unsigned tile, uint64_t address, void *data, uint32_t bytes);
    /* Any node's memory; the bytes lie within 2 MiB that are aligned. NULL: not in this engine. */
    bool (*put)(struct bench_engine *engine, struct tf_coord node, uint64_t address, const void *data, uint32_t bytes);
    bool (*get)(struct bench_engine *engine, struct tf_coord node, uint64_t address, void *data, uint32_t bytes);
    /* All cores into reset. */
    bool (*hold)(struct bench_engine *engine);
    /* Some cores of the first tiles out of reset, each at the start of its program region. */
    bool (*start)(struct bench_engine *engine, unsigned tiles, unsigned cores);
    /* Until all of those have written their done words. */
    bool (*finish)(struct bench_engine *engine, unsigned tiles, unsigned cores);
    /* At least so many cycles, or less when nothing can happen. */
    bool (*pass)(struct bench_engine *engine, uint32_t cycles);
};

struct bench_side {
    char name[24];            /* "1", "2 relaxed", "16 projected", "peer" */
    enum { BENCH_FARM, BENCH_OWN_ABI, BENCH_PEER } kind;
    enum tf_mode mode;
    unsigned threads;
    bool projected;           /* its workers are rehearsed by one thread */
    const char *library;      /* of a peer */
};

struct bench_engine {
    const struct bench_engine_ops *ops;
    const struct bench_side *side;
    struct tf_chip *chip;     /* of the farm */
    const struct bench_abi *abi;
    double open_s;            /* what opening it took */
    struct tf_meeting meeting; /* of a projected side, once measured */
    bool measured;
    bool loaded;              /* with the device programs */
    char why[BENCH_WHY_BYTES];
};

extern const struct bench_engine_ops bench_farm_ops, bench_abi_ops;

/* Fill an engine for a side; what the side needs of the host (a library) is loaded here. */
bool bench_engine_init(struct bench_engine *engine, const struct bench_side *side);

/* The functions of a library with the libttsim interface, for bench_abi_ops. NULL: the one that is built in. */
bool bench_abi_load(struct bench_engine *engine, const char *library);

/* engine->why = ...; returns false. */
bool bench_refuse(struct bench_engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

double bench_seconds(void);

/* ---- Rows ---- */

/* What one measurement gave; crosses from the child to its parent as it is. */
struct bench_sample {
    bool right;
    char why[BENCH_WHY_BYTES];  /* when not */
    double work, seconds;
    bool has_stats;             /* what follows was filled in */
    struct tf_stats stats;      /* of the measured part */
    struct tf_worker_stats worker[BENCH_WORKERS_MAX];
    uint64_t tile_instructions[TF_TENSIX_TILES_MAX], tile_bytes[TF_TENSIX_TILES_MAX];
    struct tf_projection projection; /* of a projected side, and what was assumed */
    struct tf_meeting meeting;
};

struct bench_row;
typedef void bench_measure(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                           struct bench_sample *sample);

enum bench_flags {
    BENCH_WITH_PEER = 1,     /* a peer can be asked for it */
    BENCH_WITH_THREADS = 2,  /* on more than one thread too */
    BENCH_WITH_RELAXED = 4,
    BENCH_COST = 8,          /* less is better: time of a unit of work, or an amount */
    BENCH_FRESH = 16,        /* a new process for each sample */
    BENCH_FIXED = 32,        /* rounds are not fitted to the time that a sample should take */
};

/* One row of the table. To add one that runs a device program, give it a program in kernels/bench.c and an entry. */
struct bench_row {
    const char *name, *unit, *what;
    double scale;            /* of the rate a second (or of the seconds that a unit of work costs) into the unit */
    bench_measure *measure;
    uint32_t flags;
    uint32_t rounds;         /* first guess */
    /* A device program: rounds times work on each core that takes part. */
    uint32_t program, argument, at;
    unsigned tiles, cores;
    double work;
    bool work_is_chips;      /* the work is that of the whole chip together */
    /* A workload. */
    const char *workload, *variant;
    uint32_t scale_full;     /* its scale at 100 percent; 0: its own */
    /* BENCH_WORK: that of the row, for each step of the scale. */
    enum { BENCH_INSTRUCTIONS, BENCH_BYTES, BENCH_ATOMICS, BENCH_REQUESTS, BENCH_WORK } figure;
};

extern const struct bench_row bench_rows[];
extern const unsigned bench_row_count;

/* The figure of a sample in the row's unit. */
double bench_value(const struct bench_row *row, const struct bench_sample *sample);

bench_measure bench_program, bench_workload, bench_workload_image, bench_start_up, bench_idle, bench_memory,
    bench_host_write, bench_host_read;

/* The scale of a row's workload at so many percent. */
uint32_t bench_scale(const struct bench_row *row, uint32_t percent);

/* The farm's figures so far, and those of a part of them. */
void bench_look(struct bench_engine *engine, struct bench_sample *figures);
void bench_subtract(struct bench_sample *now, const struct bench_sample *before);

/* Put the device programs on all tiles, and run one: used by measurements. False with engine->why. */
bool bench_program_begin(struct bench_engine *engine, const struct bench_row *row, uint32_t rounds);

/* ---- project.c: sides that are projected ---- */

/* "2,4,16" into options->project. False after an error line. */
bool bench_project_list(void *into, const char *name, const char *value);

/* Let a new chip rehearse its workers if its side is projected. False with engine->why. */
bool bench_rehearse(struct bench_engine *engine, struct tf_chip *chip);

/* bench_seconds(); on the host that the engine's chip rehearses, if it does. */
double bench_passed(const struct bench_engine *engine);

void bench_subtract_projection(struct tf_projection *now, const struct tf_projection *before);

struct bench_line;
/* A projected line's speed against that of one thread, both by processor time: what other work takes from them is in
   neither. 0: not known. */
double bench_projected_speed(const struct bench_line *line, const struct bench_line *one);

/* The rest of a line: speed and efficiency against one thread, and where the time goes. */
void bench_project_print(const struct bench_line *line, const struct bench_line *one);
json_t *bench_project_json(const struct bench_line *line, const struct bench_line *one);

/* ---- quiet.c: moments in which the host gives all its cores ---- */

struct bench_quiet {
    double patience_s;         /* left; once there is none, all moments are alike */
    double sample_s;           /* of it, for the next sample */
    unsigned samples;          /* to be made */
    unsigned cores;
    int cpu[TF_WORKERS_MAX];   /* each one's, or -1 */
    unsigned looks;            /* first looks that were taken */
    double best_rate[TF_WORKERS_MAX], best_line_s; /* ever seen */
};

/* So many samples are to share the patience that there is. */
void bench_quiet_begin(struct bench_quiet *quiet, uint32_t patience_s, unsigned samples);

/* Another sample: it may use twice its share. */
void bench_quiet_next(struct bench_quiet *quiet);

/* Wait for such a moment. False: the sample's patience has ended, or there was none. */
bool bench_quiet_await(struct bench_quiet *quiet);

/* Is it one still? If not, the time since then was spent in vain. */
bool bench_quiet_still(struct bench_quiet *quiet, double began_s);

/* Was what each core has computed in a time as good as it gets? */
bool bench_quiet_rates(struct bench_quiet *quiet, const double *rate);

/* Was what a cache line took from one core to another, when all cores gave what they can? */
bool bench_quiet_line(struct bench_quiet *quiet, double line_s);

/* ---- child.c: a side's process ---- */

struct bench_child {
    const struct bench_row *row;
    const struct bench_side *side;
    int pid, to, from, output; /* pid 0: none */
    uint32_t rounds;           /* of a sample */
    uint32_t samples;
    uint32_t quiet;            /* of them, made in quiet moments */
    double value[BENCH_RUNS_MAX], busy[BENCH_RUNS_MAX];
    struct bench_sample last;  /* right, or with what went wrong */
};

/* Take one sample. False: it failed, and child->last.why says why; the child is gone. */
bool bench_child_sample(struct bench_child *child);
void bench_child_end(struct bench_child *child);

/* ---- report.c ---- */

struct bench_line {
    const struct bench_row *row;
    struct bench_side side;
    bool right;
    char why[BENCH_WHY_BYTES];
    double median, least, most;
    double busy;               /* the median, had it taken the processor time of its runs alone; 0: not known */
    double ratio;              /* to the peer, more than 1: faster; 0: none */
    double speed_up;           /* over one thread; 0: not known */
    uint32_t rounds, samples, quiet;
    double sample[BENCH_RUNS_MAX];
    struct bench_sample last;
};

struct bench_report {
    struct bench_line *line;
    size_t lines, room;
};

struct bench_line *bench_report_add(struct bench_report *report); /* NULL: no memory, after an error line */
void bench_report_head(void);
/* The lines of a row. */
void bench_report_print(const struct bench_line *line, unsigned sides);
/* How many samples were made in quiet moments. */
void bench_report_quiet(const struct bench_report *report);
#define BENCH_FIGURE_BYTES 32
/* A figure to four digits, in text, which is returned. */
char *bench_figure(double value, char text[BENCH_FIGURE_BYTES]);
json_t *bench_report_json(const struct bench_report *report, const struct bench_options *options);
/* The host in a few words: model of the processor, cores, vectors. */
void bench_host(char *text, size_t bytes);

/* ---- plots.c ---- */

/* Write the plots of a run into a folder, which is made. False after an error line. */
bool bench_plots(const struct bench_report *report, const char *folder);

/* True when the folder can be written to. */
bool bench_plots_possible(const char *folder);

#endif
