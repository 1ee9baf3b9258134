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

/* Write or read the state of a chip (host/saved.h). The chip is in deterministic mode and between runs. A chip that
   reads must be new. */
void tf_chip_state(struct tf_saved *saved, struct tf_chip *chip);

/* The two parts of that state: all that belongs to no site, with the requests in flight; and the state of one site. */
void tf_chip_own_state(struct tf_saved *saved, struct tf_chip *chip);
void tf_site_state(struct tf_saved *saved, struct tf_fabric *fabric, unsigned site);

/* Make a new chip with the configuration and the table of another one. It has one worker and no callbacks. *twin shares
   this table, and must be destroyed before the other chip. Returns TF_OK or TF_ENOMEM. */
int tf_chip_twin(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **twin);

/* Swap the states of a chip and its twin. After that the twin can only be destroyed. */
void tf_chip_replace(struct tf_chip *chip, struct tf_chip *twin);

/* Write a chip to a file, which is replaced whole or not at all. TF_OK, TF_ENOMEM, TF_EIO. */
int tf_chip_write(struct tf_chip *chip, const char *path, struct tf_message *message);

/* Read a file into a new chip. TF_OK; TF_EINVAL (saved of a chip with another configuration), TF_EFORMAT, TF_EIO,
   TF_ENOMEM: then the chip can only be destroyed. */
int tf_chip_read(struct tf_chip *chip, const char *path, struct tf_message *message);

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

/* Fill in the header of the file of a chip with this configuration. */
void tf_saved_header(const struct tf_saved_config *config, enum tf_saved_kind kind, uint64_t body_bytes,
                     struct tf_saved_header *header);

/* Returns NULL if the first `bytes` bytes of a file are a header of this library, of this kind; else the reason why
   not. */
const char *tf_saved_why_bad(const struct tf_saved_header *header, enum tf_saved_kind kind, size_t bytes);

/* Can a chip with the configuration `own` take the state of a saved chip? If not, *message names the difference. */
bool tf_saved_fits(const struct tf_saved_config *saved, const struct tf_saved_config *own, struct tf_message *message);

#endif
