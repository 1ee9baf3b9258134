/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rows. */
#include "cli/bench/bench.h"
#include "tilefarm_bench.h"

#define ALL_TILES TF_K_TILES
#define EVERY_SIDE (BENCH_WITH_PEER | BENCH_WITH_THREADS | BENCH_WITH_RELAXED)
#define B 0x01u
#define T1 0x08u
#define T012 0x1Cu
#define T0 0x04u
#define T2 0x10u
#define FOUR 0x0Fu /* each has an initiator of NIU 0 */
#define FIVE BENCH_ALL_CORES

/* A program on one core or five, of one tile or all. */
/* clang-format off */
#define RV(name_, what_, program_, work_)                                                                           \
    {.name = name_ "-1x1", .unit = "MIPS", .what = what_ ", one core", .scale = 1e-6, .measure = bench_program,     \
     .flags = BENCH_WITH_PEER, .rounds = 20000, .program = program_, .tiles = 1, .cores = B, .work = work_},       \
    {.name = name_ "-5x1", .unit = "MIPS", .what = what_ ", five cores", .scale = 1e-6, .measure = bench_program,   \
     .flags = BENCH_WITH_PEER, .rounds = 20000, .program = program_, .tiles = 1, .cores = FIVE, .work = work_},    \
    {.name = name_ "-1x140", .unit = "MIPS", .what = what_ ", one core of each tile", .scale = 1e-6,                \
     .measure = bench_program, .flags = EVERY_SIDE, .rounds = 2000, .program = program_, .tiles = ALL_TILES,        \
     .cores = B, .work = work_},                                                                                    \
    {.name = name_ "-5x140", .unit = "MIPS", .what = what_ ", all 700 cores", .scale = 1e-6,                        \
     .measure = bench_program, .flags = EVERY_SIDE, .rounds = 1000, .program = program_, .tiles = ALL_TILES,        \
     .cores = FIVE, .work = work_}
/* clang-format on */

/* A program of kernels/bench.c on some cores of the first tiles. */
/* clang-format off */
#define PROGRAM(name_, unit_, what_, scale_, flags_, rounds_, program_, argument_, at_, tiles_, cores_, work_)      \
    {.name = name_, .unit = unit_, .what = what_, .scale = scale_, .measure = bench_program, .flags = flags_,       \
     .rounds = rounds_, .program = program_, .argument = argument_, .at = at_, .tiles = tiles_, .cores = cores_,    \
     .work = work_}
/* clang-format on */

#define ATOMIC(name_, what_, at_)                                                                                 \
    PROGRAM("atomic-" name_ "-contended", "M/s", what_ ", 560 cores on one tile", 1e-6, EVERY_SIDE, 50,           \
            TF_BENCH_ATOMIC, at_, 0, ALL_TILES, FOUR, 1)                                                          \
    , PROGRAM("atomic-" name_ "-spread", "M/s", what_ ", 560 cores, each on the next tile", 1e-6, EVERY_SIDE, 50, \
              TF_BENCH_ATOMIC, at_, 1, ALL_TILES, FOUR, 1)

#define COPY(name_, what_, program_, bytes_, cores_) \
    PROGRAM(name_, "GB/s", what_, 1e-9, EVERY_SIDE, 50, program_, bytes_, 0, ALL_TILES, cores_, bytes_)

#define TENSIX(name_, what_, program_, cores_, work_, argument_, at_) \
    PROGRAM(name_, "M/s", what_, 1e-6, EVERY_SIDE, 20, program_, argument_, at_, ALL_TILES, cores_, work_)

#define MVMUL(name_, what_, format_, phase_) \
    TENSIX("mvmul-" name_, "MVMUL, " what_, TF_BENCH_MVMUL, T1, TF_BENCH_MVMUL_ROUND, format_, phase_)

/* Tiles of 1,024 numbers through an unpacker or the packer, counted in bytes of L1. */
#define UNPACK(name_, what_, formats_, at_, bytes_)                                                              \
    PROGRAM("unpack-" name_, "GB/s", "unpacker 0, " what_, 1e-9, EVERY_SIDE, 20, TF_BENCH_UNPACK, formats_, at_, \
            ALL_TILES, T0, 1024 * (bytes_)*TF_BENCH_UNPACK_ROUND)

#define PACK(name_, what_, conversion_, at_, bytes_)                                                                   \
    PROGRAM("pack-" name_, "GB/s", "packer, " what_, 1e-9, EVERY_SIDE, 20, TF_BENCH_PACK, conversion_, at_, ALL_TILES, \
            T2, 1024 * (bytes_)*TF_BENCH_PACK_ROUND)

/* On one tile or a few: work for one thread. */
#define FEW(name_, unit_, what_, scale_, rounds_, program_, argument_, at_, tiles_, cores_, work_) \
    PROGRAM(name_, unit_, what_, scale_, BENCH_WITH_PEER, rounds_, program_, argument_, at_, tiles_, cores_, work_)

/* A workload of `tilefarm run`, its results checked; rounds are percent of the workload's own scale. */
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

#define CB_REQUESTS 9600 /* of each step of the scale, in every run */

/* clang-format off */
const struct bench_row bench_rows[] = {
    RV("alu", "register arithmetic", TF_BENCH_ALU, TF_BENCH_ALU_ROUND),
    RV("l1", "loads and stores", TF_BENCH_MEMORY, TF_BENCH_MEMORY_ROUND),
    RV("mix", "arithmetic, a table, branches", TF_BENCH_MIX, TF_BENCH_MIX_ROUND),

    ATOMIC("inc", "increment", 0x107C),
    ATOMIC("incptr", "increment with wrap", 0x2044),
    ATOMIC("maskswap", "swap under a mask", 0x3004),
    ATOMIC("cas", "compare and swap", 0x4044),
    ATOMIC("swap", "swap", 0x7000),
    ATOMIC("add", "Zaamo addition", 0xA800),
    ATOMIC("acc", "accumulation of four integers", 0x9004),

    PROGRAM("atomic1-inc-contended", "M/s", "increment, one core a tile, all on one tile", 1e-6, EVERY_SIDE, 50,
            TF_BENCH_ATOMIC, 0x107C, 0, ALL_TILES, B, 1),
    PROGRAM("atomic1-inc-spread", "M/s", "increment, one core a tile, each on the next tile", 1e-6, EVERY_SIDE, 50,
            TF_BENCH_ATOMIC, 0x107C, 1, ALL_TILES, B, 1),

    COPY("copy-32", "writes of 32 bytes, four cores a tile", TF_BENCH_WRITE, 32, FOUR),
    COPY("copy-256", "writes of 256 bytes, four cores a tile", TF_BENCH_WRITE, 256, FOUR),
    COPY("copy-4k", "writes of 4 KiB, four cores a tile", TF_BENCH_WRITE, 4096, FOUR),
    COPY("copy-16k", "writes of 16 KiB, four cores a tile", TF_BENCH_WRITE, 16384, FOUR),
    COPY("copy1-256", "writes of 256 bytes, one core a tile", TF_BENCH_WRITE, 256, B),
    COPY("copy1-16k", "writes of 16 KiB, one core a tile", TF_BENCH_WRITE, 16384, B),
    PROGRAM("copy1-256-awaited", "GB/s", "256 bytes read, then written, one core a tile, awaited", 1e-9, EVERY_SIDE,
            50, TF_BENCH_AWAIT, 256, 0, ALL_TILES, B, 2 * 256),
    PROGRAM("copy1-16k-awaited", "GB/s", "16 KiB read, then written, one core a tile, awaited", 1e-9, EVERY_SIDE,
            50, TF_BENCH_AWAIT, 16384, 0, ALL_TILES, B, 2 * 16384),
    COPY("reader-writer", "pages of 2 KiB read by one core, written by another, a circular buffer between them",
         TF_BENCH_PASS_ON, 2048, 0x3),
    COPY("read-4k", "reads of 4 KiB, four cores a tile", TF_BENCH_READ, 4096, FOUR),
    PROGRAM("multicast", "GB/s", "4 KiB from one tile to 140, as received", 1e-9, EVERY_SIDE, 200, TF_BENCH_MULTICAST,
            4096, 0, 1, B, 4096.0 * ALL_TILES),
    COPY("dram-read", "reads of 4 KiB from DRAM, two cores a tile", TF_BENCH_DRAM_READ, 4096, 0x3),
    COPY("dram-write", "writes of 4 KiB to DRAM, two cores a tile", TF_BENCH_DRAM_WRITE, 4096, 0x3),
    {.name = "barrier-700", .unit = "/s", .what = "barriers of 700 cores", .scale = 1, .measure = bench_program,
     .flags = EVERY_SIDE, .rounds = 100, .program = TF_BENCH_BARRIER, .tiles = ALL_TILES, .cores = FIVE, .work = 1,
     .work_is_chips = true},
    PROGRAM("ping-pong", "M/s", "semaphores there and back, 70 pairs of tiles", 1e-6, EVERY_SIDE, 50,
            TF_BENCH_PING_PONG, 0, 0, ALL_TILES, B, 0.5),
    FEW("ping-pong-20", "M/s", "semaphores there and back, 10 pairs of tiles", 1e-6, 400, TF_BENCH_PING_PONG, 0, 0, 20,
        B, 0.5),
    FEW("ping-pong-2", "M/s", "semaphores there and back, one pair of tiles", 1e-6, 2000, TF_BENCH_PING_PONG, 0, 0, 2,
        B, 0.5),
    FEW("atomic-inc-1t", "M/s", "increment, four cores of a tile, on the next tile", 1e-6, 4000, TF_BENCH_ATOMIC,
        0x107C, 1, 1, FOUR, 1),
    FEW("copy-256-1t", "GB/s", "writes of 256 bytes, four cores of a tile", 1e-9, 4000, TF_BENCH_WRITE, 256, 0, 1, FOUR,
        256),
    FEW("copy-16k-1t", "GB/s", "writes of 16 KiB, four cores of a tile", 1e-9, 2000, TF_BENCH_WRITE, 16384, 0, 1, FOUR,
        16384),
    FEW("dram-read-1t", "GB/s", "reads of 4 KiB from DRAM, two cores of a tile", 1e-9, 2000, TF_BENCH_DRAM_READ, 4096,
        0, 1, 0x3, 4096),
    FEW("dram-write-1t", "GB/s", "writes of 4 KiB to DRAM, two cores of a tile", 1e-9, 2000, TF_BENCH_DRAM_WRITE,
        4096, 0, 1, 0x3, 4096),

    TENSIX("thcon", "scalar unit, by .ttinsn, three threads", TF_BENCH_SCALAR, T012, TF_BENCH_SCALAR_ROUND, 0, 0),
    TENSIX("mop", "scalar unit, by MOPs, three threads", TF_BENCH_MOP, T012, TF_BENCH_MOP_ROUND, 0, 0),
    TENSIX("replay", "scalar unit, by replays, three threads", TF_BENCH_REPLAY, T012, TF_BENCH_REPLAY_ROUND, 0, 0),
    MVMUL("bf16-0", "bf16, fidelity phase 0", 5, 0),
    MVMUL("bf16-1", "bf16, fidelity phase 1", 5, 1),
    MVMUL("bf16-2", "bf16, fidelity phase 2", 5, 2),
    MVMUL("bf16-3", "bf16, fidelity phase 3", 5, 3),
    MVMUL("fp16-0", "fp16, fidelity phase 0", 1, 0),
    MVMUL("tf32-0", "tf32 into 32 bits, fidelity phase 0", 4, 0),
    MVMUL("int8-0", "int8, fidelity phase 0", 14, 0),
    TENSIX("vector", "vector unit, fused multiply-adds, loads and stores", TF_BENCH_VECTOR, T1,
           TF_BENCH_VECTOR_ROUND, 0, 0),
    UNPACK("bf16", "bf16 into SrcA", 0x55, TF_BENCH_TO_SRC, 2),
    UNPACK("bf16-transposed", "bf16 into SrcA, faces transposed", 0x55, TF_BENCH_TRANSPOSED, 2),
    UNPACK("fp16", "fp16 into SrcA", 0x11, TF_BENCH_TO_SRC, 2),
    UNPACK("fp32", "fp32 into SrcA as tf32", 0x04, TF_BENCH_TO_SRC, 4),
    UNPACK("fp32-dst", "fp32 into Dst", 0x00, TF_BENCH_TO_DST, 4),
    UNPACK("bfp8", "bfp8 into SrcA", 0x66, TF_BENCH_TO_SRC, 1),
    UNPACK("bfp4", "bfp4 into SrcA", 0x77, TF_BENCH_TO_SRC, 0.5),
    UNPACK("bfp2", "bfp2 into SrcA", 0xFF, TF_BENCH_TO_SRC, 0.25),
    UNPACK("fp8", "fp8 e5m2 into SrcA", 0xAA, TF_BENCH_TO_SRC, 1),
    UNPACK("int8", "int8 into SrcA", 0xEE, TF_BENCH_TO_SRC, 1),
    PACK("bf16", "bf16 from 16 bits", 0x055, TF_BENCH_PACK_STORE, 2),
    PACK("bf16-relu", "bf16 from 16 bits, ReLU", 0x055, TF_BENCH_PACK_RELU, 2),
    PACK("bf16-acc", "bf16 from 16 bits, added to what L1 holds", 0x055, TF_BENCH_PACK_ACCUMULATED, 2),
    PACK("fp16", "fp16 from 16 bits", 0x011, TF_BENCH_PACK_STORE, 2),
    PACK("fp32", "fp32 from 32 bits", 0x100, TF_BENCH_PACK_STORE, 4),
    PACK("fp32-bf16", "bf16 from 32 bits", 0x155, TF_BENCH_PACK_STORE, 2),
    PACK("bfp8", "bfp8 from 16 bits", 0x056, TF_BENCH_PACK_STORE, 1),
    PACK("bfp4", "bfp4 from 16 bits", 0x057, TF_BENCH_PACK_STORE, 0.5),
    PACK("bfp2", "bfp2 from 16 bits", 0x05F, TF_BENCH_PACK_STORE, 0.25),
    PACK("fp8", "fp8 e4m3 from fp16", 0x01A, TF_BENCH_PACK_STORE, 1),
    PACK("int32", "int32", 0x188, TF_BENCH_PACK_STORE, 4),
    PACK("int8", "int8 from 32 bits", 0x1EE, TF_BENCH_PACK_STORE, 1),
    TENSIX("unpack-add-pack", "faces of two operands, their bf16 sums packed", TF_BENCH_ADD_FACES, T012,
           TF_BENCH_ADD_ROUND / 3.0, 0, 0),

    FEW("thcon-1t", "M/s", "scalar unit, by .ttinsn, one tile", 1e-6, 2000, TF_BENCH_SCALAR, 0, 0, 1, T012,
        TF_BENCH_SCALAR_ROUND),
    FEW("mop-1t", "M/s", "scalar unit, by MOPs, one tile", 1e-6, 500, TF_BENCH_MOP, 0, 0, 1, T012, TF_BENCH_MOP_ROUND),
    FEW("replay-1t", "M/s", "scalar unit, by replays, one tile", 1e-6, 500, TF_BENCH_REPLAY, 0, 0, 1, T012,
        TF_BENCH_REPLAY_ROUND),
    FEW("mvmul-bf16-0-1t", "M/s", "MVMUL, bf16, fidelity phase 0, one tile", 1e-6, 1000, TF_BENCH_MVMUL, 5, 0, 1, T1,
        TF_BENCH_MVMUL_ROUND),
    FEW("vector-1t", "M/s", "vector unit, one tile", 1e-6, 2000, TF_BENCH_VECTOR, 0, 0, 1, T1, TF_BENCH_VECTOR_ROUND),
    FEW("unpack-bf16-1t", "GB/s", "unpacker 0, bf16 into SrcA, one tile", 1e-9, 2000, TF_BENCH_UNPACK, 0x55,
        TF_BENCH_TO_SRC, 1, T0, 1024 * 2 * TF_BENCH_UNPACK_ROUND),
    FEW("pack-bf16-1t", "GB/s", "packer, bf16 from 16 bits, one tile", 1e-9, 2000, TF_BENCH_PACK, 0x055,
        TF_BENCH_PACK_STORE, 1, T2, 1024 * 2 * TF_BENCH_PACK_ROUND),
    FEW("unpack-add-pack-1t", "M/s", "faces of two operands, their bf16 sums packed, one tile", 1e-6, 1000,
        TF_BENCH_ADD_FACES, 0, 0, 1, T012, TF_BENCH_ADD_ROUND / 3.0),

    MATMUL("bf16-hifi4", "bf16, four fidelity phases"),
    MATMUL("bf16-lofi", "bf16, one fidelity phase"),
    MATMUL("bfp8-hifi2", "bfp8, two fidelity phases"),

    WORKLOAD("mixed", NULL, "MIPS", 1e-6, BENCH_INSTRUCTIONS, "workload: integer work of eight kinds on 700 cores"),
    WORKLOAD("ring", "both", "GB/s", 1e-9, BENCH_BYTES, "workload: copies of 16 KiB round all tiles"),
    WORKLOAD("atomics", "all", "M/s", 1e-6, BENCH_ATOMICS, "workload: NOC atomics of all kinds, contended"),
    WORKLOAD("barrier", "central", "M/s", 1e-6, BENCH_REQUESTS, "workload: NOC requests of barriers of 700 cores"),
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
    {.name = "idle", .unit = "ns", .what = "1000 cycles of a chip on which 140 cores wait", .scale = 1e9,
     .measure = bench_idle, .flags = BENCH_WITH_PEER | BENCH_COST, .rounds = 10, .program = TF_BENCH_WAIT,
     .tiles = ALL_TILES, .cores = B},
    {.name = "memory", .unit = "MB", .what = "resident, after a program on 700 cores", .scale = 1,
     .measure = bench_memory, .flags = BENCH_WITH_PEER | BENCH_COST | BENCH_FRESH | BENCH_FIXED, .rounds = 1000,
     .program = TF_BENCH_MIX, .tiles = ALL_TILES, .cores = FIVE, .work = TF_BENCH_MIX_ROUND},
    {.name = "timeline", .unit = "x", .what = "matmul with --timeline: processor time by that without", .scale = 1,
     .measure = bench_timeline, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "matmul"},
    {.name = "profile", .unit = "x", .what = "mixed with --profile: processor time by that without", .scale = 1,
     .measure = bench_profile, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "mixed"},
    {.name = "check-mixed", .unit = "x", .what = "mixed with --check: processor time by that without", .scale = 1,
     .measure = bench_check, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "mixed"},
    {.name = "check-matmul", .unit = "x", .what = "matmul with --check: processor time by that without", .scale = 1,
     .measure = bench_check, .flags = BENCH_COST | BENCH_FIXED, .rounds = 50, .workload = "matmul"},
    {.name = "explore", .unit = "1/s", .what = "seeds of a short program on two tiles, one job a thread", .scale = 1,
     .measure = bench_seeds_rate, .flags = BENCH_WITH_THREADS, .rounds = 200},
    {.name = "save", .unit = "ms", .what = "save a chip that runs matmul on 140 tiles", .scale = 1e3,
     .measure = bench_save, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "matmul", .scale_full = 4},
    {.name = "restore", .unit = "ms", .what = "restore a chip that runs matmul on 140 tiles", .scale = 1e3,
     .measure = bench_restore, .flags = BENCH_COST | BENCH_FIXED, .rounds = 5, .workload = "matmul", .scale_full = 4},
    {.name = "fork", .unit = "ms", .what = "fork a chip that runs matmul on 140 tiles", .scale = 1e3,
     .measure = bench_fork, .flags = BENCH_COST | BENCH_FIXED, .rounds = 20, .workload = "matmul", .scale_full = 4},
};
/* clang-format on */

const unsigned bench_row_count = sizeof bench_rows / sizeof bench_rows[0];
