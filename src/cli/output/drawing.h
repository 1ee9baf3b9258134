/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of a run: --map and --svg. */
#ifndef CLI_OUTPUT_DRAWING_H
#define CLI_OUTPUT_DRAWING_H

#include "cli/request/request.h"

struct tf_drawing {
    const char *name;                 /* of the run */
    const char *system;               /* NULL: a single chip */
    const struct tf_outcome *outcome; /* of all chips */
};

/* Draw chips to a file, unless svg is NULL, and one figure of their tiles on standard output. Returns false after an
   error line. */
bool tf_drawing_print(const struct tf_drawing *drawing, struct tf_chip *const *chip, unsigned chips, FILE *svg,
                      enum tf_map_of map);

#endif
