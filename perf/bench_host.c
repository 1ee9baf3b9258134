/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a host's calls, through libraries with the libttsim interface that take turns:
 *
 *     bench_host LIBRARY...
 *
 * It moves blocks of 1 MiB to and from L1 and DRAM through a window. Then it reads and writes single words of an idle
 * chip, with clock(1) after each. Prints the median of the rounds, and the ratio of the first library to each other
 * one.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tilefarm/libttsim.h"

#define BAR0 0x100000000ull
#define BAR4 0x800000000ull
#define WINDOWS_CONFIG (BAR0 + 0x1FC00000u)
#define BLOCK_BYTES (1u << 20)
#define LIBRARIES_MAX 4
#define ROUNDS 9
#define ROUND_S 0.1

struct library {
    const char *path;
    void (*init)(void);
    void (*exit)(void);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
};

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int load(struct library *library, const char *path)
{
    static const char *const names[] = {"libttsim_init", "libttsim_exit", "libttsim_pci_mem_rd_bytes",
                                        "libttsim_pci_mem_wr_bytes", "libttsim_clock"};
    void *const to[] = {&library->init, &library->exit, &library->read, &library->write, &library->clock};
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    library->path = path;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *symbol = handle == NULL ? NULL : dlsym(handle, names[i]);
        if (symbol == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return -1;
        }
        memcpy(to[i], &symbol, sizeof symbol);
    }
    return 0;
}

/* Window 0, of 2 MiB, at L1 of the tile at (1,2); window 202, of 4 GiB, at a channel of DRAM. */
static void aim(const struct library *library)
{
    const uint32_t words[2][3] = {{0, 1 << 11 | 2 << 17, 0}, {0, 17 | 12 << 6, 0}};
    for (unsigned i = 0; i < 3; i++) {
        library->write(WINDOWS_CONFIG + 4 * i, &words[0][i], 4);
        library->write(WINDOWS_CONFIG + 12 * 202 + 4 * i, &words[1][i], 4);
    }
}

static uint8_t block[BLOCK_BYTES];

static void write_l1(const struct library *library)
{
    library->write(BAR0, block, BLOCK_BYTES);
}
static void read_l1(const struct library *library)
{
    library->read(BAR0, block, BLOCK_BYTES);
}
static void write_dram(const struct library *library)
{
    library->write(BAR4 + 0x100000, block, BLOCK_BYTES);
}
static void read_dram(const struct library *library)
{
    library->read(BAR4 + 0x100000, block, BLOCK_BYTES);
}

/* A client that looks at different words: nothing repeats. */
static void read_word(const struct library *library)
{
    static uint32_t at;
    uint32_t value;
    library->read(BAR0 + (at += 4) % 0x1000, &value, 4);
    library->clock(1);
}

/* A client that waits for a word to change. */
static void poll_word(const struct library *library)
{
    uint32_t value;
    library->read(BAR0 + 0x100, &value, 4);
    library->clock(1);
}

static const struct work {
    const char *name, *unit;
    void (*act)(const struct library *library);
    unsigned at_a_time;
    double scale; /* of what is done in a second */
} works[] = {
    {"write 1 MiB to L1", "GB/s", write_l1, 4, BLOCK_BYTES / 1e9},
    {"read 1 MiB of L1", "GB/s", read_l1, 4, BLOCK_BYTES / 1e9},
    {"write 1 MiB to DRAM", "GB/s", write_dram, 4, BLOCK_BYTES / 1e9},
    {"read 1 MiB of DRAM", "GB/s", read_dram, 4, BLOCK_BYTES / 1e9},
    {"read a word, clock(1)", "million/s", read_word, 200, 1e-6},
    {"poll a word, clock(1)", "million/s", poll_word, 200, 1e-6},
};

#define WORKS (sizeof works / sizeof works[0])

static double measure(const struct library *library, const struct work *work)
{
    double began = seconds(), passed = 0;
    unsigned long done = 0;
    while (passed < ROUND_S) {
        for (unsigned i = 0; i < work->at_a_time; i++)
            work->act(library);
        done += work->at_a_time;
        passed = seconds() - began;
    }
    return (double)done / passed * work->scale;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(double figure[LIBRARIES_MAX][ROUNDS], int libraries, const struct work *work)
{
    printf("%-24s", work->name);
    for (int i = 0; i < libraries; i++)
        qsort(figure[i], ROUNDS, sizeof figure[i][0], compare);
    for (int i = 0; i < libraries; i++)
        printf(" %10.3f", figure[i][ROUNDS / 2]);
    printf(" %s", work->unit);
    for (int i = 1; i < libraries; i++)
        printf("  x %.1f", figure[0][ROUNDS / 2] / figure[i][ROUNDS / 2]);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct library library[LIBRARIES_MAX];
    int libraries = argc - 1;
    if (libraries < 1 || libraries > LIBRARIES_MAX) {
        fprintf(stderr, "usage: bench_host LIBRARY... (at most %d)\n", LIBRARIES_MAX);
        return 2;
    }
    for (int i = 0; i < libraries; i++) {
        if (load(&library[i], argv[1 + i]) != 0)
            return 2;
        library[i].init();
        aim(&library[i]);
        printf("%d: %s\n", i + 1, library[i].path);
    }
    for (unsigned w = 0; w < WORKS; w++) {
        double figure[LIBRARIES_MAX][ROUNDS];
        for (int i = 0; i < libraries; i++)
            measure(&library[i], &works[w]);
        for (unsigned round = 0; round < ROUNDS; round++)
            for (int i = 0; i < libraries; i++)
                figure[i][round] = measure(&library[i], &works[w]);
        report(figure, libraries, &works[w]);
    }
    fflush(stdout);
    for (int i = 0; i < libraries; i++)
        library[i].exit();
    return 0;
}
