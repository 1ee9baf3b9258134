/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define WORMHOLE_WINDOW 156u /* the first of 2 MiB */

/* While drive() runs a step: its findings, the library's own functions, and the last window at a tile. */
static struct {
    struct findings *findings;
    const struct api *api;
    struct finding_read window; /* `bytes` of it */
    uint64_t pci;               /* where it begins */
} notes;

int api_load(struct api *api, const char *path)
{
    api->wormhole = false;
    api->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (api->library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"libttsim_init", &api->init},
        {"libttsim_exit", &api->exit},
        {"libttsim_set_pci_dma_mem_callbacks", &api->set_callbacks},
        {"libttsim_pci_config_rd32", &api->config_read},
        {"libttsim_pci_config_wr32", &api->config_write},
        {"libttsim_pci_mem_rd_bytes", &api->read},
        {"libttsim_pci_mem_wr_bytes", &api->write},
        {"libttsim_tile_rd_bytes", &api->tile_read},
        {"libttsim_tile_wr_bytes", &api->tile_write},
        {"libttsim_clock", &api->clock},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(api->library, symbols[i].name);
        if (symbol == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return -1;
        }
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return 0;
}

uint64_t hash(uint64_t before, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    if (notes.findings != NULL)
        findings_add(notes.findings, data, (uint32_t)bytes);
    uint64_t value = before ^ 0xCBF29CE484222325ull;
    for (size_t i = 0; i < bytes; i++)
        value = (value ^ at[i]) * 0x100000001B3ull;
    return value;
}

void fill(uint8_t *data, size_t bytes, uint32_t seed)
{
    uint32_t state = findings_seed(seed);
    if (notes.findings != NULL)
        findings_add_fill(notes.findings, seed, bytes);
    for (size_t i = 0; i < bytes; i++)
        data[i] = findings_byte(&state);
}

void note_window(uint64_t pci, uint64_t bytes, unsigned x, unsigned y, uint64_t address)
{
    notes.pci = pci;
    notes.window = (struct finding_read){FINDING_TILE, x, y, address, (uint32_t)bytes};
}

static void note_read(uint64_t pci, void *data, uint32_t bytes)
{
    struct finding_read read = {.space = FINDING_PCI, .address = pci, .bytes = bytes};
    if (pci >= notes.pci && pci - notes.pci < notes.window.bytes) {
        read = notes.window;
        read.address += pci - notes.pci;
        read.bytes = bytes;
    }
    findings_add_read(notes.findings, &read);
    notes.api->read(pci, data, bytes);
}

static uint32_t note_config_read(uint32_t function, uint32_t offset)
{
    findings_add_read(notes.findings, &(struct finding_read){FINDING_CONFIGURATION, 0, 0, offset, 4});
    return notes.api->config_read(function, offset);
}

/* Wormhole has windows of 1 MiB before those of 2 MiB, and coordinates after 15 bits of a page. */
static uint64_t aim_wormhole(const struct api *api, unsigned x, unsigned y, uint64_t address)
{
    const uint64_t config = (address >> 21 & 0x7FFF) | (uint64_t)(x | y << 6) << 15;
    api->write(WINDOW_CONFIG + 8 * WORMHOLE_WINDOW, &config, sizeof config);
    note_window(BAR0 + WORMHOLE_WINDOW * 0x100000ull, 0x200000, x, y, address & ~0x1FFFFFull);
    return BAR0 + WORMHOLE_WINDOW * 0x100000ull;
}

uint64_t aim(const struct api *api, unsigned x, unsigned y, uint64_t address)
{
    if (api->wormhole)
        return aim_wormhole(api, x, y, address);
    uint64_t page = address >> 21;
    const uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32) | x << 11 | y << 17, 0};
    for (unsigned i = 0; i < 3; i++)
        api->write(WINDOW_CONFIG + 4 * i, &word[i], 4);
    note_window(BAR0, 0x200000, x, y, address & ~0x1FFFFFull);
    return BAR0;
}

void put(const struct api *api, unsigned x, unsigned y, uint64_t address, const void *data, uint32_t bytes)
{
    api->write(aim(api, x, y, address) + address % 0x200000, data, bytes);
}

void get(const struct api *api, unsigned x, unsigned y, uint64_t address, void *data, uint32_t bytes)
{
    api->read(aim(api, x, y, address) + address % 0x200000, data, bytes);
}

void put32(const struct api *api, unsigned x, unsigned y, uint64_t address, uint32_t value)
{
    put(api, x, y, address, &value, sizeof value);
}

uint32_t get32(const struct api *api, unsigned x, unsigned y, uint64_t address)
{
    uint32_t value = 0;
    get(api, x, y, address, &value, sizeof value);
    return value;
}

struct step {
    const char *name;
    uint64_t (*run)(const struct api *api);
};

static const struct step blackhole[] = {
    {"config space", step_config_space},
    {"identification", step_identification},
    {"patterns", step_patterns},
    {"edges", step_edges},
    {"windows", step_windows},
    {"multicast", step_multicast},
    {"host memory", step_host_memory},
    {"DMA engine", step_dma},
    {"ARC", step_arc},
    {"Ethernet", step_ethernet},
    {"cores", step_cores},
    {"atomics", step_atomics},
    {"copies", step_copies},
    {"Ethernet cores", step_ethernet_cores},
    {NULL, NULL},
};

static const struct step wormhole[] = {
    {"config space", step_config_space},
    {"identification", wormhole_identification},
    {"patterns", wormhole_patterns},
    {"windows", wormhole_windows},
    {"multicast", wormhole_multicast},
    {"host memory", wormhole_host_memory},
    {"DMA engines", wormhole_dma},
    {"ARC", wormhole_arc},
    {NULL, NULL},
};

void api_begin(struct api *api)
{
    api->set_callbacks(host_reads, host_writes);
    api->init();
    api->wormhole = api->config_read(0, 0) >> 16 == WORMHOLE_DEVICE;
}

static void run_step(const struct api *api, const struct step *step, found *tell, void *user)
{
    struct findings findings = {.words = 0};
    struct api own = *api;
    own.read = note_read;
    own.config_read = note_config_read;
    notes.findings = &findings;
    notes.api = api;
    notes.window.bytes = 0;
    uint64_t value = step->run(&own);
    notes.findings = NULL;
    tell(user, step->name, value, &findings);
    findings_free(&findings);
}

void drive(struct api *api, found *tell, void *user)
{
    api_begin(api);
    const struct step *step = api->wormhole ? wormhole : blackhole;
    for (; step->name != NULL; step++)
        run_step(api, step, tell, user);
    api->exit();
}
