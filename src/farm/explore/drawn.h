/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flights of a chip that explores other orders. Each request, and each copy of a multicast, takes three steps: it reads
 * its source, acts at its target, and its answer lands. Each step comes at the end of an epoch, and a decision may
 * delay it to a later one. Steps that are due in one epoch are taken in the order of issue.
 *
 * Thread: the calling one, between phases.
 */
#ifndef FARM_DRAWN_H
#define FARM_DRAWN_H

struct tf_exploring;
struct tf_sites;

/* At the start of an epoch: land the answers that are due. */
void tf_exploring_land(struct tf_exploring *exploring);

/* At the end of an epoch: let the requests that are due read their sources, and act. */
void tf_exploring_deliver(struct tf_exploring *exploring);

/* Add the sites that the next epoch must visit. */
void tf_exploring_activate(struct tf_exploring *exploring, struct tf_sites *active);

#endif
