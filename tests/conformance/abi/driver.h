/* SPDX-License-Identifier: Apache-2.0 */
/* A program for any libttsim: what it finds must not depend on whose library it is. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings.h"

struct api {
    void (*init)(void);
    void (*exit)(void);
    void (*set_callbacks)(void (*read)(uint64_t, void *, uint32_t), void (*write)(uint64_t, const void *, uint32_t));
    uint32_t (*config_read)(uint32_t, uint32_t);
    void (*config_write)(uint32_t, uint32_t, uint32_t);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*tile_read)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*tile_write)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
    void *library;
    bool wormhole; /* its chip, once it has begun */
};

/* Load a library. 0, or -1 with a line on stderr. */
int api_load(struct api *api, const char *path);

/* Begin, with callbacks for the host's memory, and learn the family. */
void api_begin(struct api *api);

/* One result: what a step found, and a hash of it. */
typedef void found(void *user, const char *step, uint64_t value, const struct findings *findings);

/* Run all steps, from init to exit. */
void drive(struct api *api, found *tell, void *user);

/* The parts of steps. */
#define WORMHOLE_DEVICE 0x401Eu /* its device identifier; else Blackhole */
#define BAR0 0x100000000ull
#define BAR2 0x120000000ull
#define BAR4 0x800000000ull
#define WINDOW_CONFIG (BAR0 + 0x1FC00000)

/* Point a window of 2 MiB at a tile, by noc 0; returns where the window begins. */
uint64_t aim(const struct api *api, unsigned x, unsigned y, uint64_t address);
/* From now on so many bytes of PCI space from `pci` on reach a tile: later reads are named after it. */
void note_window(uint64_t pci, uint64_t bytes, unsigned x, unsigned y, uint64_t address);
void put32(const struct api *api, unsigned x, unsigned y, uint64_t address, uint32_t value);
uint32_t get32(const struct api *api, unsigned x, unsigned y, uint64_t address);
void put(const struct api *api, unsigned x, unsigned y, uint64_t address, const void *data, uint32_t bytes);
void get(const struct api *api, unsigned x, unsigned y, uint64_t address, void *data, uint32_t bytes);
void fill(uint8_t *data, size_t bytes, uint32_t seed);
uint64_t hash(uint64_t before, const void *data, size_t bytes);

/* steps.c, cores.c, ethernet.c */
uint64_t step_config_space(const struct api *api);
uint64_t step_identification(const struct api *api);
uint64_t step_patterns(const struct api *api);
uint64_t step_edges(const struct api *api);
uint64_t step_windows(const struct api *api);
uint64_t step_multicast(const struct api *api);
uint64_t step_host_memory(const struct api *api);
uint64_t step_dma(const struct api *api);
uint64_t step_arc(const struct api *api);
uint64_t step_ethernet(const struct api *api);
uint64_t step_cores(const struct api *api);
uint64_t step_atomics(const struct api *api);
uint64_t step_copies(const struct api *api);
uint64_t step_ethernet_cores(const struct api *api);

/* wormhole.c: of a library with a Wormhole chip. */
uint64_t wormhole_identification(const struct api *api);
uint64_t wormhole_patterns(const struct api *api);
uint64_t wormhole_windows(const struct api *api);
uint64_t wormhole_multicast(const struct api *api);
uint64_t wormhole_host_memory(const struct api *api);
uint64_t wormhole_dma(const struct api *api);
uint64_t wormhole_arc(const struct api *api);

/* The host's memory, which the callbacks read and write: fill it by a seed; hash it. */
void host_fill(uint32_t seed);
uint64_t host_hash(uint64_t value);

void host_reads(uint64_t address, void *data, uint32_t bytes);
void host_writes(uint64_t address, const void *data, uint32_t bytes);

#endif
