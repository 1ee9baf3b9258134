/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/workload.h"

#include <string.h>

const char *const *tf_workload_names(const struct tf_workload *workload)
{
    static const char *const all[] = {"all", NULL};
    return workload->variants != NULL ? workload->variants : all;
}

uint32_t tf_workload_variants(const struct tf_workload *workload)
{
    const char *const *name = tf_workload_names(workload);
    uint32_t count = 0;
    while (name[count] != NULL)
        count++;
    return count;
}

int tf_workload_variant(const struct tf_workload *workload, const char *name)
{
    const char *const *variant = tf_workload_names(workload);
    for (int i = 0; variant[i] != NULL; i++) {
        if (strcmp(variant[i], name) == 0)
            return i;
    }
    return -1;
}
