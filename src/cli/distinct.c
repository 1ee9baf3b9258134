/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/distinct.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "host/file.h"

static void note(struct tf_distinct *files, struct tf_named_file file)
{
    if (file.path == NULL || strcmp(file.path, "-") == 0)
        return;
    if (files->count == files->room) {
        unsigned room = files->room == 0 ? 16 : 2 * files->room;
        struct tf_named_file *more = reallocarray(files->file, room, sizeof *more);
        if (more == NULL) {
            files->lost = true;
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

/* The first input that an output would overwrite; NULL: none. */
static const struct tf_named_file *overwritten_by(const struct tf_distinct *files, const struct tf_named_file *output)
{
    for (unsigned i = 0; i < files->count; i++)
        if (!files->file[i].output && tf_file_is_same(files->file[i].path, output->path))
            return &files->file[i];
    return NULL;
}

bool tf_distinct_end(struct tf_distinct *files)
{
    bool distinct = !files->lost;
    if (files->lost)
        tf_cli_error("too little memory");
    for (unsigned i = 0; i < files->count && distinct; i++) {
        const struct tf_named_file *output = &files->file[i];
        const struct tf_named_file *input = output->output ? overwritten_by(files, output) : NULL;
        distinct = input == NULL;
        if (!distinct)
            tf_cli_error("%s: %s would overwrite an input, that of %s", output->option, output->path, input->option);
    }
    free(files->file);
    *files = (struct tf_distinct){.count = 0};
    return distinct;
}
