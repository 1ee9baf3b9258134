/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static void *read_all(FILE *file, const char *path, size_t *bytes)
{
    size_t room = 1u << 16, length = 0;
    char *data = malloc(room);
    while (data != NULL) {
        length += fread(data + length, 1, room - length, file);
        if (length < room)
            break;
        if (room > TF_CLI_FILE_BYTES_MAX / 2) {
            tf_cli_error("%s: longer than %u bytes", path, TF_CLI_FILE_BYTES_MAX / 2);
            free(data);
            return NULL;
        }
        char *more = realloc(data, room *= 2);
        if (more == NULL)
            free(data);
        data = more;
    }
    if (data == NULL) {
        tf_cli_error("%s: too little memory to read it", path);
        return NULL;
    }
    if (ferror(file)) {
        tf_cli_error("%s: %s", path, strerror(errno));
        free(data);
        return NULL;
    }
    *bytes = length;
    return data;
}

void *tf_cli_read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        tf_cli_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    void *data = read_all(file, path, bytes);
    fclose(file);
    return data;
}

static bool open_failed(struct tf_output *output, const char *path, int error)
{
    tf_cli_error("%s: cannot be written: %s", path, strerror(error));
    tf_output_discard(output);
    return false;
}

/* The name of the temporary file: "DIRECTORY/.NAME.PID.tmp". */
static char *temporary_name(const char *target)
{
    const char *slash = strrchr(target, '/');
    int directory = slash == NULL ? 0 : (int)(slash - target) + 1;
    char *name = NULL;
    if (asprintf(&name, "%.*s.%s.%ld.tmp", directory, target, target + directory, (long)getpid()) < 0)
        return NULL;
    return name;
}

/* Create the temporary file with the permissions that the target has or would get. */
static int open_temporary(struct tf_output *output, const struct stat *old)
{
    output->temporary = temporary_name(output->target);
    if (output->temporary == NULL)
        return ENOMEM;
    int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        int error = errno;
        free(output->temporary); /* another process created this file, so do not remove it */
        output->temporary = NULL;
        return error;
    }
    if (old != NULL && fchmod(fd, old->st_mode & 0777) != 0) {
        int error = errno;
        close(fd);
        return error;
    }
    output->file = fdopen(fd, "wb");
    if (output->file == NULL) {
        close(fd);
        return ENOMEM;
    }
    return 0;
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
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return open_failed(output, path, EISDIR);
    if (exists && access(path, W_OK) != 0)
        return open_failed(output, path, errno);
    if (exists && !S_ISREG(old.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file != NULL || open_failed(output, path, errno);
    }
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (output->target == NULL)
        return open_failed(output, path, errno);
    int error = open_temporary(output, exists ? &old : NULL);
    if (error != EEXIST)
        return error == 0 || open_failed(output, path, error);
    /* The temporary name has the number of this process. */
    tf_cli_error("%s: cannot be written: two outputs have this name", path);
    tf_output_discard(output);
    return false;
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
    if (fine && output->temporary != NULL)
        fine = fsync(fileno(output->file)) == 0;
    fine = fclose(output->file) == 0 && fine;
    output->file = NULL;
    if (fine && output->temporary != NULL)
        fine = rename(output->temporary, output->target) == 0;
    if (!fine)
        tf_cli_error("%s: cannot be written: %s", output->path,
                     errno != 0 ? strerror(errno) : "a write failed; is the disk full?");
    else
        free(output->temporary), output->temporary = NULL;
    tf_output_discard(output);
    return fine;
}

void tf_output_discard(struct tf_output *output)
{
    if (output->file != NULL && output->file != stdout)
        fclose(output->file);
    if (output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->target);
    free(output->path);
    *output = (struct tf_output){.file = NULL};
}
