/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm run` */
#ifndef CLI_COMMANDS_RUN_H
#define CLI_COMMANDS_RUN_H

int tf_cli_run(int argc, char **argv);

int tf_cli_replay(int argc, char **argv);

#endif
