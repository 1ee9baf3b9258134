/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration for each workload of the list in tilefarm_workloads.h. */
#ifndef CLI_WORKLOADS_LIST_H
#define CLI_WORKLOADS_LIST_H

#include "cli/workloads/workload.h"
#include "tilefarm_workloads.h"

#define TF_WORKLOAD_DECLARE(name, cores) extern const struct tf_workload tf_workload_##name;
TF_WORKLOADS(TF_WORKLOAD_DECLARE)
#undef TF_WORKLOAD_DECLARE

/* All workloads, up to a NULL. */
extern const struct tf_workload *const tf_workloads[];

/* Returns NULL if there is none of that name. */
const struct tf_workload *tf_workload_find(const char *name);

#endif
