/* SPDX-License-Identifier: Apache-2.0 */
/* A chip behind the libttsim interface: the one that is built in, or that of a loaded library. Windows and reset
   registers are as in examples/client.c (BlackholeA0/PCIExpressTile/README.md, "bar 0"). */
#include <dlfcn.h>
#include <string.h>

#include "abi/abi.h"
#include "cli/bench/bench.h"
#include "cli/check/compare.h"
#include "tile/mmio/debug_registers.h"
#include "tilefarm_layout.h"

#define WINDOWS_CONFIG (BAR0_FIRST + 0x1FC00000u)

/* Wormhole's first window of 2 MiB, and where it begins in BAR 0. */
#define WORMHOLE_WINDOW 156u
#define WORMHOLE_AT 0x9C00000u

#define ALL_RESET 0x47800u
#define POLL_CYCLES 1000u
#define FINISH_S 60.0

struct bench_abi {
    void (*init)(void);
    void (*exit)(void);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
};

static const struct bench_abi own = {libttsim_init, libttsim_exit, libttsim_pci_mem_rd_bytes, libttsim_pci_mem_wr_bytes,
                                     libttsim_clock};

static bool find(struct bench_engine *engine, void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL || bench_refuse(engine, "it has no %s()", name);
}

bool bench_abi_load(struct bench_engine *engine, const char *path)
{
    static struct bench_abi peer; /* the interface allows one chip a process */
    engine->abi = &own;
    if (path == NULL)
        return true;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return bench_refuse(engine, "%s", dlerror());
    engine->abi = &peer;
    return find(engine, library, "libttsim_init", &peer.init) && find(engine, library, "libttsim_exit", &peer.exit) &&
           find(engine, library, "libttsim_pci_mem_rd_bytes", &peer.read) &&
           find(engine, library, "libttsim_pci_mem_wr_bytes", &peer.write) &&
           find(engine, library, "libttsim_clock", &peer.clock);
}

static bool abi_open(struct bench_engine *engine)
{
    engine->abi->init();
    engine->chip = engine->abi == &own ? abi_chip() : NULL; /* for its statistics */
    return true;
}

static void abi_close(struct bench_engine *engine)
{
    engine->abi->exit();
}

/*
 * Aim a window of 2 MiB of Wormhole: fields of a node, or of all tiles, above the number of the page
 * (WormholeB0/PCIExpressTile/TLBs.md).
 */
static uint64_t point_wormhole(struct bench_engine *engine, unsigned window, uint64_t fields, uint64_t address)
{
    uint64_t config = address / WINDOW_SMALL_BYTES | fields << 15;
    engine->abi->write(WINDOWS_CONFIG + 8ull * (WORMHOLE_WINDOW + window), &config, sizeof config);
    return BAR0_FIRST + WORMHOLE_AT + window * WINDOW_SMALL_BYTES + address % WINDOW_SMALL_BYTES;
}

static uint64_t point_tile_wormhole(struct bench_engine *engine, unsigned tile, uint64_t address)
{
    struct tf_coord node = {0, 0};
    if (tile == bench_tiles(engine)) /* (1,1) to (9,11) */
        return point_wormhole(engine, 1, 9 | 11 << 6 | 1 << 12 | 1 << 18 | 1 << 25, address);
    tf_tile_coord(engine->side->arch, tile, &node);
    return point_wormhole(engine, 0, node.x | (unsigned)node.y << 6, address);
}

/* Aim a window: 0 at one tile, 1 at all tiles. */
static uint64_t point(struct bench_engine *engine, unsigned tile, uint64_t address)
{
    if (bench_other(engine))
        return point_tile_wormhole(engine, tile, address);
    unsigned window = tile == TF_K_TILES;
    uint64_t page = address / WINDOW_SMALL_BYTES;
    uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32), 0};
    if (window == 0) {
        word[1] |= TF_K_X(tile) << 11 | TF_K_Y(tile) << 17;
    } else { /* (1,2) to (16,11) */
        word[1] |= 16u << 11 | 11u << 17 | 1u << 23 | 2u << 29;
        word[2] = 1u << 5;
    }
    for (unsigned i = 0; i < 3; i++)
        engine->abi->write(WINDOWS_CONFIG + 12 * window + 4 * i, &word[i], 4);
    return BAR0_FIRST + window * WINDOW_SMALL_BYTES + address % WINDOW_SMALL_BYTES;
}

static bool abi_write(struct bench_engine *engine, unsigned tile, uint64_t address, const void *data, uint32_t bytes)
{
    engine->abi->write(point(engine, tile, address), data, bytes);
    return true;
}

static bool abi_write_all(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes)
{
    return abi_write(engine, bench_tiles(engine), address, data, bytes);
}

static bool abi_read(struct bench_engine *engine, unsigned tile, uint64_t address, void *data, uint32_t bytes)
{
    engine->abi->read(point(engine, tile, address), data, bytes);
    return true;
}

/* Aim window 0 at any node. */
static uint64_t point_at(struct bench_engine *engine, struct tf_coord node, uint64_t address)
{
    if (bench_other(engine))
        return point_wormhole(engine, 0, node.x | (unsigned)node.y << 6, address);
    node = tf_library_coord(node);
    uint64_t page = address / WINDOW_SMALL_BYTES;
    uint32_t place = (uint32_t)node.x << 11 | (uint32_t)node.y << 17;
    const uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32) | place, 0};
    for (unsigned i = 0; i < 3; i++)
        engine->abi->write(WINDOWS_CONFIG + 4 * i, &word[i], 4);
    return BAR0_FIRST + address % WINDOW_SMALL_BYTES;
}

static bool abi_put(struct bench_engine *engine, struct tf_coord node, uint64_t address, const void *data,
                    uint32_t bytes)
{
    engine->abi->write(point_at(engine, node, address), data, bytes);
    return true;
}

static bool abi_get(struct bench_engine *engine, struct tf_coord node, uint64_t address, void *data, uint32_t bytes)
{
    engine->abi->read(point_at(engine, node, address), data, bytes);
    return true;
}

static bool set_all(struct bench_engine *engine, enum tf_debug_register offset, uint32_t value)
{
    return abi_write_all(engine, TF_DEBUG_ADDRESS(offset), &value, sizeof value);
}

/*
 * Wormhole has its reset addresses in Config, which hosts do not reach. Without them cores start at fixed addresses
 * (SoftReset.md), which lie in the middle of program regions: put jumps there.
 */
static bool lead_all(struct bench_engine *engine)
{
    static const uint32_t from[TF_TILE_CORES] = {0, 0x12000, 0x6000, 0xA000, 0xE000};
    bool right = true;
    for (unsigned core = 1; core < TF_TILE_CORES && right; core++) {
        uint32_t by = TF_K_PROGRAM(core) - from[core];
        uint32_t jump = 0x6Fu | (by & 0xFF000u) | (by >> 11 & 1) << 20 | (by >> 1 & 0x3FF) << 21 | (by >> 20 & 1) << 31;
        right = abi_write_all(engine, from[core], &jump, sizeof jump);
    }
    return right;
}

/* Write the reset PCs of NC, T0, T1 and T2, and enable them. B starts at 0. */
static bool abi_hold(struct bench_engine *engine)
{
    if (bench_other(engine))
        return set_all(engine, TF_DEBUG_SOFT_RESET_0, ALL_RESET) && lead_all(engine);
    return set_all(engine, TF_DEBUG_SOFT_RESET_0, ALL_RESET) &&
           set_all(engine, TF_DEBUG_NCRISC_RESET_PC, TF_K_PROGRAM(1)) &&
           set_all(engine, TF_DEBUG_NCRISC_RESET_PC_OVERRIDE, 1) &&
           set_all(engine, TF_DEBUG_TRISC0_RESET_PC, TF_K_PROGRAM(2)) &&
           set_all(engine, TF_DEBUG_TRISC0_RESET_PC + 4, TF_K_PROGRAM(3)) &&
           set_all(engine, TF_DEBUG_TRISC0_RESET_PC + 8, TF_K_PROGRAM(4)) &&
           set_all(engine, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 7);
}

static bool abi_start(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    static const uint32_t bit[TF_TILE_CORES] = {0x800, 0x40000, 0x1000, 0x2000, 0x4000};
    uint32_t value = ALL_RESET;
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        if (cores >> core & 1)
            value &= ~bit[core];
    if (tiles == bench_tiles(engine))
        return set_all(engine, TF_DEBUG_SOFT_RESET_0, value);
    bool right = true;
    for (unsigned tile = 0; tile < tiles; tile++)
        right = right && abi_write(engine, tile, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), &value, sizeof value);
    return right;
}

static bool abi_finish(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    double began = bench_seconds();
    for (unsigned tile = 0; tile < tiles;) {
        uint32_t done[TF_TILE_CORES];
        bool all = true;
        abi_read(engine, tile, TF_K_DONE, done, sizeof done);
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            all = all && (!(cores >> core & 1) || done[core] == TF_K_DONE_MAGIC);
        if (all) {
            tile++;
            continue;
        }
        if (bench_seconds() - began > FINISH_S)
            return bench_refuse(engine, "tile %u has not finished after %.0f s", tile, FINISH_S);
        engine->abi->clock(POLL_CYCLES);
    }
    return true;
}

static bool abi_pass(struct bench_engine *engine, uint32_t cycles)
{
    engine->abi->clock(cycles);
    return true;
}

const struct bench_engine_ops bench_abi_ops = {
    .open = abi_open,
    .close = abi_close,
    .write_all = abi_write_all,
    .write = abi_write,
    .read = abi_read,
    .put = abi_put,
    .get = abi_get,
    .hold = abi_hold,
    .start = abi_start,
    .finish = abi_finish,
    .pass = abi_pass,
};
