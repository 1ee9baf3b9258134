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

/* The configuration fields of a family (NULL: Blackhole), grouped by word. */
const struct tf_config_name *tf_config_names(const struct tf_arch *arch, size_t *count);

/*
 * Write the fields of a family (NULL: Blackhole) that have bits in `mask` of a word, each after a blank: " A=1 B". With
 * `has_value`, a field has its value if all of its bits are in `mask`. At most bytes - 1 characters and a NUL are
 * written. Returns the length of the whole text.
 */
int tf_config_names_of(const struct tf_arch *arch, bool thread, unsigned word, uint32_t mask, bool has_value,
                       uint32_t value, char *text, unsigned bytes);

#endif
