/* SPDX-License-Identifier: Apache-2.0 */
/* How far news has to go: steps between chips that are joined, or between ranks that own such chips. */
#ifndef SYSTEM_HOPS_H
#define SYSTEM_HOPS_H

#include "tilefarm/tilefarm_cluster.h"

/* For each chip, the chips that it is joined with, as bits. Where no way leads from one chip to all others, parts are
   joined by their first chips. */
void tf_hops_of_chips(const struct tf_cluster *cluster, uint32_t *next);

/* Steps between the two that are farthest apart. A way leads from each of them to each other one. */
unsigned tf_hops_most(const uint32_t *next, unsigned count);

#endif
