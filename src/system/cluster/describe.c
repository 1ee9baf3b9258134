/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters become cluster descriptors, in the form that tt-umd writes (serialize() of its cluster_descriptor.cpp). */
#include <string.h>

#include "host/text.h"
#include "system/cluster/cluster.h"
#include "tile/arch.h"
#include "tile/family/describe.h"
#include "tile/family/harvest.h"

#define EACH(cluster_, chip_) for (unsigned chip_ = 0; chip_ < (cluster_)->chips; chip_++)

/* Have chips places? A Galaxy routes nothing by them, and drivers expect none. */
static bool has_places(const struct tf_cluster *cluster)
{
    bool somewhere = false, galaxy = true;
    EACH(cluster, i)
    {
        const struct tf_cluster_chip *chip = &cluster->chip[i];
        somewhere |= (chip->x | chip->y | chip->rack | chip->shelf) != 0;
        galaxy &= tf_board_type(cluster->arch, tf_cluster_board(cluster, i))[0] == 'u';
    }
    return somewhere || (tf_arch_or_default(cluster->arch)->fuse->rows != 0 && !galaxy);
}

static void write_chips(struct tf_text *text, const struct tf_cluster *cluster)
{
    const struct tf_arch *arch = tf_arch_or_default(cluster->arch);
    tf_text_add(text, "arch:\n");
    EACH(cluster, i)
    tf_text_add(text, "  %u: %s\n", i, arch->driver_name != NULL ? arch->driver_name : arch->name);
    tf_text_add(text, "chips:\n%s", has_places(cluster) ? "" : "  {}\n");
    EACH(cluster, i)
    if (has_places(cluster))
        tf_text_add(text, "  %u: [%u, %u, %u, %u]\n", i, cluster->chip[i].x, cluster->chip[i].y, cluster->chip[i].rack,
                    cluster->chip[i].shelf);
    tf_text_add(text, "chip_unique_ids:\n");
    EACH(cluster, i)
    tf_text_add(text, "  %u: %llu\n", i, (unsigned long long)cluster->chip[i].unique_id);
}

static void write_links(struct tf_text *text, const struct tf_cluster *cluster)
{
    tf_text_add(text, "ethernet_connections:\n%s", cluster->links == 0 ? "  []\n" : "");
    for (unsigned i = 0; i < cluster->links; i++) {
        const struct tf_cluster_end *end = cluster->link[i].end;
        tf_text_add(text, "  - [{chip: %u, chan: %u}, {chip: %u, chan: %u}]\n", end[0].chip, end[0].port, end[1].chip,
                    end[1].port);
    }
    tf_text_add(text, "ethernet_connections_to_remote_devices:\n  []\nchips_with_mmio:\n");
    EACH(cluster, i)
    if (cluster->chip[i].pcie)
        tf_text_add(text, "  - %u: %u\n", i, i);
    tf_text_add(text, "io_device_type: PCIe\n");
}

/* PCIe tiles without a host: here the same one in each chip. tt-umd takes a descriptor only if the chip at location 1
   of a p300 has the other one in its place (soc_descriptor.cpp). */
static uint32_t unused_pcie(const struct tf_cluster *cluster, unsigned chip, uint32_t mask)
{
    const struct tf_arch *arch = tf_arch_or_default(cluster->arch);
    const bool second = cluster->chip[chip].asic_location == 1 &&
                        strcmp(tf_board_type(arch, tf_cluster_board(cluster, chip)), "p300") == 0;
    return second ? mask ^ 3u : mask;
}

static void write_masks(struct tf_text *text, const struct tf_cluster *cluster)
{
    tf_text_add(text, "harvesting:\n");
    EACH(cluster, i)
    {
        struct tf_harvest masks;
        tf_harvest_of(tf_arch_or_default(cluster->arch), tf_cluster_board(cluster, i), &masks);
        tf_text_add(text,
                    "  %u:\n    noc_translation: true\n    harvest_mask: %u\n    dram_harvesting_mask: %u\n"
                    "    eth_harvesting_mask: %u\n    pcie_harvesting_mask: %u\n    l2cpu_harvesting_mask: %u\n",
                    i, masks.tensix, masks.dram, masks.eth, unused_pcie(cluster, i, masks.pcie), masks.cpus);
    }
}

static void write_boards(struct tf_text *text, const struct tf_cluster *cluster)
{
    uint32_t written = 0;
    tf_text_add(text, "boards:\n");
    EACH(cluster, i)
    {
        uint64_t id = cluster->chip[i].board_id;
        if (written >> i & 1)
            continue;
        tf_text_add(text, "  -\n    - board_id: %llu\n    - board_type: %s\n    - chips:\n", (unsigned long long)id,
                    tf_board_type(tf_arch_or_default(cluster->arch), tf_cluster_board(cluster, i)));
        for (unsigned k = i; k < cluster->chips; k++)
            if (cluster->chip[k].board_id == id) {
                tf_text_add(text, "        - %u\n", k);
                written |= 1u << k;
            }
    }
    tf_text_add(text, "asic_locations:\n");
    EACH(cluster, i)
    tf_text_add(text, "  %u: %u\n", i, cluster->chip[i].asic_location);
}

size_t tf_describe_system(const struct tf_cluster *cluster, char *buffer, size_t bytes)
{
    struct tf_text text = {buffer, bytes, 0};
    write_chips(&text, cluster);
    write_links(&text, cluster);
    write_masks(&text, cluster);
    write_boards(&text, cluster);
    return text.length;
}
