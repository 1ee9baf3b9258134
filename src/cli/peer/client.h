/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of a library with the libttsim interface: its functions, windows of 2 MiB in BAR 0, and resets of cores. It
 * knows the library's device from the table of its family (abi/abi.h).
 */
#ifndef CLI_PEER_CLIENT_H
#define CLI_PEER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/arch.h"

/* The functions of a library. */
struct tf_client_library {
    void (*init)(void);
    void (*exit)(void);
    void (*read)(uint64_t address, void *data, uint32_t bytes);
    void (*write)(uint64_t address, const void *data, uint32_t bytes);
    void (*clock)(uint32_t cycles);
    uint32_t (*config_read)(uint32_t bus_device_function, uint32_t offset); /* NULL: the library has no such function */
};

struct abi_family; /* abi/abi.h */

struct tf_client {
    struct tf_client_library library;
    const struct tf_arch *arch; /* of the library's chip */
    const struct abi_family *device;
    struct tf_coord first, last; /* corners of the rectangle with all Tensix tiles */
};

/* A node, or all Tensix tiles. */
struct tf_client_target {
    struct tf_coord node;
    bool all;
};

/* Load a library. Returns NULL, or why that failed: valid until the next call of dlerror(). */
const char *tf_client_load(struct tf_client_library *library, const char *path);

/* Set the family of the library's chip. Returns false if its device is unknown; the client must not be used then. */
bool tf_client_set_arch(struct tf_client *client, const struct tf_arch *arch);

/* Has a library, after init(), the device of the client's family? A library that cannot tell is believed to have it. */
bool tf_client_fits(const struct tf_client *client);

/* Access memory or registers of a target. The bytes lie within one aligned window. */
void tf_client_write(const struct tf_client *client, struct tf_client_target target, uint64_t address, const void *data,
                     uint32_t bytes);
void tf_client_read(const struct tf_client *client, struct tf_coord node, uint64_t address, void *data, uint32_t bytes);

/* Has a core a reset PC that a host reaches? Other cores start at a fixed address. */
bool tf_client_has_reset_pc(const struct tf_client *client, unsigned core);
uint32_t tf_client_fixed_pc(unsigned core);

/* Make cores, a mask of 1 << enum tf_core, start at these PCs, by core. Where a core starts at another, fixed address,
   a jump there takes one word of L1. */
void tf_client_set_pcs(const struct tf_client *client, struct tf_client_target target, unsigned cores,
                       const uint32_t *pc);

/* Take cores out of reset, and put all others of the target into reset. */
void tf_client_start(const struct tf_client *client, struct tf_client_target target, unsigned cores);

#endif
