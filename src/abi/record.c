/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TILEFARM_RECORD=FILE: all calls of the host that reach the chip, for `tilefarm replay`. They go to FILE.part, which
 * becomes FILE when the chip ends. So an earlier FILE survives a failure, and the calls of a killed client are kept. A
 * pipe or a device is written as it is.
 */
#include "abi/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/past.h"
#include "abi/report.h"
#include "abi/recording.h"
#include "farm/saved/header.h"
#include "host/extremes.h"
#include "host/file.h"
#include "host/replace.h"
#include "host/saved.h"
#include "system/saved/shape.h"

struct abi_record {
    int fd;
    char *path, *part; /* part: NULL if the calls go to the path */
    uint64_t calls;
    size_t bytes; /* bytes used in the block */
    uint8_t block[RECORDING_BLOCK_BYTES];
};

/* End the recording, and leave no file. */
static void discard(struct abi *abi)
{
    struct abi_record *record = abi->record;
    abi->record = NULL;
    abi->end_record = NULL;
    if (record->fd >= 0)
        close(record->fd);
    free(record->path);
    free(record->part);
    free(record);
}

static void give_up(struct abi *abi, const char *path, int error)
{
    abi_refuse(abi, "TILEFARM_RECORD: %.120s: %s; calls are not recorded", path, strerror(error));
}

static bool write_all(struct abi *abi, const void *data, size_t bytes)
{
    struct abi_record *record = abi->record;
    if (tf_write_all(record->fd, data, bytes))
        return true;
    int error = errno;
    char path[200];
    snprintf(path, sizeof path, "%s", record->path);
    if (record->part != NULL)
        unlink(record->part);
    discard(abi);
    give_up(abi, path, error);
    return false;
}

static bool write_block(struct abi *abi)
{
    struct abi_record *record = abi->record;
    struct recording_block block = {.bytes = (uint32_t)record->bytes};
    if (record->bytes == 0)
        return true;
    block.checksum = recording_digest(record->block, record->bytes);
    record->bytes = 0;
    return write_all(abi, &block, sizeof block) && write_all(abi, record->block, block.bytes);
}

static void put(struct abi *abi, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    if (abi->past != NULL)
        abi_past_put(abi, data, bytes);
    while (bytes != 0 && abi->record != NULL) {
        struct abi_record *record = abi->record;
        size_t room = sizeof record->block - record->bytes;
        size_t piece = tf_min(bytes, room);
        memcpy(record->block + record->bytes, at, piece);
        record->bytes += piece;
        at += piece;
        bytes -= piece;
        if (record->bytes == sizeof record->block && !write_block(abi))
            return;
    }
}

void abi_record_call(struct abi *abi, uint32_t kind, uint32_t x, uint32_t y, const struct abi_access *access)
{
    if (abi->record == NULL && abi->past == NULL)
        return;
    struct recorded recorded = {.kind = kind, .bytes = access->bytes, .address = access->address, .x = x, .y = y};
    if (abi->record != NULL)
        abi->record->calls++;
    put(abi, &recorded, sizeof recorded);
    if (access->from != NULL)
        put(abi, access->from, access->bytes);
    if (kind == RECORDED_CLOCK && abi->record != NULL)
        write_block(abi); /* the next call may take long, or kill the client */
}

void abi_record_result(struct abi *abi, const void *data, uint32_t bytes)
{
    if (abi->record == NULL)
        return;
    struct recorded recorded = {.kind = RECORDED_RESULT, .bytes = bytes, .address = recording_digest(data, bytes)};
    put(abi, &recorded, sizeof recorded);
}

void abi_record_host(struct abi *abi, bool writes, uint64_t address, const void *data, uint32_t bytes)
{
    if (abi->record == NULL && (abi->past == NULL || writes))
        return;
    uint64_t digest = writes ? recording_digest(data, bytes) : 0;
    struct recorded recorded = {.kind = writes ? RECORDED_HOST_WRITE : RECORDED_HOST_READ,
                                .bytes = bytes,
                                .address = address,
                                .x = (uint32_t)digest,
                                .y = (uint32_t)(digest >> 32)};
    put(abi, &recorded, sizeof recorded);
    if (!writes)
        put(abi, data, bytes);
}

/* The first block says which chips there are. */
static void write_system(struct abi *abi)
{
    struct tf_system_shape shape = tf_system_shape(abi->system);
    struct tf_saved saved = {.room = sizeof abi->record->block,
                             .refill = tf_saved_grow,
                             .buffer = malloc(sizeof abi->record->block)};
    if (saved.buffer != NULL)
        tf_system_shape_state(&saved, &shape, NULL, NULL);
    if (saved.buffer == NULL || saved.why != NULL || saved.at > sizeof abi->record->block) {
        give_up(abi, abi->record->path, ENOMEM);
        discard(abi);
    } else {
        memcpy(abi->record->block, saved.buffer, saved.at);
        abi->record->bytes = saved.at;
        write_block(abi);
    }
    free(saved.buffer);
}

/* A path with something behind its name. If the file system does not take so long a name, the end of the name is left
   out. Returns NULL if the host has no memory. */
static char *with_end(const char *name, const char *end)
{
    char *path = NULL;
    const char *slash = strrchr(name, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - name) + 1;
    const size_t kept = folder + tf_min(strlen(name) - folder, NAME_MAX - strlen(end));
    return asprintf(&path, "%.*s%s", (int)kept, name, end) < 0 ? NULL : path;
}

/* The path FILE; for the second chip of a process, FILE.2. */
static char *path_of(const char *name, unsigned number)
{
    char end[16];
    snprintf(end, sizeof end, ".%u", number);
    return number == 1 ? strdup(name) : with_end(name, end);
}

/* Open FILE.part. One that is there is replaced if it is the recording of a killed client: another file is the
   user's. */
static int open_part(const char *part)
{
    struct recording_header wanted = {.clock_least = 0}, found;
    const int fd = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return fd;
    recording_seal(&wanted);
    const size_t bytes = tf_read_up_to(fd, &found, sizeof found.magic);
    const bool ours = bytes == 0 || (bytes == sizeof found.magic && memcmp(found.magic, wanted.magic, bytes) == 0);
    if (ours && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    const int error = ours ? errno : EEXIST;
    close(fd);
    errno = error;
    return -1;
}

/* Takes the path over. */
static bool open_record(struct abi *abi, char *path)
{
    struct abi_record *record = calloc(1, sizeof *record);
    const bool whole = path != NULL && tf_file_is_replaceable(path);
    abi->record = record;
    abi->end_record = abi_record_end;
    if (record == NULL) {
        free(path);
        errno = ENOMEM;
        return false;
    }
    record->fd = -1;
    record->path = path;
    abi->recordings++;
    record->part = whole ? with_end(path, ".part") : NULL;
    if (path == NULL || (whole && record->part == NULL)) {
        errno = ENOMEM;
        return false;
    }
    record->fd = whole ? open_part(record->part) : open(record->path, O_WRONLY | O_CLOEXEC);
    return record->fd >= 0;
}

/* Is it a program of TILEFARM_SYMBOLS, "PROGRAM[@...]" or a folder of them? */
static bool is_program(const char *name, const char *path)
{
    char *file = NULL;
    const char *slash = strrchr(path, '/');
    if (asprintf(&file, "%s/%s", name, slash != NULL ? slash + 1 : path) < 0)
        return false;
    const bool found = tf_file_is_same(name, path) || tf_file_is_same(file, path);
    free(file);
    return found;
}

static bool is_of_symbols(const char *path)
{
    const char *text = getenv("TILEFARM_SYMBOLS");
    char *names = text == NULL ? NULL : strdup(text), *rest = NULL;
    bool found = false;
    for (char *name = names == NULL ? NULL : strtok_r(names, ":", &rest); name != NULL && !found;
         name = strtok_r(NULL, ":", &rest)) {
        found = is_program(name, path);
        char *cores = strrchr(name, '@');
        if (cores != NULL)
            *cores = '\0';
        found |= is_program(name, path);
    }
    free(names);
    return found;
}

static bool is_named_by(const char *variable, const char *path)
{
    const char *name = getenv(variable);
    return name != NULL && tf_file_is_same(name, path);
}

/* What the recording would overwrite; NULL: nothing. */
static const char *overwritten(const char *path)
{
    static const char here;
    Dl_info own;
    if (is_of_symbols(path))
        return "a program of TILEFARM_SYMBOLS";
    if (is_named_by("TILEFARM_SUPPRESS", path))
        return "the file of TILEFARM_SUPPRESS";
    if (is_named_by("TILEFARM_SYSTEM", path))
        return "the file of TILEFARM_SYSTEM";
    if (dladdr(&here, &own) != 0 && own.dli_fname != NULL && tf_file_is_same(own.dli_fname, path))
        return "this library";
    return NULL;
}

void abi_record_begin(struct abi *abi)
{
    const char *name = getenv("TILEFARM_RECORD");
    if (name == NULL || *name == '\0')
        return;
    if (abi->gdb != NULL) {
        abi_refuse(abi, "TILEFARM_RECORD: calls are not recorded when a debugger drives the chip");
        return;
    }
    char *path = path_of(name, abi->recordings + 1);
    const char *what = path == NULL ? NULL : overwritten(path);
    if (what != NULL) {
        abi_refuse(abi, "TILEFARM_RECORD: %.120s is %s; calls are not recorded", path, what);
        free(path);
        return;
    }
    if (!open_record(abi, path)) {
        int error = errno;
        if (abi->record != NULL)
            discard(abi);
        if (error == EEXIST)
            abi_refuse(abi, "TILEFARM_RECORD: %.120s.part is there, and no recording; calls are not recorded", name);
        else
            give_up(abi, name, error);
        return;
    }
    struct recording_header header = {
        .clock_least = abi->pace.least,
        .go_on = abi->chip->rules.go_on_after_fault,
        .host_memory = abi->chip->fabric->rules.host_read != NULL,
        .several = abi_has_several(abi),
    };
    tf_saved_describe(abi->chip->config, abi->chip->arch, &header.config);
    recording_seal(&header);
    if (write_all(abi, &header, sizeof header) && abi_has_several(abi))
        write_system(abi);
}

void abi_record_end(struct abi *abi)
{
    if (abi->record == NULL || !write_block(abi))
        return;
    struct recording_block last = {.checksum = abi->record->calls};
    if (!write_all(abi, &last, sizeof last))
        return;
    struct abi_record *record = abi->record;
    const int error = record->part != NULL ? tf_replace_put(record->fd, record->part, record->path) : 0;
    if (record->part != NULL)
        record->fd = -1;
    if (error != 0)
        give_up(abi, record->path, error);
    if (abi->record != NULL)
        discard(abi);
}
