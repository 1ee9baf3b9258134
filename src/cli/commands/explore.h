/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm explore` */
#ifndef CLI_COMMANDS_EXPLORE_H
#define CLI_COMMANDS_EXPLORE_H

int tf_cli_explore(int argc, char **argv);

#endif
