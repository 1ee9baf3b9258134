/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/list.h"

#include <string.h>

#define TF_LIST(name, cores) &tf_workload_##name,
const struct tf_workload *const tf_workloads[] = {TF_WORKLOADS(TF_LIST) NULL};

const struct tf_workload *tf_workload_find(const char *name)
{
    for (const struct tf_workload *const *w = tf_workloads; *w != NULL; w++) {
        if (strcmp((*w)->name, name) == 0)
            return *w;
    }
    return NULL;
}
