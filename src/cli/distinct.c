/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/distinct.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "host/file.h"
#include "system/saved/saved.h"
#include "tilefarm/tilefarm_cluster.h"

static void note(struct tf_distinct *files, struct tf_named_file file)
{
    if (file.path == NULL || strcmp(file.path, "-") == 0) {
        free(file.owned);
        return;
    }
    if (files->count == files->room) {
        unsigned room = files->room == 0 ? 16 : 2 * files->room;
        struct tf_named_file *more = reallocarray(files->file, room, sizeof *more);
        if (more == NULL) {
            files->lost = true;
            free(file.owned);
            return;
        }
        files->file = more;
        files->room = room;
    }
    files->file[files->count++] = file;
}

void tf_distinct_input(struct tf_distinct *files, const char *option, const char *path)
{
    note(files, (struct tf_named_file){.option = option, .path = path});
}

void tf_distinct_output(struct tf_distinct *files, const char *option, const char *path)
{
    note(files, (struct tf_named_file){.option = option, .path = path, .output = true});
}

void tf_distinct_save(struct tf_distinct *files, const char *option, const char *path)
{
    note(files, (struct tf_named_file){.option = option, .path = path, .output = true, .save = true});
}

void tf_distinct_parts(struct tf_distinct *files, const char *option, const char *word)
{
    for (size_t bytes; *word != '\0'; word += bytes + (word[bytes] != '\0')) {
        bytes = strcspn(word, ",=");
        const size_t skipped = bytes > 2 && strncmp(word, "-o", 2) == 0 ? 2 : 0; /* -oFILE */
        char *owned = strndup(word + skipped, bytes - skipped);
        files->lost |= owned == NULL;
        /* options are no files, and may come twice */
        note(files,
             (struct tf_named_file){.option = option, .path = owned, .owned = owned, .output = true, .save = true});
    }
}

void tf_distinct_chips(struct tf_distinct *files, const char *option, const char *path)
{
    char name[TF_SAVED_PATH_BYTES];
    const uint64_t number = path == NULL ? 0 : tf_system_saved_number(path);
    for (unsigned i = 0; number != 0 && i < TF_CLUSTER_CHIPS_MAX && tf_system_saved_chip(name, path, number, i); i++) {
        if (access(name, F_OK) != 0)
            return;
        char *owned = strdup(name);
        files->lost |= owned == NULL;
        note(files, (struct tf_named_file){.option = option, .path = owned, .owned = owned});
    }
}

/* The folder of a path, or of the file that a symbolic link names. */
static bool find_folder(const char *path, struct stat *folder)
{
    char name[TF_SAVED_PATH_BYTES] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL)
        snprintf(name, sizeof name, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return stat(name, folder) == 0;
}

/* Do two paths name one file, which may not be there yet? */
static bool is_same_target(const char *a, const char *b)
{
    struct stat x, y;
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    if (access(a, F_OK) == 0 || access(b, F_OK) == 0)
        return tf_file_is_same(a, b);
    return strcmp(end_a != NULL ? end_a + 1 : a, end_b != NULL ? end_b + 1 : b) == 0 && find_folder(a, &x) &&
           find_folder(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Does a path name the file of a chip that a system's save writes: SAVE.NUMBER.chipCHIP? */
static bool is_chip_of(const char *save, const char *path)
{
    char name[TF_SAVED_PATH_BYTES];
    unsigned long long number;
    unsigned chip;
    const char *at = strrchr(path, '.');
    while (at != NULL && at > path && *--at != '.')
        ;
    return at != NULL && sscanf(at, ".%llu.chip%u", &number, &chip) == 2 &&
           tf_system_saved_chip(name, save, number, chip) && is_same_target(name, path);
}

/* Do two outputs write one file? */
static bool collide(const struct tf_named_file *a, const struct tf_named_file *b)
{
    if (a->save && b->save)
        return false;
    return is_same_target(a->path, b->path) || (a->save && is_chip_of(a->path, b->path)) ||
           (b->save && is_chip_of(b->path, a->path));
}

/* The first input that an output would overwrite, or an earlier output that has its name; NULL: none. */
static const struct tf_named_file *overwritten_by(const struct tf_distinct *files, const struct tf_named_file *output)
{
    for (unsigned i = 0; i < files->count; i++) {
        const struct tf_named_file *file = &files->file[i];
        if (file->output ? file < output && collide(file, output) : tf_file_is_same(file->path, output->path))
            return file;
    }
    return NULL;
}

/* Returns false after an error line. */
static bool check(const struct tf_distinct *files, const struct tf_named_file *output)
{
    const struct tf_named_file *file = output->output ? overwritten_by(files, output) : NULL;
    if (file != NULL && file->output)
        tf_cli_error("%s: cannot be written: two outputs have this name", output->path);
    else if (file != NULL)
        tf_cli_error("%s: %s would overwrite an input, that of %s", output->option, output->path, file->option);
    return file == NULL;
}

bool tf_distinct_end(struct tf_distinct *files)
{
    bool distinct = !files->lost;
    if (files->lost)
        tf_cli_error("too little memory");
    for (unsigned i = 0; i < files->count && distinct; i++)
        distinct = check(files, &files->file[i]);
    tf_distinct_clear(files);
    return distinct;
}

void tf_distinct_clear(struct tf_distinct *files)
{
    for (unsigned i = 0; i < files->count; i++)
        free(files->file[i].owned);
    free(files->file);
    *files = (struct tf_distinct){.count = 0};
}
