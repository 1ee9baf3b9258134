/* SPDX-License-Identifier: Apache-2.0 */
/* The workload that a command line names. */
#ifndef CLI_REQUEST_NAMED_WORKLOAD_H
#define CLI_REQUEST_NAMED_WORKLOAD_H

struct tf_request;

/* Find the workload of a name, and its variant. Returns -1, or an exit code after an error line. */
int tf_request_workload(struct tf_request *request, const char *name);

#endif
