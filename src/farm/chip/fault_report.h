/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's list of faults. Its order does not depend on which worker ran what. */
#ifndef FARM_FAULT_REPORT_H
#define FARM_FAULT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_callbacks;
struct tf_fabric;
struct tf_workers;

#define TF_FAULTS_KEPT 1024u

/* Faults that on_fault has not been called for. */
struct tf_fault_queue {
    struct tf_fault *fault;
    size_t count, room;
};

struct tf_fault_list {
    struct tf_fault *kept;           /* the first TF_FAULTS_KEPT faults and hazards */
    size_t count;                    /* of these */
    uint64_t faults, hazards;        /* all of them, kept or not */
    struct tf_fault_queue *deferred; /* NULL: on_fault is called at once */
};

/* Move the faults that tiles of the fabric and workers have logged since the last call to the chip's list, and call
   call->on_fault for each. Returns true if one of them is a fault. Calling thread, between phases. */
bool tf_faults_collect(struct tf_fault_list *faults, const struct tf_callbacks *call, const struct tf_workers *workers,
                       struct tf_fabric *fabric);

/* Call on_fault for each deferred fault. */
void tf_faults_tell(struct tf_fault_list *faults, const struct tf_callbacks *call);

#endif
