/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/whole/eth_service.h"
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

static bool is_up(const struct tf_lane *lane, uint64_t cycle)
{
    const struct tf_eth_line *line = &lane->line;
    for (unsigned i = 0; i < line->outages; i++)
        if (cycle >= line->outage[i].from && cycle < line->outage[i].until)
            return false;
    return true;
}

/* The chips to which links lead that are up now, over any number of hops, and the chip itself: as bits. */
static uint32_t reachable(const struct tf_route *from)
{
    const struct tf_routes *all = from->all;
    const uint64_t cycle = tf_chip_cycles(all->part[from->chip].chip);
    uint32_t chips = 1u << from->chip, before;
    do {
        before = chips;
        for (unsigned i = 0; i < 2 * all->cluster->links; i++)
            if (chips >> all->lane[i].from.chip & 1 && is_up(&all->lane[i], cycle))
                chips |= 1u << all->lane[i].to.chip;
    } while (chips != before);
    return chips;
}

/* The chip at a place. `from` comes first, since chips with PCIe may have one place. */
static const struct tf_route *find(const struct tf_route *from, uint32_t place)
{
    const struct tf_cluster *cluster = from->all->cluster;
    if (place_of(&cluster->chip[from->chip]) == place)
        return from;
    const uint32_t chips = reachable(from);
    for (unsigned i = 0; i < cluster->chips; i++)
        if (chips >> i & 1 && place_of(&cluster->chip[i]) == place)
            return &from->all->route[i];
    return NULL;
}

static bool reach(void *user, const struct tf_eth_access *access)
{
    const struct tf_route *from = user;
    const struct tf_route *to = find(from, (access->target >> 48 & 0xFFF) | (uint32_t)access->rack << 12);
    if (to == NULL || !from->all->fetch(from->all->user, to->chip))
        return false;
    return tf_firmware_access(from->all->part[to->chip].chip, to == from ? access->from : to->arrive, access);
}

static bool place(void *user, unsigned index, uint64_t *target, uint16_t *rack)
{
    const struct tf_route *from = user;
    const struct tf_cluster *cluster = from->all->cluster;
    const uint32_t chips = reachable(from);
    for (unsigned i = 0; i < cluster->chips; i++) {
        const struct tf_cluster_chip *chip = &cluster->chip[i];
        if (!(chips >> i & 1) || index-- != 0)
            continue;
        *target = (uint64_t)chip->x << 48 | (uint64_t)chip->y << 54;
        *rack = (uint16_t)(chip->rack | chip->shelf << 8);
        return true;
    }
    return false;
}

static void join(struct tf_routes *routes, const struct tf_lane *lane)
{
    struct tf_route *to = &routes->route[lane->to.chip];
    if (to->linked)
        return;
    to->linked = true;
    to->arrive = (uint16_t)tf_node_number(routes->part[to->chip].chip->arch, lane->receiver->coord);
}

void tf_routes_create(struct tf_routes *routes)
{
    const struct tf_cluster *cluster = routes->cluster;
    const struct tf_system_part *part = routes->part;
    const struct tf_lane *lane = routes->lane;
    for (unsigned i = 0; i < cluster->chips; i++) {
        struct tf_route *route = &routes->route[i];
        *route = (struct tf_route){.all = routes, .chip = (uint8_t)i};
        route->firmware = (struct tf_eth_routes){.reach = reach, .place = place, .user = route};
        part[i].chip->fabric->routes = &route->firmware;
    }
    for (unsigned i = 0; i < 2 * cluster->links; i++)
        join(routes, &lane[i]);
}
