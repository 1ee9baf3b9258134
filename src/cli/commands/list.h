/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm list`: the workloads, and the known systems. */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

int tf_cli_list(int argc, char **argv);

#endif
