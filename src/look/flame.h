/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as a flame graph. */
#ifndef LOOK_FLAME_H
#define LOOK_FLAME_H

#include <stdbool.h>
#include <stdio.h>

#include "look/profile.h"

/* Write one SVG, which a page may contain. Returns false if the host has no memory. */
bool tf_profile_write_flame(const struct tf_profile *profile, FILE *file);

#endif
