/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the chip as text. */
#ifndef CLI_OUTPUT_MAP_H
#define CLI_OUTPUT_MAP_H

#include <stdio.h>

#include "cli/output/picture.h"

/* Draw one panel as text. */
void tf_map_print(FILE *out, const struct tf_panel *panel, enum tf_depth depth);

#endif
