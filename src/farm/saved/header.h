/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a saved chip's file: which library can read it, and for which chip. */
#ifndef FARM_SAVED_HEADER_H
#define FARM_SAVED_HEADER_H

#include <stdbool.h>

struct tf_arch;
struct tf_config;
struct tf_saved_config;

/* Copy these fields from a configuration. arch: the chip on its board. */
void tf_saved_describe(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_config *saved);

/* Copy these fields to a configuration. Returns false if tf_arch_find() does not know the family, or if the family
   cannot have the board. */
bool tf_saved_to_config(const struct tf_saved_config *saved, struct tf_config *config);

#endif
