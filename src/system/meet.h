/* SPDX-License-Identifier: Apache-2.0 */
/* How a client, which leads, and the ranks that follow begin (lead.h). */
#ifndef SYSTEM_MEET_H
#define SYSTEM_MEET_H

#include <stdbool.h>

struct tf_message;
struct tf_transport;

/* Open the module of the MPI that has started this process, and compare versions with all ranks. leads: this is a
   client, which must be rank 0. TF_OK; TF_EINVAL: they differ, or there are several clients, and all ranks get the same
   sentence; TF_EIO. */
int tf_ranks_meet(struct tf_transport *transport, bool leads, struct tf_message *why);

#endif
