/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor of a terminal: commands as lines of text, in place of GDB and its packets. It has the commands of GDB's
 * `monitor`, and those that GDB itself gives its user: steps, breakpoints, registers, memory.
 */
#ifndef DEBUG_GDB_CONSOLE_H
#define DEBUG_GDB_CONSOLE_H

#include <stdio.h>

#include "debug/gdb/gdb.h"

/* What a monitor needs of its host. */
struct tf_console {
    FILE *in, *out;              /* commands and answers */
    bool prompts;                /* a person types: print a prompt */
    void (*resumes)(void *user); /* called when the user lets the chip run; or NULL */
    void *user;
};

/* Make a stub that this console drives. Returns NULL if the host has no memory. */
struct tf_gdb *tf_console_open(const struct tf_console *console);

#endif
