/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed of control instructions in the Tensix threads of 140 tiles. T cores push them as .ttinsn and by stores;
 * MOPs and replays expand them; some access memory, and some run in lock-step.
 *
 *     bench_tensix [-j HOST_THREADS] [KERNEL ...]
 *
 * Host threads share the tiles out among themselves; each counts by its own processor time, and their rates are added.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "parts.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/interp/instances.h"
#include "tile/run/slice.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define CODE 0x1000u
#define TILES 140u
#define SECONDS 0.5
#define THREADS_MAX 64u

#define W(op) ((uint32_t)TF_OP_##op << 24)
#define ADD (W(ADDDMAREG) | 1u << 23 | 9u << 12 | 3u << 6 | 9u)
#define XOR (W(BITWOPDMAREG) | 2u << 18 | 10u << 12 | 9u << 6 | 10u)
#define SET (W(SETDMAREG) | 0x1234u << 8 | 22u)
#define LOAD (W(LOADIND) | 1u << 22 | 8u << 14 | 12u << 6) /* from GPR 0 * 16 and the low half of GPR 4 */
#define STORE (W(STOREIND) | 1u << 23 | 1u << 21 | 8u << 14 | 9u << 6 | 1u)
#define INCGET (W(ATINCGET) | 31u << 14 | 11u << 6 | 2u)
#define MOP (W(MOP) | 1u << 23)
#define REPLAY(first, count, record) (W(REPLAY) | (first) << 14 | (count) << 4 | (record))
#define NOP W(NOP)
#define TTINSN(word) ((word) << 2 | (word) >> 30)
#define JUMP_BACK(words)                                                                                        \
    (0x6Fu | (-(words)*4u >> 20 & 1) << 31 | (-(words)*4u >> 1 & 0x3FF) << 21 | (-(words)*4u >> 11 & 1) << 20 | \
     (-(words)*4u >> 12 & 0xFF) << 12)

/* t1 is the instruction buffer, t0 an instruction. */
#define SW_T0_T1 (5u << 20 | 6u << 15 | 2u << 12 | 0x23u)

struct kernel {
    const char *name;
    uint32_t words[3][40]; /* the loop of a T core, 0 terminated; none: the core is not started */
    uint32_t mop[3][TF_MOP_CFG_WORDS];
    uint32_t replay[TF_REPLAY_ENTRIES];
};

#define EIGHT(a, b, c, d) a, b, c, d, a, b, c, d
/* clang-format off */
#define LOOP_OF(op) {127, 127, NOP, NOP, NOP, op, NOP, op, op}
#define ALL(...) {{__VA_ARGS__}, {__VA_ARGS__}, {__VA_ARGS__}}
/* clang-format on */

#define POST(i) (W(SEMPOST) | 4u << (i))
#define GET(i) (W(SEMGET) | 4u << (i))
#define WAIT(i, condition) (W(SEMWAIT) | 0x22u << 15 | 4u << (i) | (condition))

static const struct kernel kernels[] = {
    {.name = ".ttinsn, one thread", .words = {{TTINSN(ADD), TTINSN(XOR), TTINSN(SET), TTINSN(ADD), JUMP_BACK(4u)}}},
    {.name = ".ttinsn", .words = ALL(TTINSN(ADD), TTINSN(XOR), TTINSN(SET), TTINSN(ADD), JUMP_BACK(4u))},
    {.name = "stores", .words = ALL(EIGHT(SW_T0_T1, SW_T0_T1, SW_T0_T1, SW_T0_T1), JUMP_BACK(8u))},
    {.name = "MOP of arithmetic",
     .words = ALL(TTINSN(MOP), JUMP_BACK(1u)),
     .mop = {LOOP_OF(ADD), LOOP_OF(XOR), LOOP_OF(ADD)}},
    {.name = "MOP of SETDMAREG",
     .words = ALL(TTINSN(MOP), JUMP_BACK(1u)),
     .mop = {LOOP_OF(SET), LOOP_OF(SET), LOOP_OF(SET)}},
    {.name = "MOP of loads, stores, atomics",
     .words = ALL(TTINSN(MOP), JUMP_BACK(1u)),
     .mop = {LOOP_OF(LOAD), LOOP_OF(STORE), LOOP_OF(INCGET)}},
    {.name = "replay",
     .words = ALL(TTINSN(REPLAY(0u, 32u, 0u)), JUMP_BACK(1u)),
     .replay = {EIGHT(ADD, XOR, LOAD, ADD), EIGHT(ADD, XOR, STORE, ADD), EIGHT(ADD, XOR, SET, ADD),
                EIGHT(ADD, XOR, LOAD, ADD)}},
    {.name = "lock-step",
     .words = {{TTINSN(WAIT(0, 2u)), TTINSN(REPLAY(0u, 8u, 0u)), TTINSN(POST(0)), JUMP_BACK(3u)},
               {TTINSN(WAIT(0, 1u)), TTINSN(WAIT(1, 2u)), TTINSN(REPLAY(8u, 8u, 0u)), TTINSN(GET(0)), TTINSN(POST(1)),
                JUMP_BACK(5u)},
               {TTINSN(WAIT(1, 1u)), TTINSN(REPLAY(16u, 8u, 0u)), TTINSN(GET(1)), JUMP_BACK(3u)}},
     .replay = {EIGHT(ADD, XOR, LOAD, ADD), EIGHT(ADD, XOR, STORE, ADD), EIGHT(ADD, XOR, SET, ADD)}},
};

static void prepare(struct tf_tile *tile, unsigned index, const struct kernel *kernel, struct tf_code_cache *cache)
{
    const struct tf_tile_rules rules = {.parking = true};
    uint8_t *l1 = must(calloc(1, TF_L1_BYTES_MAX));
    void *pages = must(tf_zeroed_take(tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX])));
    if (!tf_tile_init(tile, &tf_arch_blackhole.tile[TF_TILE_TENSIX], (struct tf_coord){1, 2}, (uint16_t)index, l1,
                      tf_tile_memory_in(&tf_arch_blackhole.tile[TF_TILE_TENSIX], pages), cache, &rules))
        must(NULL);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &tile->tensix->thread[t];
        memcpy(thread->mop.config, kernel->mop[t], sizeof thread->mop.config);
        memcpy(thread->replay.buffer, kernel->replay, sizeof thread->replay.buffer);
        tile->tensix->thcon->gpr[t][0] = 0x800 + 0x100 * t;
        tile->tensix->thcon->gpr[t][1] = 0x810 + 0x100 * t;
        tile->tensix->thcon->gpr[t][2] = 0x820;
        uint32_t code = CODE + 0x400 * t;
        memcpy(l1 + code, kernel->words[t], sizeof kernel->words[t]);
        if (kernel->words[t][0] == 0)
            continue;
        struct tf_hart *hart = &tile->hart[TF_CORE_T0 + t];
        tf_hart_release(tile, hart, code, 0);
        hart->x[5] = ADD;
        hart->x[6] = 0xFFE40000;
    }
    tile->tensix->sync->max[0] = tile->tensix->sync->max[1] = 2;
}

/* A host thread's share of the tiles, and its result. */
struct share {
    pthread_t thread;
    struct tf_tile *tile;
    unsigned first, step;
    double passed_per_s, executed_per_s;
};

static void *run_share(void *argument)
{
    struct share *share = argument;
    const struct tf_schedule schedule = {.tick_cycles = 1024, .slice_ticks = 1};
    double begin = cpu_s(), end = begin;
    for (uint64_t slice = 1; end - begin < SECONDS; slice += 4) {
        for (unsigned t = share->first; t < TILES; t += share->step)
            tf_tile_run(&share->tile[t], &schedule, slice + 3);
        end = cpu_s();
    }
    for (unsigned t = share->first; t < TILES; t += share->step) {
        share->passed_per_s += (double)share->tile[t].tensix->frontend->passed / (end - begin);
        share->executed_per_s += (double)share->tile[t].figures.executed / (end - begin);
    }
    return NULL;
}

static void run_shares(struct share *share, unsigned threads, struct tf_tile *tile)
{
    for (unsigned i = 0; i < threads; i++) {
        share[i] = (struct share){.tile = tile, .first = i, .step = threads};
        if (pthread_create(&share[i].thread, NULL, run_share, &share[i]) != 0)
            must(NULL);
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(share[i].thread, NULL);
}

static void measure(const struct kernel *kernel, unsigned threads)
{
    struct tf_code_cache *cache = must(tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances));
    struct tf_tile *tile = zeroed_lines(TILES * sizeof *tile);
    struct share share[THREADS_MAX];
    for (unsigned t = 0; t < TILES; t++)
        prepare(&tile[t], t, kernel, cache);
    run_shares(share, threads, tile);
    double passed = 0, executed = 0;
    for (unsigned i = 0; i < threads; i++) {
        passed += share[i].passed_per_s;
        executed += share[i].executed_per_s;
    }
    unsigned faults = 0;
    for (unsigned t = 0; t < TILES; t++)
        faults += tile[t].faults.count;
    printf("%-30s %7.0f M Tensix instructions/s %7.0f MIPS of T cores%s\n", kernel->name, passed / 1e6, executed / 1e6,
           faults != 0 ? ", FAULTS" : "");
    if (faults != 0)
        printf("%s\n", tile[0].faults.entry[0].text);
    for (unsigned t = 0; t < TILES; t++) {
        free(tile[t].l1);
        tf_tile_fini(&tile[t]);
        tf_zeroed_give(tile[t].memory, tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX]));
    }
    free(tile);
    tf_code_cache_destroy(cache);
}

int main(int argc, char **argv)
{
    const unsigned count = sizeof kernels / sizeof kernels[0];
    unsigned long threads = 1;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "-j") == 0) {
        threads = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (threads == 0 || threads > THREADS_MAX) {
        fprintf(stderr, "bench_tensix: 1 to %u host threads\n", THREADS_MAX);
        return 1;
    }
    for (unsigned i = 0; i < count && first >= argc; i++)
        measure(&kernels[i], (unsigned)threads);
    for (int i = first; i < argc; i++)
        if (strtoul(argv[i], NULL, 10) < count)
            measure(&kernels[strtoul(argv[i], NULL, 10)], (unsigned)threads);
    return 0;
}
