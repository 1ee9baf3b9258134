/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file.h"
#include "cli/text.h"
#include "host/file.h"

static bool too_long(const char *path, size_t most)
{
    tf_cli_error("%s: longer than %zu MiB", path, most >> 20);
    return false;
}

/* Is it worth reading? A device may have no end. `*most` becomes the number of bytes that may be read. */
static bool check_kind(int file, const char *path, size_t *most)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        tf_cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        tf_cli_error("%s: %s", path, strerror(EISDIR));
        return false;
    }
    if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)) { /* /dev/null: an empty file, as everywhere */
        *most = 0;
        return true;
    }
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) {
        tf_cli_error("%s: neither a file nor a pipe", path);
        return false;
    }
    *most = S_ISREG(status.st_mode) ? TF_CLI_FILE_BYTES_MAX : TF_CLI_PIPE_BYTES_MAX;
    return !S_ISREG(status.st_mode) || (uint64_t)status.st_size <= *most || too_long(path, *most);
}

static void *read_all(int file, const char *path, size_t most, size_t *bytes)
{
    size_t room = 1u << 16, length = 0;
    uint8_t *data = malloc(room);
    while (data != NULL) {
        length += tf_read_up_to(file, data + length, room - length);
        if (length < room)
            break;
        if (room > most) {
            too_long(path, most);
            free(data);
            return NULL;
        }
        uint8_t *more = realloc(data, room *= 2);
        if (more == NULL)
            free(data);
        data = more;
    }
    if (data == NULL) {
        tf_cli_error("%s: too little memory to read it", path);
        return NULL;
    }
    if (errno != 0) {
        tf_cli_error("%s: %s", path, strerror(errno));
        free(data);
        return NULL;
    }
    *bytes = length;
    return data;
}

void *tf_cli_read_file(const char *path, size_t *bytes)
{
    size_t most;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        tf_cli_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    void *data = check_kind(file, path, &most) ? read_all(file, path, most, bytes) : NULL;
    close(file);
    return data;
}

static bool open_failed(struct tf_output *output, const char *path, int error)
{
    tf_cli_error("%s: cannot be written: %s", path, strerror(error));
    tf_output_discard(output);
    return false;
}

bool tf_output_open(struct tf_output *output, const char *path)
{
    *output = (struct tf_output){.path = strdup(path)};
    if (output->path == NULL)
        return open_failed(output, path, ENOMEM);
    if (path[0] == '\0')
        return open_failed(output, "''", ENOENT);
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return true;
    }
    output->to = calloc(1, sizeof *output->to);
    if (output->to == NULL)
        return open_failed(output, path, ENOMEM);
    int error = tf_replace_open(output->to, path);
    if (error == EBUSY) {
        tf_cli_error("%s: cannot be written: two outputs have this name", path);
        tf_output_discard(output);
        return false;
    }
    int fd = error == 0 ? fcntl(output->to->fd, F_DUPFD_CLOEXEC, 0) : -1;
    output->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (output->file != NULL)
        return true;
    error = error == 0 ? errno : error;
    if (fd >= 0)
        close(fd);
    return open_failed(output, path, error);
}

bool tf_output_commit(struct tf_output *output)
{
    if (output->file == NULL)
        return true;
    if (output->file == stdout) { /* tf_cli_finish() flushes and checks this */
        tf_output_discard(output);
        return true;
    }
    errno = 0;
    bool fine = fflush(output->file) == 0 && ferror(output->file) == 0;
    fine = fclose(output->file) == 0 && fine;
    output->file = NULL;
    int error = fine ? tf_replace_commit(output->to) : errno;
    fine = fine && error == 0;
    if (!fine)
        tf_cli_error("%s: cannot be written: %s", output->path,
                     error != 0 ? strerror(error) : "a write failed; is the disk full?");
    tf_output_discard(output);
    return fine;
}

void tf_output_discard(struct tf_output *output)
{
    if (output->file != NULL && output->file != stdout)
        fclose(output->file);
    if (output->to != NULL)
        tf_replace_discard(output->to);
    free(output->to);
    free(output->path);
    *output = (struct tf_output){.file = NULL};
}
