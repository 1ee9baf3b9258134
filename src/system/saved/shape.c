/* SPDX-License-Identifier: Apache-2.0 */
#include "system/saved/shape.h"

#include <stdio.h>
#include <string.h>

#include "system/state.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_links.h"

struct tf_system_shape tf_system_shape(const struct tf_system *system)
{
    return (struct tf_system_shape){.cluster = &system->cluster,
                                    .latency_cycles = system->latency_cycles,
                                    .gbps = system->gbps,
                                    .fault = system->faults.fault,
                                    .faults = system->faults.count};
}

/* Boards are compared with the configuration of the chips. */
static bool same_chip(const struct tf_cluster_chip *a, const struct tf_cluster_chip *b)
{
    return a->unique_id == b->unique_id && a->board_id == b->board_id && a->pcie == b->pcie &&
           a->asic_location == b->asic_location && a->x == b->x && a->y == b->y && a->rack == b->rack &&
           a->shelf == b->shelf;
}

static bool same_cluster(const struct tf_cluster *a, const struct tf_cluster *b)
{
    bool same = a->chips == b->chips && a->links == b->links &&
                memcmp(a->link, b->link, a->links * sizeof a->link[0]) == 0;
    for (unsigned i = 0; same && i < a->chips; i++)
        same = same_chip(&a->chip[i], &b->chip[i]);
    return same;
}

static bool same_faults(const struct tf_system_shape *a, const struct tf_system_shape *b)
{
    bool same = a->faults == b->faults;
    for (unsigned i = 0; same && i < a->faults; i++)
        same = a->fault[i].kind == b->fault[i].kind && a->fault[i].link == b->fault[i].link &&
               a->fault[i].direction == b->fault[i].direction && a->fault[i].value == b->fault[i].value &&
               a->fault[i].seed == b->fault[i].seed;
    return same;
}

static bool same_number(uint32_t saved, uint32_t own, const char *what, struct tf_message *difference)
{
    if (saved != own)
        snprintf(difference->text, sizeof difference->text, "the saved system has %s %u, and this one has %u", what,
                 saved, own);
    return saved == own;
}

bool tf_system_shape_fits(const struct tf_system_shape *saved, const struct tf_system_shape *own,
                          struct tf_message *difference)
{
    const char *why = !same_cluster(saved->cluster, own->cluster)
                          ? "it is that of another system: other chips, or other links"
                      : !same_faults(saved, own) ? "the saved system has other link faults than this one (--link-fault)"
                                                 : NULL;
    if (why != NULL)
        snprintf(difference->text, sizeof difference->text, "%s", why);
    return why == NULL && same_number(saved->latency_cycles, own->latency_cycles, "link_latency", difference) &&
           same_number(saved->gbps, own->gbps, "link_gbps", difference);
}
