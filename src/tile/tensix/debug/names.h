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

/* tf_tensix_disassemble() for a family or NULL. Then " # " and the fields of the configuration that the instruction
   names follow, with its values: "FIDELITY_BASE_Phase=1". */
int tf_tensix_disassemble_named(const struct tf_arch *arch, uint32_t word, char *text, unsigned bytes);

#endif
