/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a request names. */
#ifndef CLI_REQUEST_FILES_H
#define CLI_REQUEST_FILES_H

#include <stdbool.h>

struct tf_distinct;
struct tf_request;

/* Is no output the same file as an input? `files` has those that the request does not name. Forgets them. Returns false
   after an error line. */
bool tf_request_distinct(const struct tf_request *request, struct tf_distinct *files);

/* Open the file of --suppress, if there is one. Returns false after an error line. */
bool tf_request_open_suppressions(struct tf_request *request);

#endif
