/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the fields of the backend configuration, from config.def and from other families' lists. */
#ifndef TILE_TENSIX_DEBUG_NAMES_H
#define TILE_TENSIX_DEBUG_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_config_name {
    const char *name;
    bool thread; /* of ThreadConfig, not of Config */
    uint8_t word, first, width;
};

struct tf_arch;

/* Those of a family (NULL: Blackhole), the fields of a word together. */
const struct tf_config_name *tf_config_names(const struct tf_arch *arch, size_t *count);

/*
 * The fields of a family (NULL: Blackhole) that have bits in `mask` of a word, each behind a blank: " A=1 B", with
 * their values where all their bits are in `mask` and `has_value`. At most bytes - 1 characters and a NUL are written;
 * returns the length, as snprintf.
 */
int tf_config_names_of(const struct tf_arch *arch, bool thread, unsigned word, uint32_t mask, bool has_value,
                       uint32_t value, char *text, unsigned bytes);

#endif
