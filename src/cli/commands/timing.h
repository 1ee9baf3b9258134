/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm timing`: compare the cycles of two runs in timing mode. */
#ifndef CLI_COMMANDS_TIMING_H
#define CLI_COMMANDS_TIMING_H

int tf_cli_timing(int argc, char **argv);

#endif
