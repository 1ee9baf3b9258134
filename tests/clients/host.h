/* SPDX-License-Identifier: Apache-2.0 */
/* A host in the shape of tt-metal's: it boots firmware on all tiles, uploads kernels, sends launch and go messages, and
   polls. All of it goes through the libttsim interface. */
#ifndef CLIENTS_HOST_H
#define CLIENTS_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/abi/driver.h"

#include "client.h"

struct client_node {
    uint8_t x, y;
    bool ethernet;
};

struct client {
    struct api *api;
    const char *folder; /* of the programs */
    struct client_node node[160];
    unsigned nodes, tensix; /* the first ones are Tensix tiles */
    uint64_t polls;
};

/* Begin with the library's chip: find its tiles, boot firmware on each, and wait until all are done. */
void client_boot(struct client *client, struct api *api, const char *folder);

/* Put a kernel where launch messages of client_launch() expect it. core: of the tile. Returns its bytes. */
uint32_t client_load(const struct client *client, unsigned node, unsigned core, const char *program);

void client_arguments(const struct client *client, unsigned node, unsigned core, const void *data, uint32_t bytes);

/* Describe circular buffer `i`, from CLIENT_DATA on. */
void client_buffer(const struct client *client, unsigned node, unsigned i, const struct client_buffer *buffer);

/* Send a launch and a go message. buffers: a mask of circular buffers. nc_bytes: of NC's kernel. */
void client_launch(const struct client *client, unsigned node, uint32_t enables, uint32_t buffers, uint32_t nc_bytes);

/* Wait until the firmware of a node says that it is done. */
void client_wait(struct client *client, unsigned node);

/* A page of an interleaved tensor in DRAM. */
void client_write_page(const struct client *client, uint32_t address, uint32_t page, const void *data, uint32_t bytes);
void client_read_page(const struct client *client, uint32_t address, uint32_t page, void *data, uint32_t bytes);

#endif
