/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm topo`: show the CPU of each worker thread, and its tiles, and draw the host. */
#ifndef CLI_COMMANDS_TOPO_H
#define CLI_COMMANDS_TOPO_H

int tf_cli_topo(int argc, char **argv);

#endif
