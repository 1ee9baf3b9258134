/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures rows of `tilefarm bench` on any library with the libttsim interface. In share/tilefarm/examples:
 * Build: cc rows.c -I ../kernels -I ../device/blackhole $(pkg-config --cflags tilefarm)
 *
 *     a.out PROGRAMS LIBRARY[,LIBRARY] [ROW...]
 *
 * PROGRAMS is the folder with bench.b.elf to bench.t2.elf (build/kernels, or share/tilefarm/kernels). Each
 * LIBRARY has a Blackhole chip. Two libraries take turns; the ratio is the median of the ratios of the turns. It is
 * above 1 if the first library is faster. In the environment, SAMPLE_MS is the time of a sample in ms (default: 200),
 * and HOST_CLOCKS the cycles of each call of libttsim_clock(), after which a tile is read (default: 1000).
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tilefarm/libttsim.h"
#include "tilefarm_bench.h"

#define BAR0 0x100000000ull
#define WINDOW_BYTES 0x200000u
#define WINDOWS_CONFIG (BAR0 + 0x1FC00000u)
#define SOFT_RESET 0xFFB121B0u
#define ALL_IN_RESET 0x47800u
#define FIRST_TILE (1 | 2 << 6) /* NOC coordinates: x, and y from bit 6 on */
#define LAST_TILE (16 | 11 << 6)
#define COLUMNS 14u
#define CORES 5u
#define TURNS 5u
#define SECONDS_MOST 60.0

struct row {
    const char *name, *unit;
    double scale;
    uint32_t rounds;
    struct tf_bench_params params;
    unsigned tiles, cores;
    double work;
};

#define TF_BENCH_ROW(name, unit, what, scale, on_both, rounds, program, argument, at, tiles, cores, work) \
    {name, unit, scale, rounds, {TF_K_PARAMS_MAGIC, program, 0, argument, at}, tiles, cores, work},
static const struct row rows[] = {
#include "tilefarm_bench.def"
};
#define ROWS (sizeof rows / sizeof rows[0])

/* The bit of a core in SOFT_RESET, the register with its reset PC, and the suffix of its program. */
static const struct {
    uint32_t reset, pc;
    const char *name;
} cores[CORES] = {{1u << 11, 0, "b"},
                  {1u << 18, 0xFFB12238, "nc"},
                  {1u << 12, 0xFFB12228, "t0"},
                  {1u << 13, 0xFFB1222C, "t1"},
                  {1u << 14, 0xFFB12230, "t2"}};

static struct {
    void (*init)(void);
    void (*exit)(void);
    void (*rd)(uint64_t, void *, uint32_t);
    void (*wr)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
} sim;

static void die(const char *what, const char *which)
{
    fprintf(stderr, "rows: %s %s\n", what, which);
    exit(2);
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- The chip ---- */

static void load_library(const char *path)
{
    static const char *const names[] = {"init", "exit", "pci_mem_rd_bytes", "pci_mem_wr_bytes", "clock"};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "libttsim_%s", names[i]);
        void *symbol = library == NULL ? NULL : dlsym(library, name);
        if (symbol == NULL)
            die("cannot load the library", path);
        memcpy((char *)&sim + i * sizeof symbol, &symbol, sizeof symbol);
    }
}

/* Point window 0 at a rectangle of tiles, or at one tile if start and end are equal. Returns where to access it. */
static uint64_t window(uint64_t address, uint32_t start, uint32_t end)
{
    uint64_t page = address / WINDOW_BYTES;
    uint32_t words[3] = {(uint32_t)page, (uint32_t)(page >> 32) | (end & 63) << 11 | end >> 6 << 17, 0};
    if (start != end) {
        words[1] |= (start & 63) << 23 | start >> 6 << 29;
        words[2] = start >> 9 | 1u << 5;
    }
    for (unsigned i = 0; i < 3; i++)
        sim.wr(WINDOWS_CONFIG + 4 * i, &words[i], 4);
    return BAR0 + address % WINDOW_BYTES;
}

static void write_all(uint64_t address, const void *data, uint32_t bytes)
{
    sim.wr(window(address, FIRST_TILE, LAST_TILE), data, bytes);
}

static void write_all32(uint64_t address, uint32_t value)
{
    write_all(address, &value, sizeof value);
}

/* The coordinates of a tile. Columns 8 and 9 have no Tensix tiles. */
static uint32_t tile_at(unsigned tile)
{
    unsigned x = 1 + tile % COLUMNS, y = 2 + tile / COLUMNS;
    return (x < 8 ? x : x + 2) | y << 6;
}

/* ---- Programs ---- */

static uint8_t *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long bytes = 0;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < (long)sizeof(Elf32_Ehdr))
        die("cannot read", path);
    uint8_t *data = malloc((size_t)bytes);
    rewind(file);
    if (data == NULL || fread(data, 1, (size_t)bytes, file) != (size_t)bytes)
        die("cannot read", path);
    fclose(file);
    return data;
}

static void load_programs(const char *folder)
{
    for (unsigned core = 0; core < CORES; core++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/bench.%s.elf", folder, cores[core].name);
        uint8_t *file = read_file(path);
        const Elf32_Ehdr *header = (const Elf32_Ehdr *)file;
        const Elf32_Phdr *segment = (const Elf32_Phdr *)(file + header->e_phoff);
        for (unsigned i = 0; i < header->e_phnum; i++)
            if (segment[i].p_type == PT_LOAD && segment[i].p_filesz != 0)
                write_all(segment[i].p_paddr, file + segment[i].p_offset, segment[i].p_filesz);
        free(file);
    }
}

/* Put all cores into reset, and set their reset PCs to their programs. */
static void hold(void)
{
    write_all32(SOFT_RESET, ALL_IN_RESET);
    for (unsigned core = 1; core < CORES; core++)
        write_all32(cores[core].pc, TF_K_PROGRAM(core));
    write_all32(0xFFB1222C + 8, 7); /* T0, T1 and T2 use these PCs */
    write_all32(0xFFB12238 + 4, 1); /* NC, too */
}

static void start(const struct row *row)
{
    uint32_t held = ALL_IN_RESET;
    for (unsigned core = 0; core < CORES; core++)
        held &= ~(row->cores >> core & 1 ? cores[core].reset : 0);
    if (row->tiles == TF_K_TILES)
        write_all32(SOFT_RESET, held);
    for (unsigned tile = 0; tile < row->tiles && row->tiles != TF_K_TILES; tile++)
        sim.wr(window(SOFT_RESET, tile_at(tile), tile_at(tile)), &held, sizeof held);
}

static bool is_done(const struct row *row, unsigned tile)
{
    uint32_t done[CORES];
    bool all = true;
    sim.rd(window(TF_K_DONE, tile_at(tile), tile_at(tile)), done, sizeof done);
    for (unsigned core = 0; core < CORES; core++)
        all = all && (!(row->cores >> core & 1) || done[core] == TF_K_DONE_MAGIC);
    return all;
}

static uint32_t host_clocks(void)
{
    const char *text = getenv("HOST_CLOCKS");
    long clocks = text != NULL ? atol(text) : 1000;
    return clocks > 0 ? (uint32_t)clocks : 1000;
}

/* Run a row for a number of rounds. Returns the time in seconds. */
static double run(const struct row *row, uint32_t rounds)
{
    static uint8_t area[TF_K_SHARED + 0x1000 - TF_K_PARAMS]; /* parameters, done words, semaphores */
    struct tf_bench_params params = row->params;
    params.rounds = rounds;
    memcpy(area, &params, sizeof params);
    hold();
    write_all(TF_K_PARAMS, area, sizeof area);
    const uint32_t clocks = host_clocks();
    double began = seconds();
    start(row);
    for (unsigned tile = 0; tile < row->tiles; tile += is_done(row, tile)) {
        if (seconds() - began > SECONDS_MOST)
            die("this row does not end:", row->name);
        if (!is_done(row, tile))
            sim.clock(clocks);
    }
    return seconds() - began;
}

/* ---- Samples: each one takes a process ---- */

struct sample {
    uint32_t rounds;
    double value;
};

static double target_s(void)
{
    const char *text = getenv("SAMPLE_MS");
    double ms = text != NULL ? atof(text) : 200;
    return (ms > 0 ? ms : 200) * 1e-3;
}

/* Measure a row. rounds 0: find the number of rounds that take as long as a sample. */
static struct sample measure(const char *programs, const char *library, const struct row *row, uint32_t rounds)
{
    load_library(library);
    sim.init();
    load_programs(programs);
    uint32_t fit = rounds > 3 ? rounds / 3 : rounds != 0 ? 1 : row->rounds;
    double took = run(row, fit); /* also a warm-up */
    while (rounds == 0 && took < target_s() / 2 && fit < 1u << 26) {
        double more = target_s() / (took > 1e-6 ? took : 1e-6);
        fit = (uint32_t)(fit * (more < 30 ? more : 30)) + 1;
        took = run(row, fit);
    }
    struct sample sample = {.rounds = rounds != 0 ? rounds : fit};
    took = rounds != 0 ? run(row, rounds) : took;
    sample.value = sample.rounds * row->work * row->tiles * __builtin_popcount(row->cores) / took * row->scale;
    sim.exit();
    return sample;
}

/* Take a sample in a new process: libraries allow one chip per process. A value of 0: the library refused. */
static struct sample take(const char *programs, const char *library, const struct row *row, uint32_t rounds)
{
    struct sample sample = {0, 0};
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        die("cannot start a process for", row->name);
    pid_t process = fork();
    if (process == 0) {
        sample = measure(programs, library, row, rounds);
        _exit(write(ends[1], &sample, sizeof sample) == sizeof sample ? 0 : 1);
    }
    close(ends[1]);
    if (process < 0 || read(ends[0], &sample, sizeof sample) != sizeof sample)
        sample.value = 0;
    close(ends[0]);
    waitpid(process, NULL, 0);
    return sample;
}

/* End the program if a library or the device programs cannot be loaded. */
static void try_loading(const char *programs, const char *library)
{
    int status = 1;
    pid_t process = fork();
    if (process == 0) {
        load_library(library);
        sim.init();
        load_programs(programs);
        _exit(0);
    }
    if (process < 0 || waitpid(process, &status, 0) < 0 || status != 0)
        die("cannot use the library", library);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *values)
{
    double sorted[TURNS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, TURNS, sizeof sorted[0], ascending);
    return sorted[TURNS / 2];
}

/* Measure a row on the first library, and on the second one if there is one. False: a library refused. */
static bool measure_row(const char *programs, char *const library[2], const struct row *row)
{
    double value[2][TURNS], ratio[TURNS];
    uint32_t rounds[2] = {0, 0};
    unsigned sides = library[1] != NULL ? 2 : 1;
    for (unsigned side = 0; side < sides; side++)
        rounds[side] = take(programs, library[side], row, 0).rounds;
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (unsigned side = 0; side < sides; side++) {
            if (rounds[side] != 0)
                value[side][turn] = take(programs, library[side], row, rounds[side]).value;
            if (rounds[side] == 0 || value[side][turn] == 0) {
                printf("%-24s %s refuses it\n", row->name, library[side]);
                return false;
            }
        }
    printf("%-24s %12.4g %-5s", row->name, median(value[0]), row->unit);
    for (unsigned turn = 0; turn < TURNS && sides == 2; turn++)
        ratio[turn] = value[0][turn] / value[1][turn];
    if (sides == 2)
        printf(" %12.4g %-5s %8.2f x", median(value[1]), row->unit, median(ratio));
    putchar('\n');
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: rows PROGRAMS LIBRARY[,LIBRARY] [ROW...]\n");
        return 2;
    }
    char *library[2] = {strtok(argv[2], ","), strtok(NULL, ",")};
    bool right = true;
    for (int i = 3; i < argc; i++) {
        bool known = false;
        for (size_t k = 0; k < ROWS; k++)
            known = known || strcmp(argv[i], rows[k].name) == 0;
        if (!known)
            die("no row", argv[i]);
    }
    for (unsigned side = 0; side < 2 && library[side] != NULL; side++)
        try_loading(argv[1], library[side]);
    for (size_t k = 0; k < ROWS; k++) {
        bool chosen = argc == 3;
        for (int i = 3; i < argc; i++)
            chosen = chosen || strcmp(argv[i], rows[k].name) == 0;
        if (chosen)
            right = measure_row(argv[1], library, &rows[k]) && right;
    }
    return right ? 0 : 1;
}
