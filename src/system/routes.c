/* SPDX-License-Identifier: Apache-2.0 */
#include "system/routes.h"

#include "farm/chip/access.h"
#include "farm/chip/chip.h"
#include "system/lane.h"
#include "system/part.h"

/* The place of a chip as requests have it: x, y, rack, shelf. */
static uint32_t place_of(const struct tf_cluster_chip *chip)
{
    return chip->x | (uint32_t)chip->y << 6 | (uint32_t)chip->rack << 12 | (uint32_t)chip->shelf << 20;
}

/* The chip at a place that links join with `from`. That one comes first, since chips with PCIe may have one place. */
static const struct tf_route *find(const struct tf_route *from, uint32_t place)
{
    const struct tf_cluster *cluster = from->all->cluster;
    if (place_of(&cluster->chip[from->chip]) == place)
        return from;
    for (unsigned i = 0; i < cluster->chips; i++)
        if (from->all->route[i].group == from->group && place_of(&cluster->chip[i]) == place)
            return &from->all->route[i];
    return NULL;
}

static bool reach(void *user, const struct tf_eth_access *access)
{
    const struct tf_route *from = user;
    const struct tf_route *to = find(from, (access->target >> 48 & 0xFFF) | (uint32_t)access->rack << 12);
    if (to == NULL)
        return false;
    return tf_firmware_access(from->all->part[to->chip].chip, to == from ? access->from : to->arrive, access);
}

static bool place(void *user, unsigned index, uint64_t *target, uint16_t *rack)
{
    const struct tf_route *from = user;
    const struct tf_cluster *cluster = from->all->cluster;
    for (unsigned i = 0; i < cluster->chips; i++) {
        const struct tf_cluster_chip *chip = &cluster->chip[i];
        if (from->all->route[i].group != from->group || index-- != 0)
            continue;
        *target = (uint64_t)chip->x << 48 | (uint64_t)chip->y << 54;
        *rack = (uint16_t)(chip->rack | chip->shelf << 8);
        return true;
    }
    return false;
}

/* Chips of two groups are joined. */
static void unite(struct tf_routes *routes, uint8_t one, uint8_t other)
{
    for (unsigned i = 0; i < routes->cluster->chips; i++)
        if (routes->route[i].group == other)
            routes->route[i].group = one;
}

static void join(struct tf_routes *routes, const struct tf_lane *lane)
{
    struct tf_route *to = &routes->route[lane->to.chip];
    unite(routes, routes->route[lane->from.chip].group, to->group);
    if (to->linked)
        return;
    to->linked = true;
    to->arrive = (uint16_t)tf_node_number(routes->part[to->chip].chip->arch, lane->receiver->coord);
}

void tf_routes_create(struct tf_routes *routes, const struct tf_cluster *cluster, const struct tf_system_part *part,
                      const struct tf_lane *lane)
{
    routes->cluster = cluster;
    routes->part = part;
    for (unsigned i = 0; i < cluster->chips; i++) {
        struct tf_route *route = &routes->route[i];
        *route = (struct tf_route){.all = routes, .chip = (uint8_t)i, .group = (uint8_t)i};
        route->firmware = (struct tf_eth_routes){.reach = reach, .place = place, .user = route};
        part[i].chip->fabric->routes = &route->firmware;
    }
    for (unsigned i = 0; i < 2 * cluster->links; i++)
        join(routes, &lane[i]);
}
