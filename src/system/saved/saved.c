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
#include "farm/run/part.h"
#include "farm/saved/file.h"
#include "farm/saved/header.h"
#include "host/message.h"
#include "host/replace.h"
#include "system/led.h"
#include "system/saved/saved.h"
#include "system/state.h"
#include "system/twin.h"
#include "farm/saved/save.h"
#include "tilefarm/tilefarm_system_config.h"

/* ---- The system's file ---- */

/* What a system's file says beside what is on the links. */
struct contents {
    uint64_t save; /* number in the names of the chips' files */
    char why[96];  /* the file is that of another system: the difference */
    uint64_t hash[TF_CLUSTER_CHIPS_MAX];
};

static uint64_t hash_of_cluster(const struct tf_system *system)
{
    const struct tf_cluster *cluster = &system->cluster;
    XXH3_state_t state;
    struct tf_hash hash = {.state = &state};
    XXH3_64bits_reset(hash.state);
    tf_hash_u32(&hash, cluster->chips);
    tf_hash_u32(&hash, cluster->links);
    for (unsigned i = 0; i < cluster->chips; i++)
        tf_hash_u64(&hash, cluster->chip[i].unique_id);
    tf_hash_bytes(&hash, cluster->link, cluster->links * sizeof cluster->link[0]);
    return XXH3_64bits_digest(hash.state);
}

static uint64_t hash_of_faults(const struct tf_system *system)
{
    XXH3_state_t state;
    struct tf_hash hash = {.state = &state};
    XXH3_64bits_reset(hash.state);
    tf_link_faults_hash(&system->faults, &hash);
    return XXH3_64bits_digest(hash.state);
}

/* A number that must be equal in two systems. */
static void same_number(struct tf_saved *saved, struct contents *contents, const char *what, uint32_t own)
{
    const uint64_t found = tf_saved_number(saved, own);
    if (!saved->reads || saved->why != NULL || found == own)
        return;
    snprintf(contents->why, sizeof contents->why, "the saved system has %s %llu, and this one has %u", what,
             (unsigned long long)found, own);
    tf_saved_fail(saved, contents->why);
}

static void same_hash(struct tf_saved *saved, uint64_t own, const char *why)
{
    const uint64_t found = tf_saved_number(saved, own);
    tf_saved_demand(saved, found == own, why);
}

/* What must be equal in two systems, beside the configuration of chip 0. */
static void shape_state(struct tf_saved *saved, const struct tf_system *system, struct contents *contents)
{
    same_hash(saved, hash_of_cluster(system), "it is that of another system: other chips, or other links");
    same_number(saved, contents, "link_latency", system->latency_cycles);
    same_number(saved, contents, "link_gbps", system->gbps);
    same_hash(saved, hash_of_faults(system), "the saved system has other link faults than this one (--link-fault)");
}

static void system_state(struct tf_saved *saved, struct tf_system *system, struct contents *contents)
{
    TF_SAVED(saved, contents->save);
    shape_state(saved, system, contents);
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

/* Read a system's file. system: a new one; or NULL to read the number of the save alone. */
static int read_system(struct tf_system *system, struct contents *contents, const char *path,
                       struct tf_message *message)
{
    struct tf_saved_file file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tf_message_set_errno(message, path, "cannot be read", errno);
    struct tf_message difference;
    int error = tf_saved_file_read(&file, fd, TF_SAVED_SYSTEM);
    if (error == TF_OK && system != NULL && !first_fits(system, &file, &difference)) {
        tf_saved_fail(&file.saved, difference.text);
        error = TF_EINVAL;
    }
    if (error == TF_OK && system != NULL) {
        system_state(&file.saved, system, contents);
    } else if (error == TF_OK) {
        TF_SAVED(&file.saved, contents->save);
    }
    if (error == TF_OK && system != NULL && file.saved.why == NULL && file.saved.at != file.saved.bytes)
        tf_saved_fail(&file.saved, "its body is too long");
    if (error == TF_OK)
        error = file.saved.why == tf_saved_no_memory ? TF_ENOMEM : tf_saved_file_check(&file);
    if (error != TF_OK)
        tf_message_set(message, error, path, file.saved.why != NULL ? file.saved.why : strerror(file.error));
    tf_saved_file_end(&file);
    close(fd);
    return error;
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
    struct contents found = {.save = 0};
    *save = 0;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return TF_OK;
    int error = read_system(NULL, &found, path, message);
    if (error == TF_OK)
        *save = found.save;
    return error == TF_EFORMAT ? TF_OK : error; /* of a file that is no save */
}

uint64_t tf_system_saved_number(const char *path)
{
    struct stat status;
    struct tf_message message;
    uint64_t save = 0;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) /* a pipe can be read once */
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
    struct contents contents;
    struct tf_system *twin = NULL;
    int error = check(system, path, message);
    if (error != TF_OK)
        return error;
    error = tf_system_twin(system, &twin, message);
    if (error == TF_OK)
        error = read_system(twin, &contents, path, message);
    if (error == TF_OK)
        error = read_chips(twin, path, &contents, message);
    if (error == TF_OK)
        tf_system_take(system, twin, UINT32_MAX);
    if (error == TF_OK)
        tf_led_restored(system->led);
    tf_system_destroy(twin);
    return error;
}
