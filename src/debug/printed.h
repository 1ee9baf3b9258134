/* SPDX-License-Identifier: Apache-2.0 */
/* The output of device programs, by lines: "[tile 3 (4,2) T1] text". */
#ifndef DEBUG_PRINTED_H
#define DEBUG_PRINTED_H

#include <stdio.h>

#include "tilefarm/tilefarm_events.h"

struct tf_printed;

/* Begin to print to a file. Returns NULL if the host has no memory. */
struct tf_printed *tf_printed_create(FILE *file);

/* From now on lines name a chip before the tile: "chip 1 ". printed: NULL is allowed. */
void tf_printed_name_chip(struct tf_printed *printed, const char *chip);

/*
 * The callback for on_print. It writes a line when the line is complete. When a debugger repeats a part of a run, the
 * texts of that part are not written a second time. Thread: as of on_print; in relaxed mode the worker of the tile.
 */
void tf_printed_take(struct tf_printed *printed, const struct tf_arch *arch, const struct tf_print_event *event);

/* Write the incomplete lines, and free. NULL is allowed. */
void tf_printed_end(struct tf_printed *printed);

#endif
