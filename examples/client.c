/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the libttsim interface: client LIBRARY. It finds the device, a Blackhole chip, and writes to all Tensix
 * tiles through one multicast window. Then core B of one tile adds two numbers.
 * Build: cc client.c $(pkg-config --cflags tilefarm)
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

#include "tilefarm/libttsim.h"

#define BLACKHOLE 0xB1401E52u /* device and vendor */
#define BAR0 0x100000000ull
#define WINDOW_BYTES 0x200000u
#define WINDOWS_CONFIG (BAR0 + 0x1FC00000u)
#define SOFT_RESET 0xFFB121B0u

static struct {
    void (*init)(void);
    void (*exit)(void);
    uint32_t (*config_rd32)(uint32_t, uint32_t);
    void (*rd)(uint64_t, void *, uint32_t);
    void (*wr)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
} sim;

static int load(const char *path)
{
    static const char *const names[] = {"init", "exit", "pci_config_rd32", "pci_mem_rd_bytes", "pci_mem_wr_bytes",
                                        "clock"};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), **to = (void **)&sim;
    for (unsigned i = 0; library != NULL && i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "libttsim_%s", names[i]);
        to[i] = dlsym(library, name);
        if (to[i] == NULL)
            library = NULL;
    }
    if (library == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return library != NULL;
}

/* Point window 0 at the tiles from (x, y) to (x_end, y_end), or at one tile. Returns where to access it. */
static uint64_t window(uint64_t address, uint32_t x, uint32_t y, uint32_t x_end, uint32_t y_end)
{
    int multicast = x != x_end || y != y_end;
    uint64_t page = address / WINDOW_BYTES;
    uint32_t words[3] = {(uint32_t)page, (uint32_t)(page >> 32) | x_end << 11 | y_end << 17, 0};
    if (multicast) {
        words[1] |= x << 23 | y << 29;
        words[2] = y >> 3 | 1u << 5;
    }
    for (unsigned i = 0; i < 3; i++)
        sim.wr(WINDOWS_CONFIG + 4 * i, &words[i], 4);
    return BAR0 + address % WINDOW_BYTES;
}

static uint32_t read32(uint64_t address, uint32_t x, uint32_t y)
{
    uint32_t value;
    sim.rd(window(address, x, y, x, y), &value, 4);
    return value;
}

static void write32(uint64_t address, uint32_t x, uint32_t y, uint32_t value)
{
    sim.wr(window(address, x, y, x, y), &value, 4);
}

/* lw t0, 0x100(zero); lw t1, 0x104(zero); add t0, t0, t1; sw t0, 0x108(zero); j . */
static const uint32_t adder[] = {0x10002283, 0x10402303, 0x006282B3, 0x10502423, 0x0000006F};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: client LIBRARY\n");
        return 2;
    }
    if (!load(argv[1]))
        return 2;
    sim.init();
    uint32_t device = sim.config_rd32(0, 0);
    printf("device %08" PRIx32 "\n", device);
    if (device != BLACKHOLE) {
        fprintf(stderr, "client: the chip is not a Blackhole, and this program uses Blackhole's windows and tiles\n");
        return 2;
    }

    const uint32_t numbers[3] = {40, 2, 0};
    sim.wr(window(0x100, 1, 2, 16, 11), numbers, sizeof numbers);
    printf("tile (16,11) has %" PRIu32 "\n", read32(0x100, 16, 11));

    sim.wr(window(0, 5, 5, 5, 5), adder, sizeof adder);
    write32(SOFT_RESET, 5, 5, 0x47000);
    uint32_t sum = 0;
    for (unsigned i = 0; i < 1000 && sum == 0; i++) {
        sim.clock(1);
        sum = read32(0x108, 5, 5);
    }
    write32(SOFT_RESET, 5, 5, 0x47800);
    printf("the sum is %" PRIu32 "\n", sum);
    sim.exit();
    return sum != 42;
}
