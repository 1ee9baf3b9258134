/* SPDX-License-Identifier: Apache-2.0 */
/* tf_chip_save(), tf_chip_restore() and tf_saved_config(). */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "farm/chip/chip.h"
#include "farm/saved/file.h"

static int refuse(struct tf_message *message, int error, const char *path, const char *why)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%.120s: %.130s", path, why);
    return error;
}

static int refuse_by_host(struct tf_message *message, const char *path, const char *what, int error)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%.120s: %s: %s", path, what, strerror(error));
    return error == ENOMEM ? TF_ENOMEM : TF_EIO;
}

/* The file that a path names. */
struct target {
    char *path;      /* without symbolic links */
    char *temporary; /* NULL: the path names a pipe or a device, which is written to directly */
    bool exists;
    mode_t mode; /* of the file, if it exists */
};

static bool find_target(struct target *target, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    *target = (struct target){.path = exists ? realpath(path, NULL) : strdup(path), .exists = exists};
    target->mode = exists ? old.st_mode & 0777 : 0;
    return target->path != NULL;
}

static bool is_file(const struct target *target)
{
    struct stat old;
    return stat(target->path, &old) != 0 || S_ISREG(old.st_mode);
}

#define NAMES 100u /* that are tried: a process that was killed leaves its file */

/* "FOLDER/.NAME.PID.NUMBER.tmp", with the permissions that the target has or would get. */
static int open_temporary(struct target *target)
{
    const char *slash = strrchr(target->path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target->path) + 1, fd = -1;
    for (unsigned i = 0; i < NAMES; i++) {
        if (asprintf(&target->temporary, "%.*s.%s.%ld.%u.tmp", folder, target->path, target->path + folder,
                     (long)getpid(), i) < 0) {
            target->temporary = NULL;
            errno = ENOMEM;
            return -1;
        }
        fd = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            break;
        free(target->temporary); /* it is another's */
        target->temporary = NULL;
        if (errno != EEXIST)
            return -1;
    }
    if (fd >= 0 && target->exists && fchmod(fd, target->mode) != 0) {
        int error = errno;
        close(fd);
        unlink(target->temporary);
        errno = error;
        return -1;
    }
    return fd;
}

static int open_target(struct target *target)
{
    return is_file(target) ? open_temporary(target) : open(target->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

/* Let the name of a file that was renamed survive a crash. Not every file system can. */
static void sync_folder(char *path)
{
    int fd = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static bool write_chip(struct tf_chip *chip, struct tf_saved_file *file, int fd)
{
    struct tf_saved_config config;
    tf_saved_describe(&chip->config, chip->arch, &config);
    if (tf_saved_file_write(file, fd))
        tf_chip_state(&file->saved, chip);
    return tf_saved_file_close(file, &config);
}

/* Returns 0, or an errno: then the target keeps its old content. */
static int save_to(struct tf_chip *chip, struct target *target)
{
    struct tf_saved_file file;
    int fd = open_target(target), error = 0;
    if (fd < 0)
        return errno;
    if (!write_chip(chip, &file, fd))
        error = file.error != 0 ? file.error : EIO;
    tf_saved_file_end(&file);
    if (error == 0 && target->temporary != NULL && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && target->temporary != NULL && rename(target->temporary, target->path) != 0)
        error = errno;
    if (target->temporary == NULL)
        return error;
    if (error != 0)
        unlink(target->temporary);
    else
        sync_folder(target->path);
    return error;
}

static int check_chip(const struct tf_chip *chip, const char *path, struct tf_message *message)
{
    if (chip == NULL || path == NULL)
        return refuse(message, TF_EINVAL, "a saved chip", "the chip or the path is NULL");
    if (chip->config.mode == TF_MODE_RELAXED)
        return refuse(message, TF_EINVAL, path, "a chip in relaxed mode can neither be saved nor restored");
    if (chip->exploring != NULL)
        return refuse(message, TF_EINVAL, path, "a chip that explores other orders can neither be saved nor restored");
    return TF_OK;
}

int tf_chip_save(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    struct target target;
    int error = check_chip(chip, path, message);
    if (error != TF_OK)
        return error;
    tf_forks_settle_all(&chip->forks, chip->fabric);
    if (!find_target(&target, path))
        return refuse_by_host(message, path, "cannot be written", errno);
    int why = save_to(chip, &target);
    free(target.temporary);
    free(target.path);
    return why == 0 ? TF_OK : refuse_by_host(message, path, "cannot be written", why);
}

/* Read a header. On success the caller ends the file, and closes it. */
static int open_file(const char *path, struct tf_saved_file *file, struct tf_message *message)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse_by_host(message, path, "cannot be read", errno);
    int error = tf_saved_file_read(file, fd);
    if (error == TF_OK)
        return TF_OK;
    if (file->error != 0)
        refuse_by_host(message, path, file->saved.why, file->error);
    else
        refuse(message, error, path, file->saved.why);
    tf_saved_file_end(file);
    close(fd);
    return error;
}

static void close_file(struct tf_saved_file *file)
{
    int fd = file->fd;
    tf_saved_file_end(file);
    close(fd);
}

/* Read the body of a file into a new chip: tf_chip_twin(). Nothing is taken from it before its checksum is verified. */
static int read_twin(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_file *file,
                     struct tf_chip **twin)
{
    int fd = file->fd, error = tf_saved_file_check(file);
    if (error != TF_OK)
        return error;
    tf_saved_file_end(file);
    file->fd = fd;
    if (lseek(fd, 0, SEEK_SET) != 0) {
        file->error = errno;
        tf_saved_fail(&file->saved, "it cannot be read from the start a second time: is it a pipe?");
        return TF_EIO;
    }
    error = tf_saved_file_read(file, fd);
    if (error == TF_OK && tf_chip_twin(config, arch, twin) != TF_OK) {
        tf_saved_fail(&file->saved, tf_saved_no_memory);
        return TF_ENOMEM;
    }
    if (error != TF_OK)
        return error;
    tf_chip_state(&file->saved, *twin);
    if (file->saved.why == NULL && file->saved.at != file->saved.bytes)
        tf_saved_fail(&file->saved, "its body is too long");
    if (file->saved.why == tf_saved_no_memory)
        return TF_ENOMEM;
    return tf_saved_file_check(file);
}

int tf_chip_restore(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    struct tf_saved_file file;
    struct tf_chip *twin = NULL;
    struct tf_saved_config own;
    struct tf_message difference;
    int error = check_chip(chip, path, message);
    if (error == TF_OK && chip->observers.races != NULL)
        error =
            refuse(message, TF_EINVAL, path,
                   "a chip that is checked for races cannot be restored: accesses before the saved state are unknown");
    if (error == TF_OK)
        error = open_file(path, &file, message);
    if (error != TF_OK)
        return error;
    tf_saved_describe(&chip->config, chip->arch, &own);
    if (!tf_saved_fits(&file.header.config, &own, &difference)) {
        error = refuse(message, TF_EINVAL, path, difference.text);
    } else {
        error = read_twin(&chip->config, chip->arch, &file, &twin);
        if (error == TF_OK) {
            tf_forks_settle_all(&chip->forks, chip->fabric);
            tf_chip_replace(chip, twin);
        } else {
            refuse(message, error, path, file.saved.why != NULL ? file.saved.why : strerror(file.error));
        }
    }
    tf_chip_destroy(twin);
    close_file(&file);
    return error;
}

int tf_saved_config(const char *path, struct tf_config *config, struct tf_message *message)
{
    struct tf_saved_file file;
    if (path == NULL || config == NULL)
        return refuse(message, TF_EINVAL, "a saved chip", "the path or the configuration is NULL");
    int error = open_file(path, &file, message);
    if (error != TF_OK)
        return error;
    if (!tf_saved_to_config(&file.header.config, config))
        error = refuse(message, TF_EINVAL, path, "its chip family or its board is unknown");
    close_file(&file);
    return error;
}
