/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What workloads of systems call (cli/systems), on a library with the libttsim interface. The linker gives them these
 * functions in place of the chip's own (--wrap).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/ring.h"
#include "farm/chip/loader.h"
#include "system_peer.h"
#include "tile/arch.h"
#include "tilefarm_layout.h"

#define TILES 256u          /* of a chip, of all kinds */
#define PORTS 16u           /* of a chip, at most */
#define REQUEST_BYTES 8192u /* ttsim refuses a longer request to the NOCs */

int __real_tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes);
int __wrap_tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes);
int __real_tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes);
int __wrap_tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes);
int __real_tf_port_coord(const struct tf_arch *arch, unsigned port, struct tf_coord *coord);
int __wrap_tf_port_coord(const struct tf_arch *arch, unsigned port, struct tf_coord *coord);
int __real_tf_port_tile(const struct tf_chip *chip, unsigned port);
int __wrap_tf_port_tile(const struct tf_chip *chip, unsigned port);
int __wrap_tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                       size_t bytes, struct tf_message *message);
int __wrap_tf_core_start(struct tf_chip *chip, unsigned tile, enum tf_core core);
int __real_tf_ring_start(struct tf_system *system, struct tf_links *links, const struct tf_ring_roles *roles,
                         struct tf_message *message);
int __wrap_tf_ring_start(struct tf_system *system, struct tf_links *links, const struct tf_ring_roles *roles,
                         struct tf_message *message);

/* ---- Memory ---- */

/* Workloads have raw coordinates of Tensix tiles, and those of ports from __wrap_tf_port_coord(). */
static struct tf_coord named(const struct tf_chip *chip, struct tf_coord node)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    const bool raw = node.x < arch->grid_x && node.y < arch->grid_y;
    return raw && tf_node_kind(arch, node) == TF_NODE_TENSIX ? peer_tensix(chip, node) : node;
}

static int access_words(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *from, void *to,
                        size_t bytes)
{
    const size_t whole = (bytes + 3) / 4 * 4;
    uint8_t *copy = calloc(1, whole);
    if (copy == NULL)
        return TF_ENOMEM;
    if (from != NULL)
        memcpy(copy, from, bytes);
    peer_access(peer_chip(chip), named(chip, node), address, copy, whole, from != NULL);
    if (to != NULL)
        memcpy(to, copy, bytes);
    free(copy);
    return TF_OK;
}

int __wrap_tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes)
{
    return peer.begun ? access_words(chip, node, address, data, NULL, bytes)
                      : __real_tf_write(chip, node, address, data, bytes);
}

int __wrap_tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes)
{
    return peer.begun ? access_words(chip, node, address, NULL, data, bytes)
                      : __real_tf_read(chip, node, address, data, bytes);
}

/* ---- Ports ---- */

int __wrap_tf_port_coord(const struct tf_arch *arch, unsigned port, struct tf_coord *coord)
{
    const int error = __real_tf_port_coord(arch, port, coord);
    if (error == TF_OK && peer.begun)
        *coord = peer_eth(port, *coord);
    return error;
}

/* It asks for the port's own coordinates. */
int __wrap_tf_port_tile(const struct tf_chip *chip, unsigned port)
{
    const bool begun = peer.begun;
    peer.begun = false;
    const int tile = __real_tf_port_tile(chip, port);
    peer.begun = begun;
    return tile;
}

int __wrap_tf_ring_start(struct tf_system *system, struct tf_links *links, const struct tf_ring_roles *roles,
                         struct tf_message *message)
{
    if (links->bytes > REQUEST_BYTES)
        links->bytes = REQUEST_BYTES;
    return __real_tf_ring_start(system, links, roles, message);
}

/* ---- Programs ---- */

static uint32_t entries[TF_CLUSTER_CHIPS_MAX][TILES][TF_TILE_CORES]; /* of the programs loaded last */

static struct tf_coord place(const struct tf_chip *chip, unsigned tile, bool *on_eth)
{
    struct tf_coord node = {0, 0};
    for (unsigned port = 0; port < PORTS; port++)
        if (__wrap_tf_port_tile(chip, port) == (int)tile) {
            *on_eth = true;
            __wrap_tf_port_coord(tf_chip_arch(chip), port, &node);
            return node;
        }
    *on_eth = false;
    tf_tile_coord(tf_chip_arch(chip), tile, &node);
    return named(chip, node);
}

/* ttsim lacks the CSR `cycle`, csrrs rd, 0xC00, x0. Programs read 0 in its place: addi rd, x0, 0. */
static void leave_out_cycle(uint8_t *code, size_t bytes)
{
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word;
        memcpy(&word, code + i, sizeof word);
        if ((word & 0xFFFFF07Fu) != 0xC0002073u)
            continue;
        word = (word & 0xF80u) | 0x13u;
        memcpy(code + i, &word, sizeof word);
    }
}

static int put_segment(const struct tf_chip *chip, struct tf_coord node, const struct tf_elf_segment *segment,
                       const void *image)
{
    const size_t whole = (segment->memory_bytes + 3u) / 4 * 4;
    uint8_t *copy = calloc(1, whole);
    if (copy == NULL)
        return TF_ENOMEM;
    memcpy(copy, (const uint8_t *)image + segment->file_offset, segment->file_bytes);
    leave_out_cycle(copy, segment->file_bytes);
    peer_access(peer_chip(chip), node, segment->address, copy, whole, true);
    free(copy);
    return TF_OK;
}

int __wrap_tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                       size_t bytes, struct tf_message *message)
{
    struct tf_elf elf;
    bool on_eth;
    const struct tf_coord node = place(chip, tile, &on_eth);
    const struct tf_tile_arch *kind = &tf_chip_arch(chip)->tile[on_eth ? TF_TILE_ETH : TF_TILE_TENSIX];
    int error = tf_elf_parse(image, bytes, path, kind, &elf, message);
    for (unsigned i = 0; error == TF_OK && i < elf.segments; i++)
        error = put_segment(chip, node, &elf.segment[i], image);
    if (error == TF_OK)
        entries[peer_chip(chip)][tile][core] = elf.entry;
    return error;
}

/* The cores of a tile that have been started, as bits. */
static unsigned started_there(unsigned chip, struct tf_coord node)
{
    unsigned cores = 0;
    for (unsigned i = 0; i < peer.count; i++) {
        const struct peer_started *at = &peer.started[i];
        if (at->chip == chip && at->node.x == node.x && at->node.y == node.y)
            cores |= 1u << at->core;
    }
    return cores;
}

int __wrap_tf_core_start(struct tf_chip *chip, unsigned tile, enum tf_core core)
{
    const unsigned number = peer_chip(chip);
    const uint32_t pc = entries[number][tile][core];
    struct peer_started started = {.chip = number, .core = core};
    if (peer.count == PEER_STARTED_MAX)
        return TF_ENOMEM;
    started.node = place(chip, tile, &started.on_eth);
    peer.started[peer.count++] = started;
    if (started.on_eth) {
        peer_start_eth(number, started.node, pc);
        return TF_OK;
    }
    peer_put32(number, started.node, TF_K_DONE + 4 * core, 0);
    peer_start_tensix(number, started.node, core, started_there(number, started.node), pc);
    return TF_OK;
}
