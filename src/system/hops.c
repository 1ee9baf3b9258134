/* SPDX-License-Identifier: Apache-2.0 */
#include "system/hops.h"

#include "host/extremes.h"

/* All that are at most one step from some. */
static uint32_t spread(const uint32_t *next, unsigned count, uint32_t some)
{
    uint32_t all = some;
    for (unsigned i = 0; i < count; i++)
        if (some >> i & 1)
            all |= next[i];
    return all;
}

static void join(uint32_t *next, unsigned a, unsigned b)
{
    next[a] |= 1u << b;
    next[b] |= 1u << a;
}

void tf_hops_of_chips(const struct tf_cluster *cluster, uint32_t *next)
{
    for (unsigned i = 0; i < cluster->chips; i++)
        next[i] = 0;
    for (unsigned i = 0; i < cluster->links; i++)
        join(next, cluster->link[i].end[0].chip, cluster->link[i].end[1].chip);
    uint32_t reached = 1, before;
    for (unsigned i = 1; i < cluster->chips; i++) {
        do {
            before = reached;
            reached = spread(next, cluster->chips, reached);
        } while (reached != before);
        if (!(reached >> i & 1)) {
            join(next, 0, i);
            reached |= 1u << i;
        }
    }
}

unsigned tf_hops_most(const uint32_t *next, unsigned count)
{
    unsigned most = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned hops = 0;
        for (uint32_t reached = 1u << i, before = 0;; hops++) {
            before = reached;
            reached = spread(next, count, reached);
            if (reached == before)
                break;
        }
        most = tf_max(most, hops);
    }
    return most;
}
