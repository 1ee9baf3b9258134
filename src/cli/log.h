/* SPDX-License-Identifier: Apache-2.0 */
/* How much a command says: --log and -v. */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include "cli/cli.h"

/* What is printed: errors; the report; each step of the command. */
enum tf_log { TF_LOG_ERROR, TF_LOG_INFO, TF_LOG_DEBUG };

/* The rows of --log and --verbose, for a field of type enum tf_log at an offset. Its default is TF_LOG_INFO. */
/* clang-format off */
#define TF_OPTIONS_OF_LOG(offset_)                                                                                     \
    {.name = "log", .argument = "error|info|debug", .kind = TF_OPTION_CHOICE, .offset = (offset_),                     \
     .least = TF_LOG_ERROR,                                                                                            \
     .help = "what to print: errors only, the report too, or each step of the command as well"},                       \
    {.name = "verbose", .letter = 'v', .kind = TF_OPTION_CHOICE, .offset = (offset_), .least = TF_LOG_DEBUG,           \
     .help = "the same as --log debug"}
/* clang-format on */

/* Say a step of the command on standard error, if the level is TF_LOG_DEBUG. */
void tf_log_note(enum tf_log log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
