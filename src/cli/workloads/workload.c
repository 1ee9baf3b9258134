/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/workload.h"

#include <string.h>

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
