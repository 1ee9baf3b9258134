/* SPDX-License-Identifier: Apache-2.0 */
/* Before ranks run a system together, they compare what they are about to run. */
#ifndef SYSTEM_GREETING_H
#define SYSTEM_GREETING_H

struct tf_message;
struct tf_ranks_plan;
struct tf_transport;

/* Compare the plans of all ranks. TF_OK; TF_EINVAL: they differ, and all ranks get the same sentence; TF_EIO: a rank
   has failed. */
int tf_ranks_greet(struct tf_transport *transport, const struct tf_ranks_plan *plan, struct tf_message *why);

#endif
