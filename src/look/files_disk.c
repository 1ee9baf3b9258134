/* SPDX-License-Identifier: Apache-2.0 */
#include "look/files_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "farm/chip/rules.h"
#include "host/message.h"
#include "host/zeros.h"
#include "look/look.h"
#include "look/profile_text.h"
#include "tilefarm/tilefarm_files.h"

/* Why does a configuration not permit the files that were asked for? Returns NULL if it does. */
static const char *why_not(const struct tf_files_wish *wish, const struct tf_rules *rules)
{
    if (!tf_zeros((const uint8_t *)wish->reserved, sizeof wish->reserved))
        return "the program asks for a file that only a later version of tilefarm writes";
    bool ordered = wish->timeline != NULL || wish->report != NULL || wish->noc_trace != NULL;
    if (rules->mode == TF_MODE_RELAXED && ordered)
        return "relaxed mode supports only a profile and coverage";
    if (rules->explores && ordered)
        return "a chip that explores supports only a profile and coverage";
    return NULL;
}

static int open_file(struct tf_files_disk *disk, enum tf_files_file which, const char *path, struct tf_message *message)
{
    if (path == NULL)
        return TF_OK;
    disk->path[which] = strdup(path);
    if (disk->path[which] == NULL)
        return tf_message_set(message, TF_ENOMEM, path, tf_strerror(TF_ENOMEM));
    int error = tf_replace_open(&disk->to[which], path);
    if (error != 0)
        return tf_message_set(message, TF_EIO, path, strerror(error));
    int fd = fcntl(disk->to[which].fd, F_DUPFD_CLOEXEC, 0);
    disk->file[which] = fd < 0 ? NULL : fdopen(fd, "wb");
    if (disk->file[which] != NULL)
        return TF_OK;
    error = errno;
    if (fd >= 0)
        close(fd);
    return tf_message_set(message, TF_EIO, path, strerror(error));
}

int tf_files_disk_open(struct tf_files_disk *disk, const struct tf_files_wish *wish, const struct tf_rules *rules,
                       struct tf_look_wish *look, struct tf_message *message)
{
    const char *const path[TF_FILES] = {
        [TF_FILES_TIMELINE] = wish->timeline,   [TF_FILES_REPORT] = wish->report,
        [TF_FILES_PROFILE] = wish->profile,     [TF_FILES_COVERAGE] = wish->coverage,
        [TF_FILES_NOC_TRACE] = wish->noc_trace,
    };
    int error = TF_OK;
    for (unsigned i = 0; i < TF_FILES; i++)
        disk->to[i].fd = -1;
    const char *why = why_not(wish, rules);
    if (why != NULL)
        return tf_message_set(message, TF_EINVAL, "files", why);
    for (unsigned i = 0; i < TF_FILES && error == TF_OK; i++)
        error = open_file(disk, (enum tf_files_file)i, path[i], message);
    look->timeline = disk->file[TF_FILES_TIMELINE];
    look->page = disk->file[TF_FILES_REPORT];
    look->profile = disk->file[TF_FILES_PROFILE];
    look->coverage = disk->file[TF_FILES_COVERAGE];
    look->noc_trace = disk->file[TF_FILES_NOC_TRACE];
    if (wish->profile != NULL) {
        look->profile_form = tf_profile_form_of(wish->profile);
        memset(look->profiled, 0xFF, sizeof look->profiled);
    }
    if (wish->timeline != NULL) {
        size_t length = strlen(wish->timeline);
        look->timeline_compressed = length > 3 && strcmp(wish->timeline + length - 3, ".gz") == 0;
        memset(look->timeline_cores, 0xFF, sizeof look->timeline_cores);
    }
    return error;
}

int tf_files_disk_commit(struct tf_files_disk *disk, struct tf_message *message)
{
    int result = TF_OK;
    for (unsigned i = 0; i < TF_FILES; i++) {
        if (disk->file[i] == NULL)
            continue;
        errno = 0;
        bool fine = ferror(disk->file[i]) == 0;
        fine = fclose(disk->file[i]) == 0 && fine;
        disk->file[i] = NULL;
        int error = fine ? tf_replace_commit(&disk->to[i]) : errno;
        if (fine && error == 0)
            continue;
        tf_replace_discard(&disk->to[i]);
        result = tf_message_set(message, TF_EIO, disk->path[i], error != 0 ? strerror(error) : "it cannot be written");
    }
    return result;
}

void tf_files_disk_close(struct tf_files_disk *disk)
{
    for (unsigned i = 0; i < TF_FILES; i++) {
        if (disk->file[i] != NULL)
            fclose(disk->file[i]);
        tf_replace_discard(&disk->to[i]);
        free(disk->path[i]);
    }
}
