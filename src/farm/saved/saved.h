/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saved chips: in files, and as copies. state.c has the state of a whole chip; file.c and header.c have the format of a
 * file; save.c and fork.c have the public functions.
 *
 * Thread: the chip's.
 */
#ifndef FARM_SAVED_SAVED_H
#define FARM_SAVED_SAVED_H

#include "farm/saved/config.h"
#include "host/saved.h"

struct tf_fabric;
struct tf_message;

/* What a file has. */
enum tf_saved_kind {
    TF_SAVED_CHIP,
    TF_SAVED_SYSTEM, /* links, and the names of the files of its chips */
};

/* The header of a file. The body follows, and then the checksum of the body. */
struct tf_saved_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t header_bytes;
    uint64_t kind;   /* enum tf_saved_kind */
    uint64_t layout; /* of the structs of this library */
    uint64_t body_bytes;
    struct tf_saved_config config;
    uint64_t checksum; /* of the header's bytes before this one */
};

#endif
