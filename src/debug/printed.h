/* SPDX-License-Identifier: Apache-2.0 */
/* What device programs print, by lines: "[tile 3 (4,2) T1] text". */
#ifndef DEBUG_PRINTED_H
#define DEBUG_PRINTED_H

#include <stdio.h>

#include "tilefarm/tilefarm.h"

struct tf_printed;

/* NULL: no memory. */
struct tf_printed *tf_printed_create(FILE *file);

/*
 * For on_print. A line is written when it is whole. When a debugger repeats a part of a run, its texts are not written
 * a second time. Relaxed mode: by the worker of the tile.
 */
void tf_printed_take(struct tf_printed *printed, const struct tf_arch *arch, const struct tf_print_event *event);

/* Write the lines that have no end, and free. NULL is allowed. */
void tf_printed_end(struct tf_printed *printed);

#endif
