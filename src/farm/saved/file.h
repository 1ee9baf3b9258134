/* SPDX-License-Identifier: Apache-2.0 */
/* Files of saved chips: streams with a checksum. One thread at a time may use a file. */
#ifndef FARM_SAVED_FILE_H
#define FARM_SAVED_FILE_H

#include <stdio.h>

#include "farm/saved/saved.h"
#include "farm/saved/header.h"

/* A file that is being written or read. */
struct tf_saved_file {
    struct tf_saved saved; /* the stream of the body; must come first: its functions find the file by it */
    int fd;
    int error;          /* errno of the first failure, or 0 */
    uint64_t body_left; /* when reading: bytes of the body that are not in the buffer yet */
    uint64_t body_bytes;
    void *sum; /* an XXH3_state_t: of the body so far */
    struct tf_saved_header header;
};

/* Begin to write a body. The header's place before it stays free. Returns false if the host has no memory, or if
   file->error is set. */
bool tf_saved_file_write(struct tf_saved_file *file, int fd);

/* Write the rest of the body, its checksum, and the header. Returns false and sets file->error. */
bool tf_saved_file_close(struct tf_saved_file *file, const struct tf_saved_config *config, enum tf_saved_kind kind);

/* Read the header of a file of this kind, and begin to read the body. Returns an enum tf_error; then file->saved.why
   names the cause. */
int tf_saved_file_read(struct tf_saved_file *file, int fd, enum tf_saved_kind kind);

/* Read the rest of the body, and verify its length and checksum. Returns an enum tf_error. */
int tf_saved_file_check(struct tf_saved_file *file);

/* Free the buffer. The caller closes fd. */
void tf_saved_file_end(struct tf_saved_file *file);

#endif
