/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines, read by tables of options. */
#ifndef CLI_OPTIONS_OPTIONS_H
#define CLI_OPTIONS_OPTIONS_H

struct tf_usage;

/*
 * Read a command line into a structure that holds the defaults. Returns -1 when the command is to go on, with the
 * operands at argv[*first] .. argv[argc - 1]. Otherwise the command ends with the returned code: help was printed, or
 * an error line.
 */
int tf_cli_options(int argc, char **argv, const struct tf_usage *usage, void *into, int *first);

/*
 * For a command that passes options on: if argv[*at] is an option of the table, take it, and move *at to its last word.
 * Returns 1; 0 if it is no such option; -1 after an error line. If usage->more lists the options that are passed on,
 * the beginning of a name suffices, and a word that begins no option is an error.
 */
int tf_cli_option_take(int argc, char **argv, const struct tf_usage *usage, void *into, int *at);

#endif
