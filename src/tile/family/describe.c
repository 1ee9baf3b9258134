/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip and its board, in the YAML that tt-umd reads: its device/soc_arch_descriptor.cpp and cluster_descriptor.cpp
 * name the keys, and tests/soc_descs and tests/cluster_descriptor_examples there are examples.
 */
#include "tile/family/describe.h"

#include <ctype.h>
#include <string.h>

#include "host/text.h"
#include "tile/arch.h"
#include "tile/family/harvest.h"
#include "tilefarm/tilefarm_chip.h"

#define IN_LINE 14u

static const char *driver_name(const struct tf_arch *arch)
{
    return arch->driver_name != NULL ? arch->driver_name : arch->name;
}

/* A list of nodes, as "x-y". */
struct list {
    struct tf_text *text;
    const struct tf_arch *arch;
    unsigned count;
};

static void begin_list(struct list *list, struct tf_text *text, const struct tf_arch *arch, const char *key)
{
    *list = (struct list){text, arch, 0};
    tf_text_add(text, "%s:\n  [", key);
}

static void add_node(struct list *list, unsigned node)
{
    const char *between = list->count == 0 ? "" : list->count % IN_LINE == 0 ? ",\n   " : ", ";
    tf_text_add(list->text, "%s%u-%u", between, node % list->arch->grid_x, node / list->arch->grid_x);
    list->count++;
}

static void end_list(struct list *list)
{
    tf_text_add(list->text, "]\n\n");
}

/* All nodes of a kind, in rows. */
static void list_nodes(struct tf_text *text, const struct tf_arch *arch, const char *key, unsigned kind)
{
    struct list list;
    begin_list(&list, text, arch, key);
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
        if (tf_die_kind(arch, i) == kind)
            add_node(&list, i);
    end_list(&list);
}

/* All nodes of a kind that is numbered, in the order of its numbers. */
static void list_numbered(struct tf_text *text, const struct tf_arch *arch, const char *key, unsigned kind)
{
    struct list list;
    begin_list(&list, text, arch, key);
    for (unsigned number = 0; number < 256; number++)
        for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
            if (tf_die_kind(arch, i) == kind && arch->place[i].index == number)
                add_node(&list, i);
    end_list(&list);
}

/* List the ports of a DRAM channel in the order of their names. If names do not number them, list them by rows. */
static void list_ports(struct tf_text *text, const struct tf_arch *arch, unsigned bank)
{
    const struct tf_coords_arch *coords = &arch->coords;
    struct list list = {text, arch, 0};
    tf_text_add(text, "    [");
    if (coords->name[TF_NODE_DRAM].y_last == 0 || coords->dram_groups) {
        for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
            if (tf_die_kind(arch, i) == TF_NODE_DRAM && arch->place[i].index == bank)
                add_node(&list, i);
    } else {
        for (unsigned x = coords->name[TF_NODE_DRAM].x_first; x <= coords->name[TF_NODE_DRAM].x_last; x++)
            for (unsigned y = coords->name[TF_NODE_DRAM].y_first; y <= coords->name[TF_NODE_DRAM].y_last; y++) {
                unsigned node = coords->y[y] * arch->grid_x + coords->x[x];
                if (tf_die_kind(arch, node) == TF_NODE_DRAM && arch->place[node].index == bank)
                    add_node(&list, node);
            }
    }
    tf_text_add(text, "],\n");
}

static void list_mirrored(struct tf_text *text, const char *key, unsigned size)
{
    tf_text_add(text, "%s:\n  [", key);
    for (unsigned i = size; i-- > 0;)
        tf_text_add(text, i == 0 ? "0]\n\n" : "%u, ", i);
}

static void add_upper(struct tf_text *text, const char *name)
{
    for (; *name != '\0'; name++)
        tf_text_add(text, "%c", toupper((unsigned char)*name));
}

size_t tf_describe_soc(const struct tf_arch *arch, char *buffer, size_t bytes)
{
    arch = tf_arch_or_default(arch);
    struct tf_text text = {buffer, bytes, 0};
    tf_text_add(&text,
                "# The whole die, in raw NOC 0 coordinates; the cluster descriptor says what is fused off.\n"
                "grid:\n  x_size: %u\n  y_size: %u\n\n",
                arch->grid_x, arch->grid_y);
    list_nodes(&text, arch, "arc", TF_NODE_ARC);
    list_nodes(&text, arch, "pcie", TF_NODE_PCIE);
    tf_text_add(&text, "dram:\n  [\n");
    for (unsigned bank = 0; bank < arch->dram.channels; bank++)
        list_ports(&text, arch, bank);
    tf_text_add(&text, "  ]\n\n");
    list_numbered(&text, arch, "eth", TF_NODE_ETH);
    list_nodes(&text, arch, "functional_workers", TF_NODE_TENSIX);
    list_nodes(&text, arch, "router_only", TF_NODE_EMPTY);
    list_nodes(&text, arch, "security", TF_NODE_SECURITY);
    list_numbered(&text, arch, "l2cpu", TF_NODE_L2CPU);
    list_mirrored(&text, "noc0_x_to_noc1_x", arch->grid_x);
    list_mirrored(&text, "noc0_y_to_noc1_y", arch->grid_y);
    tf_text_add(&text, "worker_l1_size:\n  %u\n\ndram_bank_size:\n  %llu\n\neth_l1_size:\n  %u\n\narch_name: ",
                arch->tile[TF_TILE_TENSIX].l1_bytes, (unsigned long long)arch->dram.channel_bytes,
                arch->tile[TF_TILE_ETH].l1_bytes);
    add_upper(&text, driver_name(arch));
    tf_text_add(&text, "\n\n%s", arch->soc_features != NULL ? arch->soc_features : "");
    return text.length;
}

const char *tf_board_type(const struct tf_arch *arch, const struct tf_board *board)
{
    static const char *const types[] = {"n150", "n300", "p100", "p150", "p300"};
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strncmp(board->name, types[i], strlen(types[i])) == 0)
            return types[i];
    return arch->fuse != NULL ? arch->fuse->galaxy_type : "ubb";
}

size_t tf_describe_cluster(const struct tf_arch *arch, char *buffer, size_t bytes)
{
    arch = tf_arch_or_default(arch);
    const struct tf_board *board = &arch->board;
    struct tf_text text = {buffer, bytes, 0};
    struct tf_harvest masks;
    tf_harvest_of(arch, board, &masks);
    tf_text_add(&text,
                "arch:\n  0: %s\nchips:\n  {}\nchip_unique_ids:\n  0: 1\nethernet_connections:\n  []\n"
                "ethernet_connections_to_remote_devices:\n  []\nchips_with_mmio:\n  - 0: 0\nio_device_type: PCIe\n",
                driver_name(arch));
    tf_text_add(&text,
                "harvesting:\n  0:\n    noc_translation: true\n    harvest_mask: %u\n    dram_harvesting_mask: %u\n"
                "    eth_harvesting_mask: %u\n    pcie_harvesting_mask: %u\n    l2cpu_harvesting_mask: %u\n",
                masks.tensix, masks.dram, masks.eth, masks.pcie, masks.cpus);
    tf_text_add(&text,
                "boards:\n  -\n    - board_id: %llu\n    - board_type: %s\n    - chips:\n        - 0\n"
                "asic_locations:\n  0: 0\n",
                (unsigned long long)board->product << 36 | 1, tf_board_type(arch, board));
    return text.length;
}
