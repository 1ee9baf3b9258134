/* SPDX-License-Identifier: Apache-2.0 */
/* The MPI that has started this process as one of several, and its module (transport.h). */
#ifndef SYSTEM_PROCESSES_LAUNCH_H
#define SYSTEM_PROCESSES_LAUNCH_H

#include "system/processes/transport.h"

/* How many processes there are; 0: mpirun has started one, or none. And the number of this process among them. */
unsigned tf_launch_ranks(void);
unsigned tf_launch_rank(void);

/* Open the module of that MPI. TF_OK; TF_EIO: *why names the cause. */
int tf_launch_open(struct tf_transport *transport, struct tf_message *why);

/* Worker threads for a rank. threads: as asked; 0: a share of the CPUs that the ranks of this host may use. */
unsigned tf_launch_threads(const struct tf_transport *transport, unsigned threads);

#endif
