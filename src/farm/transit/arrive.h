/* SPDX-License-Identifier: Apache-2.0 */
/* What workers do while sites run: packets arrive. */
#ifndef FARM_TRANSIT_ARRIVE_H
#define FARM_TRANSIT_ARRIVE_H

#include <stdint.h>

struct tf_flight;
struct tf_transit;
struct tf_worker;

/* The earliest arrival at a site before a cycle, taken from the list; NULL: there is none. By the site's worker. */
struct tf_flight *tf_transit_next(struct tf_transit *transit, unsigned site, uint64_t before);

/* The cycle of the earliest arrival at a node that is a site; UINT64_MAX: there is none. Its NIUs read no data of
   requests before it. By the site's worker. 0: they may do so. */
uint64_t tf_transit_arrives(const struct tf_transit *transit, unsigned node);

/* Let it act, or land. Its node's tile has run up to its cycle. By the site's worker. */
void tf_transit_arrive(struct tf_worker *worker, struct tf_flight *flight);

#endif
