/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are read or written whole. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>

struct tf_output;

/* Open a file for writing. Returns false after an error line. */
bool tf_output_open(struct tf_output *output, const char *path);

/* Put the file in place. Returns false after an error line, for example when the disk is full. */
bool tf_output_commit(struct tf_output *output);

/* Remove the temporary file. Does nothing for an output that was committed or is all zero. */
void tf_output_discard(struct tf_output *output);

/* Read a whole file, or a pipe up to its end. The caller frees the result. Returns NULL after an error line: also for a
   device, and for more bytes than these limits. */
#define TF_CLI_FILE_BYTES_MAX (1u << 30)
#define TF_CLI_PIPE_BYTES_MAX (256u << 20)
void *tf_cli_read_file(const char *path, size_t *bytes);

#endif
