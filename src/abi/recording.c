/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings: what writer and reader share, and the reader. */
#include "abi/recording.h"
#include "farm/saved/header.h"
#include "host/extremes.h"
#include "host/saved.h"
#include "tile/arch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint8_t magic[8] = {0x89, 'T', 'F', 'R', '\r', '\n', 0x1A, '\n'};

uint64_t recording_digest(const void *data, size_t bytes)
{
    return XXH3_64bits(data, bytes);
}

static uint64_t sum_of(const struct recording_header *header)
{
    return recording_digest(header, offsetof(struct recording_header, checksum));
}

void recording_seal(struct recording_header *header)
{
    memcpy(header->magic, magic, sizeof magic);
    header->version = header->several ? RECORDING_VERSION_SEVERAL : RECORDING_VERSION;
    header->header_bytes = sizeof *header;
    header->checksum = sum_of(header);
}

static bool set_cause(struct recording *recording, const char *why)
{
    if (recording->why == NULL)
        recording->why = why;
    return false;
}

static const char *why_bad(const struct recording_header *header, size_t bytes)
{
    size_t known = bytes < sizeof magic ? bytes : sizeof magic;
    if (bytes == 0 || memcmp(header->magic, magic, known) != 0)
        return "it is not a recording of libttsim calls";
    if (bytes < offsetof(struct recording_header, config))
        return "it is truncated";
    if ((header->version != RECORDING_VERSION && header->version != RECORDING_VERSION_SEVERAL) ||
        header->header_bytes != sizeof *header)
        return "another version of tilefarm recorded it, or it is damaged";
    if (bytes < sizeof *header)
        return "it is truncated";
    if (header->checksum != sum_of(header))
        return "it is damaged: the checksum of its header is wrong";
    return (header->version == RECORDING_VERSION_SEVERAL) == (header->several == 1) && header->several <= 1
               ? NULL
               : "it is damaged: its header contradicts itself";
}

/* Read the next block. Returns false at the end, or if `why` is set. */
static bool next_block(struct recording *recording)
{
    struct recording_block block;
    recording->at = recording->bytes = 0;
    if (recording->ended || recording->cut || recording->why != NULL)
        return false;
    size_t got = fread(&block, 1, sizeof block, recording->file);
    if (got == sizeof block && (block.bytes > RECORDING_BLOCK_BYTES || block.zero != 0))
        return set_cause(recording, "it is damaged: the header of a block is invalid");
    if (got == sizeof block && block.bytes == 0) {
        recording->ended = true;
        return block.checksum == recording->calls
                   ? false
                   : set_cause(recording, "it is damaged: the number of its calls is wrong");
    }
    if (got != sizeof block || fread(recording->block, 1, block.bytes, recording->file) != block.bytes) {
        recording->cut = true;
        return ferror(recording->file) ? set_cause(recording, "it cannot be read") : false;
    }
    if (block.checksum != recording_digest(recording->block, block.bytes))
        return set_cause(recording, "it is damaged: the checksum of a block is wrong");
    recording->bytes = block.bytes;
    return true;
}

/* A tf_saved.refill of a reader that wants more than the block has. */
static bool no_more(struct tf_saved *saved)
{
    tf_saved_fail(saved, "it is damaged: what it says of its chips is incomplete");
    return false;
}

/* Read the first block of a recording of several chips. */
static bool read_system(struct recording *recording)
{
    const struct tf_arch *arch = NULL;
    if (memchr(recording->header.config.family, '\0', sizeof recording->header.config.family) != NULL)
        arch = tf_arch_find(recording->header.config.family);
    if (arch == NULL)
        return set_cause(recording, "its chip family is unknown");
    recording->system = malloc(sizeof *recording->system);
    if (recording->system == NULL)
        return set_cause(recording, tf_saved_no_memory);
    if (!next_block(recording))
        return set_cause(recording, "it is truncated");
    struct tf_saved saved = {.reads = true, .refill = no_more, .buffer = recording->block, .bytes = recording->bytes};
    tf_system_shape_state(&saved, &recording->system->shape, arch, &recording->system->room);
    if (saved.why == NULL && saved.at != saved.bytes)
        tf_saved_fail(&saved, "it is damaged: what it says of its chips is too long");
    recording->at = recording->bytes = 0;
    return saved.why == NULL || set_cause(recording, saved.why);
}

/* Go to the first record. */
static bool rewind_it(struct recording *recording, long first)
{
    recording->at = recording->bytes = 0;
    recording->ended = recording->cut = false;
    recording->calls = 0;
    return fseek(recording->file, first, SEEK_SET) == 0 ||
           set_cause(recording, "it cannot be read from the start a second time: is it a pipe?");
}

/* Do data follow a record? */
static bool has_data(const struct recorded *record)
{
    return record->kind == RECORDED_WRITE || record->kind == RECORDED_TILE_WRITE || record->kind == RECORDED_HOST_READ;
}

/* Read the bytes after a record, and forget them. */
static bool skip(struct recording *recording, uint32_t bytes)
{
    uint8_t data[4096];
    for (size_t piece; bytes != 0; bytes -= (uint32_t)piece) {
        piece = tf_min(sizeof data, bytes);
        if (!recording_data(recording, data, piece))
            return recording->cut ? false : set_cause(recording, "it is damaged: a record is incomplete");
    }
    return true;
}

static bool verify(struct recording *recording, bool partial)
{
    struct recorded record;
    size_t got = fread(&recording->header, 1, sizeof recording->header, recording->file);
    if (ferror(recording->file))
        return set_cause(recording, strerror(errno));
    const char *why = why_bad(&recording->header, got);
    if (why != NULL)
        return set_cause(recording, why);
    if (recording->header.several && !read_system(recording))
        return false;
    const long first = ftell(recording->file);
    while (recording_next(recording, &record) && (!has_data(&record) || skip(recording, record.bytes)))
        continue;
    if (recording->why != NULL)
        return false;
    if (recording->ended && getc(recording->file) != EOF)
        return set_cause(recording, "it has extra bytes after its end");
    if (recording->cut && !partial)
        return set_cause(recording, "it ends without libttsim_exit(): truncated, or its client was killed (--partial)");
    return rewind_it(recording, first);
}

bool recording_open(struct recording *recording, const char *path, bool partial)
{
    *recording = (struct recording){.file = fopen(path, "rbe"), .block = malloc(RECORDING_BLOCK_BYTES)};
    if (recording->file != NULL && recording->block != NULL && verify(recording, partial))
        return true;
    if (recording->file == NULL)
        set_cause(recording, strerror(errno));
    set_cause(recording, "too little memory");
    const char *why = recording->why;
    recording_close(recording);
    recording->why = why;
    return false;
}

bool recording_data(struct recording *recording, void *data, size_t bytes)
{
    uint8_t *to = data;
    while (bytes != 0) {
        if (recording->at == recording->bytes && !next_block(recording))
            return false;
        size_t piece = recording->bytes - recording->at;
        piece = tf_min(piece, bytes);
        memcpy(to, recording->block + recording->at, piece);
        recording->at += (uint32_t)piece;
        to += piece;
        bytes -= piece;
    }
    return true;
}

bool recording_next(struct recording *recording, struct recorded *record)
{
    if (recording->at == recording->bytes && !next_block(recording))
        return false;
    if (!recording_data(recording, record, sizeof *record))
        return recording->cut ? false : set_cause(recording, "it is damaged: a record is incomplete");
    if (record->kind < RECORDED_CONFIG_READ || record->kind > RECORDED_HOST_WRITE)
        return set_cause(recording, "it is damaged: a record has an unknown kind");
    if (record->kind != RECORDED_CLOCK && record->bytes > RECORDING_CALL_BYTES_MAX)
        return set_cause(recording, "it is damaged: a record has too many bytes");
    recording->calls += record->kind <= RECORDED_CLOCK;
    return true;
}

void recording_close(struct recording *recording)
{
    if (recording->file != NULL)
        fclose(recording->file);
    free(recording->block);
    free(recording->system);
    *recording = (struct recording){.file = NULL};
}
