/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of packets in timing mode (host/saved.h). An answer brings its request along. */
#ifndef FARM_TRANSIT_SAVED_H
#define FARM_TRANSIT_SAVED_H

struct tf_hash;
struct tf_saved;
struct tf_transit;

/* Add the packets to the state hash. */
void tf_transit_hash(const struct tf_transit *transit, struct tf_hash *hash);

/* The saved state (host/saved.h). It follows the state of the chip's time. */
void tf_transit_state(struct tf_saved *saved, struct tf_transit *transit);

#endif
