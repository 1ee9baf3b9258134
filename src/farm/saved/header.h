/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a saved chip's file: which library can read it, and for which chip. */
#ifndef FARM_SAVED_HEADER_H
#define FARM_SAVED_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "farm/saved/saved.h"

struct tf_message;
struct tf_saved_header;

struct tf_arch;
struct tf_config;
struct tf_saved_config;

/* Copy these fields from a configuration. arch: the chip on its board. */
void tf_saved_describe(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_config *saved);

/* Copy these fields to a configuration. Returns false if tf_arch_find() does not know the family, or if the family
   cannot have the board. */
bool tf_saved_to_config(const struct tf_saved_config *saved, struct tf_config *config);

/* Fill in the header of the file of a chip with this configuration. */
void tf_saved_header(const struct tf_saved_config *config, enum tf_saved_kind kind, uint64_t body_bytes,
                     struct tf_saved_header *header);

/* Returns NULL if the first `bytes` bytes of a file are a header of this library, of this kind; else the reason why
   not. */
const char *tf_saved_why_bad(const struct tf_saved_header *header, enum tf_saved_kind kind, size_t bytes);

/* Can a chip with the configuration `own` take the state of a saved chip? If not, *message names the difference. */
bool tf_saved_fits(const struct tf_saved_config *saved, const struct tf_saved_config *own, struct tf_message *message);

#endif
