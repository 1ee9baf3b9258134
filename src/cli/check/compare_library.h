/* SPDX-License-Identifier: Apache-2.0 */
/* A library with the libttsim interface runs an image, through windows of BAR 0, which every such library has. */
#ifndef CLI_CHECK_COMPARE_LIBRARY_H
#define CLI_CHECK_COMPARE_LIBRARY_H

struct tf_library_job;
struct tf_library_result;

/* Run a job. Call it in a child process: a library may end its process. */
void tf_library_run(const struct tf_library_job *job, struct tf_library_result *result);

#endif
