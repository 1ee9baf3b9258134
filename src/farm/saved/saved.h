/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saved chips: files, and copies. state.c has the state of a whole chip; file.c and header.c have the form of a file.
 * save.c and fork.c have the public functions.
 *
 * Thread: the chip's.
 */
#ifndef FARM_SAVED_SAVED_H
#define FARM_SAVED_SAVED_H

#include "farm/saved/config.h"
#include "host/saved.h"

struct tf_fabric;

/* The saved state (host/saved.h) of a chip in deterministic mode, between runs. A chip that reads is new. */
void tf_chip_state(struct tf_saved *saved, struct tf_chip *chip);

/* The two parts of it: the state outside sites, with all requests in flight; and the state of a site. */
void tf_chip_own_state(struct tf_saved *saved, struct tf_chip *chip);
void tf_site_state(struct tf_saved *saved, struct tf_fabric *fabric, unsigned site);

/* A chip of the same family and board, with one worker: *twin shares the tables of `chip`, and must be destroyed before
   it. It reports nothing. TF_OK, TF_ENOMEM. */
int tf_chip_twin(struct tf_chip *chip, struct tf_chip **twin);

/* Give the state of a twin to its chip. The twin gets the state of the chip, and can only be destroyed. */
void tf_chip_replace(struct tf_chip *chip, struct tf_chip *twin);

/* The first bytes of a file. The body follows, and then its checksum. */
struct tf_saved_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t header_bytes;
    uint64_t layout; /* of the structs of this library */
    uint64_t body_bytes;
    struct tf_saved_config config;
    uint64_t checksum; /* of the bytes before it */
};

/* The header of the file of a chip with this configuration. */
void tf_saved_header(const struct tf_saved_config *config, uint64_t body_bytes, struct tf_saved_header *header);

/* NULL, or the reason why the first `bytes` bytes of a file are no header of this library. */
const char *tf_saved_why_bad(const struct tf_saved_header *header, size_t bytes);

/* Does a saved chip fit a chip with its own configuration? False: *message says what differs. */
bool tf_saved_fits(const struct tf_saved_config *saved, const struct tf_saved_config *own, struct tf_message *message);

#endif
