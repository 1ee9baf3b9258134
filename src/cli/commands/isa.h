/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm isa`: the Tensix instructions, which of them are implemented, and the tests that execute them. */
#ifndef CLI_COMMANDS_ISA_H
#define CLI_COMMANDS_ISA_H

int tf_cli_isa(int argc, char **argv);

#endif
