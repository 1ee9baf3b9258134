/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm list`: the workloads, and the known systems. */
#include "cli/commands/list.h"
#include "cli/options/options.h"
#include "cli/systems.h"
#include "cli/systems/list.h"
#include "cli/systems/workload.h"
#include "cli/text.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "cli/options/wrap.h"

#define NAME_COLUMNS 13

static const struct tf_usage usage = {
    .examples = "tilefarm list\n",
    .synopsis = "list",
    .text = "List the workloads: device programs whose results are checked. Then list those that need links between\n"
            "chips, and the known systems, for 'tilefarm run --system' and 'tilefarm describe --system'.\n",
};

/* A name and what it is. */
static void print_row(unsigned columns, const char *name, const char *summary)
{
    struct tf_wrap wrap = tf_wrap_begin(columns, NAME_COLUMNS, 2);
    printf("%-*s ", NAME_COLUMNS - 1, name);
    tf_wrap_words(&wrap, summary);
    printf("\n");
}

int tf_cli_list(int argc, char **argv)
{
    int first, code = tf_cli_options(argc, argv, &usage, NULL, &first);
    if (code >= 0)
        return code;
    const unsigned columns = tf_wrap_columns();
    for (const struct tf_workload *const *at = tf_workloads; *at != NULL; at++) {
        const struct tf_workload *workload = *at;
        print_row(columns, workload->name, workload->summary);
        if (tf_workload_variants(workload) < 2)
            continue;
        struct tf_wrap wrap = tf_wrap_begin(columns, NAME_COLUMNS, 2);
        printf("%*s", NAME_COLUMNS, "");
        tf_wrap_words(&wrap, "variants:");
        for (const char *const *variant = tf_workload_names(workload); *variant != NULL; variant++) {
            char word[80];
            snprintf(word, sizeof word, " %s", *variant);
            tf_wrap_words(&wrap, word);
        }
        printf("\n");
    }
    printf("\nWith --system:\n");
    for (const struct tf_system_workload *const *at = tf_system_workloads; *at != NULL; at++)
        print_row(columns, (*at)->name, (*at)->summary);
    printf("\n");
    tf_cli_systems_list();
    return tf_cli_finish(TF_EXIT_OK);
}
