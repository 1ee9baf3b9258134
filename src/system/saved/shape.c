/* SPDX-License-Identifier: Apache-2.0 */
#include "system/saved/shape.h"

#include <stdio.h>
#include <string.h>

#include "host/saved.h"
#include "system/faults/link_faults.h"
#include "system/state.h"

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

/* ---- In a stream ---- */

static void flag(struct tf_saved *saved, bool *value)
{
    *value = tf_saved_count(saved, *value, 1) != 0;
}

TF_SAVED_WHOLE(struct tf_board, 36);

static void chip_state(struct tf_saved *saved, struct tf_cluster_chip *chip)
{
    TF_SAVED(saved, chip->board);
    tf_saved_demand(saved, memchr(chip->board.name, '\0', sizeof chip->board.name) != NULL,
                    "it is damaged: the name of a board has no end");
    TF_SAVED(saved, chip->unique_id);
    TF_SAVED(saved, chip->board_id);
    flag(saved, &chip->pcie);
    TF_SAVED(saved, chip->asic_location);
    TF_SAVED(saved, chip->x);
    TF_SAVED(saved, chip->y);
    TF_SAVED(saved, chip->rack);
    TF_SAVED(saved, chip->shelf);
}

TF_SAVED_WHOLE(struct tf_cluster_link, 4);

static void cluster_state(struct tf_saved *saved, struct tf_cluster *cluster)
{
    cluster->chips = (unsigned)tf_saved_count(saved, cluster->chips, TF_CLUSTER_CHIPS_MAX);
    cluster->links = (unsigned)tf_saved_count(saved, cluster->links, TF_CLUSTER_LINKS_MAX);
    for (unsigned i = 0; i < cluster->chips; i++)
        chip_state(saved, &cluster->chip[i]);
    tf_saved_bytes(saved, cluster->link, cluster->links * sizeof cluster->link[0]);
}

static void fault_state(struct tf_saved *saved, struct tf_link_fault *fault)
{
    fault->kind = (enum tf_link_fault_kind)tf_saved_count(saved, fault->kind, TF_LINK_SLOW);
    TF_SAVED(saved, fault->link);
    TF_SAVED(saved, fault->direction);
    TF_SAVED(saved, fault->value);
    TF_SAVED(saved, fault->seed);
}

/* Is what was read a system that there can be? */
static bool is_sound(const struct tf_system_shape *shape)
{
    return shape->latency_cycles <= TF_LINK_LATENCY_CYCLES_MOST && shape->gbps <= TF_LINK_GBPS_MOST &&
           tf_cluster_check(shape->cluster, NULL) == TF_OK &&
           tf_link_faults_check(shape->cluster, shape->fault, shape->faults, NULL) == TF_OK;
}

void tf_system_shape_state(struct tf_saved *saved, struct tf_system_shape *shape, const struct tf_arch *arch,
                           struct tf_system_shape_room *room)
{
    struct tf_cluster cluster = {.arch = arch};
    if (!saved->reads)
        cluster = *shape->cluster;
    cluster_state(saved, &cluster);
    TF_SAVED(saved, shape->latency_cycles);
    TF_SAVED(saved, shape->gbps);
    shape->faults = (unsigned)tf_saved_count(saved, shape->faults, TF_LINK_FAULTS_MAX);
    for (unsigned i = 0; i < shape->faults; i++) {
        struct tf_link_fault fault = {.value = 0};
        if (!saved->reads)
            fault = shape->fault[i];
        fault_state(saved, &fault);
        if (saved->reads)
            room->fault[i] = fault;
    }
    if (!saved->reads)
        return;
    room->cluster = cluster;
    shape->cluster = &room->cluster;
    shape->fault = room->fault;
    tf_saved_demand(saved, saved->why != NULL || is_sound(shape),
                    "it is damaged: its chips and links contradict each other");
}
