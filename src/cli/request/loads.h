/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the user: their files, and whether two programs can run in one chip. */
#ifndef CLI_REQUEST_LOADS_H
#define CLI_REQUEST_LOADS_H

struct tf_request;

/* Read the files of --load, --flat and --symbols. No two programs may take the same core or memory. Returns -1, or an
   exit code after an error line. */
int tf_request_load(struct tf_request *request);

#endif
