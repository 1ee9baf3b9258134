/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm cc`: a compiler for the RV32 cores, with the flags, headers, start file and linker script that a device
 * program needs. Most arguments go to the compiler.
 */
#ifndef CLI_COMMANDS_CC_H
#define CLI_COMMANDS_CC_H

int tf_cli_cc(int argc, char **argv);

#endif
