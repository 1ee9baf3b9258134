/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes of files, pipes and sockets that signals interrupt or that move a part only. */
#ifndef HOST_FILE_H
#define HOST_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

/* May a complete temporary file be renamed to this path? Not if a device or a pipe is there: it would be lost. */
static inline bool tf_file_is_replaceable(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Do two paths name the same regular file? */
static inline bool tf_file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Write all of the bytes. Returns false after an error, which is in errno. */
static inline bool tf_write_all(int file, const void *data, size_t bytes)
{
    for (const char *at = data; bytes > 0;) {
        ssize_t done = write(file, at, bytes);
        if (done == 0)
            errno = EIO;
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done > 0) {
            at += done;
            bytes -= (size_t)done;
        }
    }
    return true;
}

/* Read up to `bytes`. Returns their number: fewer at the end, with errno 0, or after an error, in errno. */
static inline size_t tf_read_up_to(int file, void *data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t some = read(file, (char *)data + done, bytes - done);
        if (some == 0)
            errno = 0;
        if (some == 0 || (some < 0 && errno != EINTR))
            break;
        done += some > 0 ? (size_t)some : 0;
    }
    return done;
}

/* Read all of the bytes. Returns false if there are fewer, or after an error. */
static inline bool tf_read_all(int file, void *data, size_t bytes)
{
    return tf_read_up_to(file, data, bytes) == bytes;
}

#endif
