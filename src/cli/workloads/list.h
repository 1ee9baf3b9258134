/* SPDX-License-Identifier: Apache-2.0 */
/* The one list of workloads. */
#ifndef CLI_WORKLOADS_LIST_H
#define CLI_WORKLOADS_LIST_H

#include "cli/workloads/workload.h"

#define TF_WORKLOADS(X) X(mixed) X(ring) X(allreduce) X(atomics) X(semaphores) X(cb) X(barrier) \
    X(fifo) X(locks) X(pipeline) X(eltwise) X(activation) X(matmul) X(reduce) X(softmax) X(transpose) X(convert)

#define TF_WORKLOAD_DECLARE(name) extern const struct tf_workload tf_workload_##name;
TF_WORKLOADS(TF_WORKLOAD_DECLARE)
#undef TF_WORKLOAD_DECLARE

#endif
