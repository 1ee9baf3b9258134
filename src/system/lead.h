/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client's program drives a system that ranks run together: `mpirun -n 1 client : -n 3 tilefarm join`. The client's
 * library is rank 0, and leads. The other ranks follow its orders: they run, and send or take the state of chips.
 *
 * The host accesses all chips at rank 0. The state of a chip of another rank comes to rank 0 when the host first
 * accesses it after a run, and goes back before the next one. So whatever the host does is done by the code of one
 * process, and comes out the same.
 */
#ifndef SYSTEM_LEAD_H
#define SYSTEM_LEAD_H

#include <stdbool.h>

#include "tilefarm/tilefarm_lead.h"

struct tf_transport;

/* Lead the ranks that this one has met (meet.h) by a transport, which must outlive it. owns: tf_lead_close() frees the
   transport. NULL: no memory. */
struct tf_lead *tf_lead_create(struct tf_transport *transport, bool owns);

/* Let the ranks run a system that has not run yet, one at a time. Chips keep their callbacks for faults and texts,
   which are called when a run has ended, and for the host's memory: only chips of rank 0 reach that. TF_OK, TF_EINVAL,
   TF_EIO, TF_ENOMEM. */
int tf_lead_take(struct tf_lead *lead, struct tf_system *system, struct tf_message *why);

/* The host may have accessed all chips of the system before. */
void tf_lead_touch(struct tf_lead *lead);

#endif
