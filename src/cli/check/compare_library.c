/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library with the libttsim interface runs an image. Only windows of BAR 0 are used, which every such library has.
 * Sources: tenstorrent/ttsim docs/libttsim_api.md; BlackholeA0/PCIExpressTile/HostToDeviceTLBs.md and
 * WormholeB0/PCIExpressTile/TLBs.md; TensixTile/SoftReset.md of both.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check/compare.h"
#include "tile/arch.h"
#include "tile/mmio/debug_registers.h"
#include "tilefarm_layout.h"

#define BAR0 0x100000000ull
#define WINDOW_CONFIG (BAR0 + 0x1FC00000u)
#define WINDOW_BYTES 0x200000u
/* Wormhole's first window of that size. */
#define WORMHOLE_WINDOW 156u
#define WORMHOLE_AT 0x9C00000u
#define WORMHOLE_PAGE_BITS 15u
#define SOFT_RESET_0 TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0)
#define ALL_HELD 0x47800u
#define RESET_PC(core)                                               \
    TF_DEBUG_ADDRESS((core) == TF_CORE_NC ? TF_DEBUG_NCRISC_RESET_PC \
                                          : TF_DEBUG_TRISC0_RESET_PC + ((core)-TF_CORE_T0) * 4u)
#define TRISC_RESET_PC_OVERRIDE TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE)
#define NCRISC_RESET_PC_OVERRIDE TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE)

#define TURN_CYCLES 1000u
#define TURN_CYCLES_MAX 16000u
#define CYCLES_MAX 100000000ull /* without --limit-cycles */

static const uint32_t held[TF_TILE_CORES] = {
    [TF_CORE_B] = 0x800, [TF_CORE_NC] = 0x40000, [TF_CORE_T0] = 0x1000, [TF_CORE_T1] = 0x2000, [TF_CORE_T2] = 0x4000,
};

/* Where cores begin whose reset addresses are in Config, which a host does not reach. */
static const uint32_t fixed_start[TF_TILE_CORES] = {
    [TF_CORE_B] = 0, [TF_CORE_NC] = 0x12000, [TF_CORE_T0] = 0x6000, [TF_CORE_T1] = 0xA000, [TF_CORE_T2] = 0xE000,
};

struct library {
    bool wormhole;
    void *handle;
    void (*init)(void);
    void (*exit)(void);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
    struct tf_library_result *result;
};

__attribute__((format(printf, 3, 4))) static bool fail(struct library *library, enum tf_library_end end,
                                                       const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(library->result->text, sizeof library->result->text, format, list);
    va_end(list);
    library->result->end = end;
    return false;
}

static bool load(struct library *library, const char *path)
{
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"libttsim_init", &library->init},
        {"libttsim_exit", &library->exit},
        {"libttsim_pci_mem_rd_bytes", &library->read},
        {"libttsim_pci_mem_wr_bytes", &library->write},
        {"libttsim_clock", &library->clock},
    };
    char slashed[4096];
    snprintf(slashed, sizeof slashed, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    library->handle = dlopen(slashed, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL)
        return fail(library, TF_LIBRARY_UNUSABLE, "%s", dlerror());
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library->handle, symbols[i].name);
        if (symbol == NULL)
            return fail(library, TF_LIBRARY_UNUSABLE, "%s", dlerror());
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return true;
}

struct tf_coord tf_library_coord(struct tf_coord node)
{
    const struct tf_coords_arch *coords = &tf_arch_blackhole.coords;
    uint8_t x = coords->name[TF_NODE_DRAM].x_first, y = coords->name[TF_NODE_DRAM].y_first;
    if (tf_node_kind(NULL, node) != TF_NODE_DRAM)
        return node;
    while (coords->x[x] != node.x)
        x++;
    while (coords->y[y] != node.y)
        y++;
    return (struct tf_coord){x, y};
}

/* Aim a window at a node, from the multiple of 2 MiB below an address. Returns where the address is in BAR 0. */
static uint64_t aim(const struct library *library, struct tf_coord node, uint64_t address)
{
    uint64_t page = address / WINDOW_BYTES;
    if (library->wormhole) {
        uint64_t place = (uint64_t)node.x << WORMHOLE_PAGE_BITS | (uint64_t)node.y << (WORMHOLE_PAGE_BITS + 6);
        const uint32_t word[2] = {(uint32_t)(page | place), (uint32_t)(place >> 32)};
        for (unsigned i = 0; i < 2; i++)
            library->write(WINDOW_CONFIG + 8 * WORMHOLE_WINDOW + 4 * i, &word[i], 4);
        return BAR0 + WORMHOLE_AT + address % WINDOW_BYTES;
    }
    node = tf_library_coord(node);
    const uint32_t place = (uint32_t)node.x << 11 | (uint32_t)node.y << 17;
    const uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32) | place, 0};
    for (unsigned i = 0; i < 3; i++)
        library->write(WINDOW_CONFIG + 4 * i, &word[i], 4);
    return BAR0 + address % WINDOW_BYTES;
}

/* A range lies within one window. */
static void put(const struct library *library, struct tf_coord node, uint64_t address, const void *data, size_t bytes)
{
    library->write(aim(library, node, address), data, (uint32_t)bytes);
}

static void get(const struct library *library, struct tf_coord node, uint64_t address, void *data, size_t bytes)
{
    library->read(aim(library, node, address), data, (uint32_t)bytes);
}

static void put_word(const struct library *library, struct tf_coord node, uint64_t address, uint32_t value)
{
    put(library, node, address, &value, sizeof value);
}

static uint32_t get_word(const struct library *library, struct tf_coord node, uint64_t address)
{
    uint32_t value = 0;
    get(library, node, address, &value, sizeof value);
    return value;
}

/* B always starts at address 0, other cores of Wormhole at others. When its program is elsewhere and the word there is
   0, write a jump. */
static bool lead(struct library *library, const struct tf_start *start, unsigned core)
{
    uint32_t pc = start->pc[core], from = fixed_start[core], by = pc - from;
    if (by == 0)
        return true;
    if (pc >= 0x100000u || get_word(library, start->node, from) != 0)
        return fail(library, TF_LIBRARY_CANNOT, "tile (%u,%u): %s starts at address 0x%x, not at 0x%x", start->node.x,
                    start->node.y, tf_core_name(core), from, pc);
    put_word(library, start->node, from,
             0x6Fu | (by & 0xFF000u) | (by >> 11 & 1) << 20 | (by >> 1 & 0x3FF) << 21 | (by >> 20 & 1) << 31);
    return true;
}

static bool start_tile(struct library *library, const struct tf_start *start)
{
    uint32_t reset = ALL_HELD;
    for (unsigned core = TF_CORE_B; core < TF_TILE_CORES; core++) {
        if ((start->cores >> core & 1) == 0)
            continue;
        if (core != TF_CORE_B && !library->wormhole)
            put_word(library, start->node, RESET_PC(core), start->pc[core]);
        else if (!lead(library, start, core))
            return false;
    }
    if (!library->wormhole) {
        put_word(library, start->node, TRISC_RESET_PC_OVERRIDE, start->cores >> TF_CORE_T0 & 7);
        put_word(library, start->node, NCRISC_RESET_PC_OVERRIDE, start->cores >> TF_CORE_NC & 1);
    }
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        if (start->cores >> core & 1)
            reset &= ~held[core];
    put_word(library, start->node, SOFT_RESET_0, reset);
    return true;
}

static bool fill(struct library *library, const struct tf_image *image)
{
    for (size_t i = 0; i < image->befores; i++)
        put(library, image->before[i].node, image->before[i].address, image->before[i].data, image->before[i].bytes);
    for (size_t i = 0; i < image->starts; i++)
        if (!start_tile(library, &image->start[i]))
            return false;
    return true;
}

static bool tile_done(const struct library *library, const struct tf_start *start)
{
    uint32_t word[TF_TILE_CORES];
    get(library, start->node, TF_K_DONE, word, sizeof word);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        if ((start->cores >> core & 1) && word[core] >> 16 != TF_K_DONE_MAGIC >> 16)
            return false;
    return true;
}

static void name_waiting(struct library *library, const struct tf_start *start)
{
    uint32_t word[TF_TILE_CORES];
    char waiting[32] = "";
    get(library, start->node, TF_K_DONE, word, sizeof word);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        if ((start->cores >> core & 1) && word[core] >> 16 != TF_K_DONE_MAGIC >> 16)
            snprintf(waiting + strlen(waiting), sizeof waiting - strlen(waiting), " %s", tf_core_name(core));
    fail(library, TF_LIBRARY_STOPPED, "not done after %llu cycles: tile (%u,%u),%s",
         (unsigned long long)library->result->cycles, start->node.x, start->node.y, waiting);
}

/* Is the run at its end? Tiles before *done were done earlier. */
static bool ended(const struct library *library, const struct tf_library_job *job, size_t *done)
{
    const struct tf_run_options *run = job->run;
    if (run->until)
        return get_word(library, run->until_node, run->until_address) == run->until_value;
    while (job->workload && *done < job->image->starts && tile_done(library, &job->image->start[*done]))
        ++*done;
    return job->workload && *done == job->image->starts;
}

static void work(struct library *library, const struct tf_library_job *job)
{
    uint64_t limit = job->run->cycles_max != 0 ? job->run->cycles_max : CYCLES_MAX, turn = TURN_CYCLES;
    size_t done = 0;
    bool end = ended(library, job, &done);
    if (end) {
        fail(library, TF_LIBRARY_STOPPED, "nothing ran: the word of --until has its value before the first cycle");
        return;
    }
    while (!end && library->result->cycles < limit) {
        uint64_t left = limit - library->result->cycles, cycles = turn < left ? turn : left;
        library->clock((uint32_t)cycles);
        library->result->cycles += cycles;
        if (turn < TURN_CYCLES_MAX)
            turn *= 2;
        end = ended(library, job, &done);
    }
    library->result->end = TF_LIBRARY_DONE;
    if (!end && job->workload)
        name_waiting(library, &job->image->start[done]);
    else if (!end && job->run->until)
        fail(library, TF_LIBRARY_STOPPED, "the word of --until is 0x%x after %llu cycles",
             get_word(library, job->run->until_node, job->run->until_address), (unsigned long long)limit);
}

static void collect(const struct library *library, const struct tf_image *image)
{
    uint8_t *to = library->result->memory;
    for (size_t i = 0; i < image->afters; i++) {
        get(library, image->after[i].node, image->after[i].address, to, image->after[i].bytes);
        to += image->after[i].bytes;
    }
}

void tf_library_run(const struct tf_library_job *job, struct tf_library_result *result)
{
    struct library library = {.result = result, .wormhole = strcmp(job->arch->name, tf_arch_wormhole.name) == 0};
    setenv("TILEFARM_ON_FAULT", "exit", 0); /* a fault ends the process, not just the chip */
    if (!load(&library, job->path))
        return;
    library.init();
    if (fill(&library, job->image)) {
        work(&library, job);
        enum tf_library_end end = result->end;
        result->end = TF_LIBRARY_DIED; /* holds until all memory is collected */
        collect(&library, job->image);
        result->end = end;
    }
    library.exit();
}
