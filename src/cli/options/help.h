/* SPDX-License-Identifier: Apache-2.0 */
/* Output made from a command's table of options: --help, a manual page, and the words that a shell completes. */
#ifndef CLI_OPTIONS_HELP_H
#define CLI_OPTIONS_HELP_H

#include "cli/cli.h"

/* Name number `index` of "a|b|c"; false when there are fewer. */
bool tf_option_name_at(const char *names, uint64_t index, char *name, size_t bytes);

/* Print a text that begins at a column, with the end of the line, within the width of help. */
void tf_help_print_line(unsigned column, unsigned indent, const char *text);

/* The title and the name of a command's manual page. */
void tf_help_print_title(const struct tf_command *command);

/* Print the help, or the rest of the manual page, of a command. `into` has the defaults. */
void tf_help_print(const struct tf_usage *usage, const void *into);
void tf_help_print_manual(const struct tf_usage *usage, const void *into);

/* One line for each option: "--NAME", a tab, and the values that it takes: "a|b|c", "FILE", or nothing. "--NAME="
   begins the line of an option whose value may be left out, "-N" the line of a letter. */
void tf_help_print_words(const struct tf_usage *usage);

/* The manual page of the command without a subcommand. */
void tf_help_print_overview(const struct tf_command *command, size_t commands);

#endif
