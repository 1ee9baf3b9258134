/* SPDX-License-Identifier: Apache-2.0 */
/* The list of workloads of systems. */
#ifndef CLI_SYSTEMS_LIST_H
#define CLI_SYSTEMS_LIST_H

struct tf_system_workload;

/* All of them, up to a NULL. */
extern const struct tf_system_workload *const tf_system_workloads[];

/* Returns NULL if there is none of that name. */
const struct tf_system_workload *tf_system_workload_find(const char *name);

#endif
