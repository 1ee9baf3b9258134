/* SPDX-License-Identifier: Apache-2.0 */
/* Places in programs, as users write them. */
#ifndef DEBUG_GDB_NAMED_H
#define DEBUG_GDB_NAMED_H

#include <stdbool.h>
#include <stdint.h>

struct tf_gdb;

/*
 * Find the address that a text names for a core: a number, a function, a variable, one of them with "+NUMBER",
 * "FILE:LINE", or "$REGISTER". *bytes: the size of a variable, else 0. Returns false if it names nothing.
 */
bool tf_named_place(struct tf_gdb *gdb, unsigned pid, const char *text, uint32_t *address, uint32_t *bytes);

#endif
