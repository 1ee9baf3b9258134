/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that follows the orders of a client's (lead.h). */
#ifndef SYSTEM_FOLLOW_H
#define SYSTEM_FOLLOW_H

struct tf_message;
struct tf_transport;

/* Follow the orders of rank 0, which this one has met, up to the end. threads: as for tf_launch_threads(). TF_OK;
   TF_EIO: *why names the cause. */
int tf_follow(struct tf_transport *transport, unsigned threads, struct tf_message *why);

#endif
