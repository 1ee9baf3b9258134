/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm bench. A row is one thing that is measured. A side is one way to run it: on our chip with a number of
 * threads, or on a library with the libttsim interface. Each sample has a process of its own, which starts measuring
 * when the calling process asks for it. So sides can alternate, and a side that dies is a line of the table.
 */
#ifndef CLI_BENCH_BENCH_H
#define CLI_BENCH_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/cli.h"
#include "cli/log.h"
#include "cli/peer/client.h"
#include "farm/share/workers.h"
#include "host/clock.h"
#include "tile/arch.h"
#include "tilefarm_layout.h"

#define BENCH_RUNS_MAX 99u
#define BENCH_SIDES_MAX 24u
#define BENCH_WHY_BYTES 200u
#define BENCH_WORKERS_MAX 64u /* workers that a sample has figures of */
#define BENCH_ALL_CORES 0x1Fu /* of the default family */

struct bench_options {
    const struct tf_arch *arch;  /* the family; not NULL */
    const struct bench_row *row; /* of the family */
    unsigned rows;
    uint32_t runs;
    uint32_t scale_percent;
    uint32_t patience_s;
    uint32_t busy;        /* processes that compute meanwhile */
    uint32_t host_clocks; /* of the host's calls; 0: as a row or an engine has it */
    bool scale_threads;   /* sides are numbers of threads, from one to all CPUs of the host */
    enum tf_vectors vectors;
    enum tf_log log;
    const char *json, *peer, *side;
    const char *recording; /* of row `recorded-calls`; or NULL */
};

/* ---- Engines: a chip that runs programs ---- */

struct bench_engine;

/* Each returns false after an error, with a sentence in engine->why. */
struct bench_engine_ops {
    bool (*open)(struct bench_engine *engine);
    void (*close)(struct bench_engine *engine);
    bool (*write_all)(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes);
    bool (*write)(struct bench_engine *engine, unsigned tile, uint64_t address, const void *data, uint32_t bytes);
    bool (*read)(struct bench_engine *engine, unsigned tile, uint64_t address, void *data, uint32_t bytes);
    /* Write and read any node's memory. The bytes lie within one aligned 2 MiB. */
    bool (*put)(struct bench_engine *engine, struct tf_coord node, uint64_t address, const void *data, uint32_t bytes);
    bool (*get)(struct bench_engine *engine, struct tf_coord node, uint64_t address, void *data, uint32_t bytes);
    /* Put all cores into reset. */
    bool (*hold)(struct bench_engine *engine);
    /* Take some cores of the first tiles out of reset, each at the start of its program region. */
    bool (*start)(struct bench_engine *engine, unsigned tiles, unsigned cores);
    /* Run until all of these have written their done words. */
    bool (*finish)(struct bench_engine *engine, unsigned tiles, unsigned cores);
    /* Run at least this many cycles, or fewer when no core has work. */
    bool (*pass)(struct bench_engine *engine, uint32_t cycles);
};

struct bench_side {
    char name[24]; /* "1", "2 relaxed", "peer" */
    enum { BENCH_FARM, BENCH_OWN_ABI, BENCH_PEER } kind;
    enum tf_mode mode;
    unsigned threads;
    unsigned cores, nodes; /* cores and NUMA nodes that its workers have; 0: not known */
    const char *library;   /* path of the peer */
    const struct tf_arch *arch;
    uint32_t host_clocks;    /* as in bench_options */
    const char *recording;   /* as in bench_options */
    enum tf_vectors vectors; /* a peer takes them only if it knows TILEFARM_VECTORS */
};

struct bench_engine {
    const struct bench_engine_ops *ops;
    const struct bench_side *side;
    struct tf_chip *chip;    /* NULL for a library */
    struct tf_client client; /* of bench_abi_ops */
    double open_s;           /* time that open() took */
    uint32_t host_clocks;    /* cycles between two looks of the host at a program; 0: as the engine likes */
    bool loaded;             /* the device programs are in L1 */
    bool closed;             /* the row has closed it */
    char why[BENCH_WHY_BYTES];
};

extern const struct bench_engine_ops bench_farm_ops, bench_abi_ops;

/* ---- Rows ---- */

/* The result of one measurement. The child writes these bytes to its parent. */
struct bench_sample {
    bool right;
    char why[BENCH_WHY_BYTES]; /* why it is not right */
    double work, seconds;
    bool has_stats;        /* the fields below are filled in */
    struct tf_stats stats; /* of the measured part of the run */
    struct tf_worker_stats worker[BENCH_WORKERS_MAX];
};

struct bench_row;
typedef void bench_measure(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                           struct bench_sample *sample);

enum bench_flags {
    BENCH_WITH_PEER = 1,    /* a peer can run it */
    BENCH_WITH_THREADS = 2, /* it runs on several threads too */
    BENCH_WITH_RELAXED = 4,
    BENCH_COST = 8,   /* less is better: time of a unit of work, or an amount */
    BENCH_FRESH = 16, /* a new process for each sample */
    BENCH_FIXED = 32, /* rounds are not fitted to the time that a sample should take */
};

/* A row of the table. A row that runs a device program needs the program in kernels/bench.c and an entry. */
struct bench_row {
    const char *name, *unit, *what;
    double scale; /* factor from work a second (BENCH_COST: seconds of a unit of work) to `unit` */
    bench_measure *measure;
    uint32_t flags;
    uint32_t rounds; /* first guess of their number */
    /* For a device program. Each core that takes part does rounds times `work`. */
    uint32_t program, argument, at;
    unsigned tiles, cores;
    double work;
    uint32_t host_clocks; /* cycles of each call of the host, which looks after it; 0: as bench_options has it */
    /* For a workload. */
    const char *workload, *variant;
    uint32_t scale_full; /* its scale at 100 percent; 0: its own */
    /* The statistic that counts as work. BENCH_WORK: the row's `work` times the scale. */
    enum { BENCH_INSTRUCTIONS, BENCH_BYTES, BENCH_ATOMICS, BENCH_REQUESTS, BENCH_WORK } figure;
};

/* In texts of the table, in place of numbers of a chip. */
#define BENCH_N_TILES "{tiles}"
#define BENCH_N_CORES "{cores}"
#define BENCH_N_FOURS "{fours}"   /* cores, four of each tile */
#define BENCH_N_PAIRS "{pairs}"   /* of tiles */
#define BENCH_N_PACKET "{packet}" /* KiB of a packet, 16 at most */

/* Tensix tiles of a side's chip. */
static inline unsigned bench_tiles(const struct bench_engine *engine)
{
    return engine->side->arch->tile[TF_TILE_TENSIX].tiles;
}

/* The cores of each Tensix tile: their number, and as a mask. */
static inline unsigned bench_cores(const struct bench_engine *engine)
{
    return engine->side->arch->tile[TF_TILE_TENSIX].cores;
}

static inline unsigned bench_all_cores(const struct bench_engine *engine)
{
    return (1u << bench_cores(engine)) - 1;
}

bench_measure bench_program, bench_workload, bench_workload_image, bench_small_runs, bench_start_up, bench_idle,
    bench_memory, bench_host_write, bench_host_read, bench_timeline, bench_profile, bench_check, bench_timing,
    bench_seeds_rate, bench_save, bench_restore, bench_fork, bench_recorded_calls, bench_board, bench_server,
    bench_links, bench_galaxy, bench_galaxy_memory, bench_galaxy_idle, bench_windows;

/* ---- quiet.c: moments in which the host gives all its cores ---- */

struct bench_quiet {
    double patience_s; /* left; at 0 every moment counts as quiet enough */
    double sample_s;   /* part of it that the next sample may use */
    unsigned samples;  /* still to be taken */
    unsigned cores;
    int cpu[TF_WORKERS_MAX]; /* host CPU of each core, or -1 */
    unsigned looks;          /* number of looks so far, up to those that only learn the best values */
    double best_rate[TF_WORKERS_MAX], best_line_s; /* seen so far */
};

/* ---- busy.c: other work on the host ---- */

#define BENCH_BUSY_MAX 256u

struct bench_busy {
    pid_t *process;
    unsigned count;
};

/* ---- child.c: the process of a side ---- */

struct bench_child {
    const struct bench_row *row;
    const struct bench_side *side;
    int pid, to, from, output; /* pid 0: none */
    uint32_t rounds;           /* of a sample */
    uint32_t samples;
    uint32_t quiet; /* samples that were taken in quiet moments */
    double value[BENCH_RUNS_MAX], busy[BENCH_RUNS_MAX];
    struct bench_sample last; /* the last one; not right: `why` says why */
};

#endif
