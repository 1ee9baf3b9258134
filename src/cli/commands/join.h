/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm join`: run chips for a client's program that mpirun has started beside it. */
#ifndef CLI_COMMANDS_JOIN_H
#define CLI_COMMANDS_JOIN_H

int tf_cli_join(int argc, char **argv);

#endif
