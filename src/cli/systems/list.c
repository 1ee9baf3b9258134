/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/systems/list.h"

#include <string.h>

#include "cli/systems/workload.h"

const struct tf_system_workload *const tf_system_workloads[] = {
    &tf_system_ping,   &tf_system_stream, &tf_system_ring,
    &tf_system_reduce, &tf_system_matmul, &tf_system_halo,
    &tf_system_mesh,   &tf_system_router, NULL,
};

const struct tf_system_workload *tf_system_workload_find(const char *name)
{
    for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++)
        if (strcmp((*w)->name, name) == 0)
            return *w;
    return NULL;
}
