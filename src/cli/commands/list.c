/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm list`: the workloads, and the known systems. */
#include "cli/commands/list.h"
#include "cli/options.h"
#include "cli/systems.h"
#include "cli/systems/list.h"
#include "cli/systems/workload.h"
#include "cli/text.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"

static const struct tf_usage usage = {
    .examples = "tilefarm list\n",
    .synopsis = "list",
    .text = "List the workloads: device programs whose results are checked. Then list those that need links between\n"
            "chips, and the known systems, for 'tilefarm run --system' and 'tilefarm describe --system'.\n",
};

int tf_cli_list(int argc, char **argv)
{
    int first, code = tf_cli_options(argc, argv, &usage, NULL, &first);
    if (code >= 0)
        return code;
    for (const struct tf_workload *const *at = tf_workloads; *at != NULL; at++) {
        const struct tf_workload *workload = *at;
        printf("%-12s %s\n", workload->name, workload->summary);
        if (tf_workload_variants(workload) < 2)
            continue;
        printf("%-12s variants:", "");
        for (const char *const *variant = tf_workload_names(workload); *variant != NULL; variant++)
            printf(" %s", *variant);
        printf("\n");
    }
    printf("\nWith --system:\n");
    for (const struct tf_system_workload *const *at = tf_system_workloads; *at != NULL; at++)
        printf("%-12s %s\n", (*at)->name, (*at)->summary);
    printf("\n");
    tf_cli_systems_list();
    return tf_cli_finish(TF_EXIT_OK);
}
