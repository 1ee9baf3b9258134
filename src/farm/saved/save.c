/* SPDX-License-Identifier: Apache-2.0 */
/* tf_chip_save(), tf_chip_restore() and tf_saved_config(). */
#include "farm/saved/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/saved/file.h"
#include "farm/saved/header.h"
#include "host/message.h"
#include "host/replace.h"
#include "farm/saved/state.h"
#include "tilefarm/tilefarm_config.h"

static bool write_chip(struct tf_chip *chip, struct tf_saved_file *file, int fd)
{
    struct tf_saved_config config;
    tf_saved_describe(chip->config, chip->arch, &config);
    if (tf_saved_file_write(file, fd))
        tf_chip_state(&file->saved, chip);
    return tf_saved_file_close(file, &config, TF_SAVED_CHIP);
}

/* Returns 0, or an errno: then the file of the path keeps its old content. */
static int save_to(struct tf_chip *chip, const char *path)
{
    struct tf_replaced target;
    struct tf_saved_file file;
    int error = tf_replace_open(&target, path);
    if (error != 0)
        return error;
    if (!write_chip(chip, &file, target.fd))
        error = file.error != 0 ? file.error : EIO;
    tf_saved_file_end(&file);
    if (error == 0)
        return tf_replace_commit(&target);
    tf_replace_discard(&target);
    return error;
}

static int check_chip(const struct tf_chip *chip, const char *path, struct tf_message *message)
{
    if (chip == NULL || path == NULL)
        return tf_message_set(message, TF_EINVAL, "a saved chip", "the chip or the path is NULL");
    if (chip->rules.mode == TF_MODE_RELAXED)
        return tf_message_set(message, TF_EINVAL, path, "a chip in relaxed mode can neither be saved nor restored");
    if (chip->joined)
        return tf_message_set(message, TF_EINVAL, path,
                              "a chip of a system can neither be saved nor restored by itself");
    if (chip->exploring != NULL)
        return tf_message_set(message, TF_EINVAL, path,
                              "a chip that explores other orders can neither be saved nor restored");
    return TF_OK;
}

int tf_chip_write(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    tf_forks_settle_all(&chip->forks, chip->fabric);
    int why = save_to(chip, path);
    return why == 0 ? TF_OK : tf_message_set_errno(message, path, "cannot be written", why);
}

int tf_chip_save(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    int error = check_chip(chip, path, message);
    return error == TF_OK ? tf_chip_write(chip, path, message) : error;
}

/* Read a header. On success the caller ends the file, and closes it. */
static int open_file(const char *path, struct tf_saved_file *file, struct tf_message *message)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tf_message_set_errno(message, path, "cannot be read", errno);
    int error = tf_saved_file_read(file, fd, TF_SAVED_CHIP);
    if (error == TF_OK)
        return TF_OK;
    if (file->error != 0)
        tf_message_set_errno(message, path, file->saved.why, file->error);
    else
        tf_message_set(message, error, path, file->saved.why);
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

/* Verify the checksum, and go back to the body. */
static int verify(struct tf_saved_file *file)
{
    int fd = file->fd, error = tf_saved_file_check(file);
    if (error != TF_OK)
        return error;
    tf_saved_file_end(file);
    file->fd = fd;
    if (lseek(fd, 0, SEEK_SET) == 0)
        return tf_saved_file_read(file, fd, TF_SAVED_CHIP);
    file->error = errno;
    tf_saved_fail(&file->saved, "it cannot be read from the start a second time: is it a pipe?");
    return TF_EIO;
}

static int read_body(struct tf_saved_file *file, struct tf_chip *chip)
{
    tf_chip_state(&file->saved, chip);
    if (file->saved.why == NULL && file->saved.at != file->saved.bytes)
        tf_saved_fail(&file->saved, "its body is too long");
    return file->saved.why == tf_saved_no_memory ? TF_ENOMEM : tf_saved_file_check(file);
}

/* Read the body of a file into a new chip: *into, or if that is NULL a tf_chip_twin(). Nothing is taken from it before
   its checksum is verified. */
static int read_file(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_file *file,
                     struct tf_chip **into)
{
    int error = verify(file);
    if (error == TF_OK && *into == NULL && tf_chip_twin(config, arch, into) != TF_OK) {
        tf_saved_fail(&file->saved, tf_saved_no_memory);
        return TF_ENOMEM;
    }
    return error == TF_OK ? read_body(file, *into) : error;
}

/* read_file(), if the file is that of a chip with this configuration. */
static int read_path(const struct tf_config *config, const struct tf_arch *arch, const char *path,
                     struct tf_chip **into, struct tf_message *message)
{
    struct tf_saved_file file;
    struct tf_saved_config own;
    struct tf_message difference;
    int error = open_file(path, &file, message);
    if (error != TF_OK)
        return error;
    tf_saved_describe(config, arch, &own);
    if (!tf_saved_fits(&file.header.config, &own, &difference)) {
        error = tf_message_set(message, TF_EINVAL, path, difference.text);
    } else {
        error = read_file(config, arch, &file, into);
        if (error != TF_OK)
            tf_message_set(message, error, path, file.saved.why != NULL ? file.saved.why : strerror(file.error));
    }
    close_file(&file);
    return error;
}

int tf_chip_read(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    return read_path(chip->config, chip->arch, path, &chip, message);
}

int tf_chip_restore(struct tf_chip *chip, const char *path, struct tf_message *message)
{
    struct tf_chip *twin = NULL;
    int error = check_chip(chip, path, message);
    if (error == TF_OK && chip->observers.races != NULL)
        error = tf_message_set(
            message, TF_EINVAL, path,
            "a chip that is checked for races cannot be restored: accesses before the saved state are unknown");
    if (error != TF_OK)
        return error;
    error = read_path(chip->config, chip->arch, path, &twin, message);
    if (error == TF_OK) {
        tf_forks_settle_all(&chip->forks, chip->fabric);
        tf_chip_replace(chip, twin);
    }
    tf_chip_destroy(twin);
    return error;
}

int tf_saved_config(const char *path, struct tf_config *config, struct tf_message *message)
{
    struct tf_saved_file file;
    if (path == NULL || config == NULL)
        return tf_message_set(message, TF_EINVAL, "a saved chip", "the path or the configuration is NULL");
    struct tf_config whole;
    int error = tf_config_take(config, &whole, message);
    if (error == TF_OK)
        error = open_file(path, &file, message);
    if (error != TF_OK)
        return error;
    if (!tf_saved_to_config(&file.header.config, &whole))
        error = tf_message_set(message, TF_EINVAL, path, "its chip family or its board is unknown");
    else if (!tf_config_give(&whole, config))
        error = tf_message_set(message, TF_EINVAL, path, "it was saved with options that are newer than this program");
    close_file(&file);
    return error;
}
