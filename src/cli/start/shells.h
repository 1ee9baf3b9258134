/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for shells beside bash. Their scripts ask the command for its options when a word is completed. */
#ifndef CLI_START_SHELLS_H
#define CLI_START_SHELLS_H

#include "cli/cli.h"

/* clang-format off */
/* In awk: the variants of the workload that stands among `words`, or of all workloads, from `tilefarm list`. */
#define TF_VARIANTS \
    "\n      /^[^ ]/ { own = index(words, \" \" $1 \" \") }\n" \
    "      $1 == \"variants:\" { $1 = \"\"; every = every $0; named = named (own ? $0 : \"\") }\n" \
    "      END { print named == \"\" ? every : named }"
/* clang-format on */

/* Print the script for "zsh" or "fish". Returns an exit code, after an error line for another shell. */
int tf_shells_print(const char *shell, const struct tf_command *command, size_t commands);

#endif
