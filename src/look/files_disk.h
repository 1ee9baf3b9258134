/* SPDX-License-Identifier: Apache-2.0 */
/* The files that tilefarm_files.h opens. Each is written beside its path, and replaces it at the end. */
#ifndef LOOK_FILES_DISK_H
#define LOOK_FILES_DISK_H

#include <stdio.h>

#include "host/replace.h"

struct tf_rules;
struct tf_files_wish;
struct tf_look_wish;
struct tf_message;

enum tf_files_file {
    TF_FILES_TIMELINE,
    TF_FILES_REPORT,
    TF_FILES_PROFILE,
    TF_FILES_COVERAGE,
    TF_FILES_NOC_TRACE,
    TF_FILES
};

struct tf_files_disk {
    FILE *file[TF_FILES]; /* NULL: not asked for */
    char *path[TF_FILES];
    struct tf_replaced to[TF_FILES];
};

/* Open the files of a wish, and name them to observers. End with tf_files_disk_close(), after an error too. TF_EINVAL:
   the configuration does not permit one of them. */
int tf_files_disk_open(struct tf_files_disk *disk, const struct tf_files_wish *wish, const struct tf_rules *rules,
                       struct tf_look_wish *look, struct tf_message *message);

/* Let the files replace those of their paths. TF_OK, or TF_EIO for one of them. */
int tf_files_disk_commit(struct tf_files_disk *disk, struct tf_message *message);

/* Remove files without a commit. */
void tf_files_disk_close(struct tf_files_disk *disk);

#endif
