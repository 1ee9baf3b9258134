/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the processes that run a system together (ranks) send each other messages. Messages of one rank to another one
 * arrive in order. tilefarm knows this interface alone; src/ranks implements it with MPI, in a module that the command
 * loads. One thread at a time.
 */
#ifndef SYSTEM_PROCESSES_TRANSPORT_H
#define SYSTEM_PROCESSES_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

/* Of this interface: a module with another one is refused. */
#define TF_TRANSPORT_VERSION 2u

#define TF_TRANSPORT_GO_ON (-1)

/* The function of a module that fills in a transport. */
#define TF_TRANSPORT_OPEN "tf_transport_open"

struct tf_transport {
    unsigned rank, ranks;
    unsigned near; /* ranks on this host, with this one */
    void *context;
    /* Send a copy of the bytes. It does not wait for the receiver. False: *why names the cause. */
    bool (*send)(struct tf_transport *transport, unsigned to, const void *data, size_t bytes, struct tf_message *why);
    /* Wait for the next message of a rank, without keeping a CPU busy. The caller frees *data. False: the message will
       not come; *why names the rank that is to blame. */
    bool (*receive)(struct tf_transport *transport, unsigned from, void **data, size_t *bytes, struct tf_message *why);
    /* End. why: NULL, or the reason why this rank leaves the others, which is sent to them. Then the process may end
       here, with the code, unless that is TF_TRANSPORT_GO_ON. */
    void (*close)(struct tf_transport *transport, int code, const char *why);
};

/* The type of TF_TRANSPORT_OPEN. False: *why names the cause, and nothing is to be closed. */
typedef bool tf_transport_open_function(uint32_t version, struct tf_transport *transport, struct tf_message *why);

#endif
