/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip of a cluster says about itself and its neighbours, where drivers and programs look for it. */
#ifndef SYSTEM_TELL_H
#define SYSTEM_TELL_H

#include "tilefarm/tilefarm_cluster.h"

/* Write identity, place and links into a new chip: L1 of its Ethernet tiles, and the telemetry. The cluster is right,
   and the chip has the board of that number. Returns TF_OK, TF_ENOMEM. */
int tf_cluster_tell(const struct tf_cluster *cluster, unsigned chip, struct tf_chip *of);

#endif
