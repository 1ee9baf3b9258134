/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boots the vendor's base firmware through any library with the libttsim interface, and runs a launch message on it:
 *
 *     boot LIBRARY DIRECTORY    with brisc.elf, ncrisc.elf, trisc0.elf, trisc1.elf, trisc2.elf
 *
 * The files are published in boopdotpng/blackhole-py, riscv-firmware/p100a. The sequence and the addresses come from
 * device.py and configs.py there, and from firmware-upload.md in boopdotpng/tenstorrent-docs.
 * Build: cc boot.c $(pkg-config --cflags tilefarm)
 */
#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilefarm/libttsim.h"

#define BAR0 0x100000000ull
#define WINDOW_BYTES 0x200000u
#define WINDOWS_CONFIG (BAR0 + 0x1FC00000u)
#define SOFT_RESET 0xFFB121B0u
#define LOCAL_RAM 0xFFB00000u
#define L1_BYTES 0x180000u
#define MAILBOXES 0x60u
#define LAUNCH (MAILBOXES + 0x10)
#define GO (MAILBOXES + 0x310)
#define KERNELS 0x20000u
#define RESULTS 0x30000u
#define CORES 5u
#define TILES 140u

static struct {
    void (*init)(void);
    void (*exit)(void);
    void (*rd)(uint64_t, void *, uint32_t);
    void (*wr)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
} sim;

/* For each core: the place in L1 for the data of its local RAM, and the register with its reset PC (B has none). */
static const struct {
    const char *file;
    uint32_t scratch, reset_pc;
} images[CORES] = {
    {"brisc.elf", 0x82B0, 0},           {"ncrisc.elf", 0xA2B0, 0xFFB12238}, {"trisc0.elf", 0xC2B0, 0xFFB12228},
    {"trisc1.elf", 0xD2B0, 0xFFB1222C}, {"trisc2.elf", 0xE2B0, 0xFFB12230},
};

static void die(const char *what, const char *which)
{
    fprintf(stderr, "boot: %s %s\n", what, which);
    exit(2);
}

static void load_library(const char *path)
{
    static const char *const names[] = {"libttsim_init", "libttsim_exit", "libttsim_pci_mem_rd_bytes",
                                        "libttsim_pci_mem_wr_bytes", "libttsim_clock"};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (unsigned i = 0; i < 5; i++) {
        void *symbol = library == NULL ? NULL : dlsym(library, names[i]);
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
    sim.wr(window(address, 1 | 2 << 6, 16 | 11 << 6), data, bytes);
}

static void write_all32(uint64_t address, uint32_t value)
{
    write_all(address, &value, sizeof value);
}

static uint32_t read32(uint64_t address, uint32_t x, uint32_t y)
{
    uint32_t value;
    sim.rd(window(address, x | y << 6, x | y << 6), &value, 4);
    return value;
}

/* Count the tiles whose word at an address has a value under a mask. */
static unsigned count(uint64_t address, uint32_t mask, uint32_t value)
{
    unsigned tiles = 0;
    for (uint32_t y = 2; y < 12; y++)
        for (uint32_t x = 1; x < 17; x++)
            tiles += x != 8 && x != 9 && (read32(address, x, y) & mask) == value;
    return tiles;
}

static uint8_t *read_file(const char *directory, const char *name, long *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (*bytes = ftell(file)) < 0)
        die("cannot read", path);
    uint8_t *data = malloc((size_t)*bytes + 1);
    rewind(file);
    if (data == NULL || fread(data, 1, (size_t)*bytes, file) != (size_t)*bytes)
        die("cannot read", path);
    fclose(file);
    return data;
}

static void upload_segment(const Elf32_Phdr *segment, const uint8_t *file, uint32_t scratch)
{
    static uint8_t data[L1_BYTES];
    uint32_t address = segment->p_paddr >= LOCAL_RAM ? segment->p_paddr - LOCAL_RAM + scratch : segment->p_paddr;
    if (address >= L1_BYTES || segment->p_memsz > L1_BYTES - address || segment->p_filesz > segment->p_memsz)
        die("a segment does not fit into L1", "");
    memset(data, 0, segment->p_memsz);
    memcpy(data, file + segment->p_offset, segment->p_filesz);
    write_all(address, data, segment->p_memsz);
}

/* Load the program of a core into all tiles. Returns its first address. */
static uint32_t upload(const char *directory, unsigned core)
{
    long bytes;
    uint8_t *file = read_file(directory, images[core].file, &bytes);
    Elf32_Ehdr header;
    uint32_t text = 0;
    if (bytes < (long)sizeof header || memcmp(file, ELFMAG, SELFMAG) != 0)
        die("not an ELF file:", images[core].file);
    memcpy(&header, file, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        uint64_t at = header.e_phoff + (uint64_t)i * sizeof segment;
        if (at + sizeof segment > (uint64_t)bytes)
            die("truncated file:", images[core].file);
        memcpy(&segment, file + at, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
            continue;
        if ((uint64_t)segment.p_offset + segment.p_filesz > (uint64_t)bytes)
            die("truncated file:", images[core].file);
        upload_segment(&segment, file, images[core].scratch);
        if (segment.p_flags & PF_X)
            text = segment.p_paddr;
    }
    free(file);
    return text;
}

static int wait_done(const char *what)
{
    unsigned done = 0;
    for (unsigned i = 0; i < 2000 && done < TILES; i++) {
        sim.clock(1000);
        done = count(GO, 0xFF000000, 0);
    }
    printf("%s: %u of %u tiles are done\n", what, done, TILES);
    return done == TILES;
}

static int boot(const char *directory)
{
    static const uint8_t zeros[L1_BYTES];
    write_all32(SOFT_RESET, 0x47800);
    /* Firmware reads tables in L1, and expects them cleared (tt-metal, clear_l1_state()). */
    write_all(0, zeros, sizeof zeros);
    uint32_t text = upload(directory, 0);
    write_all32(0, (text & 0xFF000) | (text & 0x800) << 9 | (text & 0x7FE) << 20 | 0x6F); /* j text */
    for (unsigned core = 1; core < CORES; core++)
        write_all32(images[core].reset_pc, upload(directory, core));
    write_all32(GO, 0x40000000);
    write_all32(SOFT_RESET, 0x47000);
    return wait_done("boot");
}

/* Launch a kernel on each core, which stores a word and returns. Mode 1: the host polls the go message. Mode 0:
   firmware also reports completion to a stream of the tile that `go` names. */
static int launch(uint32_t mode, uint32_t go)
{
    uint32_t message[24] = {KERNELS, KERNELS, KERNELS}; /* kernel_config_base */
    message[10] = mode << 16;
    message[17] = 32 << 16; /* min_remote_cb_start_index: no remote buffers, so firmware follows no pointers to them */
    message[19] = (1u << CORES) - 1; /* enables */
    for (uint32_t core = 0; core < CORES; core++) {
        const uint32_t code[] = {
            RESULTS | 5 << 7 | 0x37,                              /* lui t0, RESULTS */
            0xC0DE0000 | core << 12 | 6 << 7 | 0x37,              /* lui t1, 0xC0DEn000 */
            6 << 20 | 5 << 15 | 2 << 12 | (4 * core) << 7 | 0x23, /* sw t1, 4n(t0) */
            0x00000513,
            0x00008067, /* li a0, 0; ret */
        };
        write_all(KERNELS + 0x100 + 64 * core, code, sizeof code);
        message[11 + core] = 0x100 + 64 * core; /* kernel_text_offset */
    }
    for (uint32_t core = 0; core < CORES; core++)
        write_all32(RESULTS + 4 * core, 0);
    write_all(LAUNCH, message, sizeof message);
    write_all32(GO, 0x80000000 | go);
    int good = wait_done("launch");
    for (uint32_t core = 0; core < CORES; core++)
        good &= count(RESULTS + 4 * core, UINT32_MAX, 0xC0DE0000 | core << 12) == TILES;
    printf("results: %s\n", good ? "right" : "wrong");
    return good;
}

/* Each tile that is done increments the space of stream 48 + 3 of the tile at (10,6). */
static int dispatch(void)
{
    const uint32_t space = 0xFFB40000 + (48 + 3) * 0x1000 + 297 * 4;
    uint32_t before = read32(space, 10, 6), told = 0;
    int good = launch(0, 6 << 16 | 10 << 8 | 3);
    for (unsigned i = 0; i < 1000 && told < TILES; i++) {
        sim.clock(1000);
        told = read32(space, 10, 6) - before;
    }
    printf("dispatch: (10,6) received %u completions\n", told);
    return good && told == TILES;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        die("usage: boot LIBRARY", "DIRECTORY");
    load_library(argv[1]);
    sim.init();
    int good = boot(argv[2]) && launch(1, 0) && launch(1, 0) && dispatch();
    fflush(stdout);
    sim.exit();
    return !good;
}
