/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm join`: a rank that runs chips for the client's program, which is rank 0. */
#ifndef CLI_COMMANDS_JOIN_H
#define CLI_COMMANDS_JOIN_H

int tf_cli_join(int argc, char **argv);

#endif
