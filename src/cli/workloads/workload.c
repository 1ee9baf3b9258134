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

uint32_t tf_workload_variants(const struct tf_workload *workload)
{
    uint32_t count = 0;
    while (workload->variants[count] != NULL)
        count++;
    return count;
}

int tf_workload_variant(const struct tf_workload *workload, const char *name)
{
    for (int i = 0; workload->variants[i] != NULL; i++) {
        if (strcmp(workload->variants[i], name) == 0)
            return i;
    }
    return -1;
}
