/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm_files.h: the files of a chip. */
#include "tilefarm/tilefarm_files.h"

#include <stdlib.h>

#include "farm/chip/config.h"
#include "farm/chip/rules.h"
#include "host/message.h"
#include "look/files_chip.h"
#include "look/files_disk.h"
#include "look/look.h"

struct tf_files {
    struct tf_files_chip one;
    struct tf_files_disk disk;
};

int tf_files_open(const struct tf_files_wish *wish, struct tf_config *config, struct tf_files **out,
                  struct tf_message *message)
{
    struct tf_config theirs;
    struct tf_look_wish look = {.title = NULL};
    if (wish == NULL || config == NULL)
        return tf_message_set(message, TF_EINVAL, "files", "NULL");
    if (tf_config_take(config, &theirs, message) != TF_OK)
        return TF_EINVAL;
    struct tf_files *files = calloc(1, sizeof *files);
    if (files == NULL)
        return tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
    files->one.theirs = theirs;
    const struct tf_rules rules = tf_rules_of(&theirs);
    int error = tf_files_disk_open(&files->disk, wish, &rules, &look, message);
    if (error == TF_OK)
        error = tf_files_chip_begin(&files->one, &look, config, message);
    if (error != TF_OK) {
        tf_files_close(files);
        return error;
    }
    *out = files;
    return TF_OK;
}

int tf_files_attach(struct tf_files *files, struct tf_chip *chip, struct tf_symbols *symbols)
{
    return tf_files_chip_attach(&files->one, chip, symbols) ? TF_OK : TF_ENOMEM;
}

int tf_files_write(struct tf_files *files, const struct tf_files_verdict *verdict, struct tf_message *message)
{
    struct tf_files_chip *one = &files->one;
    if (one->chip == NULL || one->written)
        return tf_message_set(message, TF_EINVAL, "files",
                              one->written ? "the files are written already" : "no chip is attached");
    struct tf_page_facts *facts = tf_files_chip_facts(one, verdict);
    const struct tf_look_result result = {.look = &one->look,
                                          .chips = 1,
                                          .facts = (const struct tf_page_facts *const *)&facts};
    bool fine = facts != NULL && tf_look_write(&result);
    one->written = true;
    tf_files_facts_free(facts);
    int error = tf_files_disk_commit(&files->disk, message);
    return fine ? error : tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
}

void tf_files_close(struct tf_files *files)
{
    if (files == NULL)
        return;
    tf_look_destroy(files->one.look);
    tf_files_disk_close(&files->disk);
    free(files);
}
