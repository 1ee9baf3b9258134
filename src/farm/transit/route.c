/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/transit/route.h"

#include "noc/coords.h"
#include "noc/noc.h"

/* Where a packet is on its way. */
struct walk {
    const struct tf_arch *arch;
    struct tf_route *route;
    unsigned x, y;
    bool back; /* NOC 1: left and up */
};

static unsigned next_of(unsigned at, unsigned size, bool back)
{
    if (back)
        return at == 0 ? size - 1 : at - 1;
    return at + 1 == size ? 0 : at + 1;
}

static void pass(struct walk *walk, enum tf_link link)
{
    walk->route->link[walk->route->count++] = tf_link_of(walk->y * walk->arch->grid_x + walk->x, link);
}

static void go_x(struct walk *walk, unsigned x)
{
    for (; walk->x != x; walk->x = next_of(walk->x, walk->arch->grid_x, walk->back))
        pass(walk, TF_LINK_X);
}

static void go_y(struct walk *walk, unsigned y)
{
    for (; walk->y != y; walk->y = next_of(walk->y, walk->arch->grid_y, walk->back))
        pass(walk, TF_LINK_Y);
}

/* "Packets will travel along the major axis as necessary, then along the minor axis as necessary, and finally on the
   major axis again as necessary" (Broadcast routes). The first leg leads to the rectangle. */
static void go_in_tree(struct walk *walk, unsigned noc, unsigned x, unsigned y, const struct tf_noc_request *multicast)
{
    const struct tf_noc_xy start = tf_noc_raw(walk->arch, noc, (struct tf_noc_xy){multicast->x0, multicast->y0});
    if (multicast->major_y) {
        go_y(walk, start.y);
        go_x(walk, x);
        go_y(walk, y);
    } else {
        go_x(walk, start.x);
        go_y(walk, y);
        go_x(walk, x);
    }
}

void tf_route_find(const struct tf_arch *arch, unsigned noc, unsigned from, unsigned to,
                   const struct tf_noc_request *multicast, struct tf_route *route)
{
    const unsigned x = to % arch->grid_x, y = to / arch->grid_x;
    struct walk walk = {
        .arch = arch, .route = route, .x = from % arch->grid_x, .y = from / arch->grid_x, .back = noc != 0};
    route->count = 0;
    if (multicast != NULL) {
        go_in_tree(&walk, noc, x, y, multicast);
    } else if (noc == 0) {
        go_x(&walk, x);
        go_y(&walk, y);
    } else {
        go_y(&walk, y);
        go_x(&walk, x);
    }
}
