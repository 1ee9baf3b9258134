/* SPDX-License-Identifier: Apache-2.0 */
#include "host/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define TRIES 16u /* to remove the file of an earlier process, while others do the same */

/* The length of the folder in a path, with its slash. */
static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* "FOLDER/.tilefarm.HASH.PID.tmp". So the name fits where that of the target fits, and two targets have two names.
   Returns NULL if the host has no memory. */
static char *temporary_of(const char *target)
{
    size_t folder = folder_bytes(target);
    char *name = NULL;
    unsigned long long hash = XXH3_64bits(target + folder, strlen(target + folder));
    if (asprintf(&name, "%.*s.tilefarm.%016llx.%ld.tmp", (int)folder, target, hash, (long)getpid()) < 0)
        return NULL;
    return name;
}

/* Remove a file that an earlier process with the number of this one has left. Returns 0, or an errno: EBUSY if it is in
   use. */
static int remove_stale(const char *name)
{
    struct stat opened, named;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), error = 0;
    if (fd < 0)
        return errno == ENOENT ? 0 : errno;
    if (fstat(fd, &opened) != 0 || !S_ISREG(opened.st_mode) || opened.st_uid != geteuid())
        error = EEXIST;
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        error = EBUSY;
    else if (lstat(name, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
        error = unlink(name) == 0 || errno == ENOENT ? 0 : errno;
    close(fd);
    return error;
}

/* Create the temporary file. Its lock tells others in this process that it is in use. Returns 0, or an errno. */
static int create(struct tf_replaced *file)
{
    int error = EEXIST;
    for (unsigned i = 0; i < TRIES && error == EEXIST; i++) {
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        error = file->fd < 0 ? errno : 0;
        int stale = error == EEXIST ? remove_stale(file->temporary) : 0;
        if (stale != 0)
            return stale;
    }
    if (error == 0)
        flock(file->fd, LOCK_EX | LOCK_NB); /* a file system without locks works, too */
    return error;
}

static int open_temporary(struct tf_replaced *file, const struct stat *old)
{
    file->temporary = temporary_of(file->target);
    if (file->temporary == NULL)
        return ENOMEM;
    int error = create(file);
    if (error != 0) { /* it belongs to another one */
        free(file->temporary);
        file->temporary = NULL;
    }
    return error == 0 && old != NULL && fchmod(file->fd, old->st_mode & 0777) != 0 ? errno : error;
}

static int open_target(struct tf_replaced *file, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return EISDIR;
    if (exists && access(path, W_OK) != 0)
        return errno;
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (file->target == NULL && exists && !S_ISREG(old.st_mode))
        file->target = strdup(path); /* a pipe that only /proc names, such as /dev/stdout */
    if (file->target == NULL)
        return errno;
    if (!exists || S_ISREG(old.st_mode))
        return open_temporary(file, exists ? &old : NULL);
    file->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return file->fd < 0 ? errno : 0;
}

int tf_replace_open(struct tf_replaced *file, const char *path)
{
    *file = (struct tf_replaced){.fd = -1};
    int error = path[0] == '\0' ? ENOENT : open_target(file, path);
    if (error != 0)
        tf_replace_discard(file);
    return error;
}

/* Let the name of a file that was renamed survive a crash. Not every file system can. */
static void sync_folder(const char *path)
{
    size_t bytes = folder_bytes(path);
    char *folder = bytes == 0 ? strdup(".") : strndup(path, bytes);
    int fd = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

int tf_replace_put(int fd, const char *temporary, const char *target)
{
    int error = fsync(fd) != 0 ? errno : 0;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(temporary, target) != 0)
        error = errno;
    if (error == 0)
        sync_folder(target);
    return error;
}

int tf_replace_commit(struct tf_replaced *file)
{
    int error;
    if (file->temporary != NULL)
        error = tf_replace_put(file->fd, file->temporary, file->target);
    else
        error = close(file->fd) != 0 ? errno : 0;
    file->fd = -1;
    if (error == 0) {
        free(file->temporary);
        file->temporary = NULL;
    }
    tf_replace_discard(file);
    return error;
}

void tf_replace_discard(struct tf_replaced *file)
{
    if (file->fd >= 0)
        close(file->fd);
    if (file->temporary != NULL)
        unlink(file->temporary);
    free(file->temporary);
    free(file->target);
    *file = (struct tf_replaced){.fd = -1};
}

void tf_replace_abandon(const char *path)
{
    char *target = realpath(path, NULL), *temporary = temporary_of(target != NULL ? target : path);
    if (temporary != NULL)
        unlink(temporary);
    free(temporary);
    free(target);
}
