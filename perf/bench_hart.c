/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed of harts: a few programs on one hart, then on all harts of 140 tiles in slices, on one thread.
 *
 *     bench_hart [IMAGE...]    raw images of RV32 code for address 0x1000 that never end, measured beside the kernels
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "parts.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/interp/instances.h"
#include "tile/run/tile.h"

#define CODE 0x1000u
#define SLICE_CYCLES 1024u

/* Registers by their ABI names. */
enum { ZERO = 0, RA = 1, SP = 2, T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1, A2, A3, A4, A5 };

#define R(f7, f3, rd, rs1, rs2) ((uint32_t)(f7) << 25 | (rs2) << 20 | (rs1) << 15 | (f3) << 12 | (rd) << 7 | 0x33)
#define I(op, f3, rd, rs1, imm) (((uint32_t)(imm)&0xfff) << 20 | (rs1) << 15 | (f3) << 12 | (rd) << 7 | (op))
#define ADDI(rd, rs1, imm) I(0x13, 0, rd, rs1, imm)
#define ANDI(rd, rs1, imm) I(0x13, 7, rd, rs1, imm)
#define SLLI(rd, rs1, by) I(0x13, 1, rd, rs1, by)
#define SRLI(rd, rs1, by) I(0x13, 5, rd, rs1, by)
#define ADD(rd, rs1, rs2) R(0, 0, rd, rs1, rs2)
#define SUB(rd, rs1, rs2) R(32, 0, rd, rs1, rs2)
#define XOR(rd, rs1, rs2) R(0, 4, rd, rs1, rs2)
#define MUL(rd, rs1, rs2) R(1, 0, rd, rs1, rs2)
#define LW(rd, rs1, imm) I(0x03, 2, rd, rs1, imm)
#define SW(rs2, rs1, imm) \
    (((uint32_t)(imm) >> 5 & 0x7f) << 25 | (rs2) << 20 | (rs1) << 15 | 2 << 12 | ((uint32_t)(imm)&31) << 7 | 0x23)
#define LUI(rd, imm) ((uint32_t)(imm) << 12 | (rd) << 7 | 0x37)
#define B(f3, rs1, rs2, imm)                                                                                          \
    (((uint32_t)(imm) >> 12 & 1) << 31 | ((uint32_t)(imm) >> 5 & 63) << 25 | (rs2) << 20 | (rs1) << 15 | (f3) << 12 | \
     ((uint32_t)(imm) >> 1 & 15) << 8 | ((uint32_t)(imm) >> 11 & 1) << 7 | 0x63)
#define BEQ(rs1, rs2, imm) B(0, rs1, rs2, imm)
#define BNE(rs1, rs2, imm) B(1, rs1, rs2, imm)
#define JAL(rd, imm)                                                                                                \
    (((uint32_t)(imm) >> 20 & 1) << 31 | ((uint32_t)(imm) >> 1 & 0x3ff) << 21 | ((uint32_t)(imm) >> 11 & 1) << 20 | \
     ((uint32_t)(imm) >> 12 & 0xff) << 12 | (rd) << 7 | 0x6f)
#define JALR(rd, rs1, imm) I(0x67, 0, rd, rs1, imm)

struct kernel {
    const char *name;
    const uint32_t *words;
    size_t bytes;
};

/* Eight independent instructions and the branch back. */
static const uint32_t alu[] = {
    ADD(A0, A0, A1), XOR(A2, A2, A0), SLLI(A3, A1, 3), SUB(A4, A4, A3),    SRLI(A5, A4, 7),
    ADDI(A1, A1, 5), MUL(T0, A5, A1), ADDI(T1, T1, 1), BNE(T1, ZERO, -32), JAL(ZERO, -36),
};

/* A copy of 4 KiB by words, in L1. */
static const uint32_t memory[] = {
    LUI(A0, 0x10),   LUI(A1, 0x20),   LUI(A2, 0x11),    LW(A3, A0, 0),  SW(A3, A1, 0),
    ADDI(A0, A0, 4), ADDI(A1, A1, 4), BNE(A0, A2, -16), JAL(ZERO, -32),
};

/* The same between local RAM and registers, as stacks do. */
static const uint32_t local[] = {
    LUI(SP, 0xFFB01), ADDI(SP, SP, -16), SW(A0, SP, 12),   SW(A1, SP, 8),  ADDI(A0, A0, 1),
    LW(A1, SP, 12),   LW(A2, SP, 8),     ADDI(SP, SP, 16), JAL(ZERO, -28),
};

/* A generator decides between two ways. */
static const uint32_t branches[] = {
    ADDI(A1, A1, 13), SLLI(A2, A1, 13), XOR(A1, A1, A2), SRLI(A2, A1, 17),  XOR(A1, A1, A2),
    SLLI(A2, A1, 5),  XOR(A1, A1, A2),  ANDI(A2, A1, 1), BEQ(A2, ZERO, 12), ADDI(A3, A3, 1),
    JAL(ZERO, -40),   ADDI(A4, A4, 1),  JAL(ZERO, -48),
};

static const uint32_t calls[] = {
    JAL(RA, 8),
    JAL(ZERO, -4),
    ADDI(A0, A0, 1),
    JALR(ZERO, RA, 0),
};

/* A polling loop: most cores of a chip poll most of the time. */
static const uint32_t wait[] = {
    LW(A0, ZERO, 0),
    ANDI(A0, A0, 1),
    BEQ(A0, ZERO, -8),
    JAL(ZERO, -12),
};

static const struct kernel kernels[] = {
    {"alu", alu, sizeof alu},       {"memory", memory, sizeof memory},
    {"local", local, sizeof local}, {"branches", branches, sizeof branches},
    {"calls", calls, sizeof calls}, {"wait", wait, sizeof wait},
};

static void measure(const struct kernel *kernel, unsigned tiles, unsigned cores, uint64_t slice_cycles, double seconds)
{
    struct tf_code_cache *cache = must(tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances));
    struct tf_tile *tile = zeroed_lines(tiles * sizeof *tile);
    const struct tf_tile_rules rules = {.parking = true};
    for (unsigned t = 0; t < tiles; t++) {
        uint8_t *l1 = must(calloc(1, TF_L1_BYTES_MAX));
        void *pages = must(tf_zeroed_take(tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX])));
        if (!tf_tile_init(&tile[t], &tf_arch_blackhole.tile[TF_TILE_TENSIX], (struct tf_coord){1, 2}, (uint16_t)t, l1,
                          tf_tile_memory_in(&tf_arch_blackhole.tile[TF_TILE_TENSIX], pages), cache, &rules))
            must(NULL);
        memcpy(l1 + CODE, kernel->words, kernel->bytes);
        for (unsigned core = 0; core < cores; core++)
            tf_hart_release(&tile[t], &tile[t].hart[core], CODE, 0);
    }
    double begin = cpu_s();
    double end = begin;
    uint64_t turns = 0;
    for (uint64_t slice = 1; end - begin < seconds; slice++) {
        for (unsigned t = 0; t < tiles; t++)
            for (unsigned core = 0; core < TF_TILE_CORES; core++)
                tf_hart_turn(&tile[t], &tile[t].hart[core], slice * slice_cycles);
        turns++;
        end = cpu_s();
    }
    uint64_t executed = 0;
    for (unsigned t = 0; t < tiles; t++)
        executed += tile[t].figures.executed;
    printf("%-28s %3u x %u harts %8.0f MIPS %8.1f ns a turn\n", kernel->name, tiles, cores,
           (double)executed / (end - begin) / 1e6, (end - begin) * 1e9 / (double)(turns * tiles * cores));
    for (unsigned t = 0; t < tiles; t++) {
        free(tile[t].l1);
        tf_tile_fini(&tile[t]);
        tf_zeroed_give(tile[t].memory, tf_tile_memory_bytes(&tf_arch_blackhole.tile[TF_TILE_TENSIX]));
    }
    free(tile);
    tf_code_cache_destroy(cache);
}

static void measure_all(const struct kernel *kernel, double seconds)
{
    measure(kernel, 1, 1, SLICE_CYCLES * 64, seconds);
    measure(kernel, 140, 5, SLICE_CYCLES, seconds);
}

static int measure_file(const char *path, double seconds)
{
    static uint32_t words[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    struct kernel kernel = {path, words, fread(words, 1, sizeof words, file)};
    fclose(file);
    measure_all(&kernel, seconds);
    return 0;
}

int main(int argc, char **argv)
{
    const double seconds = 0.5;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        measure_all(&kernels[i], seconds);
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= measure_file(argv[i], seconds);
    return failed;
}
