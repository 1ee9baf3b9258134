/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/systems/ring.h"

struct search {
    const struct tf_cluster *cluster;
    unsigned *ring;
    bool in[TF_CLUSTER_CHIPS_MAX];
    unsigned steps_left; /* a search that takes longer gives up */
};

#define SEARCH_STEPS 1000000u

static unsigned links_between(const struct tf_cluster *cluster, unsigned a, unsigned b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cluster->links; i++) {
        const struct tf_cluster_end *end = cluster->link[i].end;
        count += (end[0].chip == a && end[1].chip == b) || (end[0].chip == b && end[1].chip == a);
    }
    return count;
}

/* Neighbours of a chip that are not in the ring yet. */
static unsigned ways_on(const struct search *search, unsigned chip)
{
    unsigned ways = 0;
    for (unsigned to = 0; to < search->cluster->chips; to++)
        ways += !search->in[to] && links_between(search->cluster, chip, to) != 0;
    return ways;
}

/* Extend a ring of `length` chips to all chips. Neighbours with few ways on come first, as in Warnsdorff's rule. */
static bool extend(struct search *search, unsigned length)
{
    const struct tf_cluster *cluster = search->cluster;
    const unsigned last = search->ring[length - 1];
    if (length == cluster->chips)
        return links_between(cluster, last, search->ring[0]) >= (length == 2 ? 2 : 1);
    if (search->steps_left == 0)
        return false;
    search->steps_left--;
    for (unsigned ways = 0; ways < cluster->chips; ways++)
        for (unsigned to = 0; to < cluster->chips; to++) {
            if (search->in[to] || links_between(cluster, last, to) == 0 || ways_on(search, to) != ways)
                continue;
            search->in[to] = true;
            search->ring[length] = to;
            if (extend(search, length + 1))
                return true;
            search->in[to] = false;
        }
    return false;
}

bool tf_ring_find(const struct tf_cluster *cluster, unsigned *ring, struct tf_message *message)
{
    struct search search = {.cluster = cluster, .ring = ring, .in = {true}, .steps_left = SEARCH_STEPS};
    ring[0] = 0;
    if (cluster->chips >= 2 && extend(&search, 1))
        return true;
    snprintf(message->text, sizeof message->text, "no ring of links leads through all %u chips", cluster->chips);
    return false;
}

/* The first link from a chip to the next one of the ring. Of two chips, the second takes the second link. */
static void link_from(const struct tf_cluster *cluster, const unsigned *ring, unsigned place,
                      struct tf_cluster_end *out, struct tf_cluster_end *in)
{
    const unsigned from = ring[place], to = ring[(place + 1) % cluster->chips];
    unsigned left = cluster->chips == 2 ? place : 0;
    for (unsigned i = 0; i < cluster->links; i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct tf_cluster_end *end = cluster->link[i].end;
            if (end[k].chip != from || end[1 - k].chip != to || left-- != 0)
                continue;
            *out = end[k];
            *in = end[1 - k];
            return;
        }
}

int tf_ring_start(struct tf_system *system, struct tf_links *links, const struct tf_ring_roles *roles,
                  struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    struct tf_cluster_end out[TF_CLUSTER_CHIPS_MAX], in[TF_CLUSTER_CHIPS_MAX];
    int error = TF_OK;
    for (unsigned place = 0; place < cluster->chips; place++)
        link_from(cluster, links->ring, place, &out[place], &in[(place + 1) % cluster->chips]);
    for (unsigned place = 0; place < cluster->chips && error == TF_OK; place++) {
        struct tf_link_job job = {.role = roles->in, .chips = cluster->chips, .chip = place};
        const struct tf_arch *arch = tf_chip_arch(tf_system_chip(system, links->ring[place]));
        links->ports[place].in_xy = tf_links_port_xy(system, in[place]);
        links->ports[place].out_xy = tf_links_port_xy(system, out[place]);
        job.other_xy = roles->with_tile ? tf_links_tile_xy(arch, 0) : links->ports[place].out_xy;
        error = tf_links_start(system, links, in[place], &job, message);
        job.role = roles->out;
        if (!roles->with_tile)
            job.other_xy = links->ports[place].in_xy;
        if (error == TF_OK)
            error = tf_links_start(system, links, out[place], &job, message);
    }
    return error;
}
