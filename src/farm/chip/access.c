/* SPDX-License-Identifier: Apache-2.0 */
/* The host's accesses: memory and registers of nodes, cores. */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/access.h"
#include "farm/chip/dram_tiles.h"
#include "noc/nodes/arc.h"
#include "noc/coords.h"
#include "noc/whole/eth_service.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "races/races.h"
#include "races/host.h"
#include "tile/eth/eth.h"
#include "tile/mmio/dram.h"
#include "tile/mmio/reset.h"
#include "tile/mmio/mmio.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/control/view.h"
#include "tile/tensix/whole/status.h"

#define ENTRY_SET 1u /* marks a valid entry point, whose address may be 0; a multiple of 4 leaves bit 0 free */

static void bring_up_to_date(struct tf_chip *chip, struct tf_node *node)
{
    if (node->arc != NULL)
        tf_arc_at(node->arc, chip->epochs.cycles);
    if (node->tile == NULL)
        return;
    if (!chip->fabric->rules.shared)
        tf_tile_catch_up(node->tile, &chip->schedule, chip->epochs.tick);
    node->tile->cycle = chip->epochs.cycles;
}

/* Find the node at a coordinate, and bring its tile up to the chip's time. Returns NULL off the grid. */
static struct tf_node *node_at(struct tf_chip *chip, struct tf_coord coord)
{
    if (coord.x >= chip->arch->grid_x || coord.y >= chip->arch->grid_y)
        return NULL;
    struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, coord)];
    tf_forks_settle(&chip->forks, chip->fabric, node->site);
    bring_up_to_date(chip, node);
    return node;
}

/* Visit a node's site in the next epoch, because the host has accessed it. */
static void touch(struct tf_epochs *epochs, struct tf_site *sites, const struct tf_node *node)
{
    tf_sites_add(&epochs->active, node->site);
    sites[node->site].relaxed.quiet = false;
}

/* The host begins to store to the ARC tile, or has stored. */
static void by_host(const struct tf_fabric *fabric, const struct tf_node *node, bool begin)
{
    if (node->arc != NULL)
        tf_arc_reach(node->arc, begin ? fabric->node[fabric->arch->pcie_node].pcie : NULL);
}

static int bad_access(int error, const char **why, const char *text)
{
    *why = text;
    return error;
}

/* Returns whether this is an access to memory. If not, it is an access to registers, or *error is set. */
static bool is_memory(const struct tf_node *node, uint64_t address, size_t bytes, int *error, const char **why)
{
    uint64_t room = tf_node_room(node, address);
    uint8_t category;
    *error = TF_OK;
    if (room != 0) {
        if (bytes > room)
            *error = bad_access(TF_ERANGE, why,
                                tf_node_place(node, address + room) == TF_PLACE_REGISTER
                                    ? "the range runs from memory into registers of the tile"
                                    : "the range overruns the memory of the tile");
        return true;
    }
    if (tf_node_place(node, address) != TF_PLACE_REGISTER)
        *error = bad_access(TF_ERANGE, why, tf_node_why_nothing(node, &category));
    else if (address % 4 != 0 || (bytes != 4 && (node->tile == NULL || bytes % 4 != 0)))
        *error = bad_access(TF_EACCESS, why, TF_NOC_WHY_NO_WORD);
    return false;
}

static int read_node(struct tf_chip *chip, struct tf_node *node, unsigned noc, uint64_t address, void *data,
                     size_t bytes, const char **why)
{
    int error;
    bool memory = is_memory(node, address, bytes, &error, why);
    if (error != TF_OK)
        return error;
    const bool acts = tf_node_read_acts(node, address);
    if (acts || (node->tile != NULL && node->tile->beats)) /* time does not change other memory of a quiet tile */
        bring_up_to_date(chip, node);
    if (acts)
        touch(&chip->epochs, chip->site, node);
    if (memory && chip->observers.races != NULL)
        tf_races_host_read(chip->observers.races, node->number, address, bytes);
    if (memory)
        return tf_node_read(chip->fabric, node, address, data, bytes);
    for (size_t done = 0; done < bytes; done += 4) {
        uint32_t value;
        uint8_t category;
        *why = tf_node_load(node, noc, address + done, &value, &category);
        if (*why != NULL)
            return TF_EACCESS;
        memcpy((uint8_t *)data + done, &value, sizeof value);
    }
    return TF_OK;
}

static int write_node(struct tf_chip *chip, struct tf_node *node, unsigned noc, uint64_t address, const void *data,
                      size_t bytes, const char **why)
{
    int error;
    bool memory = is_memory(node, address, bytes, &error, why);
    if (error != TF_OK)
        return error;
    bring_up_to_date(chip, node);
    if (node->tile != NULL)
        touch(&chip->epochs, chip->site, node);
    if (memory) {
        if (chip->observers.races != NULL)
            tf_races_forget(chip->observers.races, node->number, address, bytes);
        *why = TF_NOC_WHY_NO_PAGE;
        return tf_node_write(chip->fabric, node, address, data, bytes);
    }
    *why = NULL;
    by_host(chip->fabric, node, true);
    for (size_t done = 0; done < bytes && *why == NULL; done += 4) {
        uint32_t value;
        uint8_t category;
        memcpy(&value, (const uint8_t *)data + done, sizeof value);
        *why = tf_node_store(node, noc, address + done, value, &category);
    }
    by_host(chip->fabric, node, false);
    if (tf_dram_tile(node) != NULL) /* the store may have made it */
        touch(&chip->epochs, chip->site, node);
    return *why == NULL ? TF_OK : TF_EACCESS;
}

/* Find the node of a number. A fork first copies what it still lacks of the node. */
static struct tf_node *settled_node(struct tf_forks *forks, struct tf_fabric *fabric, unsigned number)
{
    tf_forks_settle(forks, fabric, tf_site_of(fabric, number));
    return &fabric->node[number];
}

int tf_host_read(struct tf_chip *chip, unsigned number, unsigned noc, uint64_t address, void *data, size_t bytes,
                 const char **why)
{
    if (bytes == 0)
        return TF_OK;
    return read_node(chip, settled_node(&chip->forks, chip->fabric, number), noc, address, data, bytes, why);
}

int tf_host_write(struct tf_chip *chip, unsigned number, unsigned noc, uint64_t address, const void *data, size_t bytes,
                  const char **why)
{
    if (bytes == 0)
        return TF_OK;
    return write_node(chip, settled_node(&chip->forks, chip->fabric, number), noc, address, data, bytes, why);
}

bool tf_firmware_access(struct tf_chip *chip, unsigned eth, const struct tf_eth_access *access)
{
    const uint64_t address = access->target & 0xFFFFFFFFF;
    const unsigned noc = access->noc;
    const uint16_t node = tf_niu_node_of(&chip->fabric->node[eth].niu[noc], access->target >> 36 & 0xFFF);
    const char *why;
    if (node == TF_NO_NODE)
        return false;
    return (access->into != NULL ? tf_host_read(chip, node, noc, address, access->into, access->bytes, &why)
                                 : tf_host_write(chip, node, noc, address, access->data, access->bytes, &why)) == TF_OK;
}

bool tf_firmware_reaches(void *user, const struct tf_eth_access *access)
{
    return access->target >> 48 == 0 && access->rack == 0 && tf_firmware_access(user, access->from, access);
}

bool tf_firmware_place(void *user, unsigned index, uint64_t *target, uint16_t *rack)
{
    (void)user;
    *target = 0;
    *rack = 0;
    return index == 0;
}

int tf_write(struct tf_chip *chip, struct tf_coord coord, uint64_t address, const void *data, size_t bytes)
{
    if (chip == NULL || (data == NULL && bytes != 0))
        return TF_EINVAL;
    struct tf_node *node = node_at(chip, coord);
    if (node == NULL)
        return TF_ENODEV;
    touch(&chip->epochs, chip->site, node);
    if (chip->observers.races != NULL)
        tf_races_forget(chip->observers.races, tf_node_number(chip->arch, coord), address, bytes);
    by_host(chip->fabric, node, true);
    int error = tf_node_write(chip->fabric, node, address, data, bytes);
    by_host(chip->fabric, node, false);
    return error;
}

int tf_read(struct tf_chip *chip, struct tf_coord coord, uint64_t address, void *data, size_t bytes)
{
    if (chip == NULL || (data == NULL && bytes != 0))
        return TF_EINVAL;
    struct tf_node *node = node_at(chip, coord);
    if (node == NULL)
        return TF_ENODEV;
    if (tf_node_read_acts(node, address))
        touch(&chip->epochs, chip->site, node);
    if (chip->observers.races != NULL)
        tf_races_host_read(chip->observers.races, tf_node_number(chip->arch, coord), address, bytes);
    return tf_node_read(chip->fabric, node, address, data, bytes);
}

static struct tf_node *dram_node(struct tf_fabric *fabric, unsigned channel)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        struct tf_node *node = &fabric->node[i];
        if (node->kind == TF_NODE_DRAM && node->index == channel && node->site == i)
            return node;
    }
    return NULL;
}

/* Find the node of a channel, for an access of the host. */
static int dram_access(struct tf_forks *forks, struct tf_fabric *fabric, unsigned channel, uint64_t address,
                       const void *data, size_t bytes, struct tf_node **node)
{
    *node = dram_node(fabric, channel);
    if (*node == NULL)
        return TF_ENODEV;
    tf_forks_settle(forks, fabric, (*node)->site);
    if (address > (*node)->dram_bytes || bytes > (*node)->dram_bytes - address)
        return TF_ERANGE;
    return data == NULL && bytes != 0 ? TF_EINVAL : TF_OK;
}

int tf_dram_write(struct tf_chip *chip, unsigned channel, uint64_t address, const void *data, size_t bytes)
{
    if (chip == NULL)
        return TF_EINVAL;
    struct tf_node *node;
    int error = dram_access(&chip->forks, chip->fabric, channel, address, data, bytes, &node);
    return error != TF_OK ? error : tf_node_write(chip->fabric, node, address, data, bytes);
}

int tf_dram_read(struct tf_chip *chip, unsigned channel, uint64_t address, void *data, size_t bytes)
{
    if (chip == NULL)
        return TF_EINVAL;
    struct tf_node *node;
    int error = dram_access(&chip->forks, chip->fabric, channel, address, data, bytes, &node);
    return error != TF_OK ? error : tf_node_read(chip->fabric, node, address, data, bytes);
}

static bool has_core(const struct tf_chip *chip, unsigned tile, unsigned core)
{
    const struct tf_tile_arch *arch = tf_chip_tile_arch(chip, tile);
    return arch != NULL && core < arch->cores;
}

/* The tile of a core that the host uses. That of a DRAM node is made now. NULL: there is no such core here. */
static struct tf_tile *tile_at(struct tf_chip *chip, unsigned tile, unsigned core)
{
    if (chip == NULL || !has_core(chip, tile, core))
        return NULL;
    struct tf_node *node = node_at(chip, tf_chip_tile_node(chip, tile)->coord);
    touch(&chip->epochs, chip->site, node);
    if (node->tile == NULL && chip->fabric->cores->make(chip->fabric->cores->user, node) != NULL)
        return NULL;
    return node->tile;
}

int tf_port_tile(const struct tf_chip *chip, unsigned port)
{
    struct tf_coord coord;
    if (chip == NULL || tf_port_coord(chip->arch, port, &coord) != TF_OK)
        return TF_ENODEV;
    return (int)(chip->fabric->node[tf_node_number(chip->arch, coord)].tile - chip->tiles.tile);
}

int tf_core_set_pc(struct tf_chip *chip, unsigned tile, enum tf_core core, uint32_t pc)
{
    struct tf_tile *at = tile_at(chip, tile, core);
    if (at == NULL)
        return TF_ENODEV;
    if (pc % 4 != 0 || pc >= at->arch->l1_bytes)
        return TF_EINVAL;
    if (at->arch->kind == TF_TILE_ETH)
        tf_eth_set_reset_pc(at, core, pc);
    else if (at->arch->kind == TF_TILE_DRAM)
        at->mmio.dram->words->control[TF_DRAM_RESET_PC] = pc;
    else
        chip->tiles.entry[tile][core] = pc | ENTRY_SET;
    return TF_OK;
}

static int store_reset(struct tf_chip *chip, struct tf_node *node, uint32_t bits)
{
    return tf_node_write(chip->fabric, node, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), &bits, sizeof bits);
}

/* The release started the core at the address in the tile's registers. An address that tf_core_set_pc() or
   tf_load_elf() gave replaces it. */
static void enter(const struct tf_tiles *tiles, struct tf_tile *tile, unsigned index, enum tf_core core)
{
    uint32_t entry = tile->arch->kind == TF_TILE_TENSIX ? tiles->entry[index][core] : 0;
    if (entry != 0 && tile->hart[core].state == TF_CORE_RUNNING)
        tf_hart_release(tile, &tile->hart[core], entry & ~ENTRY_SET, tile->cycle);
}

static int set_reset(struct tf_chip *chip, unsigned tile, enum tf_core core, bool held)
{
    struct tf_tile *at = tile_at(chip, tile, core);
    if (at == NULL)
        return TF_ENODEV;
    struct tf_node *node = node_at(chip, at->coord);
    const uint32_t bit = tf_debug_reset_bit(at, core);
    uint32_t bits;
    int error = tf_node_read(chip->fabric, node, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), &bits, sizeof bits);
    if (error == TF_OK && !held && at->arch->kind == TF_TILE_ETH)
        error = store_reset(chip, node, bits | bit); /* the bit may be clear: the core executes its tile's firmware */
    if (error == TF_OK)
        error = store_reset(chip, node, held ? bits | bit : bits & ~bit);
    if (error == TF_OK && !held)
        enter(&chip->tiles, at, tile, core);
    return error;
}

int tf_core_start(struct tf_chip *chip, unsigned tile, enum tf_core core)
{
    struct tf_tile *at = tile_at(chip, tile, core);
    if (at == NULL)
        return TF_ENODEV;
    if (at->hart[core].state != TF_CORE_RESET)
        return TF_OK;
    return set_reset(chip, tile, core, false);
}

int tf_core_stop(struct tf_chip *chip, unsigned tile, enum tf_core core)
{
    return set_reset(chip, tile, core, true);
}

int tf_core_look(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_view *view)
{
    if (chip == NULL || view == NULL || !has_core(chip, tile, core))
        return TF_ENODEV;
    struct tf_node *node = tf_chip_tile_node(chip, tile);
    tf_forks_settle(&chip->forks, chip->fabric, node->site);
    if (node->tile != NULL)
        tf_hart_look(node->tile, &node->tile->hart[core], view);
    else /* nobody has used the DRAM node's core */
        *view = (struct tf_core_view){.state = TF_CORE_RESET, .cycle = chip->epochs.cycles};
    return TF_OK;
}

int tf_core_view(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_view *view)
{
    int error = tf_core_look(chip, tile, core, view);
    if (error != TF_OK)
        return error;
    struct tf_tile *of = tf_chip_tile(chip, tile);
    view->thread_waits = core >= TF_CORE_T0 && core <= TF_CORE_T2 && of != NULL && of->tensix != NULL &&
                         tf_tensix_describe_wait(of, core - TF_CORE_T0, NULL, 0) > 0;
    return TF_OK;
}
