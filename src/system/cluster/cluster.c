/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes a cluster right. Unique ids are tt-umd's: mangle_asic_id() of topology_discovery_blackhole.cpp; of
 * Wormhole, get_local_board_id() and get_unconnected_device_id() in topology_discovery_wormhole.cpp, and the figures of
 * tests/cluster_descriptor_examples.
 */
#include "system/cluster/cluster.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tile/family/board.h"

#define COORD_MAX 63u

struct check {
    const struct tf_cluster *cluster;
    struct tf_message *message;
    struct tf_cluster_subject *subject;
};

static int __attribute__((format(printf, 4, 5)))
refuse(const struct check *check, unsigned about, unsigned index, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->message->text, sizeof check->message->text, format, arguments);
    va_end(arguments);
    check->subject->about = about;
    check->subject->index = index;
    return TF_EINVAL;
}

const struct tf_board *tf_cluster_board(const struct tf_cluster *cluster, unsigned chip)
{
    const struct tf_board *board = &cluster->chip[chip].board;
    return board->name[0] != '\0' ? board : &tf_arch_or_default(cluster->arch)->board;
}

unsigned tf_cluster_ports(const struct tf_cluster *cluster, unsigned chip)
{
    return tf_arch_or_default(cluster->arch)->fuse->eth_tiles -
           (unsigned)__builtin_popcount(tf_cluster_board(cluster, chip)->eth_off);
}

unsigned tf_cluster_port_tile(const struct tf_cluster *cluster, unsigned chip, unsigned port)
{
    uint32_t off = tf_cluster_board(cluster, chip)->eth_off;
    unsigned tile = 0;
    for (unsigned left = port + 1;; tile++)
        if (!(off >> tile & 1) && --left == 0)
            return tile;
}

struct tf_coord tf_cluster_port_coord(const struct tf_cluster *cluster, unsigned chip, unsigned port)
{
    const struct tf_arch *arch = tf_arch_or_default(cluster->arch);
    unsigned tile = tf_cluster_port_tile(cluster, chip, port), node = 0;
    while (arch->place[node].kind != TF_NODE_ETH || arch->place[node].index != tile)
        node++;
    return (struct tf_coord){(uint8_t)(node % arch->grid_x), (uint8_t)(node / arch->grid_x)};
}

static bool is_at(const struct tf_cluster_end *end, unsigned chip, unsigned port)
{
    return end->chip == chip && end->port == port;
}

const struct tf_cluster_end *tf_cluster_peer(const struct tf_cluster *cluster, unsigned chip, unsigned port)
{
    for (unsigned i = 0; i < cluster->links; i++)
        for (unsigned k = 0; k < 2; k++)
            if (is_at(&cluster->link[i].end[k], chip, port))
                return &cluster->link[i].end[1 - k];
    return NULL;
}

static int compare_ends(const struct tf_cluster_end *a, const struct tf_cluster_end *b)
{
    return a->chip != b->chip ? a->chip - b->chip : a->port - b->port;
}

static int compare_links(const void *a, const void *b)
{
    const struct tf_cluster_link *first = a, *second = b;
    int difference = compare_ends(&first->end[0], &second->end[0]);
    return difference != 0 ? difference : compare_ends(&first->end[1], &second->end[1]);
}

void tf_cluster_sort(struct tf_cluster *cluster)
{
    unsigned left = 0;
    for (unsigned i = 0; i < cluster->links; i++) {
        struct tf_cluster_link *link = &cluster->link[i];
        if (compare_ends(&link->end[0], &link->end[1]) > 0)
            *link = (struct tf_cluster_link){{link->end[1], link->end[0]}};
    }
    qsort(cluster->link, cluster->links, sizeof cluster->link[0], compare_links);
    for (unsigned i = 0; i < cluster->links; i++)
        if (left == 0 || compare_links(&cluster->link[left - 1], &cluster->link[i]) != 0)
            cluster->link[left++] = cluster->link[i];
    cluster->links = left;
}

uint64_t tf_cluster_make_id(const struct tf_arch *arch, const struct tf_cluster_chip *chip)
{
    enum { GALAXY = 0x35, TWO_CHIPS = 0x14, FIRST = 2 };
    uint64_t board = chip->board_id, mangled = tf_cluster_mangled(board);
    if (tf_arch_or_default(arch)->fuse->place_in_ids)
        return board << 5 | (chip->asic_location & 0x1Fu);
    switch (chip->board.product) {
    case TWO_CHIPS: return (uint64_t)(FIRST + chip->asic_location) << 32 | mangled;
    case GALAXY: return (uint64_t)chip->asic_location << 56 | mangled;
    default: return board;
    }
}

/* --- Checks --- */

static int check_chip(const struct check *check, unsigned index)
{
    const struct tf_cluster_chip *chip = &check->cluster->chip[index];
    const struct tf_arch *arch = tf_arch_or_default(check->cluster->arch);
    const char *why = tf_board_why_bad(arch, &chip->board);
    if (why != NULL)
        return refuse(check, TF_ABOUT_CHIP, index, "chip %u: board %.12s: %s", index, chip->board.name, why);
    if (chip->x > COORD_MAX || chip->y > COORD_MAX)
        return refuse(check, TF_ABOUT_CHIP, index, "chip %u: its x and y, %u and %u, must be below %u", index, chip->x,
                      chip->y, COORD_MAX + 1);
    const struct tf_board *board = tf_cluster_board(check->cluster, index);
    if ((chip->board_id >> 36 & 0xFFFFFu) != board->product)
        return refuse(check, TF_ABOUT_CHIP, index,
                      "chip %u: the board identifier %#llx is not that of a %.12s, whose bits 55:36 are %#x", index,
                      (unsigned long long)chip->board_id, board->name, board->product);
    for (unsigned i = 0; i < index; i++)
        if (check->cluster->chip[i].unique_id == chip->unique_id)
            return refuse(check, TF_ABOUT_CHIP, index, "chips %u and %u have the same unique id %llu", i, index,
                          (unsigned long long)chip->unique_id);
    return TF_OK;
}

static int check_end(const struct check *check, unsigned index, const struct tf_cluster_end *end)
{
    const struct tf_cluster *cluster = check->cluster;
    if (end->chip >= cluster->chips)
        return refuse(check, TF_ABOUT_LINK, index, "a link leads to chip %u, but the chips are 0 to %u", end->chip,
                      cluster->chips - 1);
    unsigned ports = tf_cluster_ports(cluster, end->chip);
    if (end->port >= ports)
        return refuse(check, TF_ABOUT_LINK, index,
                      "a link leads to port %u of chip %u, which has %u: %u of its %u Ethernet tiles are fused off",
                      end->port, end->chip, ports, tf_arch_or_default(cluster->arch)->fuse->eth_tiles - ports,
                      tf_arch_or_default(cluster->arch)->fuse->eth_tiles);
    return TF_OK;
}

static int check_link(const struct check *check, unsigned index)
{
    const struct tf_cluster_link *link = &check->cluster->link[index];
    for (unsigned k = 0; k < 2; k++) {
        int error = check_end(check, index, &link->end[k]);
        if (error != TF_OK)
            return error;
    }
    if (compare_ends(&link->end[0], &link->end[1]) == 0)
        return refuse(check, TF_ABOUT_LINK, index, "a link joins port %u of chip %u with itself", link->end[0].port,
                      link->end[0].chip);
    for (unsigned i = 0; i < index; i++)
        for (unsigned k = 0; k < 4; k++)
            if (compare_ends(&check->cluster->link[i].end[k & 1], &link->end[k >> 1]) == 0)
                return refuse(check, TF_ABOUT_LINK, index, "port %u of chip %u has two links", link->end[k >> 1].port,
                              link->end[k >> 1].chip);
    return TF_OK;
}

/* Which chips are reached by links from the chips in `from`, as bits. It has these chips, too. */
static uint32_t reached(const struct tf_cluster *cluster, uint32_t from)
{
    uint32_t before;
    do {
        before = from;
        for (unsigned i = 0; i < cluster->links; i++) {
            const struct tf_cluster_end *end = cluster->link[i].end;
            if ((from >> end[0].chip | from >> end[1].chip) & 1)
                from |= 1u << end[0].chip | 1u << end[1].chip;
        }
    } while (from != before);
    return from;
}

static bool is_same_place(const struct tf_cluster_chip *a, const struct tf_cluster_chip *b)
{
    return a->x == b->x && a->y == b->y && a->rack == b->rack && a->shelf == b->shelf;
}

/* The firmware of Wormhole finds a way to a chip by its coordinates. */
static int check_way(const struct check *check, unsigned index)
{
    const struct tf_cluster *cluster = check->cluster;
    uint32_t joined = reached(cluster, 1u << index);
    if (tf_arch_or_default(cluster->arch)->fuse->rows == 0)
        return TF_OK;
    for (unsigned i = 0; i < cluster->chips; i++)
        if (i != index && (joined >> i & 1) && is_same_place(&cluster->chip[i], &cluster->chip[index]))
            return refuse(check, TF_ABOUT_CHIP, index,
                          "chip %u has no PCIe, and the same coordinates as chip %u: no route leads to it", index, i);
    return TF_OK;
}

static int check_reach(const struct check *check)
{
    const struct tf_cluster *cluster = check->cluster;
    uint32_t pcie = 0;
    for (unsigned i = 0; i < cluster->chips; i++)
        pcie |= (uint32_t)cluster->chip[i].pcie << i;
    if (pcie == 0)
        return refuse(check, TF_ABOUT_ALL, 0, "no chip has PCIe: the host reaches none");
    uint32_t in_reach = reached(cluster, pcie);
    for (unsigned i = 0; i < cluster->chips; i++) {
        if (!(in_reach >> i & 1))
            return refuse(check, TF_ABOUT_CHIP, i, "chip %u has no PCIe, and no link leads to it from a chip that has",
                          i);
        int error = pcie >> i & 1 ? TF_OK : check_way(check, i);
        if (error != TF_OK)
            return error;
    }
    return TF_OK;
}

int tf_cluster_find_fault(const struct tf_cluster *cluster, struct tf_message *message,
                          struct tf_cluster_subject *subject)
{
    const struct check check = {cluster, message, subject};
    if (cluster->arch != NULL && tf_arch_find(cluster->arch->name) != cluster->arch)
        return refuse(&check, TF_ABOUT_ALL, 0, "the family of a cluster must come from tf_arch_find()");
    if (cluster->chips == 0 || cluster->chips > TF_CLUSTER_CHIPS_MAX)
        return refuse(&check, TF_ABOUT_ALL, 0, "a cluster has 1 to %u chips, not %u", TF_CLUSTER_CHIPS_MAX,
                      cluster->chips);
    if (cluster->links > TF_CLUSTER_LINKS_MAX)
        return refuse(&check, TF_ABOUT_ALL, 0, "a cluster has at most %u links, not %u", TF_CLUSTER_LINKS_MAX,
                      cluster->links);
    for (unsigned i = 0; i < cluster->chips; i++) {
        int error = check_chip(&check, i);
        if (error != TF_OK)
            return error;
    }
    for (unsigned i = 0; i < cluster->links; i++) {
        int error = check_link(&check, i);
        if (error != TF_OK)
            return error;
    }
    return check_reach(&check);
}

int tf_cluster_check(const struct tf_cluster *cluster, struct tf_message *message)
{
    struct tf_message text = {""};
    struct tf_cluster_subject subject = {TF_ABOUT_ALL, 0};
    int error = tf_cluster_find_fault(cluster, &text, &subject);
    if (error != TF_OK && message != NULL)
        *message = text;
    return error;
}
