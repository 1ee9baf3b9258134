/* SPDX-License-Identifier: Apache-2.0 */
/* Sources: tenstorrent/ttsim docs/libttsim_api.md; TensixTile/SoftReset.md of both families. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "cli/peer/client.h"
#include "tile/mmio/reset.h"

#define COORDINATE_BITS 6u
#define CONFIG_WORDS_MAX 3u

static const struct tf_core_reset resets[TF_TILE_CORES] = {TF_TENSIX_RESETS};

const char *tf_client_load(struct tf_client_library *library, const char *path)
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
    char slashed[4096]; /* without a slash, dlopen() would search the system's folders */
    snprintf(slashed, sizeof slashed, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    void *handle = dlopen(slashed, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return dlerror();
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(handle, symbols[i].name);
        if (symbol == NULL)
            return dlerror();
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    void *symbol = dlsym(handle, "libttsim_pci_config_rd32");
    memcpy(&library->config_read, &symbol, sizeof symbol);
    return NULL;
}

bool tf_client_set_arch(struct tf_client *client, const struct tf_arch *arch)
{
    client->arch = arch;
    client->device = abi_family_of(arch);
    client->first = (struct tf_coord){UINT8_MAX, UINT8_MAX};
    client->last = (struct tf_coord){0, 0};
    for (unsigned tile = 0; tile < arch->tile[TF_TILE_TENSIX].tiles; tile++) {
        struct tf_coord node = {0, 0};
        tf_tile_coord(arch, tile, &node);
        client->first.x = node.x < client->first.x ? node.x : client->first.x;
        client->first.y = node.y < client->first.y ? node.y : client->first.y;
        client->last.x = node.x > client->last.x ? node.x : client->last.x;
        client->last.y = node.y > client->last.y ? node.y : client->last.y;
    }
    return client->device != NULL;
}

bool tf_client_fits(const struct tf_client *client)
{
    return client->library.config_read == NULL || client->library.config_read(0, 0) == client->device->vendor_device;
}

static struct tf_coord library_coord(const struct tf_client *client, struct tf_coord node)
{
    const struct tf_coords_arch *coords = &client->arch->coords;
    if (!client->device->dram_is_translated || tf_node_kind(client->arch, node) != TF_NODE_DRAM)
        return node;
    uint8_t x = coords->name[TF_NODE_DRAM].x_first, y = coords->name[TF_NODE_DRAM].y_first;
    while (coords->x[x] != node.x)
        x++;
    while (coords->y[y] != node.y)
        y++;
    return (struct tf_coord){x, y};
}

/* Set bits of a configuration, from bit `at` on, that were 0. */
static void set_bits(uint32_t word[CONFIG_WORDS_MAX], unsigned at, uint64_t value)
{
    for (unsigned i = at / 32, shift = at % 32; value != 0 && i < CONFIG_WORDS_MAX; i++, shift = 0) {
        word[i] |= (uint32_t)(value << shift);
        value >>= 32 - shift;
    }
}

static void set_node(uint32_t word[CONFIG_WORDS_MAX], unsigned at, struct tf_coord node)
{
    set_bits(word, at, node.x | (uint64_t)node.y << COORDINATE_BITS);
}

/* Aim a window at a node or at all tiles. It begins at the multiple of its size below the address. Returns where the
   address is in BAR 0. */
static uint64_t aim(const struct tf_client *client, struct tf_client_target target, uint64_t address)
{
    const struct abi_small_windows *small = &client->device->small;
    unsigned window = target.all;
    uint32_t word[CONFIG_WORDS_MAX] = {0};
    set_bits(word, 0, address / WINDOW_SMALL_BYTES);
    set_node(word, small->page_bits, target.all ? client->last : library_coord(client, target.node));
    if (target.all) {
        set_node(word, small->page_bits + 2 * COORDINATE_BITS, client->first);
        set_bits(word, small->multicast_bit, 1);
    }
    for (unsigned at = 0; at < small->config_bytes; at += small->access_bytes)
        client->library.write(BAR0_FIRST + WINDOW_CONFIG_FIRST + (small->window + window) * small->config_bytes + at,
                              &word[at / 4], small->access_bytes);
    return BAR0_FIRST + small->first + window * WINDOW_SMALL_BYTES + address % WINDOW_SMALL_BYTES;
}

void tf_client_write(const struct tf_client *client, struct tf_client_target target, uint64_t address, const void *data,
                     uint32_t bytes)
{
    client->library.write(aim(client, target, address), data, bytes);
}

void tf_client_read(const struct tf_client *client, struct tf_coord node, uint64_t address, void *data, uint32_t bytes)
{
    client->library.read(aim(client, (struct tf_client_target){.node = node}, address), data, bytes);
}

static void write_word(const struct tf_client *client, struct tf_client_target target, uint32_t address, uint32_t value)
{
    tf_client_write(client, target, address, &value, sizeof value);
}

bool tf_client_has_reset_pc(const struct tf_client *client, unsigned core)
{
    return resets[core].pc != 0 && !client->device->reset_pcs_in_config;
}

uint32_t tf_client_fixed_pc(unsigned core)
{
    return resets[core].fixed_pc;
}

static uint32_t jump(uint32_t from, uint32_t to)
{
    uint32_t by = to - from;
    return 0x6Fu | (by & 0xFF000u) | (by >> 11 & 1) << 20 | (by >> 1 & 0x3FF) << 21 | (by >> 20 & 1) << 31;
}

void tf_client_set_pcs(const struct tf_client *client, struct tf_client_target target, unsigned cores,
                       const uint32_t *pc)
{
    const unsigned count = client->arch->tile[TF_TILE_TENSIX].cores;
    for (unsigned core = 0; core < count; core++) {
        if ((cores >> core & 1) == 0)
            continue;
        if (tf_client_has_reset_pc(client, core))
            write_word(client, target, TF_DEBUG_ADDRESS(resets[core].pc), pc[core]);
        else if (pc[core] != resets[core].fixed_pc)
            write_word(client, target, resets[core].fixed_pc, jump(resets[core].fixed_pc, pc[core]));
    }
    if (client->device->reset_pcs_in_config)
        return;
    if (count > TF_CORE_T0)
        write_word(client, target, TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE), cores >> TF_CORE_T0 & 7);
    if (count > TF_CORE_NC)
        write_word(client, target, TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE), cores >> TF_CORE_NC & 1);
}

void tf_client_start(const struct tf_client *client, struct tf_client_target target, unsigned cores)
{
    uint32_t held = 0;
    for (unsigned core = 0; core < client->arch->tile[TF_TILE_TENSIX].cores; core++)
        if ((cores >> core & 1) == 0)
            held |= 1u << resets[core].bit;
    write_word(client, target, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), held);
}
