/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm litmus` */
#ifndef CLI_COMMANDS_LITMUS_H
#define CLI_COMMANDS_LITMUS_H

int tf_cli_litmus(int argc, char **argv);

#endif
