/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm describe`: a chip and its board, or a system, in the files that drivers read. */
#ifndef CLI_COMMANDS_DESCRIBE_H
#define CLI_COMMANDS_DESCRIBE_H

int tf_cli_describe(int argc, char **argv);

#endif
