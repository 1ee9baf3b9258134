/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a system that mpirun has started as several processes: ranks. */
#ifndef CLI_COMMANDS_SYSTEMS_SPREAD_H
#define CLI_COMMANDS_SYSTEMS_SPREAD_H

#include "cli/request/request.h"
#include "system/processes/transport.h"

struct tf_spread {
    struct tf_transport transport;
    bool on;        /* there are several ranks */
    bool abandoned; /* a rank has failed: the others are left */
    uint8_t owner[TF_CLUSTER_CHIPS_MAX];
    struct tf_message why; /* then */
};

/* If mpirun has started several processes: meet the others, and compare what is to be run. Returns -1, or an exit code
   after an error line. */
int tf_spread_begin(struct tf_spread *spread, const struct tf_request *request);

/* Is this the only process? Else each of them would do the same, and write the same files. what: what cannot be spread,
   as the beginning of a sentence. Returns false after an error line of rank 0. */
bool tf_spread_is_alone(const char *what);

/* Worker threads for this rank: the CPUs that it may use are shared by the ranks of this host. */
unsigned tf_spread_threads(const struct tf_spread *spread, unsigned threads);

/* This rank cannot go on. Prints why, unless `why` is "". */
void tf_spread_abandon(struct tf_spread *spread, const char *why);

/* End together, or leave the others. */
void tf_spread_end(struct tf_spread *spread, int code);

#endif
