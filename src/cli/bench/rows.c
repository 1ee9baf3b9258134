/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rows. Its texts have names in place of the numbers of a chip, which family.c puts there. */
#include "cli/bench/bench.h"
#include "cli/bench/rows.h"
#include "tilefarm_bench.h"

#define TF_BENCH_TILES BENCH_N_TILES
#define TF_BENCH_CORES BENCH_N_CORES
#define TF_BENCH_FOURS BENCH_N_FOURS
#define TF_BENCH_PAIRS BENCH_N_PAIRS
#define TF_BENCH_PACKET BENCH_N_PACKET

#define EVERY_SIDE (BENCH_WITH_PEER | BENCH_WITH_THREADS | BENCH_WITH_RELAXED)

/* A program of kernels/bench.c on some cores of the first tiles. */
/* clang-format off */
#define TF_BENCH_ROW(name_, unit_, what_, scale_, on_both_, rounds_, program_, argument_, at_, tiles_, cores_,   \
                     work_)                                                                                         \
    {.name = name_, .unit = unit_, .what = what_, .scale = scale_, .measure = bench_program,                        \
     .flags = on_both_ ? EVERY_SIDE : BENCH_WITH_PEER, .rounds = rounds_, .program = program_,                   \
     .argument = argument_, .at = at_, .tiles = tiles_, .cores = cores_, .work = work_},
/* clang-format on */

/* A workload of `tilefarm run`, whose results are checked. Rounds are percent of the workload's own scale. */
/* clang-format off */
#define WORKLOAD(name_, variant_, unit_, scale_, figure_, what_)                                                    \
    {.name = name_, .unit = unit_, .what = what_, .scale = scale_, .measure = bench_workload,                       \
     .flags = BENCH_WITH_THREADS | BENCH_WITH_RELAXED | BENCH_FIXED, .rounds = 100, .workload = name_,              \
     .variant = variant_, .figure = figure_}
/* clang-format on */

/* 640 x 896 products of rows and columns of 128 numbers for each step of the scale. */
/* clang-format off */
#define MATMUL(variant_, what_)                                                                                     \
    {.name = "matmul-" variant_, .unit = "GOP/s", .what = "workload: product of matrices over all tiles, " what_,   \
     .scale = 1e-9, .measure = bench_workload_image, .flags = EVERY_SIDE | BENCH_FIXED, .rounds = 100,              \
     .work = 2.0 * 640 * 896 * 128, .workload = "matmul", .variant = variant_, .scale_full = 4,                     \
     .figure = BENCH_WORK}
/* clang-format on */

#define CB_REQUESTS 9600 /* steps of the scale in every run */

/* clang-format off */
const struct bench_row bench_rows[] = {
#include "tilefarm_bench.def"
    MATMUL("bf16-hifi4", "bf16, four fidelity phases"),
    MATMUL("bf16-lofi", "bf16, one fidelity phase"),
    MATMUL("bfp8-hifi2", "bfp8, two fidelity phases"),

    WORKLOAD("mixed", NULL, "MIPS", 1e-6, BENCH_INSTRUCTIONS,
             "workload: integer work of eight kinds on " BENCH_N_CORES " cores"),
    WORKLOAD("ring", "both", "GB/s", 1e-9, BENCH_BYTES, "workload: copies of 16 KiB round all tiles"),
    WORKLOAD("atomics", "all", "M/s", 1e-6, BENCH_ATOMICS, "workload: NOC atomics of all kinds, contended"),
    WORKLOAD("barrier", "central", "M/s", 1e-6, BENCH_REQUESTS,
             "workload: NOC requests of barriers of " BENCH_N_CORES " cores"),
    {.name = "cb", .unit = "M/s", .what = "workload: NOC requests of circular-buffer pipelines", .scale = 1e-6,
     .measure = bench_workload_image, .flags = EVERY_SIDE | BENCH_FIXED, .rounds = 25, .work = CB_REQUESTS,
     .workload = "cb", .figure = BENCH_WORK},
    WORKLOAD("allreduce", NULL, "M/s", 1e-6, BENCH_REQUESTS, "workload: NOC requests of sums over all tiles"),
    {.name = "allreduce-66k", .unit = "MIPS", .what = "workload: sums of 66 KiB over all tiles", .scale = 1e-6,
     .measure = bench_workload, .flags = BENCH_WITH_THREADS | BENCH_WITH_RELAXED | BENCH_FIXED, .rounds = 10,
     .workload = "allreduce", .variant = "direct", .figure = BENCH_INSTRUCTIONS},

    {.name = "small-runs", .unit = "1/s", .what = "tests of one tile, each on a new chip, side by side", .scale = 1,
     .measure = bench_small_runs, .flags = BENCH_WITH_THREADS, .rounds = 40},
    {.name = "startup", .unit = "ms", .what = "create a chip", .scale = 1e3, .measure = bench_start_up,
     .flags = BENCH_WITH_PEER | BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1},
    {.name = "host-write", .unit = "GB/s", .what = "blocks of 1 MiB from the host into tiles", .scale = 1e-9,
     .measure = bench_host_write, .flags = BENCH_WITH_PEER, .rounds = 140},
    {.name = "host-read", .unit = "GB/s", .what = "blocks of 1 MiB from tiles to the host", .scale = 1e-9,
     .measure = bench_host_read, .flags = BENCH_WITH_PEER, .rounds = 140},
    {.name = "idle", .unit = "ns", .what = "1000 cycles of a chip on which " BENCH_N_TILES " cores wait", .scale = 1e9,
     .measure = bench_idle, .flags = BENCH_WITH_PEER | BENCH_COST, .rounds = 10, .program = TF_BENCH_WAIT,
     .tiles = TF_K_TILES, .cores = 1},
    {.name = "memory", .unit = "MB", .what = "resident memory, after a program on " BENCH_N_CORES " cores", .scale = 1,
     .measure = bench_memory, .flags = BENCH_WITH_PEER | BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1000,
     .program = TF_BENCH_MIX, .tiles = TF_K_TILES, .cores = BENCH_ALL_CORES, .work = TF_BENCH_MIX_ROUND},
    {.name = "timeline", .unit = "x", .what = "matmul with --timeline: CPU time by that without", .scale = 1,
     .measure = bench_timeline, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "matmul"},
    {.name = "profile", .unit = "x", .what = "mixed with --profile: CPU time by that without", .scale = 1,
     .measure = bench_profile, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "mixed"},
    {.name = "check-mixed", .unit = "x", .what = "mixed with --check: CPU time by that without", .scale = 1,
     .measure = bench_check, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "mixed"},
    {.name = "check-matmul", .unit = "x", .what = "matmul with --check: CPU time by that without", .scale = 1,
     .measure = bench_check, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "matmul"},
    {.name = "check-softmax", .unit = "x", .what = "softmax with --check: CPU time by that without", .scale = 1,
     .measure = bench_check, .flags = BENCH_COST | BENCH_FIXED, .rounds = 100, .workload = "softmax"},
    {.name = "timing-mixed", .unit = "x", .what = "mixed with --timing: CPU time by that without", .scale = 1,
     .measure = bench_timing, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "mixed"},
    {.name = "timing-matmul", .unit = "x", .what = "matmul with --timing: CPU time by that without", .scale = 1,
     .measure = bench_timing, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "matmul"},
    {.name = "board", .unit = "MIPS", .what = "mixed on all cores of a board of two chips", .scale = 1e-6,
     .measure = bench_board, .flags = BENCH_WITH_THREADS | BENCH_FIXED, .rounds = 1, .workload = "mixed",
     .scale_full = 1},
    {.name = "server", .unit = "MIPS", .what = "mixed on all cores of a server of four or eight chips", .scale = 1e-6,
     .measure = bench_server, .flags = BENCH_WITH_THREADS | BENCH_FIXED, .rounds = 1, .workload = "mixed",
     .scale_full = 1},
    {.name = "links", .unit = "MB/s", .what = "an all-gather over the links of a board of two chips", .scale = 1e-6,
     .measure = bench_links, .flags = BENCH_WITH_THREADS | BENCH_FIXED, .rounds = 1, .workload = "eth-ring",
     .scale_full = 20},
    {.name = "galaxy", .unit = "ms", .what = "create a Galaxy of 32 chips", .scale = 1e3, .measure = bench_galaxy,
     .flags = BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1},
    {.name = "galaxy-memory", .unit = "MB", .what = "resident memory of a Galaxy of 32 chips", .scale = 1,
     .measure = bench_galaxy_memory, .flags = BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1},
    {.name = "galaxy-idle", .unit = "x", .what = "mixed on two chips: CPU time by instruction, in a Galaxy by a board",
     .scale = 1, .measure = bench_galaxy_idle, .flags = BENCH_COST | BENCH_FIXED, .rounds = 1, .workload = "mixed",
     .scale_full = 2},
    {.name = "galaxy-windows", .unit = "us", .what = "a window of 1,024 cycles in which one core of 32 chips works",
     .scale = 1e6, .measure = bench_windows, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5000},
    {.name = "explore", .unit = "1/s", .what = "explore: seeds of a two-tile program, one job a thread", .scale = 1,
     .measure = bench_seeds_rate, .flags = BENCH_WITH_THREADS, .rounds = 200},
    {.name = "save", .unit = "ms", .what = "save a chip that runs matmul on " BENCH_N_TILES " tiles", .scale = 1e3,
     .measure = bench_save, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "matmul", .scale_full = 4},
    {.name = "restore", .unit = "ms", .what = "restore a chip that runs matmul on " BENCH_N_TILES " tiles",
     .scale = 1e3, .measure = bench_restore, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "matmul",
     .scale_full = 4},
    {.name = "recorded-calls", .unit = "ms",
     .what = "calls of a host, as recorded in the file of --recording, start to exit", .scale = 1e3,
     .measure = bench_recorded_calls, .flags = BENCH_WITH_PEER | BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1},
    {.name = "fork", .unit = "ms", .what = "fork a chip that runs matmul on " BENCH_N_TILES " tiles", .scale = 1e3,
     .measure = bench_fork, .flags = BENCH_COST | BENCH_FIXED, .rounds = 20, .workload = "matmul", .scale_full = 4},
};
/* clang-format on */

const unsigned bench_row_count = sizeof bench_rows / sizeof bench_rows[0];
