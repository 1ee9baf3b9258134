/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm disasm`: RV32 and Tensix instructions of an executable or of a flat image. */
#ifndef CLI_COMMANDS_DISASM_H
#define CLI_COMMANDS_DISASM_H

int tf_cli_disasm(int argc, char **argv);

#endif
