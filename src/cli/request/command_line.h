/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `tilefarm run`. */
#ifndef CLI_REQUEST_COMMAND_LINE_H
#define CLI_REQUEST_COMMAND_LINE_H

struct tf_option;
struct tf_request;

/* Read the command line. Returns -1, or an exit code. A request is several 100 KiB long: too long for the stack. */
int tf_request_read(int argc, char **argv, struct tf_request *request);

/* The options of `tilefarm run`, for commands that take some of them. */
const struct tf_option *tf_request_options(unsigned *count);

void tf_request_free(struct tf_request *request);

#endif
