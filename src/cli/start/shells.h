/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for shells beside bash. Their scripts ask the command for its options when a word is completed. */
#ifndef CLI_START_SHELLS_H
#define CLI_START_SHELLS_H

#include "cli/cli.h"

/* Print the script for "zsh" or "fish". Returns an exit code, after an error line for another shell. */
int tf_shells_print(const char *shell, const struct tf_command *command, size_t commands);

#endif
