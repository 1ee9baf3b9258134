/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/order.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

/* Distances of nodes where the host gives none. Most hosts with two packages have these. */
#define NEAR 10.0f
#define FAR 20.0f

static int index_of(const struct tf_cpus *cpus, int node)
{
    for (unsigned i = 0; i < cpus->nodes; i++)
        if (cpus->node[i] == node)
            return (int)i;
    return -1;
}

float tf_cpus_distance(const struct tf_cpus *cpus, int node_a, int node_b)
{
    int a = index_of(cpus, node_a), b = index_of(cpus, node_b);
    if (cpus->distance != NULL && a >= 0 && b >= 0)
        return cpus->distance[(unsigned)a * cpus->nodes + (unsigned)b];
    return node_a == node_b ? NEAR : FAR;
}

#define NO_TURN UINT16_MAX

/* The sum of a node's distances from the nodes that have their turns. turn: by index. */
static double distance_from_taken(const struct tf_cpus *cpus, const uint16_t *turn, unsigned index)
{
    double sum = 0;
    for (unsigned i = 0; i < cpus->nodes; i++)
        if (turn[i] != NO_TURN)
            sum += tf_cpus_distance(cpus, cpus->node[index], cpus->node[i]);
    return sum;
}

static bool has_cpus(const struct tf_cpus *cpus, int node)
{
    for (unsigned i = 0; i < cpus->count; i++)
        if (cpus->cpu[i].node == node)
            return true;
    return false;
}

/* Find the node of the next turn: the nearest to those that have theirs. Returns the number of nodes if none is
   left. */
static unsigned nearest_node(const struct tf_cpus *cpus, const uint16_t *turn)
{
    unsigned nearest = cpus->nodes;
    double least = DBL_MAX;
    for (unsigned i = 0; i < cpus->nodes; i++) {
        if (turn[i] != NO_TURN || !has_cpus(cpus, cpus->node[i]))
            continue;
        double distance = distance_from_taken(cpus, turn, i);
        if (nearest == cpus->nodes || distance < least) {
            nearest = i;
            least = distance;
        }
    }
    return nearest;
}

/* Give each CPU the turn of its node. The first node of the list begins. */
static void find_turns(struct tf_cpus *cpus)
{
    uint16_t turn[TF_NUMA_NODES_MAX];
    unsigned node;
    for (unsigned i = 0; i < cpus->nodes; i++)
        turn[i] = NO_TURN;
    for (unsigned next = 0; (node = nearest_node(cpus, turn)) < cpus->nodes; next++) {
        turn[node] = (uint16_t)next;
        for (unsigned i = 0; i < cpus->count; i++)
            if (cpus->cpu[i].node == cpus->node[node])
                cpus->cpu[i].turn = (uint16_t)next;
    }
}

static int by_order(const void *a, const void *b)
{
    const struct tf_cpu *x = a, *y = b;
    const int keys[][2] = {{x->rank, y->rank},   {x->kind, y->kind}, {x->turn, y->turn},    {x->package, y->package},
                           {x->cache, y->cache}, {x->core, y->core}, {x->number, y->number}};
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

void tf_cpus_order(struct tf_cpus *cpus)
{
    find_turns(cpus);
    qsort(cpus->cpu, cpus->count, sizeof *cpus->cpu, by_order);
}
