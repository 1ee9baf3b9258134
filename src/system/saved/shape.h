/* SPDX-License-Identifier: Apache-2.0 */
/* What two systems must have in common, beside the configuration of their chips, for one to take the state of another:
   chips and links, and what links do to packets. */
#ifndef SYSTEM_SAVED_SHAPE_H
#define SYSTEM_SAVED_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_links.h"

struct tf_arch;
struct tf_message;
struct tf_saved;
struct tf_system;

struct tf_system_shape {
    const struct tf_cluster *cluster;
    uint32_t latency_cycles, gbps;     /* of links */
    const struct tf_link_fault *fault; /* in the order of tf_link_faults */
    unsigned faults;
};

/* What a shape that was read points to. */
struct tf_system_shape_room {
    struct tf_cluster cluster;
    struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
};

/* Write or read a shape (host/saved.h). What a reader gets is free of contradictions.
   arch, room: of a reader: the family of the chips, and room for them; others give NULL. */
void tf_system_shape_state(struct tf_saved *saved, struct tf_system_shape *shape, const struct tf_arch *arch,
                           struct tf_system_shape_room *room);

/* It points into the system. */
struct tf_system_shape tf_system_shape(const struct tf_system *system);

/* Is the shape of a saved system that of this one? Else *difference has it in words. */
bool tf_system_shape_fits(const struct tf_system_shape *saved, const struct tf_system_shape *own,
                          struct tf_message *difference);

#endif
