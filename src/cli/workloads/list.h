/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration for each workload of the list in tilefarm_workloads.h. */
#ifndef CLI_WORKLOADS_LIST_H
#define CLI_WORKLOADS_LIST_H

#include "cli/workloads/workload.h"
#include "tilefarm_workloads.h"

#define TF_WORKLOAD_DECLARE(name, cores) extern const struct tf_workload tf_workload_##name;
TF_WORKLOADS(TF_WORKLOAD_DECLARE)
#undef TF_WORKLOAD_DECLARE

#endif
