/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of the host's calls (TILEFARM_RECORD, `tilefarm replay`).
 *
 * A file has a header, blocks, and a last block without bytes. Of several chips, the first block says which there are.
 * The bytes of all others make one stream of records. Each record is a struct recorded, and the data that its kind
 * names. Numbers are little-endian, as hosts are.
 */
#ifndef ABI_RECORDING_H
#define ABI_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "farm/saved/config.h"
#include "system/saved/shape.h"

#define RECORDING_VERSION 2u
#define RECORDING_VERSION_SEVERAL 3u /* of several chips */

struct recording_header {
    uint8_t magic[8];
    uint32_t version, header_bytes;
    struct tf_saved_config config; /* of the chip */
    uint32_t clock_least;          /* TILEFARM_CLOCK */
    uint8_t go_on;                 /* TILEFARM_ON_FAULT=go */
    uint8_t host_memory;           /* there are callbacks */
    uint8_t several;               /* the first block has the shape of a system; config: of its chip 0 */
    uint8_t zero;
    uint64_t checksum; /* of the bytes before it */
};

#define RECORDING_BLOCK_BYTES (256u << 10)  /* at most */
#define RECORDING_CALL_BYTES_MAX (1u << 30) /* of a read or write: more than a client can have of a chip */

struct recording_block {
    uint32_t bytes; /* after this header; 0: the end of the recording */
    uint32_t zero;
    uint64_t checksum; /* of these bytes; of the last block: the number of calls */
};

enum recorded_kind {
    RECORDED_CONFIG_READ = 1, /* address: the offset; x: bus, device and function */
    RECORDED_CONFIG_WRITE,    /* y: the value */
    RECORDED_READ,
    RECORDED_WRITE, /* the data follow */
    RECORDED_TILE_READ,
    RECORDED_TILE_WRITE, /* the data follow */
    RECORDED_CLOCK,      /* bytes: the cycles */
    /* Events within the call before them: */
    RECORDED_RESULT,     /* of a read; address: its digest */
    RECORDED_HOST_READ,  /* a callback; the data follow */
    RECORDED_HOST_WRITE, /* a callback; x and y: the digest of its data */
};

struct recorded {
    uint32_t kind, bytes;
    uint64_t address;
    uint32_t x, y;
};

/* The system of a recording of several chips. */
struct recorded_system {
    struct tf_system_shape shape;
    struct tf_system_shape_room room;
};

/* A file that is being read. */
struct recording {
    FILE *file;
    struct recorded_system *system; /* NULL: there is one chip */
    struct recording_header header;
    uint8_t *block;
    uint32_t at, bytes; /* in the block */
    uint64_t calls;     /* that were read so far */
    bool ended;         /* the last block was met */
    bool cut;           /* the file ends without a last block */
    const char *why;    /* NULL, or what is wrong with it */
};

/*
 * Open a file, and verify all of it. partial: it may end early, like the file of a killed client. Returns false and
 * sets `why`. On success the first record comes next.
 */
bool recording_open(struct recording *recording, const char *path, bool partial);

/* The next record; false at the end, or where `why` is set. The number of bytes of a read or write is at most
   RECORDING_CALL_BYTES_MAX. */
bool recording_next(struct recording *recording, struct recorded *record);

/* Read the bytes after a record. Returns false if there are fewer. */
bool recording_data(struct recording *recording, void *data, size_t bytes);

void recording_close(struct recording *recording);

/* The digest of data in a record. */
uint64_t recording_digest(const void *data, size_t bytes);

/* Set magic, version and checksum of a header whose other fields are set. */
void recording_seal(struct recording_header *header);

#endif
