/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The libttsim interface under calls that no client would make on purpose. With clang's libFuzzer this is its target;
 * as a program (TF_FUZZ_MAIN) it makes random calls: fuzz_abi SECONDS, seed in TF_SEED.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tilefarm/libttsim.h"
#include "random.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define BAR0 0x100000000ull
#define BAR2 0x120000000ull
#define BAR4 0x800000000ull
#define BYTES_MAX (3u << 20)
#define CANARY 64u

static FILE *complaints;

static unsigned long long run_seed; /* of the run under way, for those that are made up */

#define DEMAND(condition)                                                                    \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(complaints, "broken promise: %s; TF_SEED=%llu\n", #condition, run_seed); \
            fflush(complaints);                                                              \
            abort();                                                                         \
        }                                                                                    \
    } while (0)

/* The source of decisions: bytes of the fuzzer, then zeros. */
struct source {
    const uint8_t *at, *end;
};

static uint32_t draw(struct source *source, unsigned bytes)
{
    uint32_t value = 0;
    for (; bytes > 0 && source->at < source->end; bytes--)
        value = value << 8 | *source->at++;
    return value;
}

static uint8_t memory[1 << 16];
static bool meddles; /* callbacks do forbidden things */

static void meddle(void)
{
    uint32_t word = 0;
    if (!meddles)
        return;
    libttsim_clock(1);
    libttsim_pci_mem_rd_bytes(BAR0, &word, sizeof word);
    DEMAND(word == UINT32_MAX);
    libttsim_exit();
}

static void dma_read(uint64_t address, void *data, uint32_t bytes)
{
    meddle();
    for (uint32_t i = 0; i < bytes; i++)
        ((uint8_t *)data)[i] = memory[(address + i) % sizeof memory];
}

static void dma_write(uint64_t address, const void *data, uint32_t bytes)
{
    meddle();
    for (uint32_t i = 0; i < bytes; i++)
        memory[(address + i) % sizeof memory] = ((const uint8_t *)data)[i];
}

static uint64_t draw_address(struct source *source)
{
    static const uint64_t bases[] = {
        BAR0,
        BAR0 + 0x1FFFC0,
        BAR0 + 0x200000,
        BAR0 + 0x193FFFF0,
        BAR0 + 0x1FC00000,
        BAR0 + 0x1FC00978,
        BAR0 + 0x1FD04000,
        BAR0 + 0x1FD14040,
        BAR0 + 0x1FE00000,
        BAR0 + 0x1FFFFFF0,
        BAR2,
        BAR2 + 0x100,
        BAR2 + 0x1000,
        BAR2 + 0x2E00,
        BAR2 + 0xFFFF0,
        BAR4,
        BAR4 + 0xFFFFFFF0,
        BAR4 + 0x7FFFFFFF0,
        0,
        UINT64_MAX - 16,
    };
    uint32_t kind = draw(source, 1);
    uint64_t base = bases[kind % (sizeof bases / sizeof bases[0])];
    return base + (kind < 128 ? draw(source, 1) : draw(source, 3));
}

static uint32_t draw_size(struct source *source)
{
    static const uint32_t sizes[] = {4, 4,  4,  4,  4,    1,    2,     3,        0,        5,
                                     8, 12, 16, 64, 1000, 4096, 70000, 0x200000, BYTES_MAX};
    return sizes[draw(source, 1) % (sizeof sizes / sizeof sizes[0])];
}

static uint64_t draw_inside(struct source *source)
{
    static const uint64_t places[] = {0,
                                      0x100,
                                      0x17FFF0,
                                      0x180000,
                                      0x7CC70,
                                      0x590,
                                      0x7FFF0,
                                      TF_LOCAL_BASE,
                                      TF_DEBUG_BASE,
                                      DEBUG_AT(SOFT_RESET_0),
                                      DEBUG_AT(TRISC0_RESET_PC),
                                      TF_ETH_CONTROL_BASE,
                                      TF_ETH_LINK_BASE,
                                      0x7D000,
                                      TF_NIU_BASE(0),
                                      NIU_AT(0, CMD_CTRL),
                                      NIU_CONFIG(1, 0),
                                      TF_STREAM_BASE,
                                      TF_MOP_CFG_BASE,
                                      TF_INSTRN_BUF_BASE,
                                      TF_CFG_BASE,
                                      0xFFFFFFF0,
                                      0x100000000,
                                      0x10000300,
                                      0x1007FFF0,
                                      0x80030400,
                                      0x80030100,
                                      0x800B0000,
                                      1ull << 60,
                                      0xF800000000000078,
                                      0xFFFFFFFFFFB20044,
                                      0xFFFFFFFFFFFFFFFC,
                                      3ull << 61};
    return places[draw(source, 1) % (sizeof places / sizeof places[0])] + draw(source, 1) % 64 * 4;
}

static void set_window(struct source *source, unsigned window)
{
    uint64_t page = draw_inside(source) >> (window < 202 ? 21 : 32);
    uint32_t x = draw(source, 1), y = draw(source, 1), rest = draw(source, 2);
    if (rest & 1) { /* most often a Tensix tile */
        x = 1 + x % 7;
        y = 2 + y % 10;
    }
    uint32_t words[3] = {(uint32_t)page, (uint32_t)(page >> 32) | x << 11 | y << 17 | rest << 23, rest >> 8};
    if (window >= 202)
        words[1] = x | y << 6 | rest << 12;
    for (unsigned i = 0; i < 3; i++)
        libttsim_pci_mem_wr_bytes(BAR0 + 0x1FC00000 + 12 * window + 4 * i, &words[i], 4);
    uint32_t strided = draw(source, 4);
    if (window < 32 && rest >> 13 & 1)
        libttsim_pci_mem_wr_bytes(BAR0 + 0x1FC009D8 + 4 * window, &strided, 4);
}

static void reach(struct source *source, uint8_t *buffer, bool tile, bool write)
{
    uint32_t bytes = draw_size(source), x = draw(source, 1) % 34, y = draw(source, 1) % 34;
    uint64_t address = tile ? draw_inside(source) : draw_address(source);
    if (draw(source, 1) % 8 == 0) { /* the host's memory */
        x = 19;
        y = 24;
    }
    memset(buffer + bytes, 0xA5, CANARY);
    if (write)
        for (uint32_t i = 0; i < bytes && i < 256; i++)
            buffer[i] = (uint8_t)draw(source, 1);
    if (tile && write)
        libttsim_tile_wr_bytes(x, y, address, buffer, bytes);
    else if (tile)
        libttsim_tile_rd_bytes(x, y, address, buffer, bytes);
    else if (write)
        libttsim_pci_mem_wr_bytes(address, buffer, bytes);
    else
        libttsim_pci_mem_rd_bytes(address, buffer, bytes);
    for (unsigned i = 0; i < CANARY; i++)
        DEMAND(buffer[bytes + i] == 0xA5);
}

#define NIU_CFG_0 (BAR0 + 0x1FD04100)
#define TRANSLATE_COORDINATES (1u << 14)

/* Data that are written to plain memory are read back, after any earlier calls. Without translation of coordinates, the
   tables that a call may have changed. */
static void check_memory(struct source *source)
{
    static const struct {
        uint32_t x, y;
        uint64_t address;
    } places[] = {{7, 7, 0x170000}, {0, 0, 0xF0000000}, {1, 1, 0x60000}};
    uint32_t value = draw(source, 4), got = ~value, before, raw;
    libttsim_pci_mem_rd_bytes(NIU_CFG_0, &before, 4);
    raw = before & ~TRANSLATE_COORDINATES;
    libttsim_pci_mem_wr_bytes(NIU_CFG_0, &raw, 4);
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t words[3] = {(uint32_t)(places[i].address >> 21), places[i].x << 11 | places[i].y << 17, 0};
        for (unsigned k = 0; k < 3; k++)
            libttsim_pci_mem_wr_bytes(BAR0 + 0x1FC00000 + 12 * 201 + 4 * k, &words[k], 4);
        uint64_t at = BAR0 + 201 * 0x200000ull + places[i].address % 0x200000;
        libttsim_pci_mem_wr_bytes(at, &value, 4);
        libttsim_pci_mem_rd_bytes(at, &got, 4);
        DEMAND(got == value);
    }
    libttsim_pci_mem_wr_bytes(NIU_CFG_0, &before, 4);
}

static void start_core(struct source *source)
{
    static const uint32_t resets[] = {0x47000, 0, 0x47800, 0x7800, 0x40800};
    uint32_t reset = resets[draw(source, 1) % 5], x = 1 + draw(source, 1) % 7, y = 2 + draw(source, 1) % 10;
    uint32_t code[16], zero = 0, four = 4;
    bool ethernet = draw(source, 1) % 4 == 0;
    for (unsigned i = 0; i < 16; i++)
        code[i] = draw(source, 1) & 1 ? draw(source, 4) | 3 : 0x13;
    code[15] = 0xFC5FF06F; /* back to the first */
    if (ethernet) {
        x += 20;
        y = 25;
        libttsim_tile_wr_bytes(x, y, TF_ETH_CONTROL_BASE, &four, 4);
        libttsim_tile_wr_bytes(x, y, TF_ETH_CONTROL_BASE + 0x8, reset & 0x800 ? &zero : &four, 4);
        reset &= 0x1800;
    }
    libttsim_tile_wr_bytes(x, y, 0, code, sizeof code);
    libttsim_tile_wr_bytes(x, y, DEBUG_AT(SOFT_RESET_0), &reset, 4);
}

/* One call, or a few that belong together. *running: whether there is a chip. */
static void step(struct source *source, uint8_t *buffer, bool *running)
{
    uint32_t kind = draw(source, 1);
    switch (kind % 24) {
    case 0: libttsim_pci_config_rd32(draw(source, 1) & 1 ? 0 : draw(source, 2), draw(source, 1)); break;
    case 1:
        libttsim_pci_config_wr32(draw(source, 1) & 1 ? 0 : draw(source, 2), draw(source, 1), draw(source, 4));
        break;
    case 2:
        libttsim_set_pci_dma_mem_callbacks(kind & 128 ? dma_read : NULL, kind & 128 ? dma_write : NULL);
        meddles = kind & 64;
        break;
    case 3:
        if (kind > 192) {
            libttsim_init();
            *running = true;
        }
        break;
    case 4:
        if (kind > 236) {
            libttsim_exit();
            *running = false;
        }
        break;
    case 5:
    case 6: libttsim_clock(draw(source, 1) * (kind & 128 ? 16 : 1)); break;
    case 7:
    case 8:
    case 9:
    case 10: set_window(source, draw(source, 1) % 210); break;
    case 11: start_core(source); break;
    case 12:
        if (*running)
            check_memory(source);
        break;
    case 13:
    case 14: reach(source, buffer, true, true); break;
    case 15:
    case 16: reach(source, buffer, true, false); break;
    case 17:
    case 18:
    case 19:
    case 20: reach(source, buffer, false, false); break;
    default: reach(source, buffer, false, true); break;
    }
}

static void run(const uint8_t *data, size_t bytes, uint8_t *buffer)
{
    struct source source = {.at = data, .end = data + bytes};
    bool running = true;
    meddles = false;
    memset(buffer, 0, BYTES_MAX); /* so that runs are independent */
    libttsim_set_pci_dma_mem_callbacks(dma_read, dma_write);
    libttsim_init();
    while (source.at < source.end)
        step(&source, buffer, &running);
    if (running)
        libttsim_exit();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static uint8_t *buffer;
    if (buffer == NULL) {
        buffer = calloc(1, BYTES_MAX + CANARY);
        complaints = fdopen(dup(2), "w");
        if (buffer == NULL || complaints == NULL)
            return 0;
        if (getenv("TF_FUZZ_LOUD") == NULL && freopen("/dev/null", "w", stderr) == NULL)
            return 0;
    }
    run(data, bytes, buffer);
    return 0;
}

#ifdef TF_FUZZ_MAIN
#define INPUT_BYTES 20000u

int main(int argc, char **argv)
{
    static uint8_t input[INPUT_BYTES];
    if (argc != 2) {
        fprintf(stderr, "usage: fuzz_abi SECONDS\n");
        return 2;
    }
    uint64_t seed = test_seed(1);
    time_t end = time(NULL) + atoi(argv[1]);
    unsigned runs = 0;
    for (; time(NULL) < end || runs == 0; runs++) {
        uint64_t state = run_seed = seed + runs;
        for (unsigned i = 0; i < INPUT_BYTES; i++)
            input[i] = (uint8_t)test_random(&state);
        LLVMFuzzerTestOneInput(input, INPUT_BYTES);
    }
    printf("%u runs\n", runs);
    return 0;
}
#endif
