/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of a system's links, and what they make of each direction of a link. */
#ifndef SYSTEM_FAULTS_LINK_FAULTS_H
#define SYSTEM_FAULTS_LINK_FAULTS_H

#include "tile/eth/link.h"
#include "tilefarm/tilefarm_links.h"

struct tf_hash;

struct tf_link_faults {
    struct tf_link_fault *fault; /* sorted by link, kind and value */
    unsigned count;
    struct tf_eth_outage *outage; /* of one link after another */
    uint64_t *lost;               /* numbers, of one direction of a link after another */
};

/* Are so many faults of the links of a cluster, which is right, free of contradictions? TF_OK, TF_EINVAL, TF_ENOMEM. */
int tf_link_faults_check(const struct tf_cluster *cluster, const struct tf_link_fault *given, unsigned count,
                         struct tf_message *message);

/* TF_OK, TF_ENOMEM. */
int tf_link_faults_create(struct tf_link_faults *faults, const struct tf_link_fault *fault, unsigned count);
void tf_link_faults_destroy(struct tf_link_faults *faults);

/* Let the faults act on a direction of a link. The line gets pointers into `faults`. */
void tf_link_faults_apply(const struct tf_link_faults *faults, unsigned link, unsigned direction,
                          struct tf_eth_line *line);

void tf_link_faults_hash(const struct tf_link_faults *faults, struct tf_hash *hash);

#endif
