/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system on a library with the libttsim interface: memory of its chips, and programs on its tiles. Chips with PCIe
 * are reached by windows of their devices, the others by requests to an Ethernet tile (tt-umd,
 * RemoteCommunicationLegacyFirmware). One system at a time.
 */
#ifndef SYSTEM_PEER_H
#define SYSTEM_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_system_run.h"

#define PEER_STARTED_MAX 4096u

/* A core that runs a program of a workload, whose done word the program sets at its end. */
struct peer_started {
    unsigned chip, core;
    struct tf_coord node; /* as in peer_access() */
    bool on_eth;
};

struct peer {
    bool begun; /* the calls of workloads reach the library (system_calls.c) */
    unsigned count;
    struct peer_started started[PEER_STARTED_MAX];
};

extern struct peer peer;

/* Load a library for systems with this cluster, or end the process with a line on stderr. The system of this process
   has the same cluster, and only answers what workloads ask about coordinates and families. */
void peer_load(const char *path, struct tf_system *system);

/* Begin and end a run. A new system has no program. */
void peer_begin(void);
void peer_end(void);

/* The system runs for so many cycles. */
void peer_clock(uint32_t cycles);

/* The number of a chip of this process's system. */
unsigned peer_chip(const struct tf_chip *chip);

/*
 * Read or write memory or registers of a tile. node: raw coordinates of NOC 0, but on Blackhole names: what is fused
 * off differs between libraries, and names do not. bytes: a multiple of 4.
 */
void peer_access(unsigned chip, struct tf_coord node, uint64_t address, void *data, size_t bytes, bool writes);
void peer_put32(unsigned chip, struct tf_coord node, uint64_t address, uint32_t value);

/* The node of a Tensix tile for peer_access(), by raw coordinates. */
struct tf_coord peer_tensix(const struct tf_chip *chip, struct tf_coord raw);

/* The node of an Ethernet tile for peer_access(), and for requests of programs. */
struct tf_coord peer_eth(unsigned port, struct tf_coord raw);

/* Start a core at this PC. cores: all cores of the tile that have been started since peer_begin(), as bits, this one
   included. */
void peer_start_tensix(unsigned chip, struct tf_coord node, unsigned core, unsigned cores, uint32_t pc);
void peer_start_eth(unsigned chip, struct tf_coord node, uint32_t pc);

#endif
