/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of libttsim.so for test_gdb_client.sh and test_symbols.sh: gdb_client LIBRARY PROGRAM.elf. It gives the
 * program numbers, one at a time, and host memory that changes with each read.
 */
#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tilefarm/libttsim.h"
#include "addresses.h"

#define X 5u
#define Y 5u
#define SOFT_RESET DEBUG_AT(SOFT_RESET_0)
#define NUMBER 0x20000u
#define SUM 0x20004u
#define DRAM_ADDRESS 0x3000u /* of DRAM channel 0, at (0,0) */
#define FREE 0x100000u       /* memory of the tile that nothing else uses */

/* A window of BAR 0 onto the tile. */
#define WINDOW 9u
#define WINDOW_CONFIG (0x11FC00000ull + 12ull * WINDOW)
#define WINDOW_BASE (0x100000000ull + WINDOW * 0x200000)

/* Shared with forked processes, as memory of a driver is: they must not call back. */
static struct {
    uint32_t reads, writes;
} * calls;

static void dma_read(uint64_t address, void *to, uint32_t bytes)
{
    (void)address;
    memset(to, 0, bytes);
    calls->reads++;
    memcpy(to, &calls->reads, bytes < 4 ? bytes : 4);
}

static void dma_write(uint64_t address, const void *from, uint32_t bytes)
{
    (void)address, (void)from, (void)bytes;
    calls->writes++;
}

#define FIND(name) __typeof__(&libttsim_##name) name = (__typeof__(name))dlsym(library, "libttsim_" #name)

/* Make calls with data of all kinds, each longer than those before. In the past there must be room for them. */
static bool move_blocks(void *library)
{
    static uint8_t data[0x8000];
    const uint32_t config[3] = { 0, X << 11 | Y << 17, 0 };
    FIND(pci_mem_rd_bytes);
    FIND(pci_mem_wr_bytes);
    FIND(tile_rd_bytes);
    uint8_t mark = data[0x4000] + 1;
    for (unsigned i = 0; i < 3; i++)
        pci_mem_wr_bytes(WINDOW_CONFIG + 4 * i, &config[i], 4);
    memset(data, mark, sizeof data);
    pci_mem_wr_bytes(WINDOW_BASE + FREE, data, 0x6000);
    memset(data, 0, sizeof data);
    tile_rd_bytes(X, Y, FREE, data, 0x7000);
    pci_mem_rd_bytes(WINDOW_BASE + FREE, data, 0x8000);
    return data[0x5FFF] == mark && data[0x6000] == 0;
}

int main(int argc, char **argv)
{
    static uint8_t image[1 << 20];
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (library == NULL || file == NULL || fread(image, 1, sizeof image, file) == 0)
        return 2;
    fclose(file);
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED)
        return 2;
    FIND(init);
    FIND(exit);
    FIND(set_pci_dma_mem_callbacks);
    FIND(tile_rd_bytes);
    FIND(tile_wr_bytes);
    FIND(clock);
    set_pci_dma_mem_callbacks(dma_read, dma_write);
    init();
    Elf32_Ehdr header;
    memcpy(&header, image, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
            tile_wr_bytes(X, Y, segment.p_paddr, image + segment.p_offset, segment.p_filesz);
    }
    uint32_t run = 0x47000, stop = 0x47800, sum = 0, wrong = 0;
    tile_wr_bytes(X, Y, SOFT_RESET, &run, 4);
    for (uint32_t number = 1; number <= 5; number++) {
        uint32_t word = number;
        tile_wr_bytes(0, 0, DRAM_ADDRESS, &word, 4);
        wrong += !move_blocks(library);
        tile_wr_bytes(X, Y, NUMBER, &word, 4);
        for (unsigned i = 0; i < 2000 && word != 0; i++) {
            clock(100);
            tile_rd_bytes(X, Y, NUMBER, &word, 4);
        }
    }
    tile_rd_bytes(X, Y, SUM, &sum, 4);
    tile_wr_bytes(X, Y, SOFT_RESET, &stop, 4);
    exit();
    printf("the sum is %" PRIu32 ", %" PRIu32 " reads and %" PRIu32 " writes of host memory\n", sum, calls->reads,
           calls->writes);
    return sum != 55 || wrong != 0;
}
