/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/saved/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "host/file.h"
#include "host/hostile.h"
#include "farm/saved/header.h"

#define BUFFER_BYTES TF_UNLESS_HOSTILE(64u << 10, 37u)

static bool set_error(struct tf_saved_file *file, int error, const char *why)
{
    if (file->error == 0)
        file->error = error;
    tf_saved_fail(&file->saved, why);
    return false;
}

static bool write_all(struct tf_saved_file *file, const void *data, size_t bytes)
{
    return tf_write_all(file->fd, data, bytes) || set_error(file, errno, "it cannot be written");
}

/* Returns the bytes that were read: fewer than asked for at the end of the file, or after an error. */
static size_t read_some(struct tf_saved_file *file, void *data, size_t bytes)
{
    size_t done = tf_read_up_to(file->fd, data, bytes);
    if (done < bytes && errno != 0)
        set_error(file, errno, "it cannot be read");
    return done;
}

/* A tf_saved.refill that empties the buffer. */
static bool empty(struct tf_saved *saved)
{
    struct tf_saved_file *file = (struct tf_saved_file *)saved;
    if (!write_all(file, saved->buffer, saved->at))
        return false;
    XXH3_64bits_update(file->sum, saved->buffer, saved->at);
    file->body_bytes += saved->at;
    saved->at = 0;
    return true;
}

/* A tf_saved.refill that fills the buffer. */
static bool fill(struct tf_saved *saved)
{
    struct tf_saved_file *file = (struct tf_saved_file *)saved;
    size_t bytes = file->body_left < saved->room ? (size_t)file->body_left : saved->room;
    if (bytes == 0)
        return set_error(file, 0, "its body is too short");
    saved->at = 0;
    saved->bytes = read_some(file, saved->buffer, bytes);
    file->body_left -= saved->bytes;
    XXH3_64bits_update(file->sum, saved->buffer, saved->bytes);
    return saved->bytes == bytes || set_error(file, 0, "it is truncated");
}

static bool begin(struct tf_saved_file *file, int fd, bool reads)
{
    *file = (struct tf_saved_file){.fd = fd};
    file->saved = (struct tf_saved){.reads = reads, .room = BUFFER_BYTES, .refill = reads ? fill : empty};
    file->saved.buffer = malloc(BUFFER_BYTES);
    file->sum = XXH3_createState();
    if (file->saved.buffer == NULL || file->sum == NULL)
        return set_error(file, ENOMEM, tf_saved_no_memory);
    XXH3_64bits_reset(file->sum);
    return true;
}

bool tf_saved_file_write(struct tf_saved_file *file, int fd)
{
    return begin(file, fd, false) && write_all(file, &file->header, sizeof file->header);
}

bool tf_saved_file_close(struct tf_saved_file *file, const struct tf_saved_config *config, enum tf_saved_kind kind)
{
    if (file->saved.why != NULL || !empty(&file->saved))
        return false;
    uint64_t sum = XXH3_64bits_digest(file->sum);
    if (!write_all(file, &sum, sizeof sum))
        return false;
    tf_saved_header(config, kind, file->body_bytes, &file->header);
    ssize_t done = pwrite(file->fd, &file->header, sizeof file->header, 0);
    return done == (ssize_t)sizeof file->header || set_error(file, done < 0 ? errno : EIO, "it cannot be written");
}

/* Is the file as long as its header says? */
static int check_length(struct tf_saved_file *file)
{
    struct stat stat;
    if (fstat(file->fd, &stat) != 0 || !S_ISREG(stat.st_mode))
        return TF_OK; /* a pipe: its end shows */
    uint64_t bytes = (uint64_t)stat.st_size, around = sizeof file->header + sizeof(uint64_t);
    bool truncated = bytes < around || bytes - around < file->body_left;
    if (!truncated && bytes - around == file->body_left)
        return TF_OK;
    tf_saved_fail(&file->saved, truncated ? "it is truncated" : "it has extra bytes after its end");
    return TF_EFORMAT;
}

int tf_saved_file_read(struct tf_saved_file *file, int fd, enum tf_saved_kind kind)
{
    if (!begin(file, fd, true))
        return TF_ENOMEM;
    size_t bytes = read_some(file, &file->header, sizeof file->header);
    if (file->error != 0)
        return TF_EIO;
    const char *why = tf_saved_why_bad(&file->header, kind, bytes);
    if (why != NULL) {
        tf_saved_fail(&file->saved, why);
        return TF_EFORMAT;
    }
    file->body_left = file->header.body_bytes;
    return check_length(file);
}

int tf_saved_file_check(struct tf_saved_file *file)
{
    uint64_t sum = 0;
    uint8_t more;
    while (file->saved.why == NULL && file->body_left != 0)
        fill(&file->saved);
    if (file->saved.why == NULL && read_some(file, &sum, sizeof sum) != sizeof sum)
        set_error(file, 0, "it is truncated");
    if (file->saved.why == NULL && sum != XXH3_64bits_digest(file->sum))
        set_error(file, 0, "it is damaged: the checksum of its body is wrong");
    if (file->saved.why == NULL && read_some(file, &more, 1) != 0)
        set_error(file, 0, "it has extra bytes after its end");
    if (file->saved.why == NULL)
        return TF_OK;
    return file->error == ENOMEM ? TF_ENOMEM : file->error != 0 ? TF_EIO : TF_EFORMAT;
}

void tf_saved_file_end(struct tf_saved_file *file)
{
    free(file->saved.buffer);
    if (file->sum != NULL)
        XXH3_freeState(file->sum);
    *file = (struct tf_saved_file){.fd = -1};
}
