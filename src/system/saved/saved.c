/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tf_system_save() and tf_system_restore(). The file of a system has its cluster, what is on its links, and for each
 * chip the hash of its state. Chips are files of their own. Their names have a number that no older save has, so the
 * rename of the system's file replaces the whole save at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/run/part.h"
#include "farm/saved/file.h"
#include "farm/saved/header.h"
#include "host/message.h"
#include "host/replace.h"
#include "system/led.h"
#include "system/saved/saved.h"
#include "system/saved/shape.h"
#include "system/state.h"
#include "system/system.h"
#include "system/twin.h"
#include "farm/saved/save.h"
#include "tilefarm/tilefarm_system_config.h"

/* ---- The system's file ---- */

/* What a system's file says beside what is on the links. */
struct contents {
    uint64_t save;                       /* number in the names of the chips' files */
    uint64_t hash[TF_CLUSTER_CHIPS_MAX]; /* of chips */
    struct tf_system_shape_room *room;   /* of a reader */
    struct tf_message why;               /* the file is that of another system: the difference */
};

/* The shape of the saved system must be that of a reader. */
static void fit_shape(struct tf_saved *saved, const struct tf_system *system, struct contents *contents)
{
    const struct tf_system_shape own = tf_system_shape(system);
    struct tf_system_shape shape;
    tf_system_shape_state(saved, &shape, system->cluster.arch, contents->room);
    if (saved->why == NULL && !tf_system_shape_fits(&shape, &own, &contents->why))
        tf_saved_fail(saved, contents->why.text);
}

static void system_state(struct tf_saved *saved, struct tf_system *system, struct contents *contents)
{
    struct tf_system_shape own = tf_system_shape(system);
    TF_SAVED(saved, contents->save);
    if (saved->reads)
        fit_shape(saved, system, contents);
    else
        tf_system_shape_state(saved, &own, NULL, NULL);
    TF_SAVED(saved, contents->hash);
    for (unsigned i = 0; i < 2 * system->cluster.links; i++)
        tf_lane_state(saved, &system->lane[i]);
}

/* Returns 0, or an errno. */
static int write_system(struct tf_system *system, struct contents *contents, int fd)
{
    struct tf_saved_file file;
    struct tf_saved_config config;
    const struct tf_chip *first = system->part[0].chip;
    tf_saved_describe(first->config, first->arch, &config);
    if (tf_saved_file_write(&file, fd))
        system_state(&file.saved, system, contents);
    int error = 0;
    if (!tf_saved_file_close(&file, &config, TF_SAVED_SYSTEM))
        error = file.error != 0 ? file.error : EIO;
    tf_saved_file_end(&file);
    return error;
}

/* Has chip 0 of the saved system the configuration of this one? */
static bool first_fits(const struct tf_system *system, const struct tf_saved_file *file, struct tf_message *difference)
{
    const struct tf_chip *first = system->part[0].chip;
    struct tf_saved_config own;
    tf_saved_describe(first->config, first->arch, &own);
    return tf_saved_fits(&file->header.config, &own, difference);
}

/* Read a system's file by a function, which may leave out the end of the body: it sets file->saved.why. */
static int read_file(const char *path, int (*read)(struct tf_saved_file *file, void *user), void *user,
                     struct tf_message *message)
{
    struct tf_saved_file file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tf_message_set_errno(message, path, "cannot be read", errno);
    int error = tf_saved_file_read(&file, fd, TF_SAVED_SYSTEM);
    if (error == TF_OK)
        error = read(&file, user);
    if (error == TF_OK)
        error = file.saved.why == tf_saved_no_memory ? TF_ENOMEM : tf_saved_file_check(&file);
    if (error != TF_OK)
        tf_message_set(message, error, path, file.saved.why != NULL ? file.saved.why : strerror(file.error));
    tf_saved_file_end(&file);
    close(fd);
    return error;
}

/* A system that reads. */
struct reader {
    struct tf_system *system; /* a new one */
    struct contents *contents;
};

static int read_all(struct tf_saved_file *file, void *user)
{
    const struct reader *reader = user;
    if (!first_fits(reader->system, file, &reader->contents->why)) {
        tf_saved_fail(&file->saved, reader->contents->why.text);
        return TF_EINVAL;
    }
    system_state(&file->saved, reader->system, reader->contents);
    if (file->saved.why == NULL && file->saved.at != file->saved.bytes)
        tf_saved_fail(&file->saved, "its body is too long");
    return TF_OK;
}

static int read_number(struct tf_saved_file *file, void *user)
{
    uint64_t *save = user;
    TF_SAVED(&file->saved, *save);
    return TF_OK;
}

/* ---- The chips' files ---- */

bool tf_system_saved_chip(char name[TF_SAVED_PATH_BYTES], const char *path, uint64_t number, unsigned chip)
{
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    char end[NAME_MAX], hash[20] = "";
    int bytes = snprintf(end, sizeof end, ".%llu.chip%u", (unsigned long long)number, chip);
    size_t kept = strlen(file), most = NAME_MAX - (size_t)bytes;
    if (kept > most) {
        snprintf(hash, sizeof hash, "~%016llx", (unsigned long long)XXH3_64bits(file, kept));
        kept = most - strlen(hash);
        while (kept > 0 && ((unsigned char)file[kept] & 0xC0) == 0x80) /* a character is not cut */
            kept--;
    }
    int length = snprintf(name, TF_SAVED_PATH_BYTES, "%.*s%s%s", (int)((size_t)(file - path) + kept), path, hash, end);
    return length > 0 && (unsigned)length < TF_SAVED_PATH_BYTES;
}

static void remove_chips(const struct tf_system *system, const char *path, uint64_t save)
{
    char name[TF_SAVED_PATH_BYTES];
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (tf_system_saved_chip(name, path, save, i))
            unlink(name);
}

static int write_chips(struct tf_system *system, const char *path, struct contents *contents,
                       struct tf_message *message)
{
    char name[TF_SAVED_PATH_BYTES];
    int error = TF_OK;
    for (unsigned i = 0; i < system->cluster.chips && error == TF_OK; i++) {
        struct tf_chip *chip = system->part[i].chip;
        if (!tf_system_saved_chip(name, path, contents->save, i))
            return tf_message_set(message, TF_EINVAL, path, "the path is too long");
        contents->hash[i] = tf_state_hash(chip);
        error = tf_chip_write(chip, name, message);
    }
    return error;
}

static int read_chips(struct tf_system *twin, const char *path, const struct contents *contents,
                      struct tf_message *message)
{
    char name[TF_SAVED_PATH_BYTES];
    for (unsigned i = 0; i < twin->cluster.chips; i++) {
        struct tf_chip *chip = twin->part[i].chip;
        if (!tf_system_saved_chip(name, path, contents->save, i))
            return tf_message_set(message, TF_EINVAL, path, "the path is too long");
        int error = tf_chip_read(chip, name, message);
        if (error != TF_OK)
            return error;
        if (tf_state_hash(chip) != contents->hash[i])
            return tf_message_set(message, TF_EFORMAT, name, "it is that of another save: its state has another hash");
    }
    return TF_OK;
}

/* ---- Save and restore ---- */

static int check(const struct tf_system *system, const char *path, struct tf_message *message)
{
    if (system == NULL || path == NULL)
        return tf_message_set(message, TF_EINVAL, "a saved system", "the system or the path is NULL");
    if (system->relaxed != NULL)
        return tf_message_set(message, TF_EINVAL, path, "a system in relaxed mode can neither be saved nor restored");
    return TF_OK;
}

/* The number of the save that is there; 0: none. A save must not get the number of one whose file could not be read. */
static int find_save(const char *path, uint64_t *save, struct tf_message *message)
{
    uint64_t found = 0;
    *save = 0;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return TF_OK;
    int error = read_file(path, read_number, &found, message);
    if (error == TF_OK)
        *save = found;
    return error == TF_EFORMAT ? TF_OK : error; /* of a file that is no save */
}

/* A pipe can be read once. */
static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool tf_system_is_saved(const char *path)
{
    struct tf_saved_file file;
    const int fd = is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    const int error = tf_saved_file_read(&file, fd, TF_SAVED_SYSTEM);
    const bool whole = error == TF_OK || error == TF_EFORMAT; /* the header was read, or as much as there is */
    const bool saved = whole && tf_saved_why_bad(&file.header, TF_SAVED_SYSTEM, sizeof file.header) == NULL;
    tf_saved_file_end(&file);
    close(fd);
    return saved;
}

uint64_t tf_system_saved_number(const char *path)
{
    struct tf_message message;
    uint64_t save = 0;
    if (is_regular(path))
        find_save(path, &save, &message);
    return save;
}

void tf_system_abandon_save(const char *path)
{
    char name[TF_SAVED_PATH_BYTES];
    tf_replace_abandon(path); /* before the number is read: without it the file cannot get its name */
    const uint64_t number = tf_system_saved_number(path);
    for (unsigned i = 0; i < TF_CLUSTER_CHIPS_MAX; i++) {
        if (number > 1 && tf_system_saved_chip(name, path, number - 1, i))
            unlink(name);
        if (!tf_system_saved_chip(name, path, number + 1, i))
            continue;
        tf_replace_abandon(name);
        unlink(name);
    }
}

int tf_system_save(struct tf_system *system, const char *path, struct tf_message *message)
{
    struct contents contents = {.save = 0};
    uint64_t before;
    struct tf_replaced target;
    int error = check(system, path, message);
    if (error != TF_OK)
        return error;
    if (!tf_led_fetch_all(system->led, system->cluster.chips))
        return tf_message_set(message, TF_EIO, path, "a rank has failed");
    tf_system_gather(system);
    error = find_save(path, &before, message);
    if (error != TF_OK)
        return error;
    contents.save = before + 1;
    error = write_chips(system, path, &contents, message);
    int why = error == TF_OK ? tf_replace_open(&target, path) : 0;
    if (error == TF_OK && why == 0) {
        why = write_system(system, &contents, target.fd);
        if (why == 0)
            why = tf_replace_commit(&target);
        else
            tf_replace_discard(&target);
    }
    if (why != 0)
        error = tf_message_set_errno(message, path, "cannot be written", why);
    if (error != TF_OK)
        remove_chips(system, path, contents.save);
    else if (before != 0)
        remove_chips(system, path, before);
    return error;
}

int tf_system_restore(struct tf_system *system, const char *path, struct tf_message *message)
{
    struct contents contents = {.save = 0};
    struct tf_system *twin = NULL;
    int error = check(system, path, message);
    if (error != TF_OK)
        return error;
    error = tf_system_twin(system, &twin, message);
    contents.room = error == TF_OK ? malloc(sizeof *contents.room) : NULL;
    if (error == TF_OK && contents.room == NULL)
        error = tf_message_set(message, TF_ENOMEM, path, tf_saved_no_memory);
    if (error == TF_OK)
        error = read_file(path, read_all, &(struct reader){twin, &contents}, message);
    free(contents.room);
    if (error == TF_OK)
        error = read_chips(twin, path, &contents, message);
    if (error == TF_OK)
        tf_system_take(system, twin, UINT32_MAX);
    if (error == TF_OK)
        tf_led_restored(system->led);
    tf_system_destroy(twin);
    return error;
}

/* ---- The configuration of a saved system ---- */

/* Where it goes. */
struct found {
    struct tf_config chip;
    struct tf_system_shape shape;
    struct tf_system_shape_room *room;
};

static int read_config(struct tf_saved_file *file, void *user)
{
    struct found *found = user;
    uint64_t save;
    const struct tf_arch *arch = found->chip.arch;
    const struct tf_board board = found->chip.board;
    if (!tf_saved_to_config(&file->header.config, &found->chip)) {
        tf_saved_fail(&file->saved, "its chip family or its board is unknown");
        return TF_EINVAL;
    }
    TF_SAVED(&file->saved, save);
    tf_system_shape_state(&file->saved, &found->shape, found->chip.arch, found->room);
    found->chip.arch = arch; /* the cluster says which */
    found->chip.board = board;
    return TF_OK;
}

int tf_saved_system_config(const char *path, struct tf_system_config *config, struct tf_cluster *cluster,
                           struct tf_link_fault *fault, struct tf_message *message)
{
    struct found found;
    if (path == NULL || config == NULL || cluster == NULL || fault == NULL)
        return tf_message_set(message, TF_EINVAL, "a saved system", "a pointer is NULL");
    struct tf_system_config whole;
    int error = tf_system_config_take(config, &whole, message);
    if (error != TF_OK)
        return error;
    found.chip = whole.chip;
    found.room = malloc(sizeof *found.room);
    error = found.room == NULL ? tf_message_set(message, TF_ENOMEM, path, tf_saved_no_memory)
                               : read_file(path, read_config, &found, message);
    if (error == TF_OK && !tf_config_give(&found.chip, &config->chip))
        error = tf_message_set(message, TF_EINVAL, path, "it was saved with options that are newer than this program");
    if (error == TF_OK) {
        *cluster = found.room->cluster;
        memcpy(fault, found.room->fault, found.shape.faults * sizeof *fault);
        config->cluster = cluster;
        config->link_latency_cycles = found.shape.latency_cycles;
        config->link_gbps = found.shape.gbps;
        config->link_fault = fault;
        config->link_faults = found.shape.faults;
    }
    free(found.room);
    return error;
}
