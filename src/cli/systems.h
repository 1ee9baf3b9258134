/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of several chips on command lines: names, and files of cluster descriptors. */
#ifndef CLI_SYSTEMS_H
#define CLI_SYSTEMS_H

#include "cli/cli.h"
#include "tilefarm/tilefarm_cluster.h"

#define TF_SYSTEM_HELP "a known system ('tilefarm list' shows them), or the file of a cluster descriptor"

/* Find a system: one of tf_cluster_name(), or a file, whose name has a dot or a slash. Returns false after an error
   line. */
bool tf_cli_system(const char *option, const char *name, struct tf_cluster *cluster);

/* Is it the name of a file, not of a known system? */
bool tf_cli_system_is_file(const char *name);

/* Print the known systems, a line each. */
void tf_cli_systems_list(void);

/* Print the chips and links of a system. */
void tf_cli_system_print(const struct tf_cluster *cluster);

#endif
