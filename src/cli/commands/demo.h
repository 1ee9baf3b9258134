/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm demo`: a few workloads, a table of their figures, and a picture of the chip. */
#ifndef CLI_COMMANDS_DEMO_H
#define CLI_COMMANDS_DEMO_H

int tf_cli_demo(int argc, char **argv);

#endif
